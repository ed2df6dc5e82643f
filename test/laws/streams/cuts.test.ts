import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { DialectId } from '../../../translators/index.js';
import { CORPUS_ABSENT, corpusPresent } from '../../support/corpus.js';
import { CROSS_PAIRS, runsOfPair } from '../../support/pairs.js';
import { share } from '../../support/runs.js';
import { streamed } from './both-ways.js';
import type { WireStream } from './generate/framing.js';
import { streamsOf } from './generate/index.js';
import { readers } from './readers/index.js';
import { recordedStreams } from './recorded.js';

/** The places where what comes through of `stream` ends in something else than the finish tells. */
function wrongEnds(from: DialectId, to: DialectId, { bytes, finishAt }: WireStream, cuts: Iterable<number>): string[] {
  const ends = (length: number): string => {
    const { text } = streamed(from, to, [bytes.subarray(0, length)]);
    return readers[to](text).error === undefined ? 'an answer' : 'an error';
  };
  const whole = ends(bytes.length);
  const wrong: string[] = [];
  for (const cut of cuts) {
    const length = cut % (bytes.length + 1);
    const expected = finishAt !== undefined && length >= finishAt ? whole : 'an error';
    const seen = ends(length);
    if (seen !== expected) wrong.push(`${length} of ${bytes.length} bytes (finish at ${finishAt}): ${seen}`);
  }
  return wrong;
}

/** Around the byte with which the finish is known. */
function near(finishAt: number | undefined): number[] {
  return finishAt === undefined ? [] : [finishAt - 1, finishAt, finishAt + 1, finishAt + 2];
}

/** In the short run every third one. */
function everyByte({ bytes }: WireStream): Iterable<number> {
  return share(Array.from({ length: bytes.length + 1 }, (_, at) => at));
}

/** Of streams below so many bytes one is cut at every byte; shorter bounds fit no stream of some dialects. */
const SHORTEST = 2500;

/** One host told a failure when it had already said how the answer ends [H §7.2]. */
const FAILED_LATE = /openrouter-stream-error$/;

describe('a cut stream is an error until its finish was seen (translation.md 6.5)', () => {
  test.each(CROSS_PAIRS)('%s to %s', (from, to) => {
    fc.assert(
      fc.property(streamsOf[from], fc.array(fc.nat(), { minLength: 6, maxLength: 6 }), (stream, cuts) => {
        expect(wrongEnds(from, to, stream, [...near(stream.finishAt), ...cuts])).toEqual([]);
      }),
      { numRuns: runsOfPair(50) },
    );
  });

  test.each(CROSS_PAIRS)('%s to %s: cut at every byte', (from, to) => {
    const [stream] = fc.sample(
      streamsOf[from].filter(({ bytes, finishAt }) => bytes.length < SHORTEST && finishAt !== undefined),
      1,
    );
    if (stream === undefined) throw new Error('no stream is that short');
    expect({ text: stream.text, wrong: wrongEnds(from, to, stream, everyByte(stream)) }).toEqual({
      text: stream.text,
      wrong: [],
    });
  });

  const recorded = corpusPresent ? test : test.skip;
  recorded.each(CROSS_PAIRS)(`%s to %s: recordings ${corpusPresent ? '' : CORPUS_ABSENT}`, (from, to) => {
    const streams = recordedStreams(from, to).filter(({ name }) => !FAILED_LATE.test(name));
    const wrong = streams.flatMap((stream) => {
      const { length } = stream.bytes;
      const cuts = [0.3, 0.8].map((part) => Math.floor(length * part));
      return wrongEnds(from, to, stream, [...near(stream.finishAt), ...cuts]).map((line) => `${stream.name}: ${line}`);
    });
    expect(wrong).toEqual([]);
  });
});
