import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ConfigInput } from '../../src/config/schema.js';
import { openBooks } from '../store/sums.js';
import {
  ASK,
  json,
  type Recorder,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
  WHOLE,
} from '../support/gateway/harness.js';
import { SHORT } from '../support/runs.js';
import { serve } from '../support/served.js';
import { until } from '../support/until.js';

/** One key that takes all it can get of what all share (attacks.md finding 15). */

const KEYS = { a: 'the-key-of-team-a-0001', b: 'the-key-of-team-b-0002', c: 'the-key-of-team-c-0003' };
type Name = keyof typeof KEYS;

let recorder: Recorder;
let gateway: TestGateway;
const open: Socket[] = [];

beforeAll(async () => {
  recorder = await startRecorder();
});
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  await gateway.close();
});
afterAll(() => recorder.close());

interface Settings {
  readonly names?: readonly Name[];
  readonly exchanges?: number;
  readonly backend?: { readonly concurrency?: number; readonly queue?: number; readonly failures?: number };
}

async function start({ names = ['a', 'b'], exchanges = 4096, backend = {} }: Settings): Promise<void> {
  const { failures = 3, ...places } = backend;
  gateway = await startGateway({
    backends: {
      m: { dialect: 'messages', baseUrl: recorder.url, apiKey: 'k', breaker: { failures, seconds: 30 }, ...places },
    },
    models: { m: { backend: 'm' } },
    keys: names.map((name) => ({ name, key: KEYS[name] })),
    limits: { exchanges, drainSeconds: 0.1 },
    store: { type: 'memory' },
  });
  recorder.seen.length = 0;
  recorder.reply = (response) => json(response, 200, WHOLE.messages('hi'));
}

const ask = (
  name: Name,
  path: string = ASK.messages('m').path,
  body: unknown = ASK.messages('m').body,
  url = gateway.url,
) => send(url, path, { body, headers: { authorization: `Bearer ${KEYS[name]}` } });

/** Begins a request whose body never ends. */
async function hold(name: Name): Promise<void> {
  const socket = connect(gateway.port, '127.0.0.1');
  open.push(socket);
  socket.on('error', () => {});
  socket.write(
    `POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${KEYS[name]}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n`,
  );
  // It is told to go on when the gateway has it.
  await once(socket, 'data');
}

describe('One key leaves others half of limits.exchanges', () => {
  it('slow bodies of one are refused from there on, and another is served', async () => {
    await start({ exchanges: 8 });
    for (let count = 0; count < 12; count += 1) await hold('a');
    const refused = await ask('a');
    expect(refused.status).toBe(503);
    expect(refused.body.error.message).toContain('limits.exchanges: 8');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await ask('b')).status).toBe(200);
    for (const socket of open.splice(0)) socket.destroy();
    await until(async () => (await ask('a')).status === 200);
  });

  it('a key that shares with no other has all of them', async () => {
    await start({ names: ['a'], exchanges: 4 });
    for (let count = 0; count < 3; count += 1) await hold('a');
    expect((await ask('a')).status).toBe(200);
  });
});

it('One key leaves others half of the answers in the background', async () => {
  await start({ exchanges: 4 });
  const waiting: (() => void)[] = [];
  recorder.reply = (response) => waiting.push(() => json(response, 200, WHOLE.messages('hi')));
  const run = (name: Name) => ask(name, '/v1/responses', { model: 'm', input: 'hi', background: true });
  const statuses: number[] = [];
  for (let count = 0; count < 3; count += 1) statuses.push((await run('a')).status);
  expect(statuses).toEqual([200, 200, 503]);
  expect((await run('b')).status).toBe(200);
  for (const answer of waiting) answer();
});

describe('The breaker of a backend', () => {
  const failing = (name: Name): void => {
    recorder.reply = (response, seen) =>
      seen.body.includes(`poison-${name}`)
        ? json(response, 502, { type: 'error', error: { type: 'api_error', message: 'x' } })
        : json(response, 200, WHOLE.messages('hi'));
  };
  const poison = (name: Name) =>
    ask(name, '/v1/messages', { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: `poison-${name}` }] });

  it('opens for a key alone whose calls alone failed', async () => {
    await start({});
    failing('a');
    for (let count = 0; count < 3; count += 1) expect((await poison('a')).status).toBe(502);
    const before = recorder.seen.length;
    expect((await poison('a')).status).toBe(503);
    expect((await ask('a')).status).toBe(503);
    expect(recorder.seen.length).toBe(before);
    expect((await ask('b')).status).toBe(200);
    expect((await send(gateway.url, '/readyz')).status).toBe(200);
  });

  it('opens for all when calls of two keys failed in a row', async () => {
    await start({ names: ['a', 'b', 'c'] });
    recorder.reply = (response) => json(response, 502, { type: 'error', error: { type: 'api_error', message: 'x' } });
    for (const name of ['a', 'b', 'a'] as const) expect((await ask(name)).status).toBe(502);
    expect((await ask('c')).status).toBe(503);
    expect(recorder.seen.length).toBe(3);
  });

  it('opens for all, where there is one key', async () => {
    await start({ names: ['a'] });
    failing('a');
    for (let count = 0; count < 3; count += 1) await poison('a');
    expect((await ask('a')).status).toBe(503);
    const headers = { 'x-api-key': KEYS.a };
    expect((await send(gateway.url, '/readyz', { headers })).text).toContain('"out"');
    expect((await send(gateway.url, '/readyz')).text).toBe('{"status":"ready"}');
  });
});

