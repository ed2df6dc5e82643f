import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as immediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { joined } from '../../src/archive/store.js';
import { type Texts, toAdapter } from '../../src/store/adapter.js';
import { createArea, EntryTooLarge } from '../../src/store/area.js';
import { createStorage } from '../../src/store/create.js';
import { createRedisStorage } from '../../src/store/redis.js';
import type { Storage } from '../../src/store/types.js';
import { REDIS_ABSENT, redisPresent, startRedis, type TestRedis } from '../support/redis.js';
import { until } from '../support/until.js';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

const LIMITS = { ttlDays: 30, maxMb: 1024, entryMb: 16 };
const folder = mkdtempSync(join(tmpdir(), 'interlingua-store-'));
const opened: Storage[] = [];
let redis: TestRedis | undefined;
let area = 0;

beforeAll(async () => {
  if (redisPresent) redis = await startRedis();
});

afterAll(async () => {
  for (const storage of opened) await storage.close();
  await redis?.close();
  rmSync(folder, { recursive: true });
});

const TYPES = ['memory', 'lmdb', ...(redisPresent ? (['redis'] as const) : [])] as const;

function open(type: (typeof TYPES)[number]): Storage {
  const place = {
    memory: { type: 'memory' },
    lmdb: { type: 'lmdb', path: folder },
    redis: { type: 'redis', url: redis?.url ?? '' },
  } as const;
  const storage = createStorage({ ...place[type], ...LIMITS }, () => {});
  if (storage === undefined) throw new Error('no storage');
  opened.push(storage);
  return storage;
}

/** Names that no earlier run has used. */
function fresh(): string {
  area += 1;
  return `test-${process.pid}-${area}`;
}

const WIDE = { ttlMs: 60_000, maxBytes: 2 ** 30, entryBytes: 2 ** 20 };

(redisPresent ? test : test.skip)(`the redis storage is tested too ${redisPresent ? '' : REDIS_ABSENT}`, () => {
  expect(TYPES).toContain('redis');
});

test('a redis storage gives the same area again: each one listens to the client as long as there is one', async () => {
  const storage = createRedisStorage('redis://127.0.0.1:1', () => {});
  opened.push(storage);
  expect(storage.area('a', WIDE)).toBe(storage.area('a', { ...WIDE }));
  expect(storage.area('a', WIDE)).not.toBe(storage.area('b', WIDE));
});

describe.each(TYPES)('a %s storage', (type) => {
  test('gives back what was kept, in the order that was asked for', async () => {
    const store = open(type).area(fresh(), WIDE);
    await store.set([
      { key: 'a', value: { text: 'ä\u{1f600}\u0000', list: [1, null, { deep: true }] } },
      { key: 'b', value: 'plain' },
    ]);
    expect(await store.get(['b', 'missing', 'a'])).toEqual([
      'plain',
      undefined,
      { text: 'ä\u{1f600}\u0000', list: [1, null, { deep: true }] },
    ]);
    await store.set([{ key: 'b', value: 2 }]);
    await store.delete(['a', 'missing']);
    expect(await store.get(['a', 'b'])).toEqual([undefined, 2]);
    expect(await store.get([])).toEqual([]);
  });

  test('areas are apart', async () => {
    const storage = open(type);
    const [one, two] = [storage.area(fresh(), WIDE), storage.area(fresh(), WIDE)];
    await one.set([{ key: 'k', value: 1 }]);
    expect(await two.get(['k'])).toEqual([undefined]);
  });

  test('forgets what has expired', async () => {
    const storage = open(type);
    const [lasting, passing] = [storage.area(fresh(), WIDE), storage.area(fresh(), { ...WIDE, ttlMs: 150 })];
    for (const store of [lasting, passing]) await store.set([{ key: 'k', value: 1 }]);
    await until(async () => (await passing.get(['k']))[0] === undefined);
    expect(await lasting.get(['k'])).toEqual([1]);
  });

  test('refuses an entry that is too large, and keeps nothing of its company', async () => {
    const store = open(type).area(fresh(), { ...WIDE, entryBytes: 1000 });
    const entries = [
      { key: 'small', value: 1 },
      { key: 'large', value: 'x'.repeat(1000) },
    ];
    await expect(store.set(entries)).rejects.toBeInstanceOf(EntryTooLarge);
    expect(await store.get(['small', 'large'])).toEqual([undefined, undefined]);
  });
});

