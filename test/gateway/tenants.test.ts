import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { ConfigInput } from '../../src/config/schema.js';
import {
  type Answer,
  json,
  type Recorder,
  type Seen,
  type Sending,
  send,
  startGateway,
  startRecorder,
  WHOLE,
} from '../support/gateway/harness.js';
import { until } from '../support/until.js';

/*
 * What callers share (SECURITY.md): one key does its worst, and the request of another reaches the backend byte for byte as it does
 * alone. No call of the first key is answered meanwhile, so that the second waits for none of them, however long they take.
 */

const KEYS = { red: 'the-key-of-the-red-team', blue: 'the-key-of-the-blue-team' };
type Name = keyof typeof KEYS;

const MB = 1024 * 1024;
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface Stage {
  readonly recorder: Recorder;
  /** What becomes of calls for the first key; by default nobody answers them. */
  onRed: (response: ServerResponse, seen: Seen) => void;
  send(name: Name, path: string, sending?: Sending): Promise<Answer>;
  /** One message, from whom the backend reads in it. */
  ask(name: Name, more?: object): Promise<Answer>;
  /** How many calls of the first key the backend has. */
  reds(): number;
}

const bodyOf = (name: Name, more: object = {}) => ({
  model: 'm',
  max_tokens: 50,
  messages: [{ role: 'user', content: `a word of the ${name} team` }],
  ...more,
});

const isRed = ({ body }: Seen): boolean => body.includes('red team');

async function open(config: Partial<ConfigInput> = {}, limits: object = {}, backend: object = {}): Promise<Stage> {
  const recorder = await startRecorder();
  closers.push(recorder.close);
  const gateway = await startGateway({
    backends: {
      one: { dialect: 'messages', baseUrl: recorder.url, retries: 0, ...backend },
      two: { dialect: 'messages', baseUrl: `${recorder.url}/second`, retries: 0 },
    },
    models: { m: [{ backend: 'one' }, { backend: 'two' }] },
    keys: Object.entries(KEYS).map(([name, key]) => ({ name, key })),
    limits: { drainSeconds: 0.1, ...limits },
    store: { type: 'memory' },
    ...config,
  });
  closers.push(gateway.close);
  const stage: Stage = {
    recorder,
    onRed: () => {},
    send: (name, path, { headers, ...sending } = {}) =>
      send(gateway.url, path, { ...sending, headers: { 'x-api-key': KEYS[name], ...headers } }),
    ask: (name, more) => stage.send(name, '/v1/messages', { body: bodyOf(name, more) }),
    reds: () => recorder.seen.filter(isRed).length,
  };
  recorder.reply = (response, seen) =>
    isRed(seen) ? stage.onRed(response, seen) : json(response, 200, WHOLE.messages('hi'));
  return stage;
}

/** What nobody awaits: it ends with the gateway. */
function begin(count: number, work: () => Promise<Answer>): Promise<Answer | undefined>[] {
  return Array.from({ length: count }, () => work().catch(() => undefined));
}

