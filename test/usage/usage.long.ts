import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createRedisStorage } from '../../src/store/redis.js';
import type { TallyStorage } from '../../src/store/types.js';
import { type Recorder, send, type Tree } from '../support/gateway/harness.js';
import { createWorkplace, PROGRAM, type Served, type Workplace } from '../support/gateway/program.js';
import { REDIS_ABSENT, redisPresent, startRedis, type TestRedis } from '../support/redis.js';
import { until } from '../support/until.js';
import { askBody, bearer, configFor, KEYS, startService } from './stage.js';
import { expectBound, expectSums, increment, linesOf, writerOf } from './tallies.js';

const run = promisify(execFile);

let service: Recorder;
let place: Workplace;

beforeAll(async () => {
  service = await startService();
  place = createWorkplace();
});

afterAll(async () => {
  await place.end();
  await service.close();
});

type Store = Tree;

let files = 0;

function serve(store: Store, more: Tree = {}): Promise<Served> {
  files += 1;
  const { keys = [], ...config } = configFor(service);
  const file = place.file(`c${files}.json`, JSON.stringify({ ...config, keys, store, ...more }));
  return place.serve(['--no-warm-up', '--config', file]);
}

const ask = ({ url }: Served, model: string) =>
  send(url, '/v1/messages', { headers: bearer('a'), body: askBody(model), mayBreak: true });

async function many(served: Served, count: number, model = 'm'): Promise<void> {
  for (let done = 0; done < count; done += 10)
    await Promise.all(Array.from({ length: Math.min(10, count - done) }, () => ask(served, model)));
}

async function totalAt({ url }: Served): Promise<Tree> {
  return (await send(url, '/usage?since=2d', { headers: bearer('boss') })).body.total;
}

/** What the command prints, as JSON. */
async function printed(args: readonly string[], env: Record<string, string> = {}): Promise<Tree> {
  const { stdout } = await run(process.execPath, [PROGRAM, 'usage', ...args], {
    cwd: place.folder,
    env: { ...process.env, INTERLINGUA_CONFIG: '', ...env },
  });
  return stdout.startsWith('{') ? JSON.parse(stdout) : stdout;
}

async function ended(served: Served, signal: NodeJS.Signals): Promise<void> {
  served.child.kill(signal);
  await served.exit;
}

describe('a store in a file', () => {
  const store = { type: 'lmdb', path: 'usage-store' };

  test('has all of what was used at a clean end, and at a kill all but the last seconds; the command reads it', async () => {
    const first = await serve(store);
    await many(first, 30);
    await ended(first, 'SIGTERM');
    const read = () => printed(['--config', `c${files}.json`, '--json', '--since', '2d']);
    expect((await read()).total).toMatchObject({ requests: 30, inputTokens: 3900 });
    expect((await read()).total.cost).toBeCloseTo(30 * 0.0009435, 12);
    const second = await serve(store);
    await many(second, 20);
    // What was asked for is written first.
    await until(async () => (await totalAt(second)).requests === 50);
    await many(second, 10);
    await ended(second, 'SIGKILL');
    const { requests } = (await read()).total;
    expect(requests).toBeGreaterThanOrEqual(50);
    expect(requests).toBeLessThanOrEqual(60);
    const third = await serve(store);
    await many(third, 5);
    await ended(third, 'SIGTERM');
    expect((await read()).total.requests).toBe(requests + 5);
  });

  test('adds up over workers, and over a second gateway with the same file', async () => {
    const shared = { type: 'lmdb', path: 'shared-store' };
    const [pool, other] = await Promise.all([serve(shared, { workers: 2 }), serve(shared)]);
    await Promise.all([many(pool, 60), many(other, 40)]);
    await Promise.all([ended(pool, 'SIGTERM'), ended(other, 'SIGTERM')]);
    const table = await printed(['--config', `c${files}.json`, '--by', 'key,model']);
    expect(table).toMatch(/^key +model +requests +errors +input/m);
    expect(table).toMatch(/^a +m +100 +0 +13,000 +2,000 +1,000 +4,000 +0\.0944 /m);
    const csv = await printed(['--config', `c${files}.json`, '--csv', '--by', 'model']);
    expect(csv.split('\r\n')[1]).toMatch(/^m,100,0,13000,/);
  });
});

test('workers without a store keep the sums in their primary', async () => {
  const pool = await serve({ type: 'off' }, { workers: 2 });
  await many(pool, 40);
  await until(async () => (await totalAt(pool)).requests === 40);
  const minutes = async () => (await send(pool.url, '/usage?by=minute', { headers: bearer('boss') })).body.total;
  await until(async () => (await minutes()).requests === 40);
  // From the command too, with the key of the operator; another key gets its own.
  const { url } = pool;
  const all = await printed(['--url', url, '--json'], { INTERLINGUA_KEY: KEYS.boss });
  expect(all.rows.map(({ key, requests }: Tree) => [key, requests])).toEqual([['a', 40]]);
  expect((await printed(['--url', url, '--key', KEYS.b, '--json'])).rows).toEqual([]);
  await expect(printed(['--url', url])).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('API key') });
  await expect(printed(['--config', `c${files}.json`])).rejects.toMatchObject({ code: 2 });
  const inFile = place.file(
    'minutes.json',
    JSON.stringify({ ...configFor(service), store: { type: 'lmdb', path: 'none' } }),
  );
  await expect(printed(['--config', inFile, '--by', 'minute'])).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--url'),
  });
  await expect(printed(['--since', 'later'])).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--since'),
  });
  await ended(pool, 'SIGTERM');
});

