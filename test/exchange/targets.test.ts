import { createServer } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openApplication, type TestApplication } from '../support/gateway/application.js';
import { ASK, DIALECTS, json, messageOf, type Recorder, startRecorder, WHOLE } from '../support/gateway/harness.js';

let first: Recorder;
let second: Recorder;
let gateway: TestApplication;

beforeAll(async () => {
  first = await startRecorder();
  second = await startRecorder();
  gateway = openApplication({
    backends: {
      messages: { dialect: 'messages', baseUrl: first.url, apiKey: 'sk-secret-of-the-first', breaker: false },
      responses: { dialect: 'responses', baseUrl: first.url, apiKey: 'sk-secret-of-the-first', breaker: false },
      generateContent: {
        dialect: 'generateContent',
        baseUrl: first.url,
        apiKey: 'sk-secret-of-the-first',
        breaker: false,
      },
      chatCompletions: {
        dialect: 'chatCompletions',
        baseUrl: first.url,
        apiKey: 'sk-secret-of-the-first',
        breaker: false,
      },
      other: { dialect: 'responses', baseUrl: second.url, breaker: false },
      gone: { dialect: 'messages', baseUrl: await freeUrl(), retries: 1, breaker: false },
    },
    models: {
      'messages-then': [
        { backend: 'messages', model: 'a' },
        { backend: 'other', model: 'b' },
      ],
      'responses-then': [
        { backend: 'responses', model: 'a' },
        { backend: 'other', model: 'b' },
      ],
      'generateContent-then': [
        { backend: 'generateContent', model: 'a' },
        { backend: 'other', model: 'b' },
      ],
      'chatCompletions-then': [
        { backend: 'chatCompletions', model: 'a' },
        { backend: 'other', model: 'b' },
      ],
      'gone-then': [{ backend: 'gone' }, { backend: 'other', model: 'b' }],
      gone: { backend: 'gone' },
      exact: { backend: 'messages', model: 'from-exact' },
      'ex*': { backend: 'messages', model: 'short-*' },
      'exac*': { backend: 'messages', model: 'long-*' },
      '*': { backend: 'messages', model: 'any-*' },
    },
  });
});
beforeEach(() => {
  first.seen.length = 0;
  second.seen.length = 0;
  second.reply = (response) => json(response, 200, WHOLE.responses('from the second'));
});
afterAll(async () => {
  await gateway.close();
  await first.close();
  await second.close();
});

/** A URL at which nobody listens. */
function freeUrl(): Promise<string> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(`http://127.0.0.1:${port}`));
    });
  });
}

test.each([
  ['exact', 'from-exact'],
  ['exact-not', 'long-t-not'],
  ['example', 'short-ample'],
  ['other', 'any-other'],
  ['$&', 'any-$&'],
  ['constructor', 'any-constructor'],
])('%s leads to %s', async (model, target) => {
  first.reply = (response) => json(response, 200, WHOLE.messages('hi'));
  const answer = await gateway.http.post('/v1/messages').send(ASK.messages(model).body);
  expect(answer.headers['x-interlingua-model']).toBe(target);
  expect(JSON.parse(first.seen[0]?.body ?? '').model).toBe(target);
});

describe.each(DIALECTS)('a refusal of a %s backend', (dialect) => {
  const { path, body } = ASK.messages(`${dialect}-then`);

  test.each([401, 403, 404, 429, 500, 502, 503, 529])(
    'with %i is followed by the next target, translated anew',
    async (status) => {
      first.reply = (response) => json(response, status, { error: { message: 'no' } });
      const answer = await gateway.http.post(path).send(body).expect(200);
      expect(answer.body.content[0].text).toBe('from the second');
      expect(answer.headers).toMatchObject({ 'x-interlingua-backend': 'other', 'x-interlingua-model': 'b' });
      expect(first.seen).toHaveLength(1);
      expect(JSON.parse(second.seen[0]?.body ?? '')).toMatchObject({ model: 'b', input: expect.anything() });
    },
  );

  test.each([400, 413, 422, 504])('with %i is told', async (status) => {
    first.reply = (response) => json(response, status, { error: { message: 'no' } });
    const answer = await gateway.http.post(path).send(body);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(second.seen).toHaveLength(0);
  });

  test('whose connection broke after the request had left is told, and never sent again', async () => {
    first.reply = (response) => response.destroy();
    await gateway.http.post(path).send(body).expect(502);
    expect(first.seen).toHaveLength(1);
    expect(second.seen).toHaveLength(0);
  });

  test('of the last target is the one that is told', async () => {
    first.reply = (response) => json(response, 503, { error: { message: 'first' } });
    second.reply = (response) =>
      json(
        response,
        429,
        { error: { message: 'second says no', type: 'requests', code: 'rate_limit_exceeded', param: null } },
        { 'retry-after': '7' },
      );
    const answer = await gateway.http.post(path).send(body).expect(429);
    expect(messageOf('messages', answer.body)).toContain('second says no');
    expect(answer.headers['retry-after']).toBe('7');
    expect(answer.headers['x-interlingua-backend']).toBe('other');
  });
});

