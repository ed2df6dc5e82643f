import { expect, test } from '@jest/globals';
import { createTrim, PROCESS } from '../../src/app/idle-memory.js';

const MB = 1024 * 1024;

/** A process whose looks find so much processor time, in ms, since the look before; tells which looks collected. */
function looks(spent: readonly number[], young = 16 * MB): readonly boolean[] {
  let total = 0;
  let collected = false;
  const look = createTrim({
    spent: () => total,
    young: () => young,
    collect() {
      collected = true;
      // What a collection takes is no work of the process.
      total += 100;
    },
  });
  return spent.map((ms) => {
    total += ms;
    collected = false;
    look();
    return collected;
  });
}

test('an idle process is collected twice', () => {
  expect(looks([0, 0, 0, 20, 0])).toEqual([true, true, false, false, false]);
});

test('work puts it off, and after work it comes again', () => {
  expect(looks([400, 400, 10, 400, 10, 10, 10])).toEqual([false, false, true, false, true, true, false]);
  expect(looks([0, 0, 0, 400, 0, 0])).toEqual([true, true, false, false, true, true]);
});

test('a small young generation is left alone', () => {
  expect(looks([0, 0, 0], MB)).toEqual([false, false, false]);
});

test('this process has a young generation', () => {
  expect(PROCESS.young()).toBeGreaterThan(0);
});
