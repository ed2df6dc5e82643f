import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  json,
  type Recorder,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
} from '../support/gateway/harness.js';

const KEY = 'a-long-enough-client-key';

let recorder: Recorder;
let gateway: TestGateway;

beforeAll(async () => {
  recorder = await startRecorder();
  const chat = { dialect: 'chatCompletions', apiKey: 'upstream-secret' } as const;
  gateway = await startGateway({
    backends: {
      plain: { ...chat, baseUrl: recorder.url },
      router: { ...chat, baseUrl: `${recorder.url}/api/v1/` },
      azure: {
        ...chat,
        baseUrl: `${recorder.url}/openai/deployments/dep?api-version=2024-10-21`,
        auth: 'api-key',
      },
    },
    models: {
      plain: { backend: 'plain' },
      router: { backend: 'router', model: 'vendor/m' },
      azure: { backend: 'azure' },
      'any/*': { backend: 'plain', model: '*' },
    },
    passthrough: { chatCompletions: 'plain' },
    keys: [{ name: 'k', key: KEY }],
  });
});
beforeEach(() => {
  recorder.seen.length = 0;
  recorder.reply = (response) => json(response, 200, ANSWER);
});
afterAll(async () => {
  await gateway.close();
  await recorder.close();
});

const ANSWER = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'm-real',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop', logprobs: null }],
  usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
  x_vendor: { kept: true },
};
const headers = { authorization: `Bearer ${KEY}` };
const asked = (model?: string) => ({
  ...(model !== undefined && { model }),
  messages: [{ role: 'user', content: 'q' }],
});

/** translation.md 8. */
describe('paths that clients of servers of the dialect use', () => {
  test.each([
    '/v1/chat/completions',
    '/chat/completions',
    '/chat/completions/',
    '/openai/v1/chat/completions',
    '/v1beta/openai/chat/completions',
    '/api/v1/chat/completions',
    '/v1/chat/completions?api-version=preview',
  ])('%s', async (path) => {
    const { status, body } = await send(gateway.url, path, { body: asked('plain'), headers });
    expect([status, body]).toEqual([200, ANSWER]);
    expect(recorder.seen.map((seen) => seen.path.split('?')[0])).toEqual(['/v1/chat/completions']);
    expect(recorder.seen[0]?.body).toBe(JSON.stringify(asked('plain')));
  });

  test('a deployment in the path is the model, whatever the body says', async () => {
    const path = (name: string) => `/openai/deployments/${name}/chat/completions?api-version=2024-06-01`;
    await send(gateway.url, path('plain'), { body: asked('else'), headers });
    await send(gateway.url, path('any%2Fone'), { body: asked(), headers });
    const bodies = recorder.seen.map(({ body }) => JSON.parse(body));
    expect(bodies.map(({ model }) => model)).toEqual(['plain', 'one']);
    expect(bodies[1].messages).toEqual(asked().messages);
    const { status, body } = await send(gateway.url, path('%'), { body: asked(), headers });
    expect([status, body.error.type]).toEqual([400, 'invalid_request_error']);
  });

  test.each([
    ['/v1/engines/m/chat/completions', 404],
    ['/v1/chat', 404],
  ])('%s is answered with %i', async (path, status) => {
    expect((await send(gateway.url, path, { body: asked('plain'), headers })).status).toBe(status);
  });
});

