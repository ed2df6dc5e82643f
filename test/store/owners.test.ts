import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import type { Store } from '../../src/archive/index.js';
import { createHoldings } from '../../src/store/holdings.js';
import { createLmdbStorage } from '../../src/store/lmdb.js';
import { createMemoryStorage } from '../../src/store/memory.js';
import type { AreaLimits, Storage } from '../../src/store/types.js';
import { runs } from '../support/runs.js';
import { openBooks } from './sums.js';

/** Who holds most of a full area loses its oldest (attacks.md finding 15). */
const TTL = 1000;
const BYTES = 2000;

const folder = mkdtempSync(join(tmpdir(), 'interlingua-owners-'));
const storage = createLmdbStorage(folder);
const books = openBooks(folder);
let areas = 0;

afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(async () => {
  await storage.close();
  rmSync(folder, { recursive: true });
});

const ownerOf = (key: string): string => (key.startsWith('nobody') ? '' : key.slice(0, key.indexOf(':')));

function limits(maxBytes: number, ttlMs = TTL): AreaLimits {
  return { ttlMs, maxBytes, entryBytes: 10_000, ownerOf };
}

function fresh(): string {
  areas += 1;
  return `area-${areas}`;
}

/** Waits until an area of the file has nothing to take out, and until the storage reads no older state of the file: lmdb lets go of it by a timer. */
async function settled(name: string, maxBytes: number): Promise<void> {
  const order = books.root.openDB<number, [number, string]>(`${name}:order`, { encoding: 'msgpack' });
  const sums = books.root.openDB<number, string>(`${name}:sums`, { encoding: 'msgpack' });
  const isDue = (): boolean => {
    const [first] = order.getKeys({ limit: 1 });
    return (sums.get('bytes') ?? 0) > maxBytes || (first !== undefined && first[0] <= Date.now());
  };
  while (isDue()) await sleep(1);
  await sleep(1);
}

type Step =
  | { readonly kind: 'set'; readonly keys: readonly string[]; readonly size: number }
  | { readonly kind: 'delete'; readonly keys: readonly string[] }
  | { readonly kind: 'wait'; readonly ms: number };

const OWNERS = ['ann', 'bob', 'nobody', 'zoe'];
const KEYS = OWNERS.flatMap((owner) => [0, 1, 2, 3, 4].map((index) => `${owner}:${index}`));
const someKeys = fc.uniqueArray(fc.constantFrom(...KEYS), { minLength: 1, maxLength: 4 }).map((keys) => keys.sort());
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('set'), keys: someKeys, size: fc.nat(500) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete'), keys: someKeys }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait'), ms: fc.nat(TTL) }) },
  ) as fc.Arbitrary<Step>,
  { maxLength: 25 },
);

test('laws: sums are what the entries come to, and both storages lose the same', async () => {
  const name = fresh();
  const file = storage.area(name, limits(BYTES));
  let now = 1_000_000;
  let lost = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (walk) => {
      jest.spyOn(Date, 'now').mockImplementation(() => now);
      await file.delete(KEYS);
      // A string in memory is counted by two bytes a unit.
      const memory = createMemoryStorage().area(name, limits(2 * BYTES));
      for (const step of walk) {
        now += step.kind === 'wait' ? step.ms : 1;
        for (const store of [file, memory]) await take(store, step);
        if (step.kind === 'set') await settled(name, BYTES);
        const { told, counted } = books.bookkeeping(name);
        expect(told).toEqual(counted);
        const kept = await file.get(KEYS);
        expect(kept).toEqual(await memory.get(KEYS));
        if (step.kind === 'set' && kept.filter((value) => value !== undefined).length < step.keys.length) lost += 1;
      }
    }),
    // Whatever is drawn, four entries that the area does not hold together are among them.
    { numRuns: runs(100), examples: [[[{ kind: 'set', keys: KEYS.slice(0, 4), size: 600 }]]] },
  );
  expect(lost).toBeGreaterThan(0);
}, 120_000);

async function take(store: Store, step: Step): Promise<void> {
  if (step.kind === 'set') await store.set(step.keys.map((key) => ({ key, value: 'x'.repeat(step.size) })));
  if (step.kind === 'delete') await store.delete(step.keys);
}

test('law: the first to go is the oldest of who holds most, of any number of owners', () => {
  const changes = fc.array(fc.record({ owner: fc.nat(30), index: fc.nat(2), bytes: fc.nat(50) }), { maxLength: 150 });
  fc.assert(
    fc.property(changes, (list) => {
      const holdings = createHoldings();
      const kept = new Map<string, { owner: string; bytes: number }>();
      for (const { owner: number, index, bytes } of list) {
        const owner = `o${number}`;
        const key = `${owner}:${index}`;
        const old = kept.get(key);
        if (old !== undefined) holdings.remove(owner, key, old.bytes);
        kept.delete(key);
        if (bytes > 0) {
          holdings.add(owner, key, bytes);
          kept.set(key, { owner, bytes });
        }
        const sums = new Map<string, number>();
        for (const one of kept.values()) sums.set(one.owner, (sums.get(one.owner) ?? 0) + one.bytes);
        const [most] = [...sums].sort(([a, x], [b, y]) => y - x || (a > b ? -1 : 1));
        expect(holdings.bytes).toBe([...sums.values()].reduce((sum, one) => sum + one, 0));
        expect(holdings.first()).toBe([...kept].find(([, one]) => one.owner === most?.[0])?.[0]);
      }
    }),
  );
});

