import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { DialectId, Loss } from '../../../translators/index.js';
import { CORPUS_ABSENT, corpusPresent } from '../../support/corpus.js';
import { CROSS_PAIRS, runsOfPair } from '../../support/pairs.js';
import { has } from '../dialects/index.js';
import { type Asking, folded, streamed } from './both-ways.js';
import { streamsOf } from './generate/index.js';
import { requestsOf } from './generate/requests.js';
import { readers } from './readers/index.js';
import { recordedStreams } from './recorded.js';
import { difference } from './same.js';

/** What only a stream has to say of itself. */
const STREAM_TIME: Readonly<Record<string, string>> = {
  'usage.input': 'message_start is an estimate (6.7 b)',
  'part.citation': 'a citation is widened to its block, or too late for it (6.7 a, 5.5)',
  tier: 'a stream tells the tier in its first event or not at all [M §5.5]',
  'stream.arguments': 'calls come whole although fragments were asked for (6.4)',
};

function featuresOf(losses: readonly Loss[]): Set<string> {
  return new Set(losses.map(({ feature, kind }) => `${feature} ${kind}`));
}

function isStreamTime(loss: string): boolean {
  return Object.hasOwn(STREAM_TIME, loss.replace(/ .*/, ''));
}

/** Checks the folding law for one stream; gives what a client read of it. */
function check(from: DialectId, to: DialectId, bytes: Uint8Array, asking: Asking = {}): void {
  const told = streamed(from, to, [bytes], asking);
  const whole = folded(from, to, bytes, asking);
  const reading = readers[to](told.text);
  if (has(to, 'lossComments')) expect(reading.losses).toEqual(told.losses);
  expect(reading.error === undefined ? 'an answer' : 'a failure').toBe(
    whole.failure === undefined ? 'an answer' : 'a failure',
  );
  if (reading.final === undefined || whole.body === undefined) return;
  expect(difference(to, reading.final, whole.body, told.losses)).toBeUndefined();
  const [inStream, inWhole] = [featuresOf(told.losses), featuresOf(whole.losses)];
  // What comes too late in a stream is dropped where the whole answer tells it as something weaker.
  const isLate = (loss: string): boolean => inStream.has(loss.replace('approximated', 'dropped'));
  expect([...inWhole].filter((loss) => !inStream.has(loss) && !isLate(loss))).toEqual([]);
  expect([...inStream].filter((loss) => !inWhole.has(loss) && !isStreamTime(loss))).toEqual([]);
}

describe('a stream that is read to its end is the answer that was folded first (translation.md 6.7)', () => {
  test.each(CROSS_PAIRS)('%s to %s', (from, to) => {
    const framing = fc.constantFrom('sse' as const, has(to, 'arrayStreams') ? ('array' as const) : ('sse' as const));
    fc.assert(
      fc.property(streamsOf[from], requestsOf[to], framing, ({ bytes }, request, form) =>
        check(from, to, bytes, { request, framing: form }),
      ),
      { numRuns: runsOfPair(250) },
    );
  });

  const recorded = corpusPresent ? test : test.skip;
  recorded.each(CROSS_PAIRS)(`%s to %s: recordings ${corpusPresent ? '' : CORPUS_ABSENT}`, (from, to) => {
    const broken: string[] = [];
    for (const { name, bytes } of recordedStreams(from, to)) {
      try {
        check(from, to, bytes);
      } catch (thrown) {
        broken.push(`${name}: ${String(thrown)}`);
      }
    }
    expect(broken).toEqual([]);
  });
});
