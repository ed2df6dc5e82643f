import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createEventParser, isFlat } from '../../translators/wire/event-parser.js';
import { isObject } from '../../translators/wire/json.js';

const delta = (text: string, more = ''): string =>
  `{"type":"delta","index":0,"delta":{"type":"text","text":${text}}${more}}`;

/** Parses all, and gives each value as it was before the next. */
function valuesOf(texts: readonly string[], isTransient: () => boolean = () => true): (string | undefined)[] {
  const parse = createEventParser({ isTransient });
  return texts.map((text) => {
    const parsed = parse(text);
    return parsed.ok ? JSON.stringify(parsed.value) : undefined;
  });
}

function expected(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Two events that teach a pattern, before the one that is looked at. */
function third(first: string, second: string, text: string): { readonly value: unknown; readonly reused: boolean } {
  const parse = createEventParser({ isTransient: () => true });
  parse(first);
  parse(second);
  const before = parse(first);
  const parsed = parse(text);
  return { value: parsed.ok ? parsed.value : undefined, reused: parsed === before };
}

describe('an event parser', () => {
  test('puts the scalars of the next event into the object of the last', () => {
    const { value, reused } = third(delta('"a"'), delta('"b"'), delta('"c"'));
    expect(value).toEqual(JSON.parse(delta('"c"')));
    expect(reused).toBe(true);
    const counts = third('{"a":"x","n":{"i":1,"j":9}}', '{"a":"y","n":{"i":2,"j":9}}', '{"a":"","n":{"i":30,"j":9}}');
    expect(counts).toEqual({ value: { a: '', n: { i: 30, j: 9 } }, reused: true });
  });

  test.each([
    ['escapes', delta(String.raw`"a\n\"\u00e9\ud83d\ude00\\"`)],
    ['characters beyond ASCII', delta('"é😀\u2028"')],
    ['no text at all', delta('""')],
  ])('reads %s', (_what, text) => {
    expect(third(delta('"a"'), delta('"b"'), text)).toEqual({ value: JSON.parse(text), reused: true });
  });

  test.each([
    ['a line end in a string', delta('"a\nb"')],
    ['a string without an end', '{"type":"delta","index":0,"delta":{"type":"text","text":"a'],
    ['an escape that there is not', delta(String.raw`"\x"`)],
    ['half an event', delta('"a"').slice(0, -1)],
    ['more than an event', `${delta('"a"')}}`],
    ['nothing', ''],
  ])('gives no value for %s', (_what, text) => {
    expect(valuesOf([delta('"a"'), delta('"b"'), delta('"c"'), text, delta('"d"')])).toEqual(
      [delta('"a"'), delta('"b"'), delta('"c"'), text, delta('"d"')].map(expected),
    );
    expect(expected(text)).toBeUndefined();
  });

  test.each([
    '01',
    '-1',
    '1.5',
    '1e3',
    '123456789012345',
    '1234567890123456',
    '12345678901234567890',
    '""',
    'null',
    'true',
    '+1',
    '1.',
    '0',
  ])('reads %s where a number was', (number) => {
    const event = (value: string): string => `{"n":${value}}`;
    const texts = [event('1'), event('2'), event(number), event('3')];
    expect(valuesOf(texts)).toEqual(texts.map(expected));
  });

  test('leaves events alone of which something is kept', () => {
    const parse = createEventParser({ isTransient: ({ type }) => type !== 'kept' });
    const kept = ['a', 'b', 'c'].map((text) => parse(`{"type":"kept","text":"${text}"}`));
    expect(kept.map((parsed) => parsed.ok && parsed.value)).toEqual(
      ['a', 'b', 'c'].map((text) => ({ type: 'kept', text })),
    );
    // Between two types that both pass, a third may be one that does not.
    for (const type of ['p', 'q']) parse(`{"type":"${type}","text":"a"}`);
    const held = parse('{"type":"kept","text":"d"}');
    parse('{"type":"p","text":"e"}');
    expect(held).toEqual({ ok: true, value: { type: 'kept', text: 'd' } });
  });

  test.each([
    ['keys that differ', '{"a":1}', '{"b":1}'],
    ['a member that came twice', '{"a":1,"a":5}', '{"a":2,"a":5}'],
    ['a last member that came twice', '{"a":5,"a":1}', '{"a":5,"a":2}'],
    ['members of lists', '{"a":["x"]}', '{"a":["y"]}'],
    ['the mark itself', '{"a":"x","b":"\ue0000"}', '{"a":"y","b":"\ue0000"}'],
    ['the mark as an escape', '{"a":"x","b":"\\ue0000"}', '{"a":"y","b":"\\ue0000"}'],
    ['a prototype', '{"__proto__":"x","a":1}', '{"__proto__":"y","a":1}'],
    ['the same', '{"a":"x"}', '{"a":"x"}'],
  ])('is right about %s', (_what, first, second) => {
    const texts = [first, second, first, second, second, first];
    expect(valuesOf(texts)).toEqual(texts.map(expected));
  });

  test('gives what JSON.parse gives, whatever comes', () => {
    const scalar = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.nat(),
      fc.double(),
      fc.constantFrom(null, true),
    );
    const shape = fc.constantFrom(
      (a: unknown, b: unknown) => ({ type: 'delta', delta: { text: a }, n: b }),
      (a: unknown, b: unknown) => ({ choices: [{ delta: { content: a, more: b } }], usage: null }),
      (a: unknown, b: unknown) => ({ a, b, list: [a] }),
      (a: unknown) => ({ type: a }),
    );
    const spoiled = fc.option(fc.tuple(fc.nat(60), fc.constantFrom('"', '\\', '{', '0', '\n', ',', '')), { freq: 6 });
    const text = fc.tuple(shape, scalar, scalar, spoiled).map(([make, a, b, spoil]) => {
      const json = JSON.stringify(make(a, b));
      return spoil === null ? json : json.slice(0, spoil[0]) + spoil[1] + json.slice(spoil[0] + 1);
    });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 12 }), (texts) => {
        expect(valuesOf(texts)).toEqual(texts.map(expected));
      }),
      { numRuns: 1000 },
    );
  });

  test('keeps the limit of depth', () => {
    const parse = createEventParser({ maxDepth: 2, isTransient: () => true });
    const deep = '{"a":{"b":{"c":1}}}';
    expect([parse('{"a":"x"}').ok, parse('{"a":"y"}').ok, parse(deep)]).toEqual([
      true,
      true,
      { ok: false, deep: true },
    ]);
  });
});

test('what is flat has no member with members, but for those named', () => {
  const node: unknown = { a: 1, b: null, c: 'x', d: [] };
  expect(isObject(node) && [isFlat(node), isFlat(node, 'd'), isFlat({})]).toEqual([false, true, true]);
});