describe.each(['memory', 'lmdb'] as const)('a full area of a %s storage', (type) => {
  const open = (): Storage => (type === 'lmdb' ? storage : createMemoryStorage());
  const write = async (store: Store, owner: string, from: number, to: number): Promise<void> => {
    for (let n = from; n < to; n += 1) await store.set([{ key: `${owner}:${n}`, value: 'x'.repeat(1000) }]);
  };
  const kept = async (store: Store, owner: string, count: number): Promise<number[]> => {
    const values = await store.get(Array.from({ length: count }, (_, n) => `${owner}:${n}`));
    return values.flatMap((value, n) => (value === undefined ? [] : [n]));
  };

  test('costs who floods it its own oldest, and nobody else anything', async () => {
    const name = fresh();
    const max = type === 'lmdb' ? 60_000 : 120_000;
    const store = open().area(name, limits(max, 60_000));
    await write(store, 'bob', 0, 10);
    await write(store, 'cid', 0, 5);
    await write(store, 'ann', 0, 200);
    if (type === 'lmdb') await settled(name, max);
    expect((await kept(store, 'bob', 10)).length).toBe(10);
    expect((await kept(store, 'cid', 5)).length).toBe(5);
    const left = await kept(store, 'ann', 200);
    expect(left.length).toBeGreaterThan(25);
    expect(left).toEqual(Array.from({ length: left.length }, (_, n) => 200 - left.length + n));
  });

  test('is shared by halves when two want all of it', async () => {
    const name = fresh();
    const max = type === 'lmdb' ? 60_000 : 120_000;
    const store = open().area(name, limits(max, 60_000));
    await write(store, 'ann', 0, 100);
    await write(store, 'bob', 0, 100);
    if (type === 'lmdb') await settled(name, max);
    const [ann, bob] = [(await kept(store, 'ann', 100)).length, (await kept(store, 'bob', 100)).length];
    expect(Math.abs(ann - bob)).toBeLessThanOrEqual(1);
    expect(ann + bob).toBeGreaterThan(50);
  });
});

describe('a file that version 0.1.0 wrote', () => {
  /** Entries as that version keeps them, or takes them out. */
  const asBefore = (name: string) => {
    const values = books.root.openDB<string, string>(`${name}:values`, { encoding: 'string' });
    const order = books.root.openDB<number, [number, string]>(`${name}:order`, { encoding: 'msgpack' });
    const sums = books.root.openDB<number, string>(`${name}:sums`, { encoding: 'msgpack' });
    const expires = Date.now() + 60_000;
    const count = (bytes: number): void => sums.putSync('bytes', (sums.get('bytes') ?? 0) + bytes);
    return {
      write(key: string, value: string): void {
        const text = JSON.stringify({ value, expires });
        values.putSync(key, `${expires}\n${text}`);
        order.putSync([expires, key], key.length + text.length);
        count(key.length + text.length);
      },
      remove(key: string): void {
        const stored = values.get(key) ?? '';
        const turn: [number, string] = [Number(stored.split('\n')[0]), key];
        count(-(order.get(turn) ?? 0));
        order.removeSync(turn);
        values.removeSync(key);
      },
    };
  };
  const keys = Array.from({ length: 30 }, (_, n) => `old:${n + 10}`);

  test("is read, and its entries are nobody's until they are written again", async () => {
    const name = fresh();
    const before = asBefore(name);
    for (const key of keys) before.write(key, 'x'.repeat(1000));
    const store = storage.area(name, limits(60_000, 60_000));
    expect((await store.get(keys)).every((value) => value !== undefined)).toBe(true);
    await store.delete(['old:10']);
    await store.set([{ key: 'old:11', value: 'new' }]);
    expect(books.bookkeeping(name).told).toEqual(books.bookkeeping(name).counted);
    for (let n = 0; n < 100; n += 1) await store.set([{ key: `ann:${n}`, value: 'x'.repeat(1000) }]);
    await settled(name, 60_000);
    const { told, counted } = books.bookkeeping(name);
    expect(told).toEqual(counted);
    // Both hold half: the oldest went on either side.
    const left = (await store.get(keys)).filter((value) => value !== undefined).length;
    expect(left).toBeGreaterThan(20);
    expect(await store.get(['old:11', 'old:39', 'ann:99'])).toEqual(['new', 'x'.repeat(1000), 'x'.repeat(1000)]);
  });

  test('may be worked with by that version at the same time', async () => {
    const name = fresh();
    const store = storage.area(name, limits(60_000, 60_000));
    for (let n = 0; n < 30; n += 1) await store.set([{ key: `ann:${n}`, value: 'x'.repeat(1000) }]);
    const before = asBefore(name);
    for (let n = 0; n < 10; n += 1) before.remove(`ann:${n}`);
    for (const key of keys) before.write(key, 'x'.repeat(1000));
    for (let n = 30; n < 130; n += 1) await store.set([{ key: `ann:${n}`, value: 'x'.repeat(1000) }]);
    await settled(name, 60_000);
    const { told, counted } = books.bookkeeping(name);
    expect(told).toEqual(counted);
    expect((await store.get(['ann:129']))[0]).toBeDefined();
  });
});
