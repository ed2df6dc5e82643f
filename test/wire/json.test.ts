import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  escapeText,
  hasUnsafeInteger,
  inOne,
  isObject,
  type Json,
  jsonBeyond,
  jsonDepth,
  parseJson,
} from '../../translators/wire/json.js';
import { createJsonScanner, skipJsonString } from '../../translators/wire/json-scan.js';
import { costOf } from '../support/cost.js';
import { growthOf, MOST_GROWTH } from '../support/growth.js';

function countOf(value: Json): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, child) => sum + countOf(child), 1);
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe('isObject and parseJson', () => {
  test('what is an object', () => {
    expect([{}, JSON.parse('{"__proto__":1}'), Object.create(null)].map(isObject)).toEqual([true, true, true]);
    expect([null, [], 'a', 1, true, undefined, () => 1].map(isObject)).toEqual(Array(7).fill(false));
  });

  test('parsing never throws', () => {
    expect(parseJson('{"a":[1,null]}')).toEqual({ ok: true, value: { a: [1, null] } });
    expect(parseJson('null')).toEqual({ ok: true, value: null });
    for (const text of ['', '{', '{"a":1}x', 'undefined', "{'a':1}"]) expect(parseJson(text)).toEqual({ ok: false });
  });
});

describe('hasUnsafeInteger', () => {
  test.each(['9007199254740993', '-9007199254740993', '9007199254740992', '1e300', '[0,{"a":[12345678901234567890]}]'])(
    '%s',
    (text) => {
      expect(hasUnsafeInteger(JSON.parse(text))).toBe(true);
    },
  );

  test.each([
    '9007199254740991',
    '-9007199254740991',
    '0.1',
    '1.5e10',
    '"9007199254740993"',
    'null',
    'true',
    '[]',
    '{"a":{"b":[1,null]}}',
  ])('not %s', (text) => expect(hasUnsafeInteger(JSON.parse(text))).toBe(false));

  test('survives a depth that recursion would not', () => {
    const deep: Json = JSON.parse(`${'['.repeat(200_000)}9007199254740993${']'.repeat(200_000)}`);
    expect(hasUnsafeInteger(deep)).toBe(true);
  });
});

describe('jsonBeyond', () => {
  const bounds = (values: number) => ({ depth: 1000, values });

  test('counts values as they will be built', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.nat(3), (text, indent) => {
        const value = [JSON.parse(text)];
        const spaced = JSON.stringify(value, null, indent);
        const count = countOf(value);
        expect([jsonBeyond(spaced, bounds(count)), jsonBeyond(spaced, bounds(count - 1))]).toEqual([
          undefined,
          'values',
        ]);
      }),
      { numRuns: 500 },
    );
  });

  test('tells the bound that comes first', () => {
    expect(jsonBeyond('[1,2,[[[3]]]]', { depth: 2, values: 5 })).toBe('depth');
    expect(jsonBeyond('[1,2,[[[3]]]]', { depth: 4, values: 3 })).toBe('values');
    expect(jsonBeyond('["a,b,c","[,,"]', bounds(3))).toBeUndefined();
  });

  test.each([
    ['brackets', (n: number) => '[ '.repeat(n)],
    ['white space', (n: number) => `[${'  '.repeat(n)}[]`],
    ['empty objects', (n: number) => `{"a":[${'{},'.repeat(n)}`],
  ])('takes linear time on %s', (_name, textOf) => {
    const growth = growthOf((n) => {
      const text = textOf(100 * n);
      return () => jsonBeyond(text, { depth: 1e9, values: 1e9 });
    });
    expect(growth).toBeLessThan(MOST_GROWTH);
  });

  test('stops at the first value too many', async () => {
    const [small, large] = [10_000, 10_000_000].map((n) => `{"a":[${'{},'.repeat(n)}`);
    for (const text of [small, large]) expect(jsonBeyond(text ?? '', bounds(5000))).toBe('values');
    const most = 100 * Math.max(0.01, await costOf(() => jsonBeyond(small ?? '', bounds(5000)), 0));
    expect(await costOf(() => jsonBeyond(large ?? '', bounds(5000)), most)).toBeLessThan(most);
  });
});

