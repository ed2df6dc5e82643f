import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createOffsetIndex, type Snap, utf8Length } from '../../translators/wire/utf8.js';
import { growthOf, MOST_GROWTH } from '../support/growth.js';

const byteToUtf16 = (value: string, offset: number, snap: Snap) =>
  createOffsetIndex(value, 'byte').toUtf16(offset, snap);
const utf16ToByte = (value: string, index: number) => createOffsetIndex(value, 'byte').fromUtf16(index);
const codePointToUtf16 = (value: string, n: number) => createOffsetIndex(value, 'codePoint').toUtf16(n);
const utf16ToCodePoint = (value: string, index: number) => createOffsetIndex(value, 'codePoint').fromUtf16(index);

const text = 'aß€😀z';
const unit = fc.constantFrom('a', 'ß', '€', '😀', '\ud83d', '\ude00', '\n', '👩‍👧');
const strings = fc.array(unit, { maxLength: 40 }).map((list) => list.join(''));

function encoded(value: string): number {
  return new TextEncoder().encode(value).length;
}

describe('utf8', () => {
  test('lengths are those of the encoder', () => {
    expect(utf8Length(text)).toBe(11);
    fc.assert(
      fc.property(fc.oneof(strings, fc.string({ unit: 'binary' })), (value) =>
        expect(utf8Length(value)).toBe(encoded(value)),
      ),
    );
  });

  test('byte offsets, inside a character snapped as asked', () => {
    //                    a  ß     €        😀          z
    const down = [0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 5, 6, 6];
    const up = [0, 1, 2, 2, 3, 3, 3, 5, 5, 5, 5, 6, 6];
    expect(down.map((_, offset) => byteToUtf16(text, offset, 'down'))).toEqual(down);
    expect(up.map((_, offset) => byteToUtf16(text, offset, 'up'))).toEqual(up);
  });

  test('UTF-16 indexes to bytes and code points, inside a pair counted as its start', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 7].map((index) => utf16ToByte(text, index))).toEqual([0, 1, 3, 6, 6, 10, 11, 11]);
    expect([0, 1, 2, 3, 4, 5, 6, 7].map((index) => utf16ToCodePoint(text, index))).toEqual([0, 1, 2, 3, 3, 4, 5, 5]);
    expect([0, 1, 2, 3, 4, 5, 6].map((n) => codePointToUtf16(text, n))).toEqual([0, 1, 2, 3, 5, 6, 6]);
  });

  test('offsets outside the text are clamped', () => {
    for (const value of ['', 'abc', text]) {
      for (const bad of [-1, Number.NaN, Number.NEGATIVE_INFINITY]) {
        expect([
          byteToUtf16(value, bad, 'up'),
          utf16ToByte(value, bad),
          codePointToUtf16(value, bad),
          utf16ToCodePoint(value, bad),
        ]).toEqual([0, 0, 0, 0]);
      }
      expect(byteToUtf16(value, 1e9, 'up')).toBe(value.length);
      expect(byteToUtf16(value, Number.POSITIVE_INFINITY, 'down')).toBe(value.length);
      expect(utf16ToByte(value, 1e9)).toBe(encoded(value));
      expect(codePointToUtf16(value, 1e9)).toBe(value.length);
      expect(utf16ToCodePoint(value, 1e9)).toBe([...value].length);
    }
  });

  test('conversions agree with cutting the text', () => {
    fc.assert(
      fc.property(strings, fc.nat(60), (value, index) => {
        const characters = [...value];
        const before = characters.slice(0, index).join('');
        expect(codePointToUtf16(value, index)).toBe(before.length);
        expect(utf16ToCodePoint(value, before.length)).toBe(Math.min(index, characters.length));
        expect(utf16ToByte(value, before.length)).toBe(encoded(before));
        for (const snap of ['down', 'up'] as const)
          expect(byteToUtf16(value, encoded(before), snap)).toBe(before.length);
      }),
    );
  });

  test('one index converts in any order, also in long texts, as cutting the text does', () => {
    const long = fc.tuple(strings, fc.nat(300), strings).map(([a, times, b]) => a.repeat(times) + b);
    fc.assert(
      fc.property(fc.oneof(strings, long), fc.array(fc.nat(10_000), { maxLength: 12 }), (value, places) => {
        const bytes = createOffsetIndex(value, 'byte');
        const points = createOffsetIndex(value, 'codePoint');
        const characters = [...value];
        for (const place of places) {
          const at = Math.min(place, characters.length);
          const before = characters.slice(0, at).join('');
          expect(bytes.toUtf16(encoded(before))).toBe(before.length);
          expect(bytes.toUtf16(encoded(before), 'up')).toBe(before.length);
          expect(bytes.fromUtf16(before.length)).toBe(encoded(before));
          expect(points.toUtf16(at)).toBe(before.length);
          expect(points.fromUtf16(before.length)).toBe(at);
        }
      }),
    );
  });

  test('many offsets over one long text take linear time', () => {
    const growth = growthOf((n) => {
      const value = 'ä😀b'.repeat(25 * n);
      return () => {
        const index = createOffsetIndex(value, 'byte');
        // Of 7 bytes that are 4 units, byte 175 n is the first of the group 25 n.
        for (let step = 0; step < n; step += 1) {
          if (index.toUtf16(175 * step) !== 100 * step) throw new Error(`another place at ${step}`);
        }
      };
    });
    expect(growth).toBeLessThan(MOST_GROWTH);
  });
});
