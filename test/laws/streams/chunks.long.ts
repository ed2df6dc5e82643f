import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CORPUS_ABSENT, corpusPresent } from '../../support/corpus.js';
import { CROSS_PAIRS, runsOfPair } from '../../support/pairs.js';
import { streamed } from './both-ways.js';
import { chunkSizes, cutBytes } from './generate/framing.js';
import { streamsOf } from './generate/index.js';
import { requestsOf } from './generate/requests.js';
import { recordedStreams } from './recorded.js';

describe('where the chunks of a stream end changes nothing (translation.md 6.7)', () => {
  test.each(CROSS_PAIRS)('%s to %s', (from, to) => {
    fc.assert(
      fc.property(streamsOf[from], requestsOf[to], chunkSizes, ({ bytes }, request, sizes) => {
        const whole = streamed(from, to, [bytes], { request });
        expect(streamed(from, to, cutBytes(bytes, sizes), { request })).toEqual(whole);
      }),
      { numRuns: runsOfPair(60) },
    );
  });

  test.each(CROSS_PAIRS)('%s to %s, as text instead of bytes', (from, to) => {
    fc.assert(
      fc.property(streamsOf[from], fc.integer({ min: 1, max: 30 }), ({ bytes, text }, size) => {
        const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
        expect(streamed(from, to, pieces)).toEqual(streamed(from, to, [bytes]));
      }),
      { numRuns: runsOfPair(20) },
    );
  });

  const recorded = corpusPresent ? test : test.skip;
  recorded.each(CROSS_PAIRS)(`%s to %s: recordings ${corpusPresent ? '' : CORPUS_ABSENT}`, (from, to) => {
    for (const { name, bytes } of recordedStreams(from, to)) {
      const whole = streamed(from, to, [bytes]);
      const sizes = [[7], [...name].map((letter) => 1 + (letter.charCodeAt(0) % 50))];
      if (bytes.length < 20_000) sizes.push([1]);
      for (const size of sizes) {
        expect({ name, told: streamed(from, to, cutBytes(bytes, size)) }).toEqual({ name, told: whole });
      }
    }
  });
});
