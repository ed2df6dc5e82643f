import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { createStreamTranslator, type DialectId } from '../../../translators/index.js';
import { DELTA } from '../../exchange/cells.js';
import { FRAMES, STREAM } from '../../support/gateway/harness.js';
import { CROSS_PAIRS } from '../../support/pairs.js';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

const DELTAS = 60_000;
/** Bytes per character; a text that is held as the pieces it came in costs eight and more. */
const BOUND = 2.5;
const AT_ONCE = 100;
const CASES = CROSS_PAIRS.map(([from, to]) => ({ from, to }));

/** Bytes that a stream of `deltas` deltas with four characters each holds before its end. */
function heldBy(from: DialectId, to: DialectId, deltas: number): number {
  const stream = createStreamTranslator({ from, to, request: STREAM[to]('m').body });
  const frames = FRAMES[from]('forword');
  for (const frame of frames.slice(0, DELTA[from] + 1)) stream.push(Buffer.from(frame));
  const words = (frames[DELTA[from] + 1] ?? '').replace('"finishReason":"STOP"', '"x":0').repeat(AT_ONCE);
  collect();
  const before = process.memoryUsage().heapUsed;
  let said = 0;
  for (let count = 0; count < deltas; count += AT_ONCE) said += stream.push(Buffer.from(words)).length;
  collect();
  const held = process.memoryUsage().heapUsed - before;
  expect(said).toBeGreaterThan(deltas * 60);
  expect(stream.push(Buffer.from(words))).toContain('word');
  return held;
}

test.each(CASES)('$from to $to: a stream holds its text once, whatever the pieces it came in', ({ from, to }) => {
  // What the engine keeps beside it, such as compiled code, is counted once at most.
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 4 && least > BOUND; run += 1)
    least = Math.min(least, heldBy(from, to, DELTAS) / (DELTAS * 4));
  expect(least).toBeLessThan(BOUND);
});
