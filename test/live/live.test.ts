import { afterEach, describe, expect, test } from '@jest/globals';
import type { ConfigInput } from '../../src/config/schema.js';
import { createGateway } from '../../src/index.js';
import {
  ASK,
  json,
  type Recorder,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
  type Tree,
  WHOLE,
} from '../support/gateway/harness.js';
import { until } from '../support/until.js';
import { hear } from './support.js';

const KEYS = { operator: 'the-key-of-the-operator', a: 'the-key-of-team-a-0001', b: 'the-key-of-team-b-0002' };
const keys: ConfigInput['keys'] = [
  { name: 'operator', key: KEYS.operator, operator: true },
  { name: 'a', key: KEYS.a },
  { name: 'b', key: KEYS.b },
];
const authorization = (key: keyof typeof KEYS) => ({ authorization: `Bearer ${KEYS[key]}` });

let recorder: Recorder;
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

async function start(more: Partial<ConfigInput> = {}, largeBytes?: number): Promise<TestGateway> {
  recorder = await startRecorder();
  const gateway = await startGateway(
    {
      backends: { claude: { dialect: 'messages', baseUrl: recorder.url, apiKey: 'sk-ant-the-secret-of-the-backend' } },
      models: { 'any*': { backend: 'claude', model: 'claude-haiku-4-5' } },
      ...more,
    },
    largeBytes === undefined ? undefined : { largeBytes },
  );
  open.push(recorder, gateway);
  recorder.reply = (response) => json(response, 200, WHOLE.messages('Hi'));
  return gateway;
}

/** All that is shown once so many exchanges have ended: an answer is read before its exchange is over. */
async function seen({ url }: TestGateway, count: number, query = '', headers = {}): Promise<Tree[]> {
  const look = async () => (await send(url, '/live', { headers })).body.exchanges as Tree[];
  await until(async () => (await look()).length === count);
  return query === '' ? look() : (await send(url, `/live${query}`, { headers })).body.exchanges;
}

const chat = (more: object = {}) => ({ model: 'any', messages: [{ role: 'user', content: 'A secret wish' }], ...more });

