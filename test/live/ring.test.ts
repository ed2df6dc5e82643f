import { describe, expect, test } from '@jest/globals';
import { createRing } from '../../src/live/ring.js';

describe('a ring', () => {
  test('keeps the newest values under ascending numbers', () => {
    const ring = createRing<string>(3, 1000);
    expect(['a', 'b', 'c', 'd', 'e'].map((value) => ring.add(value, 1))).toEqual([1, 2, 3, 4, 5]);
    expect(ring.after(0)).toEqual([
      [3, 'c'],
      [4, 'd'],
      [5, 'e'],
    ]);
    expect(ring.after(4)).toEqual([[5, 'e']]);
    expect(ring.after(5)).toEqual([]);
    expect(ring.after(99)).toEqual([]);
    expect([2, 3, 5, 6].map(ring.get)).toEqual([undefined, 'c', 'e', undefined]);
  });

  test('holds no more bytes than it may, but for the newest value', () => {
    const ring = createRing<number>(100, 10);
    for (let size = 1; size <= 6; size += 1) ring.add(size, size);
    // 4 + 6 would fit, but what is dropped is the oldest.
    expect(ring.after(0).map(([, size]) => size)).toEqual([6]);
    ring.add(4, 4);
    expect(ring.after(0).map(([, size]) => size)).toEqual([6, 4]);
    ring.add(50, 50);
    expect(ring.after(0).map(([, size]) => size)).toEqual([50]);
    ring.add(1, 1);
    expect(ring.after(0).map(([, size]) => size)).toEqual([1]);
  });
});
