import fc from 'fast-check';
import type { DialectId } from '../../../translators/index.js';
import { VALUES } from './values.js';

/** Text of a client: mostly ordinary, often odd, never with lone surrogates or NUL. */
export const text: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 12 }), weight: 6 },
  { arbitrary: fc.constantFrom<string>(...VALUES.oddTexts), weight: 5 },
  { arbitrary: fc.string({ unit: 'grapheme', maxLength: 8 }), weight: 1 },
);

/** A short label: a title, a file's name. */
export const label: fc.Arbitrary<string> = fc.constantFrom('report', 'a.pdf', 'Büro 7', 'x'.repeat(40), 'data.csv');

/** Names of tools, few enough that calls meet declarations, some illegal somewhere. */
export const toolName: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: fc.constantFrom('f', 'get_weather', 'search', 'lookup'), weight: 6 },
  {
    arbitrary: fc.constantFrom('1st', 'a.b', 'fn:x', 'with space', 'ünï', 'web_search', 'n'.repeat(64), 'n'.repeat(70)),
    weight: 2,
  },
);

/** Cache marks. */
export const cache = fc.constantFrom({}, { ttl: '5m' }, { ttl: '1h' });

/** A JSON value as arguments and results hold them. */
const json: fc.Arbitrary<unknown> = fc.oneof(
  { arbitrary: fc.constantFrom<unknown>(1, -0.5, 1e-7, 9007199254740991, '', 'x', true, null, [], {}), weight: 3 },
  { arbitrary: fc.array(fc.constantFrom<unknown>(1, 'é', null, { k: [0] }), { maxLength: 3 }), weight: 1 },
  { arbitrary: fc.record({ city: text, n: fc.integer() }), weight: 2 },
);

/** An object, with keys that some dialect reads as something else now and then. */
export const object: fc.Arbitrary<Record<string, unknown>> = fc.dictionary(
  fc.constantFrom('a', 'b', 'city', 'value', 'output', 'error', 'result', '$ref', 'ä/~', 'input'),
  json,
  { maxKeys: 3, noNullPrototype: true },
);

/** `arbitrary`, or undefined in `rest` of `rest + 1` cases. */
export function rarely<T>(arbitrary: fc.Arbitrary<T>, rest = 5): fc.Arbitrary<T | undefined> {
  return fc.oneof({ arbitrary: fc.constant(undefined), weight: rest }, { arbitrary, weight: 1 });
}

/** `arbitrary` in `times` of `times + 1` cases, else undefined. */
export function mostly<T>(arbitrary: fc.Arbitrary<T>, times: number): fc.Arbitrary<T | undefined> {
  return fc.oneof({ arbitrary, weight: times }, { arbitrary: fc.constant(undefined), weight: 1 });
}

/** Always undefined. */
export const NOTHING = fc.constant(undefined);

/** An object of these fields in which those that came out undefined are absent. */
export function fields<T extends object>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> {
  return fc.record(model as Record<string, fc.Arbitrary<unknown>>).map((value) => {
    for (const key in value) if (value[key] === undefined) delete value[key];
    return value as T;
  });
}

/** Keys that only one dialect knows. */
export const ext = (source: DialectId) =>
  rarely(
    fc.constantFrom('zz_odd', 'a/b', 'caller').map((key) => ({ [source]: { [key]: { x: 1 } } })),
    30,
  );
