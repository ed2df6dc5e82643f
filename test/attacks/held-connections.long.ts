import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createGateway, type GatewayServer } from '../../src/index.js';
import { ASK } from '../support/gateway/harness.js';

/** Connections that are held open behind an answer (attacks.md finding 14). */

const backends = { sim: { dialect: 'messages', simulator: true } } as const;
const KEY = 'gateway-key-of-somebody';
const { path } = ASK.messages('any');

/** A socket, and what came over it until it closed. */
interface Held {
  readonly socket: Socket;
  text: string;
  closed: boolean;
}

const held: Held[] = [];
let gateway: GatewayServer;

function hold(port: number, bytes = ''): Promise<Held> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, () => resolve(one)));
    const one: Held = { socket, text: '', closed: false };
    held.push(one);
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      one.text += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => {
      one.closed = true;
    });
  });
}

async function within(ms: number, reached: () => boolean): Promise<number> {
  const start = performance.now();
  while (!reached()) {
    if (performance.now() - start > ms) throw new Error(`not reached within ${ms} ms`);
    await sleep(20);
  }
  return performance.now() - start;
}

afterEach(async () => {
  for (const { socket } of held.splice(0)) socket.destroy();
  await gateway.close();
});

describe('a body that goes on after the answer', () => {
  // The sender never stops: one byte each 200 ms, as in attacks.md, finding 14.
  const dripping = (target: string, header = ''): string =>
    `POST ${target} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n${header}content-length: 100000\r\n\r\n{`;

  test('is cut within 10 s', async () => {
    gateway = createGateway({ backends, keys: [{ name: 'a', key: KEY }], log: { level: 'silent' } });
    const { port } = await gateway.listen({ port: 0 });
    const kinds = [
      [dripping(path), 401],
      [dripping('/nowhere', `x-api-key: ${KEY}\r\n`), 404],
      [dripping('/healthz'), 405],
    ] as const;
    const all = await Promise.all(kinds.map(([bytes]) => hold(port, bytes)));
    for (const { socket } of all) socket.removeAllListeners('error').on('error', () => {});
    const drip = setInterval(() => all.map((one) => one.closed || one.socket.write(' ')), 200);
    try {
      await within(50_000, () => kinds.every(([, status], index) => all[index]?.text.includes(`HTTP/1.1 ${status}`)));
      expect(all.map(({ closed }) => closed)).toEqual([false, false, false]);
      // The rest of the bodies would take hours.
      await within(100_000, () => all.every(({ closed }) => closed));
    } finally {
      clearInterval(drip);
    }
  });

  test('that ends in time leaves its connection to the next request', async () => {
    gateway = createGateway({ backends, keys: [{ name: 'a', key: KEY }], log: { level: 'silent' } });
    const { port } = await gateway.listen({ port: 0 });
    const head = 'host: 127.0.0.1\r\ncontent-type: application/json\r\n';
    const one = await hold(port, `POST ${path} HTTP/1.1\r\n${head}content-length: 2\r\n\r\n{`);
    await within(50_000, () => one.text.includes('HTTP/1.1 401'));
    one.socket.write('}GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
    await within(50_000, () => one.text.includes('HTTP/1.1 200'));
    expect(one.closed).toBe(false);
  });
});
