import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { printInSlices } from '../../src/http/slices.js';

test('printed in slices, a value is what JSON.stringify makes of it', async () => {
  const values = fc.jsonValue({ stringUnit: 'binary', maxDepth: 20 });
  await fc.assert(
    fc.asyncProperty(values, fc.integer({ min: 1, max: 9 }), async (value, slice) => {
      expect((await printInSlices(value, slice)).toString()).toBe(JSON.stringify(value));
    }),
    { numRuns: 300 },
  );
});

test.each([
  ['halves of pairs', { a: '\ud83d\ude00\ud83d', b: '\ude00\ud83d\ud83d\ude00', c: 'x\ud83d\ude00' }],
  ['members without a value', { a: undefined, b: [undefined, 1], c: {}, d: [] }],
  ['deep values', JSON.parse(`${'[{"a":'.repeat(40)}"é"${'}]'.repeat(40)}`)],
])('%s are printed as JSON.stringify does', async (_name, value) => {
  for (const slice of [1, 2, 3, 100]) {
    expect((await printInSlices(value, slice)).toString()).toBe(JSON.stringify(value));
  }
});

test('others are served between slices', async () => {
  let turns = 0;
  let over = false;
  const turn = (): void => {
    turns += 1;
    if (!over) setImmediate(turn);
  };
  setImmediate(turn);
  await printInSlices({ text: 'x'.repeat(1000), list: Array.from({ length: 100 }, () => 'y'.repeat(10)) }, 100);
  over = true;
  expect(turns).toBeGreaterThan(15);
});
