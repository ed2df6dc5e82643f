import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ASK, send, startGateway, type TestGateway } from '../support/gateway/harness.js';

const PAGE = 'https://app.example';
const KEY = 'gateway-key-of-a-page';
const { path, body } = ASK.messages('any');
const backends = { sim: { dialect: 'responses', simulator: true } } as const;

const corsHeaders = (headers: object): string[] =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'));

describe('pages of listed origins', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({
      backends,
      listen: { cors: ['http://localhost:5173', PAGE] },
      keys: [{ name: 'page', key: KEY }],
      limits: { exchanges: 1 },
    });
  });
  afterAll(() => gateway.close());

  const preflight = (origin: string) =>
    send(gateway.url, path, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,x-stainless-lang',
      },
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
    const { status, headers } = await send(gateway.url, path, { body, headers: { origin: PAGE, 'x-api-key': KEY } });
    expect([status, headers['access-control-allow-origin'], headers.vary]).toEqual([200, PAGE, 'Origin']);
    const exposed = headers['access-control-expose-headers']?.split(',') ?? [];
    const own = Object.keys(headers).filter((name) => /^x-interlingua-|request-id$|^retry-|ratelimit/.test(name));
    expect(own.length).toBeGreaterThan(4);
    expect(exposed).toEqual(expect.arrayContaining([...own, 'retry-after', 'x-ratelimit-remaining-tokens']));
  });

  test('read errors, whoever made them', async () => {
    for (const [sent, status] of [
      [{ body, headers: {} }, 401],
      [{ body: '{', headers: { 'x-api-key': KEY } }, 400],
      [{ method: 'PUT', headers: { 'x-api-key': KEY } }, 405],
      [{ method: 'OPTIONS', headers: { 'x-api-key': KEY } }, 405],
    ] as const) {
      const answer = await send(gateway.url, path, { ...sent, headers: { ...sent.headers, origin: PAGE } });
      expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([status, PAGE]);
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
    const answer = await send(gateway.url, path, { body, headers: { origin, 'x-api-key': KEY } });
    expect([answer.status, corsHeaders(answer.headers), answer.headers.vary]).toEqual([200, [], 'Origin']);
  });

  test('who is no page is told that answers differ by page', async () => {
    const { headers } = await send(gateway.url, '/healthz');
    expect([corsHeaders(headers), headers.vary]).toEqual([[], 'Origin']);
  });
});

test('without origins there is no trace of it', async () => {
  const gateway = await startGateway({ backends, keys: [{ name: 'page', key: KEY }] });
  try {
    const headers = { origin: PAGE, 'access-control-request-method': 'POST', 'x-api-key': KEY };
    for (const method of ['OPTIONS', 'POST']) {
      const answer = await send(gateway.url, path, { method, body, headers });
      expect([answer.status, corsHeaders(answer.headers), answer.headers.vary]).toEqual([
        method === 'POST' ? 200 : 405,
        [],
        undefined,
      ]);
    }
  } finally {
    await gateway.close();
  }
});
