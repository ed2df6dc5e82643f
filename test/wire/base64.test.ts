import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { base64ToUtf8, decodeBase64, encodeBase64, isBase64, toStandardBase64 } from '../../translators/wire/base64.js';
import { WireError } from '../../translators/wire/errors.js';
import { growthOf, MOST_GROWTH } from '../support/growth.js';

function utf8ToBase64(text: string): string {
  return encodeBase64(new TextEncoder().encode(text));
}

const rfc4648: [string, string][] = [
  ['', ''],
  ['f', 'Zg=='],
  ['fo', 'Zm8='],
  ['foo', 'Zm9v'],
  ['foob', 'Zm9vYg=='],
  ['fooba', 'Zm9vYmE='],
  ['foobar', 'Zm9vYmFy'],
];
const malformed = [
  'A',
  'AAAAA',
  '=',
  '==',
  'A===',
  'AA=',
  'AAA==',
  'AA==AA==',
  'AA=A',
  '====',
  'A A=',
  'AAAA\n',
  'AA*=',
  'ÄAAA',
  'AAAĀ',
  'AA\0A',
];

describe('base64', () => {
  test.each(rfc4648)('%j is %s', (text, base64) => {
    expect(utf8ToBase64(text)).toBe(base64);
    expect(base64ToUtf8(base64)).toBe(text);
    expect(base64ToUtf8(base64.replaceAll('=', ''))).toBe(text);
    expect(isBase64(base64)).toBe(true);
  });

  test.each(malformed)('%j is not base64', (text) => {
    expect(isBase64(text)).toBe(false);
    expect(() => decodeBase64(text)).toThrow(WireError);
    expect(() => decodeBase64(text)).toThrow(expect.objectContaining({ reason: 'bad_base64' }));
    expect(base64ToUtf8(text)).toBeUndefined();
  });

  test('both alphabets, padded or not, give the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        const standard = Buffer.from(bytes).toString('base64');
        const urlSafe = Buffer.from(bytes).toString('base64url');
        expect(encodeBase64(bytes)).toBe(standard);
        for (const text of [standard, urlSafe, standard.replace(/=+$/, ''), toStandardBase64(urlSafe)]) {
          expect(isBase64(text)).toBe(true);
          expect(decodeBase64(text)).toEqual(bytes);
        }
        expect(toStandardBase64(urlSafe)).toBe(standard);
        expect(toStandardBase64(standard)).toBe(standard);
      }),
    );
  });

  test('isBase64 and decodeBase64 agree about any text', () => {
    const digit = fc.constantFrom(...'AZaz09+/-_=', '=', ' ', 'ä');
    fc.assert(
      fc.property(
        fc.array(digit, { maxLength: 12 }).map((list) => list.join('')),
        (text) => {
          const decodes = () => {
            try {
              decodeBase64(text);
              return true;
            } catch {
              return false;
            }
          };
          expect(isBase64(text)).toBe(decodes());
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('text that is not UTF-8 is told, a BOM is kept', () => {
    expect(base64ToUtf8(encodeBase64(Uint8Array.of(0xff, 0xfe)))).toBeUndefined();
    expect(base64ToUtf8(utf8ToBase64('\uFEFFä👍'))).toBe('\uFEFFä👍');
  });

  test.each([
    ['sound', 'AAAA', true],
    ['unsound', 'AA*A', false],
  ])('long texts are tested in one pass: %s', (_name, end, told) => {
    const growth = growthOf((n) => {
      const text = `${'A'.repeat(400 * n)}${end}`;
      return () => {
        if (isBase64(text) !== told) throw new Error('told otherwise');
      };
    });
    expect(growth).toBeLessThan(MOST_GROWTH);
  });
});
