import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { base32, hash32, hashHex, hex, sha256 } from '../../translators/wire/hash.js';

describe('hash', () => {
  test('SHA-256 and hex agree with OpenSSL', () => {
    expect(hex(sha256('abc'))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.uint8Array(), (text, bytes) => {
        expect(hex(sha256(text))).toBe(createHash('sha256').update(text, 'utf8').digest('hex'));
        expect(hex(sha256(bytes))).toBe(createHash('sha256').update(bytes).digest('hex'));
        expect(hex(bytes)).toBe(Buffer.from(bytes).toString('hex'));
      }),
    );
  });

  test.each([
    ['', ''],
    ['f', 'my'],
    ['fo', 'mzxq'],
    ['foo', 'mzxw6'],
    ['foob', 'mzxw6yq'],
    ['fooba', 'mzxw6ytb'],
    ['foobar', 'mzxw6ytboi'],
  ])('base32 of %j is %s (RFC 4648, lower case, no padding)', (text, expected) =>
    expect(base32(new TextEncoder().encode(text))).toBe(expected),
  );

  test('base32 is the number in base 32', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 5, maxLength: 5 }), (bytes) => {
        const number = [...base32(bytes)].reduce(
          (sum, c) => sum * 32n + BigInt('abcdefghijklmnopqrstuvwxyz234567'.indexOf(c)),
          0n,
        );
        expect(number).toBe(BigInt(`0x${hex(bytes)}`));
      }),
    );
  });

  test('short hashes', () => {
    expect(hashHex('abc', 8)).toBe('ba7816bf');
    expect(hash32('abc', 12)).toBe(base32(sha256('abc')).slice(0, 12));
    expect(hash32('abc', 52)).toMatch(/^[a-z2-7]{52}$/);
    expect(hash32('abc', 12)).not.toBe(hash32('abd', 12));
  });
});
