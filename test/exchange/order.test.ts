import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { freeUrl, startBackend, startWatched, until, type WatchedGateway } from '../backend/stage.js';
import { ASK, DIALECTS, json, messageOf, type Recorder, send, WHOLE } from '../support/gateway/harness.js';

let first: Recorder;
let second: Recorder;
let third: Recorder;
let gateway: WatchedGateway;

beforeAll(async () => {
  [first, second, third] = await Promise.all([startBackend(), startBackend(), startBackend()]);
  const gone = await freeUrl();
  gateway = await startWatched({
    backends: {
      first: { dialect: 'messages', baseUrl: first.url, apiKey: 'sk-key-of-the-first', breaker: false },
      second: { dialect: 'generateContent', baseUrl: second.url, apiKey: 'sk-key-of-the-second', breaker: false },
      third: { dialect: 'responses', baseUrl: third.url, breaker: false },
      gone: { dialect: 'messages', baseUrl: gone, retries: 0, breaker: false },
      broken: { dialect: 'messages', baseUrl: gone, retries: 0, breaker: { failures: 1, seconds: 600 } },
      shaky: { dialect: 'messages', baseUrl: gone, retries: 0, breaker: { failures: 1, seconds: 60 } },
    },
    models: {
      three: [
        { backend: 'first', model: 'a' },
        { backend: 'second', model: 'b' },
        { backend: 'third', model: 'c' },
      ],
      two: [
        { backend: 'first', model: 'a' },
        { backend: 'third', model: 'c' },
      ],
      'then-broken': [{ backend: 'first', model: 'a' }, { backend: 'broken' }],
      'gone-then-broken': [{ backend: 'gone' }, { backend: 'broken' }],
      gone: { backend: 'gone' },
      broken: { backend: 'broken' },
      shaky: { backend: 'shaky' },
      'shaky-then-broken': [{ backend: 'shaky' }, { backend: 'broken' }],
      'broken-then-shaky': [{ backend: 'broken' }, { backend: 'shaky' }],
      'broken-then-third': [{ backend: 'broken' }, { backend: 'third', model: 'c' }],
    },
  });
});
beforeEach(() => {
  for (const [recorder, answer] of [
    [first, WHOLE.messages('from the first')],
    [second, WHOLE.generateContent('from the second')],
    [third, WHOLE.responses('from the third')],
  ] as const) {
    recorder.seen.length = 0;
    recorder.reply = (response) => json(response, 200, answer);
  }
  gateway.passed.length = 0;
  gateway.lines.length = 0;
});
afterAll(async () => {
  await gateway.close();
  await Promise.all([first, second, third].map((one) => one.close()));
});

const seen = (): number[] => [first, second, third].map((one) => one.seen.length);
const exchangeLine = async () => {
  const find = () => gateway.lines.find(({ msg }) => msg === 'exchange');
  await until(() => find() !== undefined, 'the line of the exchange');
  return find();
};

describe.each(DIALECTS)('for a %s client', (client) => {
  const { path, body } = ASK[client]('three');

  test.each([401, 403, 404, 429, 500, 502, 503, 529])(
    'two that answer %i are passed over, in order',
    async (status) => {
      first.reply = second.reply = (response) => json(response, status, { error: { message: 'no' } });
      const answer = await send(gateway.url, path, { body });
      expect(answer.status).toBe(200);
      expect(answer.text).toContain('from the third');
      expect(seen()).toEqual([1, 1, 1]);
      const reason = status === 401 || status === 403 ? 'credentials' : 'refused';
      expect(gateway.passed).toEqual([`first ${reason}`, `second ${reason}`]);
      expect(await exchangeLine()).toMatchObject({ backend: 'third', dialect: 'responses', target: 'c', passed: 2 });
    },
  );

  test.each([400, 402, 405, 409, 413, 422, 501, 504])(
    'one that answers %i is the last that is asked',
    async (status) => {
      first.reply = (response) => json(response, status, { error: { message: 'no' } });
      const answer = await send(gateway.url, path, { body });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      messageOf(client, answer.body);
      expect(seen()).toEqual([1, 0, 0]);
      expect(gateway.passed).toEqual([]);
    },
  );

  test('no place at the only backend is told as 503, with the time to come again', async () => {
    const { path: only, body: ask } = ASK[client]('broken');
    await send(gateway.url, only, { body: ask });
    const answer = await send(gateway.url, only, { body: ask });
    expect(answer.status).toBe(503);
    expect(messageOf(client, answer.body)).toContain('is not called for a while');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(500);
    expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(600);
  });
});

test('a refusal whose words break off is one all the same', async () => {
  first.reply = (response) => {
    response.writeHead(503, { 'content-type': 'application/json', 'content-length': 100 });
    response.write('{"type":"error",');
    setTimeout(() => response.destroy(), 20);
  };
  const { path, body } = ASK.messages('two');
  const answer = await send(gateway.url, path, { body });
  expect([answer.status, seen()]).toEqual([200, [1, 0, 1]]);
  expect(gateway.passed).toEqual(['first refused']);
});