describe('an exchange', () => {
  test.each([
    ['in the process', undefined],
    ['in a thread', -1],
  ])('shows its way, its outcome, times, tokens and losses (%s)', async (_where, largeBytes) => {
    const prices = { input: 2, cacheRead: 0.2, output: 10 };
    const gateway = await start(
      { models: { any: { backend: 'claude', model: 'claude-haiku-4-5', prices } } },
      largeBytes,
    );
    const usage = { input_tokens: 100, cache_read_input_tokens: 900, output_tokens: 20 };
    recorder.reply = (response) => json(response, 200, { ...WHOLE.messages('Hi'), usage }, { 'request-id': 'up_1' });
    const headers = { 'user-agent': 'OpenAI/Python 2.0', 'x-request-id': 'mine-1' };
    const body = chat({ logit_bias: { 1: 2 }, seed: 3 });
    expect((await send(gateway.url, '/v1/chat/completions', { headers, body })).status).toBe(200);
    const [one] = await seen(gateway, 1);
    expect(one).toMatchObject({
      n: 1,
      id: 'mine-1',
      client: 'OpenAI/Python 2.0',
      route: 'POST /v1/chat/completions',
      asked: { dialect: 'chatCompletions', model: 'any', stream: false },
      answered: { backend: 'claude', dialect: 'messages', target: 'claude-haiku-4-5' },
      status: 200,
      outcome: 'ok',
      finish: 'end_turn',
      tokens: { input: 1000, cached: 900, output: 20 },
      cost: 0.00058,
      headers: { 'x-interlingua-backend': 'claude', 'x-interlingua-upstream-request-id': 'up_1' },
    });
    expect(one.key).toBeUndefined();
    expect(Number.isNaN(Date.parse(one.at))).toBe(false);
    const { whole, waiting, backend, gateway: own } = one.times;
    expect(waiting + backend + own).toBeCloseTo(whole, -1);
    expect(backend).toBeGreaterThan(0);
    const found = one.losses.list.find(({ feature }: Tree) => feature === 'sampling.logitBias');
    expect(found).toMatchObject({ kind: 'dropped', path: '/logit_bias', times: 1 });
    expect([found.detail, found.advice].every((text) => text.length > 20)).toBe(true);
    expect(one.losses.counted).toBeGreaterThan(0);
    expect(one.bodies).toBeUndefined();
  });

  test('that was served at the second try says what the first ones met, and what was learned', async () => {
    const [busy, second] = [await startRecorder(), await startRecorder()];
    open.push(busy, second);
    busy.reply = (response) =>
      json(response, 529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } });
    second.reply = (response, { body }) =>
      body.includes('temperature')
        ? json(response, 400, {
            type: 'error',
            error: { type: 'invalid_request_error', message: 'temperature: Extra inputs are not permitted' },
          })
        : json(response, 200, WHOLE.messages('Hi'));
    const gateway = await start({
      backends: {
        dead: { dialect: 'messages', baseUrl: 'http://127.0.0.1:9', retries: 0 },
        busy: { dialect: 'messages', baseUrl: busy.url },
        own: { dialect: 'messages', baseUrl: second.url },
      },
      models: { any: [{ backend: 'dead' }, { backend: 'busy' }, { backend: 'own' }] },
    });
    const body = chat({ temperature: 0.5 });
    expect((await send(gateway.url, '/v1/chat/completions', { body })).status).toBe(200);
    expect((await send(gateway.url, '/v1/chat/completions', { body })).status).toBe(200);
    const [one, two] = await seen(gateway, 2);
    expect(one.attempts.map(({ backend, reason, next }: Tree) => [backend, reason, next])).toEqual([
      ['dead', 'unreachable', 'elsewhere'],
      ['busy', 'refused', 'elsewhere'],
      ['own', 'refused', 'again'],
    ]);
    expect(one).toMatchObject({ passed: 2, retried: 1, answered: { backend: 'own' } });
    expect(one.attempts[0].words).toBe('the backend cannot be reached');
    expect(one.attempts[2]).toMatchObject({ status: 400, kind: 'invalid_request' });
    expect(one.restrictions).toEqual([{ kind: 'field', restriction: 'no temperature', learned: true }]);
    expect(two.restrictions).toEqual([{ kind: 'field', restriction: 'no temperature' }]);
    expect(two.attempts.filter(({ backend }: Tree) => backend === 'own')).toEqual([]);
  });

  test("that the gateway refused says why, in the gateway's own words", async () => {
    const gateway = await start();
    await send(gateway.url, '/v1/messages', { body: { model: 'other', max_tokens: 1, messages: [] } });
    await send(gateway.url, '/v1/nothing', { body: {} });
    const unknown = { model: '<b>nothing</b>', max_tokens: 1, messages: [] };
    await send(gateway.url, '/v1/messages', { body: unknown });
    const [one, two, three] = await seen(gateway, 3);
    expect(one).toMatchObject({ status: 404, outcome: 'not_found', asked: { model: 'other' } });
    expect(three.asked.model).toBe(unknown.model);
    expect(one.words).toContain('other');
    expect(two).toMatchObject({ status: 404, route: 'POST /v1/nothing' });
  });

  test('whose client left, and one whose stream broke, are told from whole ones', async () => {
    const gateway = await start();
    recorder.reply = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('event: message_start\ndata: {"type":"message_start","message":{"id":"m","type":"message",');
      response.write('"role":"assistant","model":"c","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}\n\n');
      response.write('event: content_block_start\ndata: {"type":"content_block_start","index":0,');
      response.write('"content_block":{"type":"text","text":""}}\n\n');
      response.write('event: content_block_delta\ndata: {"type":"content_block_delta","index":0,');
      response.write('"delta":{"type":"text_delta","text":"Hi"}}\n\n');
      setTimeout(() => response.destroy(), 50);
    };
    await send(gateway.url, '/v1/chat/completions', { body: chat({ stream: true }), mayBreak: true });
    recorder.reply = () => {};
    const leaving = new AbortController();
    const left = fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(chat()),
      signal: leaving.signal,
    }).catch(() => {});
    await until(() => recorder.seen.length === 2);
    leaving.abort();
    await left;
    const [cut, gone] = await seen(gateway, 2);
    expect(cut).toMatchObject({ cut: true, status: 200, outcome: 'upstream' });
    expect(gone).toMatchObject({ outcome: 'client_closed' });
    expect(gone.status).toBeUndefined();
  });

  test('of an answer in the background is one of its own', async () => {
    const gateway = await start();
    const body = { model: 'any', input: 'Hello', background: true };
    expect((await send(gateway.url, '/v1/responses', { body })).status).toBe(200);
    const all = await seen(gateway, 2);
    expect(all.map(({ outcome }) => outcome)).toEqual(['ok', 'ok']);
    expect((await send(gateway.url, '/live?status=failed')).body.exchanges).toEqual([]);
  });

  test('of an answer in the background that is cancelled says so', async () => {
    const gateway = await start({ store: { type: 'memory' } });
    recorder.reply = () => {};
    const body = { model: 'any', input: 'Hello', background: true };
    const queued = await send(gateway.url, '/v1/responses', { body });
    await until(() => recorder.seen.length === 1);
    await send(gateway.url, `/v1/responses/${queued.body.id}/cancel`, { method: 'POST' });
    const all = await seen(gateway, 3);
    expect(all.map(({ route, outcome }) => [route.split('/').at(-1), outcome]).sort()).toEqual([
      ['cancel', 'ok'],
      ['responses', 'cancelled'],
      ['responses', 'ok'],
    ]);
  });
});

