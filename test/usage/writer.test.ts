import { expect, test } from '@jest/globals';
import { createMemoryTallies } from '../../src/store/memory-tallies.js';
import { HOUR_MS, type Increment, type Tallies } from '../../src/store/tallies.js';
import { createPending } from '../../src/usage/pending.js';
import { SUMS, type Sums } from '../../src/usage/sums.js';
import { createWriter } from '../../src/usage/writer.js';
import { DAY_MS, linesOf, testClocks } from './tallies.js';

const ONE = Object.fromEntries(SUMS.map((name) => [name, name === 'requests' ? 1 : 0])) as Sums;
const placeOf = (name: string) => ({ row: JSON.stringify([name]), instead: JSON.stringify(['(other)']) });

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
  for (let count = 0; count < 300; count += 1) {
    pending.add('k', placeOf(`m${count % 7}`), ONE);
    if (count % 10 === 0) await writer.flush();
    if (count % 40 === 0) clocks.pass(HOUR_MS);
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
  pending.add('k', placeOf('a'), ONE);
  const first = writer.flush();
  pending.add('k', placeOf('a'), ONE);
  await writer.close();
  await first;
  expect([pending.size, await requestsIn(kept)]).toEqual([0, 2]);
});

test('names wait in a bounded number of rows while nothing can be written', () => {
  const pending = createPending(testClocks().now);
  for (let count = 0; count < 20_000; count += 1) pending.add('k', placeOf(`n${count}`), ONE);
  expect(pending.size).toBe(5001);
  pending.add('k', { row: '["configured"]', instead: undefined }, ONE);
  expect(pending.size).toBe(5002);
  const all = pending.take();
  expect(all.reduce((sum, { values }) => sum + (values[0] ?? 0), 0)).toBe(20_001);
  expect(pending.size).toBe(0);
});
