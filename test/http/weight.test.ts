import { expect, test } from '@jest/globals';
import { LARGE } from '../../src/http/slices.js';
import { weightOf } from '../../src/http/weight.js';
import { encodeCarrier } from '../../translators/wire/carrier.js';

const CARRIER = encodeCarrier('messages', 'somewhere', [{ kind: 'none' } as never]);

test('a body weighs its bytes', () => {
  expect(weightOf([Buffer.alloc(300_000, 'a'), Buffer.alloc(200_000, 'b')])).toBe(500_000);
});

test('thousands of carriers make a body work for a thread, some do not', () => {
  const history = (carriers: number): Buffer => Buffer.from(`${CARRIER}"},`.repeat(carriers).padEnd(300_000, ' '));
  expect(weightOf([history(20)])).toBeLessThan(LARGE);
  expect(weightOf([history(1000)])).toBeGreaterThan(LARGE);
});

test('a small body is looked at by nobody', () => {
  expect(weightOf([Buffer.from(CARRIER)])).toBe(CARRIER.length);
});