test('a learned restriction of every worker is in the table of models, and is discarded everywhere', async () => {
  const pool = await serve({ type: 'off' }, { workers: 2 });
  const { url } = pool;
  const learned = async (): Promise<readonly Tree[]> =>
    (await send(url, '/learned-restrictions', { headers: bearer('boss') })).body.learned;
  const picky = { ...askBody('picky'), temperature: 0.5 };
  // Whichever worker is asked learns it.
  for (let count = 0; count < 8; count += 1) await send(url, '/v1/messages', { headers: bearer('a'), body: picky });
  for (let count = 0; count < 4; count += 1)
    expect(await learned()).toMatchObject([{ backend: 'chat', model: 'picky', key: 'a', kind: 'field' }]);
  const { body } = await send(url, '/models?detail', { headers: bearer('boss') });
  const row = body.models.find(({ name }: Tree) => name === 'picky');
  expect(row.targets[0].state).toMatchObject({ is: 'up', learned: [{ text: expect.stringContaining('temperature') }] });
  const forgotten = await send(url, '/learned-restrictions', { method: 'DELETE', headers: bearer('boss') });
  expect(forgotten.body.forgotten).toBeGreaterThanOrEqual(1);
  for (let count = 0; count < 4; count += 1) expect(await learned()).toEqual([]);
  await ended(pool, 'SIGTERM');
});

(redisPresent ? describe : describe.skip)(`a Redis server ${redisPresent ? '' : REDIS_ABSENT}`, () => {
  let redis: TestRedis;
  const storages: TallyStorage[] = [];
  const prefix = `t${process.pid}-${Date.now()}-`;

  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(async () => {
    for (const storage of storages) await storage.close();
    await redis.close();
  });

  const open = () => {
    const storage = createRedisStorage(redis.url, () => {});
    storages.push(storage);
    return storage.tallies();
  };

  test('adds up what several add, bounds free names, and counts a batch that is given again once', async () => {
    const [one, other] = [open(), open()];
    await expectSums(one, other, prefix);
    await expectBound(one, prefix);
    const owner = `${prefix}e`;
    const writer = writerOf(one);
    await writer.add(increment(5, owner, 'x', 1));
    await writer.again(increment(5, owner, 'x', 1));
    expect(await linesOf(other, 5, 6, owner)).toEqual([`5 ${owner} ["x"] 1`]);
  });

  test('lets rows expire by its own clock, and forgets their hours', async () => {
    const tallies = open();
    const owner = `${prefix}f`;
    const short = writerOf(tallies, 300);
    await short.add(increment(6, owner, 'x', 1));
    expect(await linesOf(tallies, 6, 7, owner)).toHaveLength(1);
    await until(async () => (await linesOf(tallies, 6, 7, owner)).length === 0);
    await short.add(increment(6, owner, 'x', 2));
    expect(await linesOf(tallies, 6, 7, owner)).toEqual([`6 ${owner} ["x"] 2`]);
  });

  test('two machines with one server count together, also over a kill of one', async () => {
    const store = { type: 'redis', url: redis.url };
    const mine = { name: `${prefix}machines`, key: 'a-key-of-two-machines' };
    const more = { keys: [{ name: 'boss', key: KEYS.boss, operator: true }, mine] };
    const machines = await Promise.all([serve(store, more), serve(store, more)]);
    const headers = { authorization: `Bearer ${mine.key}` };
    const askMine = ({ url }: Served) => send(url, '/v1/messages', { headers, body: askBody('m') });
    const own = async ({ url }: Served): Promise<Tree> => (await send(url, '/usage', { headers })).body.total;
    const [first, second] = machines as unknown as [Served, Served];
    for (let count = 0; count < 25; count += 1) await Promise.all(machines.map(askMine));
    await until(async () => {
      await own(first);
      return (await own(second)).requests === 50;
    });
    await ended(first, 'SIGKILL');
    for (let count = 0; count < 5; count += 1) await askMine(second);
    await ended(second, 'SIGTERM');
    const { rows } = await printed(['--config', `c${files}.json`, '--json', '--since', '2d']);
    const [found] = rows.filter(({ key }: Tree) => key === mine.name);
    expect(found).toMatchObject({ model: 'm', requests: 55, inputTokens: 55 * 130 });
    expect(found.cost).toBeCloseTo(55 * 0.0009435, 12);
  });
});
