import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createGateway } from '../../src/index.js';
import { tableOf } from '../support/dialects/index.js';
import {
  ASK,
  DIALECTS,
  json,
  type Recorder,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
  WHOLE,
} from '../support/gateway/harness.js';

/** Pages that call a gateway without keys, from elsewhere or under a name bound anew (attacks.md finding 9). */

const LISTED = 'https://app.example';
const SHAPES = tableOf('forbidden');
const backends = { sim: { dialect: 'responses', simulator: true } } as const;

describe('a gateway without keys', () => {
  let recorder: Recorder;
  let gateway: TestGateway;
  beforeAll(async () => {
    recorder = await startRecorder();
    recorder.reply = (response) => json(response, 200, WHOLE.messages('hi'));
    gateway = await startGateway({
      backends: { m: { dialect: 'messages', baseUrl: recorder.url } },
      listen: { cors: [LISTED], publicUrl: 'https://gateway.example/llm' },
    });
  });
  afterAll(async () => {
    await gateway.close();
    await recorder.close();
  });

  const status = async (headers: Record<string, string>, path = '/v1/messages'): Promise<number> => {
    const { body } = ASK.messages('any');
    return (await send(gateway.url, path, path === '/v1/messages' ? { headers, body } : { headers })).status;
  };

  test.each(DIALECTS)(
    '%s: a page of a foreign origin gets a 403 in the dialect, and no backend is called',
    async (dialect) => {
      const { path, body } = ASK[dialect]('any');
      const before = recorder.seen.length;
      const answer = await send(gateway.url, path, {
        body,
        headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' },
      });
      expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([403, undefined]);
      expect(answer.body).toMatchObject(SHAPES[dialect]);
      expect(answer.body.error.message).toContain('listen.cors');
      expect(recorder.seen).toHaveLength(before);
    },
  );

  test.each([
    ['another port of this machine', { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-site' }],
    ['a page without an origin', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['a longer name than a listed one', { origin: 'https://app.example.evil.example' }],
    ['a picture or a script of a page', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
    ['a name bound anew to this machine', { host: 'evil.example:8080' }],
    [
      'such a page that speaks for itself',
      { host: 'evil.example', origin: 'http://evil.example', 'sec-fetch-site': 'same-origin' },
    ],
    ['a name that only begins like ours', { host: 'localhost.evil.example' }],
    ['an address of the network', { host: '192.168.1.5:8080' }],
    ['the listed page under a foreign name', { host: 'evil.example', origin: LISTED }],
  ])('%s is refused', async (_name, headers) => {
    expect(await status(headers)).toBe(403);
  });

  test.each([
    ['SDKs and agents', {}],
    ['the fetch of Node', { 'sec-fetch-mode': 'cors' }],
    ['localhost', { host: 'localhost:8080' }],
    ['a name below localhost', { host: 'gateway.localhost' }],
    ['the loopback of IPv6', { host: '[::1]:8080' }],
    ['publicUrl', { host: 'gateway.example' }],
    ['a page of our own', { host: '127.0.0.1:8080', origin: 'http://127.0.0.1:8080', 'sec-fetch-site': 'same-origin' }],
    ['a page of publicUrl behind a proxy', { origin: 'https://gateway.example', 'sec-fetch-site': 'same-origin' }],
    ['a listed page', { origin: LISTED, 'sec-fetch-site': 'cross-site' }],
    ['an address that somebody typed', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
  ])('%s: served', async (_name, headers) => {
    expect(await status(headers)).toBe(200);
  });

  test('model lists and metrics are kept from them too, what is open to everybody is not', async () => {
    const rebound = { host: 'evil.example' };
    expect(await status(rebound, '/v1/models')).toBe(403);
    expect(await status(rebound, '/metrics')).toBe(403);
    expect(await status(rebound, '/no/such/route')).toBe(403);
    expect(await status(rebound, '/healthz')).toBe(200);
    expect(await status({ 'sec-fetch-site': 'cross-site' }, '/')).toBe(200);
  });

  test('only listed pages get leave by a preflight', async () => {
    const preflight = (origin: string) =>
      send(gateway.url, '/v1/messages', {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST', 'sec-fetch-site': 'cross-site' },
      });
    const [listed, foreign] = [await preflight(LISTED), await preflight('https://evil.example')];
    expect([listed.status, listed.headers['access-control-allow-origin']]).toEqual([204, LISTED]);
    expect([foreign.status, foreign.headers['access-control-allow-origin']]).toEqual([403, undefined]);
  });
});

test('with keys the key alone decides', async () => {
  const key = 'gateway-key-of-a-page';
  const gateway = await startGateway({ backends, keys: [{ name: 'page', key }] });
  try {
    const { path, body } = ASK.messages('any');
    const headers = { host: 'evil.example', origin: 'https://evil.example', 'x-api-key': key };
    expect((await send(gateway.url, path, { body, headers })).status).toBe(200);
  } finally {
    await gateway.close();
  }
});

test('listening beyond this machine, a gateway has names that it cannot know; pages stay refused', async () => {
  const gateway = createGateway({ backends, log: { level: 'silent' } });
  const { port } = await gateway.listen({ host: '0.0.0.0', port: 0, insecure: true });
  try {
    const { path, body } = ASK.messages('any');
    const ask = (headers: Record<string, string>) => send(`http://127.0.0.1:${port}`, path, { body, headers });
    expect((await ask({ host: 'gateway.lan:8080' })).status).toBe(200);
    expect((await ask({ host: 'gateway.lan:8080', origin: 'https://evil.example' })).status).toBe(403);
  } finally {
    await gateway.close();
  }
});
