import { expect, test } from '@jest/globals';
import { createMemoryTallies } from '../../src/store/memory-tallies.js';
import { HOUR_MS, type Increment, type Tallies } from '../../src/store/tallies.js';
import { createPending, type Pending } from '../../src/usage/pending.js';
import { createWriter } from '../../src/usage/writer.js';
import { DAY_MS, linesOf, testClocks } from './tallies.js';

const textsOf = (name: string) => ({ row: JSON.stringify([name]), instead: JSON.stringify(['(other)']) });

/** Counts a request. */
function count(pending: Pending, texts: Parameters<Pending['at']>[1]): void {
  const sums = pending.at('k', texts);
  sums[0] = (sums[0] ?? 0) + 1;
}

async function requestsIn(tallies: Tallies): Promise<number> {
  return (await linesOf(tallies)).reduce((sum, line) => sum + Number(line.split(' ')[3]), 0);
}

test('law: whatever becomes of the answers of the store, everything is added once', async () => {
  const clocks = testClocks();
  const kept = createMemoryTallies(clocks);
  let calls = 0;
  const reports: (string | undefined)[] = [];
  const inMinutes: Increment[] = [];
  const flaky: Tallies = {
    read: kept.read,
    async add(batch, keepMs) {
      calls += 1;
      if (calls % 5 === 1) throw new Error('not reached');
      await kept.add(batch, keepMs);
      if (calls % 5 === 2) throw new Error('the answer was lost');
    },
  };
  const pending = createPending(clocks.now);
  const writer = createWriter(
    pending,
    () => flaky,
    (increments) => inMinutes.push(...increments),
    () => DAY_MS,
    (reason) => reports.push(reason),
  );
  for (let times = 0; times < 300; times += 1) {
    count(pending, textsOf(`m${times % 7}`));
    if (times % 10 === 0) await writer.flush();
    if (times % 40 === 0) clocks.pass(HOUR_MS);
  }
  for (let tries = 0; tries < 3; tries += 1) await writer.flush();
  expect(await requestsIn(kept)).toBe(300);
  expect(inMinutes.reduce((sum, { values }) => sum + (values[0] ?? 0), 0)).toBe(300);
  // One word for each time that it failed, and for each that it was well again.
  expect(reports.filter((reason) => reason === undefined).length).toBe(
    reports.filter((reason) => reason !== undefined).length,
  );
  await writer.close();
});

test.each([
  ['refuses', () => Promise.reject(new Error('not reached'))],
  ['never answers', () => new Promise<never>(() => {})],
])('the minutes go on while the store %s, and get everything once', async (_, add) => {
  const pending = createPending(testClocks().now);
  const inMinutes: Increment[] = [];
  const out: Tallies = { ...createMemoryTallies(), add };
  const writer = createWriter(
    pending,
    () => out,
    (increments) => inMinutes.push(...increments),
    () => DAY_MS,
    () => {},
  );
  for (let times = 1; times <= 30; times += 1) {
    count(pending, textsOf(`m${times % 3}`));
    void writer.flush();
    await new Promise(setImmediate);
    expect(inMinutes.reduce((sum, { values }) => sum + (values[0] ?? 0), 0)).toBe(times);
  }
});

test('what comes while it is written is written too, and at the end nothing waits', async () => {
  const clocks = testClocks();
  const kept = createMemoryTallies(clocks);
  const pending = createPending(clocks.now);
  const slow: Tallies = {
    read: kept.read,
    async add(batch, keepMs) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      await kept.add(batch, keepMs);
    },
  };
  const writer = createWriter(
    pending,
    () => slow,
    () => {},
    () => DAY_MS,
    () => {},
  );
  count(pending, textsOf('a'));
  const first = writer.flush();
  count(pending, textsOf('a'));
  await writer.close();
  await first;
  expect([pending.size, await requestsIn(kept)]).toEqual([0, 2]);
});

test('names wait in a bounded number of rows while nothing can be written', () => {
  const pending = createPending(testClocks().now);
  for (let times = 0; times < 20_000; times += 1) count(pending, textsOf(`n${times}`));
  expect(pending.size).toBe(5001);
  count(pending, { row: '["configured"]', instead: undefined });
  expect(pending.size).toBe(5002);
  const all = pending.take();
  expect(all.reduce((sum, { values }) => sum + (values[0] ?? 0), 0)).toBe(20_001);
  expect(pending.size).toBe(0);
});
