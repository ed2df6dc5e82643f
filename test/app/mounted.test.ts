import { createServer, type Server } from 'node:http';
import { networkInterfaces } from 'node:os';
import { afterEach, describe, expect, test } from '@jest/globals';
import express from 'express';
import type { ConfigInput } from '../../src/config/schema.js';
import { createGateway } from '../../src/index.js';
import { ASK, DIALECTS, json, messageOf, type Recorder, send, startRecorder } from '../support/gateway/harness.js';
import { listen, shut } from '../support/sockets.js';

/** A gateway in the application of somebody else: who may call (configuration.md#access), and where its pictures are. */

const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** An address of this machine that is not loopback; undefined where there is none. */
const outside = Object.values(networkInterfaces())
  .flatMap((list) => list ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function mount(config: ConfigInput, host = '127.0.0.1'): Promise<{ url: string; port: number }> {
  const gateway = createGateway({ log: { level: 'silent' }, ...config });
  const app = express();
  app.use('/ai/v', gateway.app);
  const server = createServer(app);
  const port = host === '127.0.0.1' ? Number(new URL(await listen(server)).port) : await listenOn(server, host);
  closing.push(async () => {
    await shut(server);
    await gateway.close();
  });
  return { url: `http://${host}:${port}`, port };
}

function listenOn(server: Server, host: string): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}

const SIMULATED: ConfigInput = {
  backends: { a: { dialect: 'messages', simulator: true } },
};

describe('without keys', () => {
  const away = outside === undefined ? test.skip : test;

  away.each(DIALECTS)('a %s client from elsewhere is refused in its own words', async (dialect) => {
    const { url } = await mount(SIMULATED, outside);
    const { path, body } = ASK[dialect]('any');
    const answer = await send(url, `/ai/v${path}`, { body });
    expect(answer.status).toBe(401);
    expect(messageOf(dialect, answer.body)).toMatch(/no API keys are configured/);
  });

  away('so is one that says it comes from here', async () => {
    const { url } = await mount(SIMULATED, outside);
    const { path, body } = ASK.messages('any');
    const claims: readonly Record<string, string>[] = [
      { host: 'localhost' },
      { 'x-forwarded-for': '127.0.0.1', host: '127.0.0.1' },
      { forwarded: 'for=127.0.0.1', 'x-real-ip': '127.0.0.1' },
      { 'x-api-key': 'any-key-at-all' },
    ];
    for (const headers of claims) {
      expect((await send(url, `/ai/v${path}`, { body, headers })).status).toBe(401);
    }
    for (const open of ['/', '/healthz', '/readyz']) expect((await send(url, `/ai/v${open}`)).status).toBe(200);
    expect((await send(url, '/ai/v/metrics')).status).not.toBe(200);
  });

  away('with `open: true` everybody is admitted', async () => {
    const { url } = await mount({ ...SIMULATED, open: true }, outside);
    const { path, body } = ASK.messages('any');
    expect((await send(url, `/ai/v${path}`, { body })).status).toBe(200);
    expect((await send(url, `/ai/v${path}`, { body, headers: { host: 'ai.example.com' } })).status).toBe(200);
  });

  test('a client on this machine is admitted', async () => {
    const { url } = await mount(SIMULATED);
    const { path, body } = ASK.messages('any');
    expect((await send(url, `/ai/v${path}`, { body })).status).toBe(200);
  });

  away('a gateway that was told to be insecure admits everybody', async () => {
    const gateway = createGateway({ log: { level: 'silent' }, ...SIMULATED });
    const { port } = await gateway.listen({ host: '0.0.0.0', port: 0, insecure: true });
    closing.push(() => gateway.close());
    const { path, body } = ASK.messages('any');
    expect((await send(`http://${outside}:${port}`, path, { body })).status).toBe(200);
  });

  away('one that is open by its configuration listens everywhere', async () => {
    const gateway = createGateway({ log: { level: 'silent' }, ...SIMULATED, open: true });
    const { port } = await gateway.listen({ host: '0.0.0.0', port: 0 });
    closing.push(() => gateway.close());
    const { path, body } = ASK.messages('any');
    expect((await send(`http://${outside}:${port}`, path, { body })).status).toBe(200);
  });
});

test('a browser is led to the page below where it is mounted', async () => {
  const { url } = await mount(SIMULATED);
  for (const path of ['/ai/v', '/ai/v/', '/ai/v?x']) {
    const answer = await fetch(url + path, { headers: { accept: 'text/html' } });
    expect([answer.status, answer.url]).toEqual([200, `${url}/ai/v/playground/`]);
  }
});

test('`open` beside keys is refused: it would do nothing', () => {
  const keys = [{ name: 'a', key: 'a-key-of-some-length' }];
  expect(() => createGateway({ ...SIMULATED, keys, open: true })).toThrow(/^open: cannot be used with keys$/);
});

describe('links to pictures', () => {
  async function linkOf(listening: ConfigInput['listen'], headers: Record<string, string> = {}) {
    const recorder: Recorder = await startRecorder();
    closing.push(() => recorder.close());
    recorder.reply = (response) => json(response, 200, { created: 1, data: [{ b64_json: PICTURE }] });
    const mounted = await mount({
      backends: { r: { dialect: 'responses', baseUrl: recorder.url } },
      ...(listening !== undefined && { listen: listening }),
    });
    const { body } = await send(mounted.url, '/ai/v/v1/images/generations', {
      body: { model: 'dall-e-2', prompt: 'a sea otter' },
      headers,
    });
    return { link: String(body.data[0].url), ...mounted };
  }

  test('lead to where the gateway is mounted, whatever the Host says', async () => {
    const { link, port } = await linkOf(undefined, { host: `localhost:${9}` });
    expect(link).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${port}/ai/v/media/[0-9a-f]{32}$`));
    const picture = await fetch(link);
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
  });

  test('stand below `listen.publicUrl`, which says the mount path itself', async () => {
    const { link } = await linkOf({ publicUrl: 'https://ai.example.com/somewhere/' });
    expect(link).toMatch(/^https:\/\/ai\.example\.com\/somewhere\/media\/[0-9a-f]{32}$/);
  });
});
