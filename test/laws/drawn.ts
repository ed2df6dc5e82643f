import fc from 'fast-check';
import type { Data } from '../support/frames.js';
import { base64, ids, jsonObjects, known, maybe, texts, toolNames, urls, words } from './values.js';

const codes = fc.constantFrom('unavailable', 'max_uses_exceeded', 'too_many_requests', 'invalid_tool_input');
const objectTexts = jsonObjects.map((value) => JSON.stringify(value));

function rarely<T extends object>(error: fc.Arbitrary<T>): fc.Arbitrary<T | object> {
  return fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: error });
}

/** What stands for a generated value in a data file. */
const WORDS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  TEXTS: texts,
  WORDS: words,
  STRINGS: fc.string(),
  IDS: ids,
  URLS: urls,
  BASE64: base64,
  OBJECTS: jsonObjects,
  NAMES: toolNames,
  PLACES: fc.nat(900),
  OBJECT_TEXTS: objectTexts,
  ARGUMENTS: fc.oneof(objectTexts, fc.constantFrom('', 'broken', '[1]')),
  SEARCHED: fc
    .array(words, { minLength: 1, maxLength: 3 })
    .map((queries) => ({ action: 'search', query: queries[0], queries })),
  CODES: codes,
  FAILED: rarely(fc.constant({ isError: true })),
  FAILURE: rarely(codes.map((errorCode) => ({ isError: true, errorCode }))),
  STATUSES: fc.constantFrom(...[400, 401, 402, 403, 404, 408, 409, 413, 418, 422, 429, 499, 500, 502, 503, 504, 529]),
  MESSAGES: fc.oneof(texts, words, fc.constantFrom('prompt is too long: 9 tokens > 8 maximum', 'model: gone')),
};

/**
 * Values of a form that a data file gives: a word in capitals is one of those above, `{ one: [..] }` one of these values,
 * `{ any: [..] }` a value of one of these forms, `{ maybe: X }` X or nothing, `{ nullable: X }` X or null, and `{ list: X }` a
 * list of X of `min` to `max` entries. Everything else is itself, objects member by member.
 */
export function drawn(form: Data): fc.Arbitrary<Data> {
  if (typeof form === 'string') return WORDS[form] ?? fc.constant(form);
  if (typeof form !== 'object' || form === null || Array.isArray(form)) return fc.constant(form);
  if (form.one !== undefined) return fc.constantFrom(...form.one);
  if (form.any !== undefined) return fc.oneof(...form.any.map(drawn));
  if (form.maybe !== undefined) return maybe(drawn(form.maybe));
  if (form.nullable !== undefined) return fc.option(drawn(form.nullable));
  if (form.list !== undefined) return fc.array(drawn(form.list), { minLength: form.min ?? 0, maxLength: form.max });
  return fc.record(Object.fromEntries(Object.entries(form).map(([key, member]) => [key, drawn(member)]))).map(known);
}
