import { connect, createServer, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createClient } from '@keyv/redis';
import type { Ledger, LimitedKey } from '../../src/limits/ledger.js';
import { createRedisLedger } from '../../src/limits/redis.js';
import { sharedPlaces } from '../../src/limits/shared-places.js';
import { type Recorder, startRecorder } from '../support/gateway/harness.js';
import { REDIS_ABSENT, redisPresent, startRedis, type TestRedis } from '../support/redis.js';
import { until } from '../support/until.js';
import { answerInDialect, type LimitStage, openLimitStage, type TestKey } from './stage.js';

/** Names of keys of this run: the server may be used by others. */
const RUN = `t${process.pid}-${Date.now()}`;
const nameOf = (name: string): string => `${RUN}-${name}`;

/** A way to the server that can be cut, or made to swallow everything. */
interface Way {
  readonly url: string;
  cut(): void;
  stall(): void;
  mend(): void;
  close(): Promise<void>;
}

async function openWay(url: string): Promise<Way> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let state: 'open' | 'cut' | 'stalled' = 'open';
  const server = createServer((socket) => {
    if (state === 'cut') return void socket.destroy();
    const other = connect(Number(port), hostname);
    for (const one of [socket, other]) {
      sockets.add(one);
      one.on('error', () => {});
      one.on('close', () => {
        sockets.delete(one);
        socket.destroy();
        other.destroy();
      });
    }
    socket.on('data', (chunk) => state === 'open' && other.write(chunk));
    other.on('data', (chunk) => state === 'open' && socket.write(chunk));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const change = (to: typeof state): void => {
    state = to;
    if (to !== 'stalled') for (const socket of sockets) socket.destroy();
  };
  return {
    url: `redis://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    cut: () => change('cut'),
    stall: () => change('stalled'),
    mend: () => change('open'),
    async close() {
      change('cut');
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const describeRedis = redisPresent ? describe : describe.skip;

describeRedis(`counts in a Redis server ${redisPresent ? '' : REDIS_ABSENT}`, () => {
  let redis: TestRedis;
  let way: Way;
  const open: Ledger[] = [];
  const told: (string | undefined)[] = [];

  beforeAll(async () => {
    redis = await startRedis();
    way = await openWay(redis.url);
  });
  afterEach(async () => {
    way.mend();
    await Promise.all(open.splice(0).map((ledger) => ledger.close()));
    told.length = 0;
  });
  afterAll(async () => {
    await way.close();
    const client = createClient({ url: redis.url });
    await client.connect();
    for await (const keys of client.scanIterator({ MATCH: `interlingua:limits:*${RUN}*`, COUNT: 1000 })) {
      if (keys.length > 0) await client.unlink(keys);
    }
    client.destroy();
    await redis.close();
  });

  function ledgerAt(url: string): Ledger {
    const ledger = createRedisLedger(url, (reason) => told.push(reason));
    open.push(ledger);
    return ledger;
  }

  const key = (name: string, limits: Omit<LimitedKey, 'name'>): LimitedKey => ({ name: nameOf(name), ...limits });

  describe('two gateways', () => {
    let recorder: Recorder;
    let stages: LimitStage[];

    beforeAll(async () => {
      recorder = await startRecorder();
      const keys: TestKey[] = [
        { name: nameOf('minute'), requestsPerMinute: 10 },
        { name: nameOf('places'), concurrency: 5 },
        { name: nameOf('tokens'), tokensPerMinute: 6 },
      ];
      const store = { type: 'redis', url: redis.url } as const;
      stages = [await openLimitStage(keys, { store }, recorder), await openLimitStage(keys, { store }, recorder)];
    });
    afterEach(() => {
      recorder.reply = answerInDialect;
      recorder.seen.length = 0;
    });
    afterAll(async () => {
      await Promise.all(stages.map((stage) => stage.close()));
      await recorder.close();
    });

    const both = (name: string, count: number) =>
      Array.from({ length: count }, (_, index) => stages[index % 2]?.ask(nameOf(name), 'messages'));

    test('of 30 requests at once exactly the 10 of the minute are admitted', async () => {
      const statuses = (await Promise.all(both('minute', 30))).map((answer) => answer?.status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(10);
      expect(statuses.filter((status) => status === 429)).toHaveLength(20);
      expect(recorder.seen).toHaveLength(10);
    });

    test('of 15 requests at once exactly 5 run at the same time, and their places come back', async () => {
      const waiting: (() => void)[] = [];
      recorder.reply = (response, seen) => void waiting.push(() => answerInDialect(response, seen));
      const all = both('places', 15).map((one) => one?.then(({ status }) => status));
      let refused = 0;
      for (const one of all) void one?.then((status) => (refused += status === 429 ? 1 : 0));
      await until(() => refused === 10 && waiting.length === 5);
      for (const answer of waiting) answer();
      expect((await Promise.all(all)).filter((status) => status === 200)).toHaveLength(5);
      recorder.reply = answerInDialect;
      await until(async () => {
        const again = await Promise.all(both('places', 5));
        return again.every((answer) => answer?.status === 200);
      });
    });

    test('tokens used at one count at the other', async () => {
      const [first, second] = stages;
      await first?.ask(nameOf('tokens'), 'messages');
      await until(async () => {
        const looked = await second?.ask(nameOf('tokens'), 'messages');
        return looked?.status === 200 && looked.headers['anthropic-ratelimit-tokens-remaining'] === '1';
      });
      await until(async () => (await first?.ask(nameOf('tokens'), 'messages'))?.status === 429);
    });
  });

  test('the minute ends in the server, and nothing stays there', async () => {
    const ledger = ledgerAt(redis.url);
    const limited = key('expiry', { requestsPerMinute: 1, tokensPerMinute: 5, concurrency: 1 });
    expect((await ledger.admit(limited, 'a')).refused).toBeUndefined();
    const client = createClient({ url: redis.url });
    await client.connect();
    const found: string[] = [];
    for await (const keys of client.scanIterator({ MATCH: `interlingua:limits:*${nameOf('expiry')}`, COUNT: 1000 })) {
      found.push(...keys);
    }
    expect(found).toHaveLength(3);
    for (const name of found) {
      const left = await client.pTTL(name);
      expect(left).toBeGreaterThan(40_000);
      expect(left).toBeLessThanOrEqual(60_000);
    }
    await ledger.free(limited, 'a');
    expect(await client.exists(`interlingua:limits:places:${nameOf('expiry')}`)).toBe(0);
    client.destroy();
  });

  test('a lease that nobody renews passes', async () => {
    const ledger = ledgerAt(redis.url);
    const limited = key('lease', { concurrency: 1 });
    await ledger.admit(limited, 'dead');
    expect((await ledger.admit(limited, 'b')).refused).toBe('concurrency');
    const client = createClient({ url: redis.url });
    await client.connect();
    // As if its minute were over.
    await client.zAdd(`interlingua:limits:places:${nameOf('lease')}`, { score: Date.now() - 1, value: 'dead' });
    expect((await ledger.admit(limited, 'c')).refused).toBeUndefined();
    client.destroy();
  });

  test('a place that is held says so again, also to a server that forgot it', async () => {
    const client = createClient({ url: redis.url });
    await client.connect();
    const places = sharedPlaces((script, options) => client.eval(script, options));
    expect(await places.take(nameOf('held'), 'a', 1)).toBe(true);
    await client.del(`interlingua:limits:places:${nameOf('held')}`);
    places.renew();
    await until(async () => !(await places.take(nameOf('held'), 'b', 1)));
    const lease = await client.zScore(`interlingua:limits:places:${nameOf('held')}`, 'a');
    expect(lease).toBeGreaterThan(Date.now() + 40_000);
    await places.close();
    expect(await client.exists(`interlingua:limits:places:${nameOf('held')}`)).toBe(0);
    client.destroy();
  });

  test('while the server is away each counts for itself, and says so once; then they share again', async () => {
    const [near, far] = [ledgerAt(way.url), ledgerAt(redis.url)];
    const limited = key('away', { requestsPerMinute: 3, concurrency: 2 });
    expect((await near.admit(limited, 'a')).refused).toBeUndefined();
    way.cut();
    await until(() => told.length === 1);
    expect(told[0]).toBeTruthy();
    // Its own place still counts, and its own count of requests begins.
    expect((await near.admit(limited, 'b')).refused).toBeUndefined();
    expect((await near.admit(limited, 'c')).refused).toBe('concurrency');
    await near.free(limited, 'b');
    expect((await near.admit(limited, 'd')).limits.requests).toMatchObject({ remaining: 1 });
    expect(told).toHaveLength(1);
    way.mend();
    await until(() => told.length === 2);
    expect(told[1]).toBeUndefined();
    // Both places of the one are known to the other.
    await until(async () => (await far.admit(limited, 'e')).refused === 'concurrency');
    await near.free(limited, 'a');
    await until(async () => (await far.admit(limited, 'f')).refused === undefined);
    expect((await near.admit(limited, 'g')).refused).toBe('concurrency');
  });

  test('a place that is given back while the server is away is free there afterwards', async () => {
    const [near, far] = [ledgerAt(way.url), ledgerAt(redis.url)];
    const limited = key('unheard', { concurrency: 1 });
    await near.admit(limited, 'a');
    way.cut();
    await until(() => told.length === 1);
    await near.free(limited, 'a');
    expect((await far.admit(limited, 'b')).refused).toBe('concurrency');
    way.mend();
    await until(async () => (await far.admit(limited, 'c')).refused === undefined);
  });

  test('a server that does not answer holds up one request now and then, for a moment', async () => {
    const ledger = ledgerAt(way.url);
    const limited = key('stalled', { requestsPerMinute: 100, tokensPerMinute: 100, concurrency: 100 });
    await ledger.admit(limited, 'a');
    way.stall();
    expect((await ledger.admit(limited, 'b')).refused).toBeUndefined();
    expect(told).toHaveLength(1);
    // If each waited its second, they would take longer than a test may.
    for (let index = 0; index < 90; index += 1) await ledger.admit(limited, `c${index}`);
    expect(told).toHaveLength(1);
  }, 60_000);
});

test('a server that is not there at all refuses nobody', async () => {
  const told: (string | undefined)[] = [];
  const ledger = createRedisLedger('redis://127.0.0.1:1', (reason) => told.push(reason));
  const limited = { name: 'k', requestsPerMinute: 2, concurrency: 5 };
  expect((await ledger.admit(limited, 'a')).refused).toBeUndefined();
  expect((await ledger.admit(limited, 'b')).refused).toBeUndefined();
  expect((await ledger.admit(limited, 'c')).refused).toBe('requests');
  expect(told).toHaveLength(1);
  await ledger.close();
});
