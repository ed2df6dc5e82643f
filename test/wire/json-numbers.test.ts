import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { changedNumber } from '../../translators/wire/json-numbers.js';
import { growthOf, MOST_GROWTH } from '../support/growth.js';

describe('changedNumber', () => {
  test.each([
    ['{"a":9007199254740993}', /integer beyond 2\^53/],
    ['[0,{"a":[12345678901234567890]}]', /integer beyond 2\^53/],
    ['{"a":-9007199254740993.0}', /integer beyond 2\^53/],
    ['{"a":0.1234567890123456789}', /decimal/],
    ['{"a":12345678901.1234567}', /decimal/],
    ['{"a":1e400}', /null/],
    ['{"a":-1E+400}', /null/],
    [`{"a":${'9'.repeat(400)}}`, /null/],
    ['{"a":1e-400}', /too small/],
    ['{"a":-0}', /-0 becomes 0/],
    ['{"a":-0.0}', /-0 becomes 0/],
    ['[-0e7]', /-0 becomes 0/],
    ['{"-0.5":"1.0","b":[1.0,2e3,-0]}', /-0 becomes 0/],
  ])('%s', (text, told) => expect(changedNumber(text)).toMatch(told));

  test.each([
    '{"a":1.0}',
    '{"a":-0.50}',
    '{"a":0.1}',
    '{"a":1e2}',
    '{"a":100E-2}',
    '{"a":0e5}',
    '{"a":1e300}',
    '{"a":9007199254740992}',
    '{"a":100000000000000000000}',
    '{"a":0.000000000000000000001}',
    '{"a":5e-324}',
    '{"a":1.7976931348623157e308}',
    '{"a":"-0 and 9007199254740993 and 0.1234567890123456789"}',
    '{"-0":"\\"-0"}',
  ])('not %s', (text) => expect(changedNumber(text)).toBeUndefined());

  test('what JSON itself prints keeps its value', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4, noUnicodeString: false }), (text) => {
        expect(changedNumber(text)).toBeUndefined();
      }),
    );
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(changedNumber(JSON.stringify([value]))).toBeUndefined();
        expect(changedNumber(`[${Math.abs(value).toFixed(20)}]`) === undefined).toBe(
          sameDecimal(Math.abs(value).toFixed(20), JSON.stringify(Number(Math.abs(value).toFixed(20)))),
        );
      }),
    );
  });

  test.each([
    ['zeros', (n: number) => '0'.repeat(n)],
    ['digits before and behind the point', (n: number) => `1${'0'.repeat(n)}.${'0'.repeat(n)}1`],
    ['many numbers', (n: number) => '1.5,'.repeat(n)],
  ])('takes time in proportion to the text: %s', (_name, numbers) => {
    const growth = growthOf((n) => {
      const text = `[${numbers(20 * n)}]`;
      return () => changedNumber(text);
    });
    expect(growth).toBeLessThan(MOST_GROWTH);
  });
});

/** Whether two decimals are the same number, by integers of any size. */
function sameDecimal(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => {
    const [mantissa = '', power = '0'] = text.split('e');
    const [whole = '', fraction = ''] = mantissa.split('.');
    return { digits: BigInt(whole + fraction), power: Number(power) - fraction.length };
  });
  if (a === undefined || b === undefined) return false;
  const least = Math.min(a.power, b.power);
  const scaled = ({ digits, power }: { digits: bigint; power: number }) => digits * 10n ** BigInt(power - least);
  return scaled(a) === scaled(b);
}
