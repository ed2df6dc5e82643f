import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { TranslationError, translateRequest, translateResponse } from '../../../translators/index.js';
import { isObject } from '../../../translators/wire/json.js';
import { CORPUS_ABSENT, corpusPresent, isRecorded, recordedExchanges } from '../../support/corpus.js';
import { tableOf } from '../../support/dialects/index.js';
import { CROSS_PAIRS, runsOfPair } from '../../support/pairs.js';
import { oddWords, withWord } from './odd-words.js';

const MODELS = tableOf('model');

const suite = corpusPresent ? describe : describe.skip;

/** What a public function says when something broke in it. */
const UNFORESEEN = TranslationError.from(new Error('broken')).message;

/** Whether the work ends as it should: with a body, or with a failure that was foreseen. */
function endsWell(work: () => unknown): boolean {
  try {
    return typeof JSON.stringify(work()) === 'string';
  } catch (thrown) {
    return thrown instanceof TranslationError && thrown.message !== UNFORESEEN;
  }
}

suite(`a word that every object knows is a word like another ${corpusPresent ? '' : CORPUS_ABSENT}`, () => {
  test.each(CROSS_PAIRS.filter(([from]) => isRecorded(from)))('%s to %s', (from, to) => {
    const list = recordedExchanges(from).filter(
      ({ operation, status, request }) => status === 200 && operation !== 'count_tokens' && isObject(request),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...list),
        fc.nat({ max: 100_000 }),
        oddWords,
        ({ request, response }, place, word) => {
          const options = { from, to, model: MODELS[to], stream: false };
          expect(endsWell(() => translateRequest({ ...options, body: withWord(request, place, word) }).body)).toBe(
            true,
          );
          if (!isObject(response)) return;
          expect(endsWell(() => translateResponse({ from, to, body: withWord(response, place, word) }).body)).toBe(
            true,
          );
        },
      ),
      { numRuns: runsOfPair(60) },
    );
  });
});
