import { expect } from '@jest/globals';
import type { Clocks } from '../../src/store/age-clock.js';
import { HOUR_MS, type Increment, type KeptInterval, MOST_FREE, type Tallies } from '../../src/store/tallies.js';

export const DAY_MS = 24 * HOUR_MS;

/** Two clocks that a test turns: time passes on both, and the one of the machine may be set. */
export interface TestClocks extends Clocks {
  pass(ms: number): void;
  set(now: number): void;
}

export function testClocks(start = Date.UTC(2026, 0, 10)): TestClocks {
  let [now, steady] = [start, 1000];
  return {
    now: () => now,
    steady: () => steady,
    pass(ms) {
      now += ms;
      steady += ms;
    },
    set(time) {
      now = time;
    },
  };
}

let writers = 0;

/** A writer of its own, with one batch after the other. */
export function writerOf(tallies: Tallies, keepMs = 90 * DAY_MS) {
  writers += 1;
  const writer = `w${process.pid}-${Date.now()}-${writers}`;
  let number = 0;
  return {
    add(...increments: readonly Increment[]) {
      number += 1;
      return tallies.add({ writer, number, increments }, keepMs);
    },
    again: (...increments: readonly Increment[]) => tallies.add({ writer, number, increments }, keepMs),
  };
}

export function increment(interval: number, owner: string, name: string, ...values: readonly number[]): Increment {
  return { interval, owner, row: JSON.stringify([name]), values };
}

/** Everything that is kept of a range, as `interval owner row sums`. */
export async function linesOf(tallies: Tallies, from = -1e9, to = 1e9, owner?: string): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const kept of tallies.read({ from, to, ...(owner !== undefined && { owner }) }))
    lines.push(...linesIn(kept));
  return lines.sort();
}

function linesIn({ interval, owner, rows }: KeptInterval): readonly string[] {
  return rows.map(([row, sums]) => `${interval} ${owner} ${row} ${sums.join(' ')}`);
}

/** What holds for sums wherever they are kept. `prefix` begins the names of owners, which nobody else has. */
export async function expectSums(one: Tallies, other: Tallies, prefix: string): Promise<void> {
  const [a, b] = [`${prefix}a`, `${prefix}b`];
  const [first, second] = [writerOf(one), writerOf(other)];
  await Promise.all([
    first.add(increment(100, a, 'x', 1, 5), increment(101, a, 'x', 1, 7)),
    second.add(increment(100, a, 'x', 1, 6), increment(100, b, 'y', 2)),
  ]);
  await first.add(increment(100, a, 'x', 1, 0, 9_000_000_000_000_001));
  expect(await linesOf(other, 100, 102, a)).toEqual([`100 ${a} ["x"] 3 11 9000000000000001`, `101 ${a} ["x"] 1 7`]);
  expect(await linesOf(one, 101, 102, a)).toEqual([`101 ${a} ["x"] 1 7`]);
  expect(await linesOf(one, 100, 101, b)).toEqual([`100 ${b} ["y"] 2`]);
}

/** Names that callers choose have a bound in each hour of each owner; what is above it is counted all the same. */
export async function expectBound(tallies: Tallies, prefix: string): Promise<void> {
  const [a, b] = [`${prefix}c`, `${prefix}d`];
  const writer = writerOf(tallies);
  const free = (name: string, owner = a): Increment => ({
    ...increment(200, owner, name, 1),
    instead: JSON.stringify(['other']),
  });
  const many = Array.from({ length: MOST_FREE + 30 }, (_, index) => free(`n${index}`));
  for (let at = 0; at < many.length; at += 50) await writer.add(...many.slice(at, at + 50));
  await writer.add(free('n3'), free('n999'), free('mine', b), increment(200, a, 'configured', 1));
  const found = await linesOf(tallies, 200, 201, a);
  expect(found).toHaveLength(MOST_FREE + 2);
  expect(found).toContain(`200 ${a} ["n3"] 2`);
  expect(found).toContain(`200 ${a} ["other"] 31`);
  expect(found).toContain(`200 ${a} ["configured"] 1`);
  expect(await linesOf(tallies, 200, 201, b)).toEqual([`200 ${b} ["mine"] 1`]);
}
