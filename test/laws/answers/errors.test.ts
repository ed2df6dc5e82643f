import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type CanonicalError, type DialectId, dialects, type EncodedError } from '../../../translators/index.js';
import { isObject } from '../../../translators/wire/json.js';
import { CORPUS_ABSENT, corpusPresent, recordedExchanges } from '../../support/corpus.js';
import { TRIED } from '../../support/pairs.js';
import { runs } from '../../support/runs.js';
import { lawTableOf } from '../dialects/index.js';

import { drawn } from '../drawn.js';
import { sprinkled, sprinkles } from './sprinkle.js';

const BODIES = lawTableOf('errorBodies');

const WORDS = lawTableOf('errorWords');

/** An error read, written and read again by one dialect. */
function twice(dialect: DialectId, status: number, body: unknown) {
  const { decodeError, encodeError } = dialects[dialect];
  const read = decodeError(status, body, {});
  const written = encodeError(read, {});
  const again = decodeError(written.status, JSON.parse(JSON.stringify(written.body)), written.headers);
  return { read, written, again };
}

function encodeAgain(dialect: DialectId, error: CanonicalError): EncodedError {
  return dialects[dialect].encodeError(error, {});
}

describe('an error of one dialect, read and written again', () => {
  test.each(TRIED)('%s: says the same, whatever else its body holds', (dialect) => {
    fc.assert(
      fc.property(drawn('STATUSES'), BODIES[dialect], sprinkles, (status, body, list) => {
        const { read, written, again } = twice(
          dialect,
          status,
          sprinkled(body, list, () => false),
        );
        // Code, field and advice may become those that the kind has (translation.md 7.1).
        expect(again.kind).toBe(read.kind);
        // In front of the words of a too long input stands the sentence that agents know (translation.md 7.1.8).
        if (read.kind === 'context_length') expect(` | ${again.message}`.endsWith(` | ${read.message}`)).toBe(true);
        else expect(again.message).toBe(read.message);
        expect(encodeAgain(dialect, again)).toEqual(written);
      }),
      { numRuns: runs(200) },
    );
  });

  const recorded = corpusPresent ? test : test.skip;
  recorded.each(TRIED)(`%s: recordings keep status and words ${corpusPresent ? '' : CORPUS_ABSENT}`, (dialect) => {
    for (const { name, status, response } of recordedExchanges(dialect)) {
      if (status === 200 || !isObject(response) || !isObject(response.error)) continue;
      const { written } = twice(dialect, status, response);
      const error: unknown = written.body.error;
      const said = response.error;
      expect({ name, status: written.status, error }).toMatchObject({
        name,
        status,
        error: Object.fromEntries(WORDS[dialect](said).map((key) => [key, said[key]])),
      });
    }
  });
});
