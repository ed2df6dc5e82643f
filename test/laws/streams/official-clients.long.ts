import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { DialectId } from '../../../translators/index.js';
import { CORPUS_ABSENT, corpusPresent } from '../../support/corpus.js';
import { CROSS_PAIRS, partnersOf, runsOfPair, TRIED } from '../../support/pairs.js';
import { lawTableOf } from '../dialects/index.js';
import { folded, streamed } from './both-ways.js';
import { streamsOf } from './generate/index.js';
import { readOfficially } from './official.js';
import { readers } from './readers/index.js';
import { recordedStreams } from './recorded.js';
import { difference } from './same.js';

/** Reads what a client of `to` is sent with its official helper, and gives what is wrong with it. */
async function fault(from: DialectId, to: DialectId, bytes: Uint8Array): Promise<unknown> {
  const told = streamed(from, to, [bytes]);
  const whole = folded(from, to, bytes);
  const { final, failure } = await readOfficially(to, told.text);
  if (whole.body === undefined) return failure === undefined ? { ended: final } : messageFault(to, told.text, failure);
  if (final === undefined) return { thrown: String(failure) };
  return difference(to, final, SEEN[to](final, whole.body), told.losses);
}

const SEEN = lawTableOf('officialView');

/** The client throws what the stream told, and not something of its own about the stream. */
function messageFault(to: DialectId, text: string, failure: unknown): unknown {
  const { error } = readers[to](text);
  const words = String(error?.message);
  return String(failure).includes(words.slice(0, 40)) ? undefined : { thrown: String(failure), told: words };
}

describe('the official clients accept every stream and end with the answer that was folded', () => {
  test.each(CROSS_PAIRS)('%s to %s', async (from, to) => {
    await fc.assert(
      fc.asyncProperty(streamsOf[from], async ({ bytes }) => {
        expect(await fault(from, to, bytes)).toBeUndefined();
      }),
      { numRuns: runsOfPair(30), endOnFailure: true },
    );
  });

  const recorded = corpusPresent ? test : test.skip;
  recorded.each(CROSS_PAIRS)(`%s to %s: recordings ${corpusPresent ? '' : CORPUS_ABSENT}`, async (from, to) => {
    const faults: unknown[] = [];
    for (const { name, bytes } of recordedStreams(from, to)) {
      const found = await fault(from, to, bytes);
      if (found !== undefined) faults.push({ name, ...Object(found) });
    }
    expect(faults).toEqual([]);
  });

  recorded.each(TRIED)(`%s: a cut stream is a failure for it ${corpusPresent ? '' : CORPUS_ABSENT}`, async (to) => {
    for (const from of partnersOf(to)) {
      for (const { name, bytes, finishAt = bytes.length } of recordedStreams(from, to).slice(0, 12)) {
        const { text } = streamed(from, to, [bytes.subarray(0, Math.floor(finishAt * 0.7))]);
        const { failure } = await readOfficially(to, text);
        expect({ name, fails: failure !== undefined }).toEqual({ name, fails: true });
      }
    }
  });
});
