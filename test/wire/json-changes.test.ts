import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { printChanges } from '../../translators/wire/json-changes.js';
import { hasPlainKeys } from '../support/plain-keys.js';

const TEXT =
  '{ "n" : 12345678901234567890,\n "list": [ {"a":1.0} , {"b":"\\u0041"},\t{"c":[1, 2]} ], "o": {"x": 1, "y": 2e0} }';

interface Value {
  readonly n: number;
  readonly list: readonly object[];
  readonly o: object;
}

describe('what is shared keeps every character', () => {
  test.each<[string, (value: Value) => object, string]>([
    ['nothing changes', (value) => value, TEXT],
    ['a copy that shares everything', (value) => ({ ...value }), TEXT],
    [
      'one element',
      ({ list: [first, , last], ...rest }) => ({ ...rest, list: [first, { b: 'B' }, last] }),
      TEXT.replace('"\\u0041"', '"B"'),
    ],
    [
      'an element that is left out',
      ({ list: [first, , last], ...rest }) => ({ ...rest, list: [first, last] }),
      TEXT.replace(' , {"b":"\\u0041"}', ''),
    ],
    [
      'the first element that is left out',
      ({ list: [, ...others], ...rest }) => ({ ...rest, list: others }),
      TEXT.replace('{"a":1.0} , ', ''),
    ],
    [
      'several in the place of one',
      ({ list: [first, , last], ...rest }) => ({ ...rest, list: [first, { d: 1 }, { e: 2 }, last] }),
      TEXT.replace('{"b":"\\u0041"}', '{"d":1},{"e":2}'),
    ],
    [
      'a list that becomes empty',
      ({ list: _list, ...rest }) => ({ ...rest, list: [] }),
      TEXT.replace(/\{"a".*2\]\}/s, ''),
    ],
    ['a member of a member', (value) => ({ ...value, o: { ...value.o, x: 5 } }), TEXT.replace('"x": 1', '"x": 5')],
    ['a member that goes', ({ n: _n, ...rest }) => rest, TEXT.replace('"n" : 12345678901234567890,\n ', '')],
    [
      'a member that is undefined',
      (value) => ({ ...value, o: undefined }),
      TEXT.replace(', "o": {"x": 1, "y": 2e0}', ''),
    ],
    ['a new member', (value) => ({ ...value, z: true }), TEXT.replace('2e0} }', '2e0},"z":true }')],
  ])('%s', (_name, change, expected) => {
    const value: Value = JSON.parse(TEXT);
    expect(printChanges(TEXT, value, change(value))).toBe(expected);
  });

  test('of two members of one name the last counts, and a changed one stands alone', () => {
    const text = '{"a":[1],"b":0,"a":[2]}';
    const value: { a: number[]; b: number } = JSON.parse(text);
    expect(printChanges(text, value, { ...value, b: 1 })).toBe('{"a":[1],"b":1,"a":[2]}');
    expect(printChanges(text, value, { ...value, a: [3] })).toBe('{"b":0,"a":[3]}');
  });

  test('a member called __proto__ is one like others', () => {
    const text = '{"__proto__": {"x":1}, "a":1}';
    const value: object = JSON.parse(text);
    expect(printChanges(text, value, { ...value, a: 2 })).toBe('{"__proto__": {"x":1}, "a":2}');
  });
});

/** Copies of a value that share what has not changed. */
function copies(value: unknown): fc.Arbitrary<unknown> {
  const other = fc.oneof(fc.constant(value), fc.jsonValue({ maxDepth: 1 }).filter(hasPlainKeys));
  if (Array.isArray(value)) {
    const parts = value.map((one: unknown) =>
      fc.oneof(copies(one), fc.constant(one)).chain((next) => fc.constantFrom([next], [next], [], [next, { new: 1 }])),
    );
    return fc.oneof(
      other,
      fc.tuple(...parts).map((lists) => lists.flat()),
    );
  }
  if (typeof value !== 'object' || value === null) return other;
  const parts = Object.entries(value).map(([key, child]) =>
    fc.oneof(copies(child), fc.constant(child)).chain((next) => fc.constantFrom([[key, next]], [[key, next]], [])),
  );
  return fc.oneof(
    other,
    fc.tuple(...parts).map((lists) => Object.fromEntries(lists.flat())),
  );
}

test('what is printed says what the copy says, whatever changed', () => {
  const spaced = fc
    .tuple(fc.jsonValue({ maxDepth: 4 }).filter(hasPlainKeys), fc.constantFrom(undefined, 1, '\t'))
    .map(([value, space]) => JSON.stringify(value, undefined, space));
  const changes = spaced.chain((text) => {
    const value: unknown = JSON.parse(text);
    return copies(value).map((copy) => ({ text, value, copy }));
  });
  fc.assert(
    fc.property(changes, ({ text, value, copy }) => {
      expect(JSON.parse(printChanges(text, value, copy))).toEqual(JSON.parse(JSON.stringify(copy)));
    }),
  );
});
