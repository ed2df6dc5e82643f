import { type IncomingMessage, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createFrameCutter, type DialectId, dialectIds } from '../../translators/index.js';
import { tableOf } from '../support/dialects/index.js';
import { type FaultyBackend, startFaultyBackend } from '../support/faulty-backend.js';
import { STREAM, vendorsAt } from '../support/gateway/harness.js';
import { rounded, setting, tellFigures } from '../support/load/figures.js';
import { type Program, startProgram } from '../support/load/program.js';
import { until } from '../support/until.js';
import { type Flow, flood, markOf } from './flood.js';

const MB = 1024 * 1024;
/** More than the system's own buffers take of one stream. */
const OFFERED = setting('STALLED_MB', 16) * MB;
/** The most that a client costs that has not read yet what it was sent: chunks of 64 kB on either side, and its text, packed. */
const MOST_HELD = 448 * 1024;

const TEXT_OF = tableOf('textOfEvent');
/** Many of each pair hold what can be told from a program's ups and downs. */
const EACH = setting('STALLED_EACH', 6);
const PAIRS = dialectIds.flatMap((client) => dialectIds.map((dialect) => ({ client, dialect })));

let backend: FaultyBackend;
let program: Program;

beforeAll(async () => {
  backend = await startFaultyBackend();
  program = await startProgram({
    ...vendorsAt(backend.url),
    limits: { writeIdleSeconds: 120, heartbeatSeconds: 1 },
    // The long answers themselves are not kept.
    store: { type: 'memory', entryMb: 4 },
    log: { level: 'error' },
  });
}, 60_000);
afterAll(async () => {
  await program.close();
  await backend.close();
});

/** Asks for a stream; what comes of it is not read until somebody does. */
function ask(client: DialectId, model: string): Promise<IncomingMessage> {
  const { path, body } = STREAM[client](encodeURIComponent(model));
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const asked = request(program.url + path, { method: 'POST', headers, agent: false }, resolve);
    asked.on('error', reject);
    asked.end(JSON.stringify(body).replaceAll('%2F', '/'));
  });
}

/** Reads the text of a stream to its end. */
async function textOf(client: DialectId, answer: IncomingMessage): Promise<string> {
  const cutter = createFrameCutter();
  const texts: string[] = [];
  answer.setEncoding('utf8');
  for await (const piece of answer) {
    for (const frame of cutter.push(piece)) {
      const data = /^data: ?(\{.*)$/m.exec(frame)?.[1];
      const text = data === undefined ? undefined : TEXT_OF[client](JSON.parse(data));
      if (text !== undefined) texts.push(text);
    }
  }
  return texts.join('');
}

/** The length of what a text holds of the flood, every delta once and in its place, between a few words. */
function floodIn(text: string): number {
  const start = text.indexOf(markOf(0));
  const delta = /(\d{12})x+/y;
  delta.lastIndex = start;
  let end = start;
  for (let number = 0, found = delta.exec(text); found !== null; number += 1, found = delta.exec(text)) {
    if (found[1] !== markOf(number)) break;
    end = delta.lastIndex;
  }
  const words = text.slice(0, start) + text.slice(end);
  expect([words.length, words.slice(0, 100)]).toEqual([16, 'end of the flood']);
  return end - start;
}

test('hardening.md row 50: a client that stops reading stops its backend, costs little memory, and loses nothing', async () => {
  const flows: Flow[] = [];
  flood(backend, 'long', OFFERED, flows);
  flood(backend, 'short', MB, []);
  for (const { client, dialect } of PAIRS) await textOf(client, await ask(client, `${dialect}/short`));
  const { memory: before } = await program.holding();
  const stalled = Array.from({ length: EACH }, () => PAIRS).flat();
  const answers = await Promise.all(stalled.map(({ client, dialect }) => ask(client, `${dialect}/long`)));
  const sum = () => flows.reduce((total, { sent }) => total + sent, 0);
  await until(() => flows.length === stalled.length);
  for (let last = -1; sum() !== last; await delay(2000)) last = sum();
  const { memory } = await program.holding();
  const held = (memory.heapUsed + memory.arrayBuffers - before.heapUsed - before.arrayBuffers) / stalled.length;
  tellFigures('stalled readers', {
    readers: stalled.length,
    backendsSentMb: rounded(sum() / MB),
    heldByReaderKb: rounded(held / 1024),
    rssByReaderKb: rounded((memory.rss - before.rss) / stalled.length / 1024),
  });
  for (const { sent, closed } of flows) expect([sent < OFFERED, closed]).toEqual([true, false]);
  expect(held).toBeLessThan(MOST_HELD);

  // One of each pair goes on.
  for (const answer of answers.slice(PAIRS.length)) answer.destroy();
  await Promise.all(
    PAIRS.map(async ({ client }, index) => {
      const text = await textOf(client, answers[index] as IncomingMessage);
      expect(floodIn(text)).toBeGreaterThan((3 / 4) * OFFERED);
    }),
  );
  // The signs of life that were due meanwhile did not wait with it.
  await until(async () => (await program.holding()).memory.heapUsed < before.heapUsed + 20 * MB);
}, 240_000);
