import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { Clocks } from '../../src/store/age-clock.js';
import { createLmdbStorage } from '../../src/store/lmdb.js';
import { createMemoryTallies } from '../../src/store/memory-tallies.js';
import { createRedisTallies } from '../../src/store/redis-tallies.js';
import { HOUR_MS, type Tallies } from '../../src/store/tallies.js';
import type { TallyStorage } from '../../src/store/types.js';
import { DAY_MS, expectBound, expectSums, increment, linesOf, testClocks, writerOf } from './tallies.js';

const folder = mkdtempSync(join(tmpdir(), 'interlingua-tallies-'));
const opened: TallyStorage[] = [];
let folders = 0;

afterAll(async () => {
  for (const storage of opened) await storage.close();
  rmSync(folder, { recursive: true });
});

function openLmdb(clocks: Clocks, at = `f${++folders}`): Tallies {
  const storage = createLmdbStorage(join(folder, at), () => {}, clocks);
  opened.push(storage);
  return storage.tallies();
}

describe.each([
  ['memory', (clocks: Clocks) => createMemoryTallies(clocks)],
  ['lmdb', (clocks: Clocks) => openLmdb(clocks)],
])('sums in %s', (_name, open) => {
  const hourAt = (time: number): number => Math.floor(time / HOUR_MS);

  test('add up from several writers, by hour and owner', async () => {
    const tallies = open(testClocks());
    await expectSums(tallies, tallies, '');
    await expectBound(tallies, '');
  });

  test('are kept for their time from the last addition on, and then no more', async () => {
    const clocks = testClocks();
    const writer = writerOf(open(clocks), 2 * DAY_MS);
    const tallies = open(clocks);
    const own = writerOf(tallies, 2 * DAY_MS);
    await writer.add(increment(1, 'k', 'x', 1));
    const hour = hourAt(clocks.now());
    await own.add(increment(hour, 'k', 'x', 1), increment(hour - 1, 'k', 'x', 1));
    clocks.pass(DAY_MS);
    await own.add(increment(hour, 'k', 'x', 1));
    clocks.pass(1.5 * DAY_MS);
    expect(await linesOf(tallies)).toEqual([`${hour} k ["x"] 2`]);
    clocks.pass(DAY_MS);
    await own.add(increment(hour + 84, 'k', 'x', 1));
    await own.add(increment(hour + 84, 'k', 'x', 1));
    // Deleted, and not hidden alone: the sums begin anew.
    await own.add(increment(hour, 'k', 'x', 5));
    expect(await linesOf(tallies)).toEqual([`${hour} k ["x"] 5`, `${hour + 84} k ["x"] 2`]);
  });

  test('a clock that is set a year ahead for a while, or a year back, loses, doubles and deletes nothing', async () => {
    const clocks = testClocks();
    const tallies = open(clocks);
    const own = writerOf(tallies, 7 * DAY_MS);
    const start = clocks.now();
    const hour = hourAt(start);
    const add = async (): Promise<number> => {
      const at = hourAt(clocks.now());
      await own.add(increment(at, 'k', 'x', 1));
      return at;
    };
    await add();
    clocks.set(start + 365 * DAY_MS);
    clocks.pass(60_000);
    const ahead = await add();
    for (let count = 0; count < 5; count += 1) {
      clocks.pass(10_000);
      await add();
    }
    clocks.set(start - 365 * DAY_MS);
    clocks.pass(60_000);
    const back = await add();
    clocks.pass(60_000);
    await add();
    clocks.set(start + 5 * 60_000);
    // What was written while the clock was wrong is as old as it is.
    for (let days = 0; days < 5; days += 1) {
      clocks.pass(DAY_MS);
      await own.add(increment(7, 'tick', 'x', 1));
    }
    const ticks = '7 tick ["x"] 5';
    expect(await linesOf(tallies)).toEqual(
      [`${hour} k ["x"] 1`, `${ahead} k ["x"] 6`, `${back} k ["x"] 2`, ticks].sort(),
    );
    for (let days = 0; days < 4; days += 1) clocks.pass(DAY_MS);
    await own.add(increment(7, 'tick', 'x', 1));
    // Those that were written while it was ahead go when it is there in truth.
    expect(await linesOf(tallies)).not.toContain(`${hour} k ["x"] 1`);
    expect(await linesOf(tallies)).not.toContain(`${back} k ["x"] 2`);
  });
});

test('a batch that is given again counts once in memory', async () => {
  const tallies = createMemoryTallies(testClocks());
  const writer = writerOf(tallies);
  await writer.add(increment(1, 'k', 'x', 1));
  await writer.again(increment(1, 'k', 'x', 1));
  expect(await linesOf(tallies)).toEqual(['1 k ["x"] 1']);
});

test('a file that is opened again has the sums, and its age', async () => {
  const clocks = testClocks();
  const first = createLmdbStorage(join(folder, 'again'), () => {}, clocks);
  await writerOf(first.tallies(), DAY_MS).add(increment(3, 'k', 'x', 1));
  clocks.pass(DAY_MS / 2);
  await writerOf(first.tallies(), DAY_MS).add(increment(4, 'k', 'x', 1));
  await first.close();
  // The clock is wrong while nothing runs.
  clocks.set(clocks.now() + 365 * DAY_MS);
  const second = openLmdb(clocks, 'again');
  await writerOf(second, DAY_MS).add(increment(3, 'k', 'x', 1));
  expect(await linesOf(second)).toEqual(['3 k ["x"] 2', '4 k ["x"] 1']);
});

describe('what is asked of a Redis server', () => {
  const DAYS = 10;
  const HOURS_KEPT = DAYS * 24;
  const owners = Array.from({ length: 20 }, (_, index) => `key-${index}`);
  const members = Array.from({ length: HOURS_KEPT }, (_, hour) =>
    owners.map((owner) => `${1000 + hour}:${owner}`),
  ).flat();

  /** Reads the sums of a server that has an exchange of each key in each hour; what it was asked for. */
  async function asked(owner?: string) {
    const lists: number[] = [];
    const names: number[] = [];
    let read = 0;
    const tallies = createRedisTallies({
      run: async () => undefined,
      async members(_set, from, to, most) {
        const found = members.filter(
          (member) => Number.parseInt(member, 10) >= from && Number.parseInt(member, 10) < to,
        );
        lists.push(found.slice(0, most).length);
        return found.slice(0, most);
      },
      async hashes(wanted) {
        names.push(wanted.length);
        return wanted.map(() => ({ '["m"]': '1' }));
      },
    });
    for await (const { rows } of tallies.read({ from: 0, to: 9_000_000, ...(owner !== undefined && { owner }) }))
      read += rows.length;
    return { lists, names, read };
  }

  test('comes in parts of a day, whatever the period is', async () => {
    const { lists, names, read } = await asked();
    expect(read).toBe(HOURS_KEPT * owners.length);
    expect(Math.max(...lists)).toBe(24 * owners.length);
    expect(Math.max(...names)).toBeLessThanOrEqual(100);
    expect(lists.length).toBe(2 * DAYS + 1);
  });

  test('for one key is no more where there are others', async () => {
    const { lists, names, read } = await asked('key-7');
    expect(read).toBe(HOURS_KEPT);
    // The beginning of each day, and nothing at the end.
    expect(lists).toEqual([...Array.from({ length: DAYS }, () => 1), 0]);
    expect(names).toEqual(Array.from({ length: DAYS }, () => 24));
  });
});
