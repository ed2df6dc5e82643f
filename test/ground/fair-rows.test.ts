import { describe, expect, test } from '@jest/globals';
import { createFairRows, type FairRows, type Waiting } from '../../src/ground/index.js';

interface Named extends Waiting {
  readonly name: string;
}

/** Rows in which `a1`, `a2`, `b1` wait: the letter is the key, `-` is nobody's. */
function rowsOf(names: string): FairRows<Named> {
  const rows = createFairRows<Named>();
  for (const name of names.split(' ')) rows.add({ name, key: name.startsWith('-') ? undefined : name.slice(0, 1) });
  return rows;
}

const anyone = () => true;

/** Everybody in the order in which they are served. */
function served(rows: FairRows<Named>, may: (waiter: Named) => boolean = anyone): string {
  const names: string[] = [];
  for (let next = rows.next(may); next !== undefined; next = rows.next(may)) names.push(next.name);
  return names.join(' ');
}

describe('rows that are served in turn', () => {
  test.each([
    ['one row is served in the order of coming', 'a1 a2 a3', 'a1 a2 a3'],
    ['another key waits for one of many', 'a1 a2 a3 a4 b1', 'a1 b1 a2 a3 a4'],
    ['each key has its turn', 'a1 a2 a3 b1 b2 c1', 'a1 b1 c1 a2 b2 a3'],
    ['what belongs to no key has a row like others', '-1 -2 a1 a2', '-1 a1 -2 a2'],
  ])('%s', (_what, come, order) => {
    expect(served(rowsOf(come))).toBe(order);
  });

  test('who was served without waiting comes after the others', () => {
    const rows = rowsOf('a1 a2 b1');
    rows.served('a');
    expect(served(rows)).toBe('b1 a1 a2');
  });

  test('a row whose first may not go is passed, and nobody passes the first of a row', () => {
    const rows = rowsOf('a1 a2 b1');
    expect(served(rows, ({ name }) => name !== 'a1')).toBe('b1');
    expect([rows.size, rows.of('a'), rows.of('b')]).toEqual([2, 2, 0]);
    expect(served(rows)).toBe('a1 a2');
  });

  test('who goes away leaves its row once', () => {
    const rows = rowsOf('a1 a2 b1');
    const [first] = rows;
    if (first === undefined) throw new Error('nobody waits');
    expect([rows.delete(first), rows.delete(first), rows.size]).toEqual([true, false, 2]);
    expect([...rows].map(({ name }) => name)).toEqual(['a2', 'b1']);
  });
});
