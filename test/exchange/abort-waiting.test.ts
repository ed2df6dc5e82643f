import { connect, createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import {
  ASK,
  DIALECTS,
  EVENT_STREAM,
  FRAMES,
  json,
  send,
  startGateway,
  startRecorder,
} from '../support/gateway/harness.js';
import { until } from '../support/until.js';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Listens on a port, counts connections, and holds them. */
async function listenOn(port: number): Promise<{ readonly port: number; connections: number; close(): Promise<void> }> {
  const server: Server = createServer((socket) => {
    counted.connections += 1;
    socket.on('error', () => {});
    closers.push(async () => socket.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  const counted = {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    connections: 0,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
  return counted;
}

/** A port on which nobody listens. */
async function freePort(): Promise<number> {
  const server = await listenOn(0);
  await server.close();
  return server.port;
}

const MODELS = ['talk', 'img-multi', 'film'] as const;

/** Requests that wait for a backend which cannot be reached, and may come again. */
const WAITING: readonly {
  readonly name: string;
  readonly path: string;
  readonly body: object;
  dialect: (typeof DIALECTS)[number];
}[] = [
  ...DIALECTS.flatMap((client) =>
    DIALECTS.map((dialect) => ({ name: `${client} over ${dialect}`, dialect, ...ASK[client]('talk') })),
  ),
  {
    name: 'pictures in several calls',
    dialect: 'generateContent',
    path: '/v1/images/generations',
    body: { model: 'img-multi', prompt: 'a cat', n: 2 },
  },
  {
    name: 'a picture',
    dialect: 'responses',
    path: '/v1/images/generations',
    body: { model: 'img-multi', prompt: 'a cat' },
  },
  { name: 'a video', dialect: 'responses', path: '/v1/videos', body: { model: 'film', prompt: 'a cat' } },
  { name: 'a compaction', dialect: 'messages', path: '/v1/responses/compact', body: { model: 'talk', input: 'Hello' } },
];

/** How often a backend is called that comes back after the client has left. */
async function callsAfterLeaving(asked: (typeof WAITING)[number]): Promise<number> {
  const { dialect, path, body } = asked;
  const port = await freePort();
  const gateway = await startGateway({
    backends: { away: { dialect, baseUrl: `http://127.0.0.1:${port}`, retries: 10 } },
    models: Object.fromEntries(MODELS.map((name) => [name, { backend: 'away' }])),
    limits: { drainSeconds: 0.1 },
  });
  closers.push(() => gateway.close());
  const payload = JSON.stringify(body);
  const client = connect(gateway.port, '127.0.0.1');
  client.on('error', () => {});
  client.write(
    `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${payload.length}\r\n\r\n${payload}`,
  );
  // By now it waits long enough to be met.
  await sleep(400);
  const metrics = async (): Promise<string> => (await send(gateway.url, '/metrics')).text;
  client.destroy();
  await until(async () => /^interlingua_open_exchanges 0$/m.test(await metrics()));
  const back = await listenOn(port).catch(() => undefined);
  // Somebody else has the port by now.
  if (back === undefined) return callsAfterLeaving(asked);
  closers.push(back.close);
  await sleep(1500);
  return back.connections;
}

test('hardening.md row 47: for who leaves while a connection is tried again nobody is called any more', async () => {
  const calls = await Promise.all(WAITING.map(async (one) => [one.name, await callsAfterLeaving(one)]));
  expect(calls).toEqual(WAITING.map(({ name }) => [name, 0]));
});

describe('a client that leaves', () => {
  test.each(DIALECTS)(
    'hardening.md row 47: in the middle of its own request has called nobody, %s',
    async (dialect) => {
      const recorder = await startRecorder();
      const gateway = await startGateway({ backends: { m: { dialect, baseUrl: recorder.url } } });
      closers.push(recorder.close, gateway.close);
      const { path, body } = ASK[dialect]('m');
      const payload = JSON.stringify(body);
      for (const sent of [0, 1, payload.length - 1]) {
        const client = connect(gateway.port, '127.0.0.1');
        client.write(
          `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${payload.length}\r\n\r\n${payload.slice(0, sent)}`,
        );
        await sleep(20);
        client.destroy();
      }
      // Whoever comes next is served, and alone.
      expect((await send(gateway.url, path, { body })).status).not.toBe(500);
      expect(recorder.seen).toHaveLength(1);
    },
  );

  test('hardening.md row 47: an answer in the background goes on without those who follow it', async () => {
    const recorder = await startRecorder();
    const gateway = await startGateway({
      backends: { m: { dialect: 'messages', baseUrl: recorder.url } },
      store: { type: 'memory' },
    });
    closers.push(recorder.close, gateway.close);
    const frames = FRAMES.messages('made to the end');
    let goOn = (): void => {};
    recorder.reply = (response) => {
      response.writeHead(200, EVENT_STREAM);
      response.write(frames.slice(0, 4).join(''));
      goOn = () => response.end(frames.slice(4).join(''));
    };
    const payload = JSON.stringify({ model: 'm', input: 'Hello', background: true, stream: true });
    const client = connect(gateway.port, '127.0.0.1');
    let heard = '';
    client.on('data', (chunk) => {
      heard += chunk.toString();
    });
    client.write(
      `POST /v1/responses HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${payload.length}\r\n\r\n${payload}`,
    );
    await until(() => heard.includes('mad'));
    client.destroy();
    const id = /"id":"(resp_[^"]+)"/.exec(heard)?.[1] ?? '';
    await sleep(200);
    expect(recorder.aborted).toBe(0);
    goOn();
    const kept = async () => (await send(gateway.url, `/v1/responses/${id}`)).body;
    await until(async () => (await kept()).status === 'completed');
    expect(JSON.stringify((await kept()).output)).toContain('made to the end');
    expect(recorder.seen).toHaveLength(1);
  });

  test('hardening.md row 47: a list of models that somebody else may want is read to its end', async () => {
    const recorder = await startRecorder();
    const gateway = await startGateway({
      backends: { r: { dialect: 'responses', baseUrl: recorder.url } },
      models: { '*': { backend: 'r' } },
    });
    closers.push(recorder.close, gateway.close);
    let goOn = (): void => {};
    recorder.reply = (response) => {
      goOn = () =>
        json(response, 200, { object: 'list', data: [{ id: 'one', object: 'model', created: 1, owned_by: 'x' }] });
    };
    const client = connect(gateway.port, '127.0.0.1');
    client.write('GET /v1/models HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await until(() => recorder.seen.length === 1);
    client.destroy();
    await sleep(50);
    goOn();
    const { body } = await send(gateway.url, '/v1/models');
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual(['one']);
    expect([recorder.seen.length, recorder.aborted]).toEqual([1, 0]);
  });
});