describe.each(['memory', 'lmdb'] as const)('a %s storage that is full', (type) => {
  test('lets the oldest go', async () => {
    const store = open(type).area(fresh(), { ...WIDE, maxBytes: 60_000 });
    for (let n = 0; n < 200; n += 1) await store.set([{ key: `k${n}`, value: 'x'.repeat(1000) }]);
    let present: number[] = [];
    await until(async () => {
      const kept = await store.get(Array.from({ length: 200 }, (_, n) => `k${n}`));
      present = kept.flatMap((value, n) => (value === undefined ? [] : [n]));
      return present.length < 60;
    });
    expect(present.length).toBeGreaterThan(15);
    expect(present.at(-1)).toBe(199);
    expect(present).toEqual(Array.from({ length: present.length }, (_, n) => 200 - present.length + n));
  });

  test('a later write makes an entry young again', async () => {
    const store = open(type).area(fresh(), { ...WIDE, maxBytes: 60_000 });
    for (let n = 0; n < 100; n += 1) {
      await store.set([
        { key: `k${n}`, value: 'x'.repeat(1000) },
        { key: 'dear', value: 'kept' },
      ]);
    }
    await until(async () => (await store.get(['k0']))[0] === undefined);
    expect(await store.get(['dear', 'k0'])).toEqual(['kept', undefined]);
  });
});

test('what a folder holds is there for the next process', async () => {
  const name = fresh();
  const path = join(folder, 'again');
  const first = createStorage({ type: 'lmdb', path, ...LIMITS }, () => {});
  await first?.area(name, WIDE).set([{ key: 'k', value: 'v' }]);
  await first?.close();
  const second = createStorage({ type: 'lmdb', path, ...LIMITS }, () => {});
  expect(await second?.area(name, WIDE).get(['k'])).toEqual(['v']);
  await second?.close();
});

test('what nobody of us wrote is unknown, and not in the way of what is beside it', async () => {
  const texts = new Map([
    ['broken', '{"value":'],
    ['other', 'not JSON'],
    ['bare', '7'],
  ]);
  const kept: Texts = {
    getMany: (keys) => keys.map((key) => texts.get(key)),
    async setMany(added) {
      for (const { key, value } of added) texts.set(key, joined(value));
    },
    async deleteMany() {},
    async clear() {},
  };
  const store = createArea('x', toAdapter(kept), kept.setMany, WIDE);
  await store.set([{ key: 'good', value: 1 }]);
  expect(await store.get(['broken', 'good', 'other', 'bare'])).toEqual([undefined, 1, undefined, undefined]);
});

/** Longest wait for a server that does not answer (operations.md), in the clock of the storage. */
const REDIS_MS = 2000;

test.each([
  ['that takes connections and never answers', 'CLIENT'],
  ['that stops after the connection was made', 'MULTI'],
])('a redis server %s holds up one call for two seconds, and no later one', async (_when, last) => {
  const sockets: Socket[] = [];
  let stopped = false;
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('data', (data) => {
      stopped ||= data.includes(last);
      const commands = String(data).match(/^\*\d+\r$/gm) ?? [];
      if (!stopped) socket.write('+OK\r\n'.repeat(commands.length));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  try {
    const { port } = Object(server.address());
    const storage = createRedisStorage(`redis://127.0.0.1:${port}`, () => {});
    const store = storage.area('x', WIDE);
    let told: string | undefined;
    const first = store.set([{ key: 'k', value: 1 }]).catch((error: Error) => {
      told = error.message;
    });
    while (!stopped) await immediate();
    await jest.advanceTimersByTimeAsync(REDIS_MS - 1);
    expect(told).toBeUndefined();
    await jest.advanceTimersByTimeAsync(1);
    expect(told).toContain('does not answer');
    await first;
    await expect(store.get(['k'])).rejects.toThrow('does not answer');
    const closing = storage.close();
    await jest.advanceTimersByTimeAsync(REDIS_MS);
    await closing;
  } finally {
    jest.useRealTimers();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
});

test('off is no storage', () => {
  expect(createStorage({ type: 'off', ...LIMITS }, () => {})).toBeUndefined();
});

test('a redis server that cannot be reached is told and does not hang anybody', async () => {
  const told: string[] = [];
  const storage = createStorage({ type: 'redis', url: 'redis://127.0.0.1:1', ...LIMITS }, (reason) =>
    told.push(reason),
  );
  if (storage === undefined) throw new Error('no storage');
  const store = storage.area('x', WIDE);
  await expect(store.set([{ key: 'k', value: 1 }])).rejects.toThrow();
  expect(told.join()).toContain('ECONNREFUSED');
  await expect(store.get(['k'])).rejects.toThrow();
  await storage.close();
});

test('an entry in memory holds its key, and not the text that this was cut out of', async () => {
  const area = open('memory').area(fresh(), WIDE);
  const MB = 1024 * 1024;
  const used = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = used();
  for (let index = 0; index < 300; index += 1) {
    const answer = Buffer.alloc(100 * 1024, `an answer ${index} `).toString();
    await area.set([{ key: `conversation:${answer.slice(0, 40)}:${index}`, value: index }]);
  }
  // The texts are 29 MB.
  expect(used() - before).toBeLessThan(10 * MB);
});