test('a refusal of our own key is an error in the log, and the next target serves', async () => {
  first.reply = (response) =>
    json(response, 401, { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } });
  const { path, body } = ASK.responses('two');
  expect((await send(gateway.url, path, { body })).status).toBe(200);
  expect(gateway.passed).toEqual(['first credentials']);
  const errors = gateway.lines.filter(({ level }) => level >= 50);
  expect(errors.map(({ backend }) => backend)).toEqual(['first', 'first']);
  expect(errors.at(-1)).toMatchObject({ msg: 'target failed', reason: 'credentials', model: 'a' });
  expect(JSON.stringify(gateway.lines)).not.toContain('sk-key-of-the-first');
});

test('each call to a backend is part of the trace, until its answer has ended', async () => {
  gateway.traced.length = 0;
  first.reply = (response) => json(response, 503, {});
  const { path, body } = ASK.messages('two');
  await send(gateway.url, path, { body });
  await send(gateway.url, path, { body: { ...body, model: 'gone' } });
  expect(gateway.traced).toEqual(['first 503', 'third 200', 'gone undefined']);
  expect(first.seen[0]?.headers.traceparent).toBe('trace-of-first');
  expect(third.seen[0]?.headers.traceparent).toBe('trace-of-third');
});

describe('the refusal that is told', () => {
  beforeAll(async () => {
    const { path, body } = ASK.messages('broken');
    await send(gateway.url, path, { body });
    const { path: shaky, body: ask } = ASK.messages('shaky');
    await send(gateway.url, shaky, { body: ask });
  });

  test('of several is the last one, and the line of the exchange is about its target', async () => {
    first.reply = (response) => json(response, 503, { error: { message: 'one' } });
    second.reply = (response) => json(response, 529, { error: { message: 'two' } });
    third.reply = (response) => json(response, 429, { error: { message: 'three' } });
    const { path, body } = ASK.messages('three');
    const answer = await send(gateway.url, path, { body });
    expect([answer.status, messageOf('messages', answer.body)]).toEqual([429, 'three']);
    expect(await exchangeLine()).toMatchObject({ backend: 'third', passed: 2 });
    expect(gateway.passed).toEqual(['first refused', 'second refused']);
  });

  test('is that of a backend which said something, although a later one was held back', async () => {
    first.reply = (response) =>
      json(
        response,
        429,
        { type: 'error', error: { type: 'rate_limit_error', message: 'too fast' }, request_id: null },
        { 'retry-after': '3' },
      );
    const { path, body } = ASK.messages('then-broken');
    const answer = await send(gateway.url, path, { body });
    expect([answer.status, messageOf('messages', answer.body)]).toEqual([429, 'too fast']);
    expect(answer.headers['retry-after']).toBe('3');
    expect(answer.headers['x-interlingua-backend']).toBe('first');
    const line = await exchangeLine();
    expect(line).toMatchObject({ backend: 'first', target: 'a' });
    expect(line).not.toHaveProperty('passed');
  });

  test('is that no connection could be made, although a later one was held back', async () => {
    const { path, body } = ASK.messages('gone-then-broken');
    const answer = await send(gateway.url, path, { body });
    expect([answer.status, messageOf('messages', answer.body)]).toEqual([502, 'the backend cannot be reached']);
  });

  test.each(['shaky-then-broken', 'broken-then-shaky'])(
    'of two that are held back is the one that is over first: %s',
    async (model) => {
      const { path, body } = ASK.messages(model);
      const answer = await send(gateway.url, path, { body });
      expect(answer.status).toBe(503);
      expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(60);
      expect(await exchangeLine()).toMatchObject({ backend: 'shaky' });
    },
  );

  test('is none while another target serves', async () => {
    const { path, body } = ASK.messages('broken-then-third');
    expect((await send(gateway.url, path, { body })).text).toContain('from the third');
    expect(gateway.passed).toEqual(['broken breaker']);
  });
});

describe('the next target gets the request of the client, translated anew', () => {
  const { path, body } = ASK.messages('three', { temperature: 0.5, top_k: 7, system: 'Be kind.' });
  const alone = async (model: string) => {
    third.seen.length = 0;
    await send(gateway.url, path, { body: { ...body, model } });
    return JSON.parse(third.seen[0]?.body ?? '');
  };

  test('after a refusal of the relayed one, and of a translation', async () => {
    first.reply = (response) => json(response, 503, {});
    second.reply = (response) => json(response, 503, {});
    const direct = await alone('broken-then-third');
    expect(direct).toMatchObject({ model: 'c', instructions: 'Be kind.' });
    expect(await alone('three')).toEqual(direct);
  });

  test('after another one had left out a field that was refused by name', async () => {
    first.reply = (response) => json(response, 503, {});
    second.reply = (response, { body: sent }) =>
      sent.includes('temperature')
        ? json(response, 400, { error: { code: 400, message: 'temperature is not taken', status: 'INVALID_ARGUMENT' } })
        : json(response, 503, {});
    const direct = await alone('broken-then-third');
    second.seen.length = 0;
    expect(await alone('three')).toEqual(direct);
    expect(second.seen.map(({ body: sent }) => sent.includes('temperature'))).toEqual([true, false]);
  });
});
