import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { ConfigInput } from '../../src/config/schema.js';
import { createGateway, type GatewayServer } from '../../src/index.js';
import { ASK, send } from '../support/gateway/harness.js';
import { until } from '../support/until.js';

const KEY = 'gateway-key-of-somebody';
const { path, body } = ASK.messages('any');
const HEADERS = { 'x-api-key': KEY };

/** A socket, and what came over it until it closed. */
interface Held {
  readonly socket: Socket;
  text: string;
  closed: boolean;
}

const held: Held[] = [];
let gateway: GatewayServer;
let port: number;

const configOf = (connections: number): ConfigInput => ({
  backends: { sim: { dialect: 'messages', simulator: true } },
  keys: [{ name: 'a', key: KEY }],
  limits: { connections },
  log: { level: 'silent' },
});

async function start(connections: number): Promise<void> {
  gateway = createGateway(configOf(connections));
  ({ port } = await gateway.listen({ port: 0 }));
}

function hold(bytes = ''): Promise<Held> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, () => resolve(one)));
    const one: Held = { socket, text: '', closed: false };
    held.push(one);
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      one.text += chunk;
    });
    socket.on('error', (error) => (one.closed ? undefined : reject(error)));
    socket.on('close', () => {
      one.closed = true;
    });
  });
}

const HEAD = `host: 127.0.0.1\r\nx-api-key: ${KEY}\r\n`;
/** A request whose body never comes, of somebody who may call. The gateway says that it waits for it. */
const OPEN = `POST ${path} HTTP/1.1\r\n${HEAD}content-type: application/json\r\nexpect: 100-continue\r\ncontent-length: 100\r\n\r\n`;
const LIST = `GET /v1/models HTTP/1.1\r\n${HEAD}\r\n`;

async function holdOpen(): Promise<Held> {
  const one = await hold(OPEN);
  await until(() => one.text.includes('HTTP/1.1 100'));
  return one;
}

const ask = () => send(`http://127.0.0.1:${port}`, path, { body, headers: HEADERS });

afterEach(async () => {
  for (const { socket } of held.splice(0)) socket.destroy();
  await gateway.close();
});

describe('above limits.connections', () => {
  test('silent connections give way, the longest silent one first', async () => {
    await start(3);
    const silent: Held[] = [];
    for (let index = 0; index < 40; index += 1) silent.push(await hold());
    await until(() => silent.filter(({ closed }) => closed).length === 37);
    expect(silent.slice(-3).map(({ closed }) => closed)).toEqual([false, false, false]);
    expect((await ask()).status).toBe(200);
  });

  test('a caller who was admitted keeps a connection while there are silent ones, and others with a wrong key', async () => {
    await start(3);
    const kept = await hold(LIST);
    await until(() => kept.text.includes('HTTP/1.1 200'));
    const wrong = await hold(LIST.replace(KEY, 'gateway-key-of-nobody'));
    await until(() => wrong.text.includes('HTTP/1.1 401'));
    for (let index = 0; index < 10; index += 1) await hold();
    await until(() => held.filter(({ closed }) => closed).length === 9);
    expect([kept.closed, wrong.closed]).toEqual([false, true]);
    kept.socket.write(LIST);
    await until(() => kept.text.split('HTTP/1.1 200').length === 3);
  });

  test('where a request is open on all of them, one more hears 503 in its dialect and is closed', async () => {
    await start(2);
    const first = await holdOpen();
    await holdOpen();
    const answer = await ask();
    expect([answer.status, answer.headers.connection, answer.headers['retry-after']]).toEqual([503, 'close', '1']);
    const message = expect.stringContaining('limits.connections');
    expect(answer.body).toMatchObject({ type: 'error', error: { message } });
    // Health is told to balancers all the same.
    const health = await send(`http://127.0.0.1:${port}`, '/healthz');
    expect([health.status, health.headers.connection]).toEqual([200, 'close']);
    // Who says nothing is closed as well.
    const silent = await hold();
    await until(() => silent.closed);
    first.socket.destroy();
    await until(async () => (await ask()).status === 200);
  });

  test('far above it connections are closed at once', async () => {
    await start(1);
    await holdOpen();
    const all = await Promise.all(Array.from({ length: 120 }, () => hold()));
    await until(() => all.every(({ closed }) => closed));
  });

  test('a reload moves it', async () => {
    await start(1);
    await holdOpen();
    expect((await ask()).status).toBe(503);
    gateway.reload(configOf(5));
    expect((await ask()).status).toBe(200);
  });
});
