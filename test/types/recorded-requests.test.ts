import { describe, expect, test } from '@jest/globals';
import { type DialectId, TranslationError, translateRequest } from '../../translators/index.js';
import { CORPUS_ABSENT, corpusPresent, isCreate, type Recorded, recordedExchanges } from '../support/corpus.js';
import { tableOf } from '../support/dialects/index.js';
import { CROSS_PAIRS } from '../support/pairs.js';
import { MODELS } from '../support/support-table/index.js';
import { complaintsAbout, type Literal, type Literals } from './literals.js';

/*
 * Every recorded request, translated towards both other dialects, is written out as a literal under the official
 * client's types, and the compiler checks it.
 */

const TYPES = tableOf('requestType');

function literalsOf(from: DialectId, to: DialectId): Literals {
  const values = recordedExchanges(from).flatMap((recorded): Literal[] => {
    if (!isCreate(recorded) || recorded.status !== 200) return [];
    const value = translated(from, to, recorded);
    return value === undefined ? [] : [{ name: recorded.name, type: 'Request', value }];
  });
  // That the compiler refuses a field that nobody knows shows that it looks.
  const control = { name: 'control', type: 'Request', value: { ...Object(values[0]?.value), nobodyKnows: 1 } };
  return { values: [...values, control], types: TYPES[to] };
}

function translated(from: DialectId, to: DialectId, { request }: Recorded): unknown {
  if (request === undefined || Array.isArray(request)) return undefined;
  try {
    return translateRequest({ from, to, body: request, model: MODELS[to], stream: false }).body;
  } catch (error) {
    // Which ones are refused is the matter of test/laws/recorded-exchanges.test.ts.
    if (error instanceof TranslationError) return undefined;
    throw error;
  }
}

(corpusPresent ? describe : describe.skip)(`recorded requests ${corpusPresent ? '' : CORPUS_ABSENT}`, () => {
  test('are values of the official types of both other dialects', () => {
    const found = complaintsAbout(
      Object.fromEntries(CROSS_PAIRS.map(([from, to]) => [`${from}-${to}`, literalsOf(from, to)])),
    );
    expect(found.filter((text) => !text.includes(' control: '))).toEqual([]);
    expect(found.filter((text) => text.includes('nobodyKnows'))).toHaveLength(CROSS_PAIRS.length);
  }, 120_000);
});
