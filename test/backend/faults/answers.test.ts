import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { DialectId } from '../../../translators/index.js';
import { streamsOf } from '../../laws/streams/generate/index.js';
import { type Asked, inChunks, LAST_CHUNK, rawAnswer, streamHead } from '../../support/faulty-backend.js';
import { messageOf } from '../../support/gateway/harness.js';
import { CROSS_PAIRS, runsOfPair } from '../../support/pairs.js';
import { asking, exchange, type Outcome } from './cells.js';
import { breaks, eventsOf } from './checks.js';
import { changed } from './mutations.js';
import { SLIPS } from './slips.js';
import { type Stage, startStage } from './stage.js';

let stage: Stage;
const unforeseen: unknown[] = [];
const note = (thrown: unknown): unknown => unforeseen.push(thrown);

beforeAll(async () => {
  process.on('unhandledRejection', note);
  process.on('uncaughtException', note);
  stage = await startStage();
});

afterAll(async () => {
  await stage.close();
  process.off('unhandledRejection', note);
  process.off('uncaughtException', note);
});

/** A broken answer: the events of a stream, or a body. */
interface Broken {
  readonly mode: 'plain' | 'stream';
  readonly value: unknown;
}

/** Answers that a backend may send, with up to three faults in their values. */
function brokenAnswers(backend: DialectId): fc.Arbitrary<Broken> {
  const events = streamsOf[backend].map((stream) => stream.events.map(({ data }) => data));
  const bodies = streamsOf[backend].map(({ whole }) => whole).filter((body) => body !== undefined);
  return fc.oneof(
    changed(events).map((value): Broken => ({ mode: 'stream', value })),
    changed(bodies).map((value): Broken => ({ mode: 'plain', value })),
  );
}

function play(asked: Asked, { mode, value }: Broken): void {
  if (mode === 'plain') {
    asked.socket.write(rawAnswer('200 OK', JSON.stringify(value) ?? ''));
    return;
  }
  const frames = (Array.isArray(value) ? value : [value]).map((data) => {
    const name: unknown = Object(data).type;
    const line = typeof name === 'string' && /^[\w.]+$/.test(name) ? `event: ${name}\n` : '';
    return `${line}data: ${JSON.stringify(data)}\n\n`;
  });
  const body = frames.length === 0 ? '' : inChunks(frames.join(''));
  asked.socket.write(Buffer.concat([Buffer.from(streamHead(asked)), Buffer.from(body), Buffer.from(LAST_CHUNK)]));
}

function judge(client: DialectId, { mode, value }: Broken, outcome: Outcome): void {
  expect(outcome.complete).toBe(!breaks(client, mode, outcome));
  if (SLIPS.exec(JSON.stringify(value) ?? '') === null) expect(outcome.text).not.toMatch(SLIPS);
  if (outcome.status !== 200) messageOf(client, JSON.parse(outcome.text));
  else if (mode === 'plain') JSON.parse(outcome.text);
  else expect(eventsOf(outcome.text, 'stream').length).toBeGreaterThan(0);
}

const CASES = CROSS_PAIRS.map(([client, backend]) => ({ client, backend }));

describe.each(CASES)('malformed answers of $backend to a $client client', ({ client, backend }) => {
  test('are answers or failures, in its own words', async () => {
    let number = 0;
    await fc.assert(
      fc.asyncProperty(brokenAnswers(backend), async (broken) => {
        number += 1;
        const id = `broken-${client}-${backend}-${number}`;
        stage.backend.on(id, (asked) => play(asked, broken));
        const { path, body } = asking(client, broken.mode, `${backend}-calm-${id}`);
        judge(client, broken, await exchange(stage.gateway.url, path, body));
      }),
      { numRuns: runsOfPair(60), endOnFailure: true },
    );
    expect(unforeseen).toEqual([]);
  }, 600_000);
});
