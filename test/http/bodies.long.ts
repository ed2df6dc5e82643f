import { Agent } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type DialectId, dialectIds } from '../../translators/index.js';
import { type Sent, sendings } from '../backend/faults/sendings.js';
import { SLIPS } from '../backend/faults/slips.js';
import { rounded, setting, tellFigures } from '../support/load/figures.js';
import { mediaSendings } from '../support/load/media-bodies.js';
import { type Program, startProgram } from '../support/load/program.js';
import { seedOfRun } from '../support/load/random.js';
import { isErrorBody } from '../support/load/reading.js';
import { type Answered, lookAt, sendBody } from '../support/load/send.js';

const BODIES = setting('BODIES', 20_000);
/** How many are on their way at a time. */
const BATCH = 20;

const seed = seedOfRun();
const agent = new Agent({ keepAlive: true });
let program: Program;
let slowest = { ms: 0, path: '', body: '' };

beforeAll(async () => {
  program = await startProgram({
    backends: Object.fromEntries(dialectIds.map((dialect) => [dialect, { dialect, simulator: true }])),
    models: Object.fromEntries(dialectIds.map((dialect) => [dialect, { backend: dialect }])),
    media: { fetch: false },
    store: { type: 'memory', maxMb: 8 },
    log: { level: 'error' },
  });
}, 60_000);

afterAll(async () => {
  agent.destroy();
  await program.close();
});

interface Sending {
  readonly path: string;
  readonly type: string;
  readonly body: string | Buffer;
}

async function answered(sent: Sending): Promise<Answered> {
  const answer = await sendBody(program.url, agent, sent, 30_000);
  if (answer.ms > slowest.ms) slowest = { ms: answer.ms, path: sent.path, body: sent.body.toString().slice(0, 2000) };
  expect(answer.status).toBeLessThan(500);
  expect(answer.complete).toBe(true);
  if (!SLIPS.test(sent.body.toString())) expect(answer.text).not.toMatch(SLIPS);
  return answer;
}

async function tryConversation(dialect: DialectId, sent: Sent): Promise<number> {
  const { status, type, text } = await answered({ ...sent, type: 'application/json' });
  if (status >= 400) {
    expect(type).toMatch(/^application\/json/);
    expect(isErrorBody(dialect, JSON.parse(text))).toBe(true);
  } else if (type.startsWith('text/event-stream')) expect(text).toMatch(/^data: ./m);
  else JSON.parse(text);
  return status;
}

async function tryMedia(sent: Sending): Promise<number> {
  const { status, type, text } = await answered(sent);
  if (status >= 400) {
    const body: { readonly error?: { readonly message?: unknown }; readonly message?: unknown } = JSON.parse(text);
    expect(typeof (body.error?.message ?? body.message)).toBe('string');
  } else if (!type.startsWith('text/event-stream')) JSON.parse(text);
  return status;
}

/** Sends batches until so many bodies were sent. */
async function sendMany<T>(
  count: number,
  bodies: fc.Arbitrary<T>,
  send: (body: T) => Promise<number>,
): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  const batches = fc.array(bodies, { minLength: BATCH, maxLength: BATCH });
  await fc.assert(
    fc.asyncProperty(batches, async (batch) => {
      for (const status of await Promise.all(batch.map(send))) statuses[status] = (statuses[status] ?? 0) + 1;
    }),
    // A batch that fails is told as it is: to shrink one takes longer than the test may.
    { seed, numRuns: Math.ceil(count / BATCH), endOnFailure: true },
  );
  return statuses;
}

test(
  `${BODIES} generated bodies are answered by somebody who understood why not`,
  async () => {
    const started = performance.now();
    const statuses: Record<string, Record<string, number>> = {};
    const before = await program.holding();
    for (const dialect of dialectIds) {
      statuses[dialect] = await sendMany(BODIES * 0.3, sendings(dialect), (sent) => tryConversation(dialect, sent));
    }
    statuses.media = await sendMany(BODIES * 0.1, mediaSendings, tryMedia);
    const after = await program.holding();
    tellFigures('bodies', {
      seed,
      bodies: BODIES,
      seconds: rounded((performance.now() - started) / 1000),
      statuses,
      slowest: { ...slowest, ms: rounded(slowest.ms), body: slowest.ms > 1000 ? slowest.body : undefined },
      rssMb: [before, after].map(({ memory }) => Math.round(memory.rss / 2 ** 20)),
      loopMaxMs: rounded(after.loop.max),
    });
    for (const of of Object.values(statuses)) expect(of[400] ?? 0).toBeGreaterThan(0);
    expect(program.stderr).toBe('');
    expect((await lookAt(`${program.url}/healthz`)).status).toBe(200);
  },
  60_000 + BODIES * 60,
);
