import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CROSS_PAIRS, runsOfPair } from '../../support/pairs.js';
import { has, lawTableOf } from '../dialects/index.js';
import { folded, streamed } from './both-ways.js';
import { streamsOf } from './generate/index.js';
import { stoppingRequests } from './generate/requests.js';
import { readers } from './readers/index.js';

const SAID = lawTableOf('stopped');

const STOPPED = CROSS_PAIRS.filter(([, to]) => has(to, 'stopStrings'));

describe('an answer ends at the same stop string whether it is streamed or folded (translation.md 2.11)', () => {
  test.each(STOPPED)('%s to %s', (from, to) => {
    fc.assert(
      fc.property(streamsOf[from], ({ bytes, interleaved }) => {
        // Of parts that are written at once, those in front of the stop string may not be whole yet.
        fc.pre(!interleaved);
        const asking = { request: stoppingRequests[to] };
        const { final } = readers[to](streamed(from, to, [bytes], asking).text);
        const { body } = folded(from, to, bytes, asking);
        // What fails behind a stop string fails for who reads on.
        if (body !== undefined) expect(final && SAID[to](final)).toEqual(SAID[to](body));
      }),
      { numRuns: runsOfPair(150) },
    );
  });
});