it('One key leaves others half of the row before a backend', async () => {
  await start({ backend: { concurrency: 1, queue: 4 } });
  const waiting: (() => void)[] = [];
  recorder.reply = (response) => waiting.push(() => json(response, 200, WHOLE.messages('hi')));
  const statuses: number[] = [];
  const calls: Promise<unknown>[] = [];
  const call = (name: Name): Promise<void> => {
    const answer = ask(name).then(({ status }) => void statuses.push(status));
    calls.push(answer);
    return answer;
  };
  void call('a');
  while (waiting.length < 1) await sleep(5);
  void call('a');
  void call('a');
  await sleep(50);
  const refused = await ask('a');
  expect(refused.status).toBe(503);
  expect(refused.body.error.message).toContain('queue: 4');
  void call('b');
  await sleep(50);
  for (let answered = 0; answered < 4; answered += 1) {
    while (waiting.length <= answered) await sleep(5);
    waiting[answered]?.();
  }
  await Promise.all(calls);
  expect(statuses).toEqual([200, 200, 200, 200]);
});

describe('One key that fills the store loses its own oldest', () => {
  const MB = 1024 * 1024;
  const folder = mkdtempSync(join(tmpdir(), 'interlingua-shares-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const config = (store: ConfigInput['store']): ConfigInput => ({
    backends: { m: { dialect: 'messages', baseUrl: recorder.url, apiKey: 'k' } },
    models: { m: { backend: 'm' } },
    keys: (['a', 'b'] as const).map((name) => ({ name, key: KEYS[name] })),
    limits: { drainSeconds: 0.1 },
    store,
  });

  /** Makes an answer that is kept with an input of so many characters, and gives its id. */
  async function store(url: string, name: Name, characters: number): Promise<string> {
    const { status, body } = await send(url, '/v1/responses', {
      body: { model: 'm', input: 'x'.repeat(characters) },
      headers: { authorization: `Bearer ${KEYS[name]}` },
    });
    expect([status, body.store]).toEqual([200, true]);
    return body.id;
  }

  const look = (url: string, name: Name, id: string) =>
    send(url, `/v1/responses/${id}`, { headers: { authorization: `Bearer ${KEYS[name]}` } });

  /** Ten conversations of one, then a flood of 20 MB of another at 16 MB, over all the gateways in turn. */
  async function flood(urls: readonly string[]): Promise<void> {
    recorder.reply = (response) => json(response, 200, WHOLE.messages('hi'));
    const [first = ''] = urls;
    const mine: string[] = [];
    for (let count = 0; count < 10; count += 1) mine.push(await store(first, 'b', 1000));
    const theirs: string[] = [];
    for (let count = 0; count < 20; count += 1) {
      theirs.push(await store(urls[count % urls.length] ?? first, 'a', MB));
    }
    const gone = async (): Promise<boolean> => (await look(first, 'a', theirs[0] ?? '')).status === 404;
    await until(gone);
    for (const id of mine) expect((await look(first, 'b', id)).status).toBe(200);
    expect((await look(first, 'a', theirs.at(-1) ?? '')).status).toBe(200);
    const next = { model: 'm', input: 'still there?', previous_response_id: mine[0] };
    expect((await ask('b', '/v1/responses', next, first)).status).toBe(200);
  }

  it('in memory', async () => {
    gateway = await startGateway(config({ type: 'memory', maxMb: 16 }));
    await flood([gateway.url]);
  });

  it('in a file', async () => {
    const path = join(folder, 'one');
    gateway = await startGateway(config({ type: 'lmdb', path, maxMb: 16 }));
    await flood([gateway.url]);
    const { told, counted } = openBooks(path).bookkeeping('conversations');
    expect(told).toEqual(counted);
  }, 120_000);

  // What two processes share is shared by one: the second takes seconds to start.
  (SHORT ? it.skip : it)(
    'in a file of two processes',
    async () => {
      const path = join(folder, 'two');
      gateway = await startGateway(config({ type: 'off' }));
      const served = [0, 1].map(() => serve(folder, config({ type: 'lmdb', path, maxMb: 16 })));
      const programs = await Promise.all(served);
      await flood(programs.map(({ url }) => url));
      for (const { kill } of programs) await kill();
      const { told, counted } = openBooks(path).bookkeeping('conversations');
      expect(told).toEqual(counted);
    },
    60_000,
  );
});