describe('addresses of backends', () => {
  test.each([
    ['plain', '/v1/chat/completions', 'plain', { authorization: 'Bearer upstream-secret' }],
    ['router', '/api/v1/chat/completions', 'vendor/m', { authorization: 'Bearer upstream-secret' }],
    [
      'azure',
      '/openai/deployments/dep/chat/completions?api-version=2024-10-21',
      'azure',
      { 'api-key': 'upstream-secret' },
    ],
  ])('%s', async (model, path, named, credentials) => {
    await send(gateway.url, '/v1/chat/completions', { body: asked(model), headers });
    const [seen] = recorder.seen;
    expect([seen?.path, JSON.parse(seen?.body ?? '{}').model]).toEqual([path, named]);
    expect(seen?.headers).toMatchObject(credentials);
    expect(JSON.stringify(seen?.headers)).not.toContain(KEY);
  });

  test('the version that a client of one cloud names goes along', async () => {
    const path = '/openai/deployments/azure/chat/completions?api-version=2025-01-01';
    await send(gateway.url, path, { body: asked(), headers: { 'api-key': KEY } });
    expect(recorder.seen[0]?.path).toBe('/openai/deployments/dep/chat/completions?api-version=2025-01-01');
  });
});

describe('keys', () => {
  test.each<Record<string, string>>([{ authorization: `Bearer ${KEY}` }, { 'api-key': KEY }, { 'x-api-key': KEY }])(
    '%j',
    async (credentials) => {
      const answer = await send(gateway.url, '/v1/chat/completions', { body: asked('plain'), headers: credentials });
      expect(answer.status).toBe(200);
    },
  );

  test('none', async () => {
    const { status, body } = await send(gateway.url, '/v1/chat/completions', { body: asked('plain') });
    expect([status, body.error]).toMatchObject([401, { type: 'invalid_request_error', code: 'invalid_api_key' }]);
  });
});

describe('stored completions are relayed', () => {
  test.each([
    ['GET', '/v1/chat/completions?limit=2'],
    ['GET', '/v1/chat/completions/chatcmpl-1'],
    ['GET', '/v1/chat/completions/chatcmpl-1/messages'],
    ['POST', '/v1/chat/completions/chatcmpl-1'],
    ['DELETE', '/v1/chat/completions/chatcmpl-1'],
  ])('%s %s', async (method, path) => {
    const body = method === 'POST' ? { metadata: { a: 'b' } } : undefined;
    const answer = await send(gateway.url, path, { method, headers, ...(body !== undefined && { body }) });
    expect(answer.status).toBe(200);
    expect(recorder.seen.map((seen) => [seen.method, seen.path])).toEqual([[method, path]]);
  });

  test('where no backend stores them they are not found', async () => {
    const bare = await startGateway({ backends: { sim: { dialect: 'chatCompletions', simulator: true } } });
    try {
      const { status, body } = await send(bare.url, '/v1/chat/completions/chatcmpl-1', { method: 'GET' });
      expect([status, body.error]).toMatchObject([404, { type: 'invalid_request_error', code: null }]);
    } finally {
      await bare.close();
    }
  });
});

describe('errors have the shape of the dialect', () => {
  test('an unknown model is a 404', async () => {
    const { status, body } = await send(gateway.url, '/v1/chat/completions', { body: asked('nobody'), headers });
    expect([status, body.error]).toMatchObject([
      404,
      { type: 'invalid_request_error', code: 'model_not_found', param: 'model' },
    ]);
  });

  test('an error that came as an answer is one [H §6.1]', async () => {
    recorder.reply = (response) => json(response, 200, { error: { message: 'no credits', code: 402 }, user_id: 'u' });
    const { status, body } = await send(gateway.url, '/v1/chat/completions', { body: asked('plain'), headers });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(body.error.message).not.toBe('');
  });
});

test.each(['/v1/models', '/openai/v1/models', '/openai/models?api-version=1', '/v1beta/openai/models'])(
  'models are listed under %s',
  async (path) => {
    recorder.reply = (response) => json(response, 200, { object: 'list', data: [{ id: 'one', object: 'model' }] });
    const { status, body } = await send(gateway.url, path, { method: 'GET', headers });
    expect([status, body.object]).toEqual([200, 'list']);
    expect(body.data.map(({ id }: { id: string }) => id).sort()).toEqual(['any/one', 'azure', 'plain', 'router']);
    expect(body.data[0]).toMatchObject({ object: 'model', owned_by: expect.any(String) });
  },
);