describe('who may look', () => {
  test('with keys, an operator sees what all keys did; others see nothing', async () => {
    const gateway = await start({ keys });
    for (const key of ['a', 'b'] as const) {
      const answer = await send(gateway.url, '/v1/chat/completions', { headers: authorization(key), body: chat() });
      expect(answer.status).toBe(200);
    }
    const all = await seen(gateway, 2, '', authorization('operator'));
    expect(all.map(({ key }) => key)).toEqual(['a', 'b']);
    const ofB = await seen(gateway, 2, '?key=b', authorization('operator'));
    expect(ofB.map(({ n }) => n)).toEqual([2]);
    for (const path of ['/live', '/live/1']) {
      for (const accept of ['application/json', 'text/event-stream']) {
        const ask = async (headers: object) => send(gateway.url, path, { headers: { accept, ...headers } });
        expect((await ask({})).status).toBe(401);
        expect((await ask({ authorization: 'Bearer the-key-of-nobody-0000' })).status).toBe(401);
        const refused = await ask(authorization('a'));
        expect(refused.status).toBe(403);
        expect(refused.body.error.message).toContain('keys[].operator');
        expect(refused.text).not.toContain('team-b');
      }
    }
  });

  test('without keys, this machine by its own name, and no page of others', async () => {
    const gateway = await start();
    expect((await send(gateway.url, '/live')).status).toBe(200);
    expect((await send(gateway.url, '/live', { headers: { host: 'localhost:1' } })).status).toBe(200);
    for (const headers of [
      { host: 'rebound.example' },
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { 'x-forwarded-for': '127.0.0.1' },
    ] as Record<string, string>[]) {
      expect((await send(gateway.url, '/live', { headers })).status).toBe(403);
    }
    const { headers } = await send(gateway.url, '/live');
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
    expect(headers['cache-control']).toBe('no-store');
  });

  test('a reload that takes the right away ends who follows, and who comes again gets 403', async () => {
    const gateway = createGateway({ log: { level: 'silent' }, backends: SIM, keys });
    open.push(gateway);
    const { url } = await gateway.listen({ port: 0 });
    const following = await hear(url, '/live', authorization('operator'));
    gateway.reload({ log: { level: 'silent' }, backends: SIM, keys: [{ name: 'operator', key: KEYS.operator }] });
    await following.over;
    expect((await send(url, '/live', { headers: authorization('operator') })).status).toBe(403);
  });

  test('live: false keeps nothing, and what was kept is gone', async () => {
    const gateway = createGateway({ log: { level: 'silent' }, backends: SIM });
    open.push(gateway);
    const { url } = await gateway.listen({ port: 0 });
    await send(url, ASK.messages('any').path, { body: ASK.messages('any').body });
    await until(async () => (await send(url, '/live')).body.exchanges.length === 1);
    gateway.reload({ log: { level: 'silent' }, backends: SIM, live: false });
    const answer = await send(url, '/live');
    expect([answer.status, answer.body.error.message]).toEqual([404, expect.stringContaining('live: false')]);
    gateway.reload({ log: { level: 'silent' }, backends: SIM });
    expect((await send(url, '/live')).body.exchanges).toEqual([]);
  });

  test('a filter that nothing can fit is refused', async () => {
    const gateway = await start();
    const answer = await send(gateway.url, '/live?status=teapot');
    expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining('status must be')]);
  });
});

