import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openApplication, type TestApplication } from '../support/gateway/application.js';
import { ASK } from '../support/gateway/harness.js';

const PAGE = 'https://app.example';
const KEY = 'gateway-key-of-a-page';
const { path, body } = ASK.messages('any');
const backends = { sim: { dialect: 'responses', simulator: true } } as const;

const corsHeaders = (headers: object): string[] =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'));

describe('pages of listed origins', () => {
  let gateway: TestApplication;
  beforeAll(() => {
    gateway = openApplication({
      backends,
      listen: { cors: ['http://localhost:5173', PAGE] },
      keys: [{ name: 'page', key: KEY }],
      limits: { exchanges: 1 },
    });
  });
  afterAll(() => gateway.close());

  const preflight = (origin: string) =>
    gateway.http.options(path).set({
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,x-stainless-lang',
    });

  test('ask for leave without a key, and get it', async () => {
    const { status, headers, text } = await preflight(PAGE);
    expect([status, text]).toEqual([204, '']);
    expect(headers).toMatchObject({
      'access-control-allow-origin': PAGE,
      'access-control-allow-methods': 'GET,HEAD,POST,PUT,PATCH,DELETE',
      'access-control-allow-headers': 'authorization,content-type,x-stainless-lang',
      'access-control-max-age': '600',
    });
    expect(headers.vary).toContain('Origin');
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });

  test('read the answer and our headers', async () => {
    const { status, headers } = await gateway.http.post(path).set({ origin: PAGE, 'x-api-key': KEY }).send(body);
    expect([status, headers['access-control-allow-origin'], headers.vary]).toEqual([200, PAGE, 'Origin']);
    const exposed = headers['access-control-expose-headers']?.split(',') ?? [];
    const own = Object.keys(headers).filter((name) => /^x-interlingua-|request-id$|^retry-|ratelimit/.test(name));
    expect(own.length).toBeGreaterThan(4);
    expect(exposed).toEqual(expect.arrayContaining([...own, 'retry-after', 'x-ratelimit-remaining-tokens']));
  });

  test('read errors, whoever made them', async () => {
    const { http } = gateway;
    for (const [request, status] of [
      [http.post(path).send(body), 401],
      [http.post(path).set('x-api-key', KEY).type('json').send('{'), 400],
      [http.put(path).set('x-api-key', KEY), 405],
      [http.options(path).set('x-api-key', KEY), 405],
    ] as const) {
      await request.set('origin', PAGE).expect(status).expect('access-control-allow-origin', PAGE);
    }
  });

  test.each([
    'https://app.example.evil.example',
    'http://app.example',
    'https://APP.example',
    'null',
    'https://other.example',
  ])('%s is told nothing', async (origin) => {
    const asked = await preflight(origin);
    expect([asked.status, corsHeaders(asked.headers)]).toEqual([401, []]);
    const answer = await gateway.http.post(path).set({ origin, 'x-api-key': KEY }).send(body);
    expect([answer.status, corsHeaders(answer.headers), answer.headers.vary]).toEqual([200, [], 'Origin']);
  });

  test('who is no page is told that answers differ by page', async () => {
    const { headers } = await gateway.http.get('/healthz');
    expect([corsHeaders(headers), headers.vary]).toEqual([[], 'Origin']);
  });
});

test('without origins there is no trace of it', async () => {
  const gateway = openApplication({ backends, keys: [{ name: 'page', key: KEY }] });
  try {
    const headers = { origin: PAGE, 'access-control-request-method': 'POST', 'x-api-key': KEY };
    for (const [method, status] of [
      ['options', 405],
      ['post', 200],
    ] as const) {
      const answer = await gateway.http[method](path).set(headers).send(body).expect(status);
      expect([corsHeaders(answer.headers), answer.headers.vary]).toEqual([[], undefined]);
    }
  } finally {
    await gateway.close();
  }
});