describe('jsonDepth', () => {
  test('counts what nests, not what stands in strings', () => {
    expect(jsonDepth('1', 0)).toBe(false);
    expect(jsonDepth('[]', 0)).toBe(true);
    expect(jsonDepth('[[],[],{"a":[]}]', 3)).toBe(false);
    expect(jsonDepth('[[],[],{"a":[]}]', 2)).toBe(true);
    expect(jsonDepth('{"[[[[":"{{{{\\"[[[[","b":"\\\\"}', 1)).toBe(false);
    expect(jsonDepth('{"a":"\\\\","b":[[]]}', 2)).toBe(true);
    expect(jsonDepth(`"${'x'.repeat(50)}\\"[[[`, 0)).toBe(false);
    expect(jsonDepth('{"a":"', 1)).toBe(false);
  });

  test('agrees with the value', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.nat(8), (text, limit) => {
        expect(jsonDepth(text, limit)).toBe(depthOf(JSON.parse(text)) > limit);
      }),
      { numRuns: 500 },
    );
  });

  test('agrees with the value when strings are long and full of escapes', () => {
    const piece = fc.constantFrom('\\', '"', '[', '{', ']', 'x', 'abcdefghij'.repeat(4));
    const string = fc.array(piece, { maxLength: 30 }).map((list) => list.join(''));
    fc.assert(
      fc.property(fc.array(fc.tuple(string, fc.array(string))), (value) => {
        const text = JSON.stringify(value);
        expect([jsonDepth(text, depthOf(value)), jsonDepth(text, depthOf(value) - 1)]).toEqual([false, true]);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['open brackets beyond the limit', (n: number) => '['.repeat(n), 100, true],
    ['empty lists', (n: number) => '[]'.repeat(n), 100, false],
    ['escaped quotes', (n: number) => `"${'\\"'.repeat(n)}"`, 100, false],
    ['escaped backslashes', (n: number) => `"${'\\\\'.repeat(n)}"`, 100, false],
    ['quotes', (n: number) => `${'""'.repeat(n)}"`, 100, false],
  ])('hostile texts take linear time: %s', (_name, textOf, limit, told) => {
    const growth = growthOf((n) => {
      // Without so many brackets nothing else would be read.
      const text = `${'[]'.repeat(101)}${textOf(200 * n)}`;
      return () => {
        if (jsonDepth(text, limit) !== told) throw new Error('another depth');
      };
    });
    expect(growth).toBeLessThan(MOST_GROWTH);
  });
});

describe('json-scan', () => {
  test('skipJsonString', () => {
    expect(skipJsonString('"a\\"b" x', 1)).toBe(6);
    expect(skipJsonString('"', 1)).toBe(-1);
    expect(skipJsonString(`"${'x'.repeat(100)}\\\\" "`, 1)).toBe(104);
    expect(skipJsonString(`"${'x'.repeat(100)}\\" "`, 1)).toBe(105);
    expect(skipJsonString(`"${'x'.repeat(23)}\\" "`, 1)).toBe(28);
  });

  test('the scanner finds the end of a value in any pieces', () => {
    const objects = fc.dictionary(
      fc.string(),
      fc.oneof(fc.jsonValue(), fc.constantFrom('\\'.repeat(40), '"\\'.repeat(20), 'x'.repeat(60))),
    );
    fc.assert(
      fc.property(objects, fc.integer({ min: 1, max: 40 }), (value, size) => {
        const text = JSON.stringify(value);
        const scanner = createJsonScanner();
        for (const round of [1, 2]) {
          let found = -1;
          for (let at = 0; at < text.length && found === -1; at += size) {
            const end = scanner.scan(text.slice(at, at + size), 0);
            if (end !== -1) found = at + end;
          }
          expect([round, found]).toEqual([round, text.length]);
        }
      }),
      { numRuns: 500 },
    );
  });
});

test('a text between quotes is what JSON.stringify prints', () => {
  const texts = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.string({ minLength: 60, maxLength: 70 }));
  fc.assert(
    fc.property(texts, (text) => {
      expect(`"${escapeText(text)}"`).toBe(JSON.stringify(text));
    }),
  );
  for (const text of ['', '"', '\\', '\u007f', '\u2028', '\n', '\ud800'])
    expect(`"${escapeText(text)}"`).toBe(JSON.stringify(text));
});

test('pieces are one text', () => {
  expect(inOne('a', '', 'b\u2028')).toBe('ab\u2028');
});
