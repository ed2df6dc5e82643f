import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { expect, test } from '@jest/globals';
import supertest from 'supertest';
import { createGateway } from '../../src/index.js';
import { openApplication } from '../support/gateway/application.js';
import { send, startGateway } from '../support/gateway/harness.js';
import { listen, shut } from '../support/sockets.js';
import { freePort, scrape, sum } from './support.js';

const KEY = 'a-gateway-key-of-tests';
const KEYS = [{ name: 'tests', key: KEY }];
const SIMULATED = {
  backends: { sim: { dialect: 'messages' as const, simulator: true } },
  models: { sim: { backend: 'sim' } },
  log: { level: 'silent' as const },
};

/** Statuses of `/metrics` for callers from another address. */
async function fromElsewhere(config: object, headers: Record<string, string> = {}): Promise<number> {
  const gateway = createGateway({ ...SIMULATED, ...config });
  const elsewhere = supertest((request: IncomingMessage, response: ServerResponse) => {
    Object.defineProperty(request.socket, 'remoteAddress', { value: '203.0.113.9' });
    gateway.app(request, response);
  });
  try {
    return (await elsewhere.get('/metrics').set(headers)).status;
  } finally {
    await gateway.close();
  }
}

test('callers of this machine need no key', async () => {
  for (const keys of [undefined, KEYS]) {
    const { http, close } = openApplication({ ...SIMULATED, ...(keys !== undefined && { keys }) });
    try {
      const { headers, text } = await http.get('/metrics').expect(200);
      expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
      expect(text).toMatch(/^# TYPE interlingua_exchanges_total counter$/m);
      const head = await http.head('/metrics').expect(200);
      expect(head.text).toBeUndefined();
      expect(Number(head.headers['content-length'])).toBeGreaterThan(1000);
      await http.post('/metrics').send({}).expect(405);
    } finally {
      await close();
    }
  }
});

test('others need a key, whatever their headers say of where they are', async () => {
  expect(await fromElsewhere({ keys: KEYS })).toBe(401);
  expect(await fromElsewhere({ keys: KEYS }, { 'x-forwarded-for': '127.0.0.1', forwarded: 'for=127.0.0.1' })).toBe(401);
  expect(await fromElsewhere({ keys: KEYS }, { 'x-api-key': KEY })).toBe(200);
});

test('without keys nobody else gets them', async () => {
  expect(await fromElsewhere({})).toBe(401);
  expect(await fromElsewhere({}, { 'x-api-key': KEY })).toBe(401);
});

test('with a port of their own they are there and nowhere else', async () => {
  const port = await freePort();
  const gateway = await startGateway({ ...SIMULATED, keys: KEYS, metrics: { port } });
  const own = `http://127.0.0.1:${port}`;
  try {
    expect((await send(gateway.url, '/metrics')).status).toBe(401);
    expect((await send(gateway.url, '/metrics', { headers: { 'x-api-key': KEY } })).status).toBe(404);
    expect(sum(await scrape(own), 'interlingua_exchanges_total', { outcome: 'authentication' })).toBe(1);
    expect((await send(own, '/metrics', { method: 'HEAD' })).status).toBe(200);
    expect((await send(own, '/metrics', { method: 'DELETE' })).status).toBe(405);
    expect((await send(own, '/v1/models')).status).toBe(404);
    expect((await send(own, '/metrics/../healthz')).status).toBe(404);
  } finally {
    await gateway.close();
  }
  await expect(send(own, '/metrics')).rejects.toThrow(/ECONNREFUSED/);
});

test('a port that is taken is told when listening', async () => {
  const server = createServer();
  const port = Number(new URL(await listen(server)).port);
  const gateway = createGateway({ ...SIMULATED, metrics: { port } });
  try {
    await expect(gateway.listen({ port: 0 })).rejects.toThrow(
      `cannot listen on 127.0.0.1:${port}: another program has this port already: end it, or choose another port with metrics.port (EADDRINUSE)`,
    );
  } finally {
    await gateway.close();
    await shut(server);
  }
});
