import fc from 'fast-check';
import type { JsonObject } from '../../translators/canonical/node.js';
import { readData } from '../support/frames.js';
import { isPlainKey } from '../support/plain-keys.js';

/** Characters that go wrong first: astral, combining, joined, right to left, controls, lone surrogates, markup, escapes. */
const ODD: readonly string[] = readData('laws/odd-glyphs.yaml').flat();

/** One character, or a few that belong together. */
const glyph = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...'abcxyz 019.,-') },
  { weight: 2, arbitrary: fc.constantFrom(...ODD) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }) },
);

/** Any text, lone surrogates included; may be empty or blank. */
export const texts = fc.array(glyph, { maxLength: 12 }).map((glyphs) => glyphs.join(''));

/** Text that shows something. */
export const words = texts.map((text) => `${text}w`);

/** Well-formed text, for what has to survive UTF-8. */
export const wellFormed = texts.map(asWellFormed);

/** The text as UTF-8 can hold it. */
export function asWellFormed(text: string): string {
  return Buffer.from(text).toString();
}

/** Keys that objects treat specially stand among ordinary ones. */
const keys = fc.oneof(
  { weight: 5, arbitrary: fc.string({ minLength: 1, maxLength: 6 }).filter(isPlainKey) },
  { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', 'toString', '', 'a/b', 'a~b', '$ref', 'type') },
);

const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, false, 0, 1, 0.5, 1e21, Number.MAX_SAFE_INTEGER),
    fc.integer(),
    texts,
    fc.array(tie('json'), { maxLength: 3 }),
    fc.array(fc.tuple(keys, tie('json')), { maxLength: 3 }).map((entries) => Object.fromEntries(entries)),
  ),
}));

/** Any JSON value that survives printing and reading. */
export const jsonValues: fc.Arbitrary<unknown> = json;

/** Any JSON object. */
export const jsonObjects: fc.Arbitrary<JsonObject> = fc
  .array(fc.tuple(keys, json), { maxLength: 3 })
  .map((entries) => Object.fromEntries(entries));

/** Standard base64 with padding. */
export const base64 = fc
  .uint8Array({ minLength: 1, maxLength: 12 })
  .map((bytes) => Buffer.from(bytes).toString('base64'));

/** Tool names that every dialect takes. */
export const toolNames = fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/);

/** Ids as services give them. */
export const ids = fc.stringMatching(/^[a-z]{2,5}_[A-Za-z0-9]{4,10}$/);

/** Addresses of web pages, few enough to meet again. */
export const urls = fc.constantFrom(
  'https://a.example/',
  'https://b.example/x?y=1#z',
  'https://c.example/%20',
  'https://日本.example/ü',
);

/** Token counts, with zero often. */
export const counts = fc.oneof(fc.constant(0), fc.nat({ max: 30 }), fc.nat({ max: 2_000_000 }));

/** A value, or undefined. */
export function maybe<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(arbitrary, { nil: undefined, freq: 2 });
}

/** A value now and then, mostly undefined. */
export function rarely<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}

/** A value nearly always, undefined now and then. */
export function mostly<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 8, arbitrary }, { weight: 1, arbitrary: fc.constant(undefined) });
}

/** The object without its keys that are undefined. */
export function known<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, held]) => held !== undefined)) as T;
}