describe('a connection that cannot be made', () => {
  test('leads to the next target', async () => {
    const { path, body } = ASK.messages('gone-then');
    const answer = await gateway.http.post(path).send(body).expect(200);
    expect(answer.headers['x-interlingua-backend']).toBe('other');
  });

  test.each(DIALECTS)('is told in the shape of %s', async (dialect) => {
    const { path, body } = ASK[dialect]('gone');
    const answer = await gateway.http
      .post(path)
      .send(body)
      .expect(dialect === 'generateContent' ? 503 : 502);
    expect(messageOf(dialect, answer.body)).toBe('the backend cannot be reached');
  });
});

test('a later target that cannot take the request does not hide why the first refused it', async () => {
  first.reply = (response) =>
    json(response, 529, { type: 'error', error: { type: 'overloaded_error', message: 'busy' } });
  const { path } = ASK.messages('messages-then');
  const body = {
    model: 'messages-then',
    max_tokens: 5,
    messages: [{ role: 'user', content: [{ type: 'container_upload', file_id: 'file_1' }] }],
  };
  const answer = await gateway.http.post(path).send(body);
  expect([answer.status, answer.body.error.type]).toEqual([529, 'overloaded_error']);
  expect(second.seen).toHaveLength(0);
});

describe('what an upstream says of itself does not reach clients of another dialect', () => {
  test.each([
    ['the key', 'sk-secret-of-the-first'],
    ['its first characters', 'key sk-secre… is wrong'],
    ['its last characters', 'key …he-first is wrong'],
    ['base64 of it', Buffer.from('sk-secret-of-the-first').toString('base64')],
    ['a key in a URL', 'https://x/y?key=abcdef'],
  ])('%s in a 400', async (_name, text) => {
    first.reply = (response) =>
      json(response, 400, {
        error: { type: 'invalid_request_error', message: `bad: ${text}` },
        type: 'error',
        request_id: null,
      });
    for (const client of DIALECTS) {
      const { path, body } = ASK[client]('messages-then');
      const answer = await gateway.http.post(path).send(body).expect(400);
      expect(messageOf(client, answer.body)).toMatch(/\[[\w ]*(?:redacted|removed)\]/);
      expect(answer.text).not.toContain(text.replace('https://x/y?key=', ''));
    }
  });

  test('its host, and the words of a 500', async () => {
    const { host } = new URL(first.url);
    first.reply = (response) =>
      json(response, 400, {
        error: { type: 'invalid_request_error', message: `no route on ${host}` },
        type: 'error',
        request_id: null,
      });
    const { path, body } = ASK.responses('exact');
    expect((await gateway.http.post(path).send(body)).text).not.toContain(host);
    first.reply = (response) =>
      json(response, 500, {
        error: { type: 'api_error', message: 'stack trace canary' },
        type: 'error',
        request_id: null,
      });
    expect((await gateway.http.post(path).send(body)).text).not.toContain('canary');
  });
});

test('a tuning field that the backend refuses by name is left out, once, and reported', async () => {
  first.reply = (response, { body }) =>
    body.includes('temperature')
      ? json(response, 400, { error: { code: 400, message: 'temperature is not taken', status: 'INVALID_ARGUMENT' } })
      : json(response, 200, WHOLE.generateContent('hi'));
  const { path, body } = ASK.responses('generateContent-then', { temperature: 0.5, max_output_tokens: 50 });
  const answer = await gateway.http.post(path).send(body).expect(200);
  expect(first.seen).toHaveLength(2);
  expect(JSON.parse(first.seen[0]?.body ?? '').generationConfig.temperature).toBe(0.5);
  expect(JSON.parse(first.seen[1]?.body ?? '').generationConfig.maxOutputTokens).toBe(50);
  expect(answer.headers['x-interlingua-loss']).toContain('sampling.temperature;kind=dropped;path="/temperature"');

  first.seen.length = 0;
  await gateway.http.post(path).set('x-interlingua-losses', 'strict').send(body).expect(400);
  expect(first.seen).toHaveLength(1);
});
