import { expect, test } from '@jest/globals';
import { createHeldPlaces } from '../../src/http/index.js';
import { chooseThread } from '../../src/offload/pool.js';

/** Threads that take requests of keys, as far as a pool chooses among them. */
function poolOf(most: number) {
  const threads: { requests: number; readonly places: ReturnType<typeof createHeldPlaces> }[] = [];
  /** Which thread gets a request. */
  return (key: string | undefined): number => {
    let thread = chooseThread(threads, most, key);
    if (thread === undefined) {
      thread = { requests: 0, places: createHeldPlaces() };
      threads.push(thread);
    }
    thread.requests += 1;
    if (key !== undefined) thread.places.take(key);
    return threads.indexOf(thread);
  };
}

test('however many requests one key has, another finds a thread without them', () => {
  const give = poolOf(2);
  expect(['a', 'a', 'a', 'a'].map(give)).toEqual([0, 0, 0, 0]);
  expect(['b', 'b', 'a'].map(give)).toEqual([1, 1, 0]);
});

test('of four threads one key is in two', () => {
  const give = poolOf(4);
  expect(['a', 'a', 'a', 'a', 'b', 'b', 'b'].map(give)).toEqual([0, 1, 0, 1, 2, 3, 2]);
});

test('a third key is where least is to be done', () => {
  const give = poolOf(2);
  expect(['a', 'a', 'b', 'c'].map(give)).toEqual([0, 0, 1, 1]);
});

test('who shares with nobody has all threads', () => {
  const give = poolOf(3);
  expect([undefined, undefined, undefined, undefined].map(give)).toEqual([0, 1, 2, 0]);
});

test('one thread is for all', () => {
  const give = poolOf(1);
  expect(['a', 'b', 'a'].map(give)).toEqual([0, 0, 0]);
});
