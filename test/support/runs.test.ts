import { expect, test } from '@jest/globals';
import { surely } from './runs.js';

test.each([
  [0, 0.5, 0],
  [10, 0.55, 0],
  [100, 0.55, 31],
  [300, 0.2, 30],
])('of %d values of which a share of %d is of a kind, %d are sure', (tried, share, sure) => {
  expect(surely(tried, share)).toBe(sure);
});

test('of very many values nearly that share is sure', () => {
  const share = surely(100_000, 0.55) / 100_000;
  expect(share).toBeGreaterThan(0.54);
  expect(share).toBeLessThan(0.55);
});
