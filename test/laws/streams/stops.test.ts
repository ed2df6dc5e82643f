import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { DialectId } from '../../../translators/index.js';
import { runs } from '../runs.js';
import { folded, PAIRS, streamed } from './both-ways.js';
import { streamsOf } from './generate/index.js';
import { stoppingRequests } from './generate/requests.js';
import type { Wire } from './generate/values.js';
import { addPart } from './readers/generate-content.js';
import { readers } from './readers/index.js';

/**
 * What is said, and why it ends. What a backend tells only at its end (counts, sources, log probabilities) is not known
 * of a stream that is cut before.
 */
const SAID: Record<DialectId, (answer: Wire) => unknown> = {
  messages({ content, stop_reason, stop_sequence }) {
    const blocks: Wire[] = [];
    for (const { citations: _sources, ...block } of content as readonly Wire[]) addPart(blocks, block);
    return { blocks, stop_reason, stop_sequence };
  },
  responses: (answer) => answer,
  generateContent({ candidates }) {
    const [candidate] = (candidates ?? []) as readonly Wire[];
    const parts: Wire[] = [];
    for (const part of (Object(candidate?.content).parts ?? []) as readonly Wire[]) addPart(parts, part);
    return { parts, finishReason: candidate?.finishReason };
  },
};

/** Clients of responses cannot ask for stop strings. */
const STOPPED = PAIRS.filter(([, to]) => to !== 'responses');

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
      { numRuns: runs(150) },
    );
  });
});