const SIM = { sim: { dialect: 'messages', simulator: true } } as const;

describe('what was said', () => {
  const QUOTING = 'The value "A secret wish" is too long';

  /** A whole exchange, and one that is refused with a quote of the prompt. */
  async function hold(gateway: TestGateway, headers: Record<string, string> = {}): Promise<void> {
    await send(gateway.url, '/v1/chat/completions', { headers, body: chat() });
    recorder.reply = (response) =>
      json(response, 400, { type: 'error', error: { type: 'invalid_request_error', message: QUOTING } });
    await send(gateway.url, '/v1/chat/completions', { headers, body: chat() });
  }

  test('is not kept, nor are the words of a refusal that quotes it, nor credentials', async () => {
    const gateway = await start({ keys });
    recorder.reply = (response) => json(response, 200, WHOLE.messages('A secret answer'));
    await hold(gateway, authorization('a'));
    const headers = authorization('operator');
    await seen(gateway, 2, '', headers);
    const texts = await Promise.all(
      ['/live', '/live/1', '/live/2'].map(async (path) => (await send(gateway.url, path, { headers })).text),
    );
    expect(texts.join('')).not.toMatch(/secret|sk-ant|the-key-of/);
    expect(JSON.parse(texts[2] ?? '').exchange.attempts).toMatchObject([{ status: 400, kind: 'invalid_request' }]);
  });

  test('stays as it is where a caller sends a key that is a word', async () => {
    const gateway = await start({ live: { bodies: true } });
    await send(gateway.url, '/v1/chat/completions', { headers: { 'x-api-key': 'e' }, body: chat() });
    await seen(gateway, 1);
    expect((await send(gateway.url, '/live/1')).body.request.text).toContain('A secret wish');
  });

  test('is kept with live.bodies, cut at 64 kB, without credentials', async () => {
    const gateway = await start({ keys, live: { bodies: true } });
    const long = 'x'.repeat(100_000);
    recorder.reply = (response) => json(response, 200, WHOLE.messages(`A secret answer ${long}`));
    const body = chat({
      messages: [{ role: 'user', content: `A secret wish of ${KEYS.a}, sk-ant-the-secret-of-the-backend` }],
    });
    await send(gateway.url, '/v1/chat/completions', { headers: authorization('a'), body });
    await hold(gateway, authorization('a'));
    const headers = authorization('operator');
    const all = await seen(gateway, 3, '', headers);
    expect(JSON.stringify(all)).not.toContain('secret answer');
    expect(all.map(({ bodies }) => bodies)).toEqual([true, true, true]);
    const detail = (await send(gateway.url, '/live/1', { headers })).body;
    expect(detail.request.text).toContain('A secret wish of');
    expect(detail.request.cut).toBeUndefined();
    expect(detail.request.text).not.toMatch(/the-key-of|sk-ant-the/);
    expect(detail.answer.text).toContain('A secret answer');
    expect(detail.answer).toMatchObject({ cut: true });
    expect(Buffer.byteLength(detail.answer.text)).toBe(64 * 1024);
    expect(detail.answer.bytes).toBeGreaterThan(100_000);
    // What the backend was sent and what it answered stand beside it, in its own dialect.
    expect(JSON.parse(detail.backendRequest.text)).toMatchObject({ max_tokens: expect.any(Number) });
    expect(detail.backendRequest.text).toContain('A secret wish of');
    expect(detail.backendRequest.text).not.toMatch(/the-key-of|sk-ant-the/);
    expect(detail.backendAnswer.text).toMatch(/"type":\s*"message"/);
    expect(detail.backendAnswer).toMatchObject({ cut: true });
    expect(Buffer.byteLength(detail.backendAnswer.text)).toBe(64 * 1024);
    expect((await send(gateway.url, '/live/3', { headers })).body.exchange.attempts[0].words).toBe(QUOTING);
    expect((await send(gateway.url, '/live/4', { headers })).status).toBe(404);
  });
});