const overloaded =
  (status: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    json(response, status, { type: 'error', error: { type: 'api_error', message: 'no' } }, headers);

interface Row {
  readonly config?: Partial<ConfigInput>;
  readonly limits?: object;
  readonly backend?: object;
  /** What the first key does; resolves when it has done its worst. */
  readonly worst: (stage: Stage) => Promise<void>;
  /** What the second one asks. Default: one message. */
  readonly asks?: (stage: Stage) => Promise<Answer>;
}

const squeezed = (name: Name): Sending => ({
  body: gzipSync(JSON.stringify(bodyOf(name, { metadata: { user_id: 'x'.repeat(3 * MB) } }))),
  headers: { 'content-encoding': 'gzip' },
});

const background = (stage: Stage, name: Name): Promise<Answer> =>
  stage.send(name, '/v1/responses', { body: { model: 'm', input: `a word of the ${name} team`, background: true } });

const ROWS: Readonly<Record<string, Row>> = {
  'open exchanges': {
    limits: { exchanges: 8 },
    async worst(stage) {
      const answers = begin(12, () => stage.ask('red'));
      await until(async () => stage.reds() === 4);
      expect((await Promise.race(answers))?.status).toBe(503);
    },
  },
  'running places and the row before a backend': {
    config: { models: { m: { backend: 'one' } } },
    backend: { concurrency: 4, queue: 6 },
    async worst(stage) {
      const answers = begin(20, () => stage.ask('red'));
      expect((await Promise.race(answers))?.body.error.message).toContain('concurrency: 4, queue: 6');
      await until(async () => stage.reds() === 2);
    },
  },
  'decompressed bodies': {
    limits: { bodyMb: 4, inflateMb: 8 },
    async worst(stage) {
      begin(2, () => stage.send('red', '/v1/messages', squeezed('red')));
      await until(async () => stage.reds() === 2);
      expect((await stage.send('red', '/v1/messages', squeezed('red'))).status).toBe(503);
    },
    asks: (stage) => stage.send('blue', '/v1/messages', squeezed('blue')),
  },
  breakers: {
    backend: { breaker: { failures: 2, seconds: 600 } },
    config: { models: { m: { backend: 'one' } } },
    async worst(stage) {
      stage.onRed = (response) => response.destroy();
      for (let count = 0; count < 3; count += 1) await stage.ask('red');
      expect(stage.reds()).toBe(2);
    },
  },
  'rested targets': {
    async worst(stage) {
      const refuse = overloaded(429, { 'retry-after': '200' });
      stage.onRed = (response, seen) =>
        seen.path.startsWith('/second') ? json(response, 200, WHOLE.messages('hi')) : refuse(response);
      await stage.ask('red');
      await stage.ask('red');
      // Its own second request goes to the other target first.
      expect(stage.recorder.seen.map(({ path }) => path.startsWith('/second'))).toEqual([false, true, true]);
    },
  },
  'lists of models': {
    config: { models: { 'm*': { backend: 'one' } } },
    async worst(stage) {
      stage.recorder.reply = (response, seen) =>
        seen.method === 'GET' ? response.destroy() : json(response, 200, WHOLE.messages('hi'));
      expect((await stage.send('red', '/v1/models')).status).toBe(200);
    },
  },
  'minutes and places of keys': {
    config: {
      keys: Object.entries(KEYS).map(([name, key]) => ({ name, key, requestsPerMinute: 3, concurrency: 1 })),
    },
    async worst(stage) {
      begin(1, () => stage.ask('red'));
      await until(async () => stage.reds() === 1);
      expect((await stage.ask('red')).status).toBe(429);
    },
  },
  'answers in the background': {
    limits: { exchanges: 4 },
    async worst(stage) {
      const statuses: number[] = [];
      for (let count = 0; count < 3; count += 1) statuses.push((await background(stage, 'red')).status);
      expect(statuses).toEqual([200, 200, 503]);
    },
    async asks(stage) {
      const answer = await background(stage, 'blue');
      await until(async () => stage.recorder.seen.some((seen) => !isRed(seen)));
      return answer;
    },
  },
};

/** What the backend received of the second key's request. */
function received({ recorder }: Stage): string {
  const last = recorder.seen.filter((seen) => seen.method === 'POST' && !isRed(seen)).at(-1);
  if (last === undefined) throw new Error('the backend received nothing');
  const { method, path, rawHeaders, body } = last;
  return [method, path, ...rawHeaders, body].join('\n');
}

describe.each(Object.entries(ROWS))(
  '%s',
  (_part, { config, limits, backend, worst, asks = (stage) => stage.ask('blue') }) => {
    test('one key changes no byte of what another sends, and lets it wait for none of its calls', async () => {
      const alone = await open(config, limits, backend);
      expect((await asks(alone)).status).toBe(200);
      const beside = await open(config, limits, backend);
      await worst(beside);
      const reds = beside.reds();
      expect((await asks(beside)).status).toBe(200);
      expect(beside.reds()).toBe(reds);
      const addressOf = (stage: Stage): string => new URL(stage.recorder.url).host;
      expect(received(beside).replaceAll(addressOf(beside), addressOf(alone)) === received(alone)).toBe(true);
    });
  },
);

test('/readyz names backends that are out to callers with a key alone', async () => {
  const stage = await open({ keys: [{ name: 'red', key: KEYS.red }] }, {}, { breaker: { failures: 1, seconds: 600 } });
  stage.onRed = (response) => response.destroy();
  await stage.ask('red');
  const told = { status: 'ready', out: { one: ['conversations'] } };
  expect((await stage.send('red', '/readyz')).body).toMatchObject(told);
  expect((await stage.send('blue', '/readyz')).body).toEqual({ status: 'ready' });
});
