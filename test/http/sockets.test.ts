import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { ASK, messageOf, send, startGateway, type TestGateway, WHOLE } from '../support/gateway/harness.js';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** A server that answers with exact bytes, and a gateway in front of it. */
async function inFrontOf(
  serve: (socket: Socket, chunk: string) => void,
): Promise<TestGateway & { connections(): number }> {
  let connections = 0;
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (chunk) => serve(socket, chunk.toString('latin1')));
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
  const gateway = await startGateway({ backends: { m: { dialect: 'messages', baseUrl: `http://127.0.0.1:${port}` } } });
  open.push(gateway.close, async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { ...gateway, connections: () => connections };
}

function answer(text: string, status = '200 OK', more = ''): string {
  const body = JSON.stringify(WHOLE.messages(text));
  return `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n${more}\r\n${body}`;
}

const { path, body } = ASK.messages('m');

test('an answer that nobody asked for is never given to the next caller', async () => {
  let served = 0;
  const gateway = await inFrontOf((socket, chunk) => {
    if (!chunk.startsWith('POST')) return;
    served += 1;
    socket.write(answer(`own ${served}`));
    if (served % 2 === 1) socket.write(answer('EVIL at once'));
    else setTimeout(() => socket.write(answer('EVIL later')), 5);
  });
  for (let round = 1; round <= 20; round += 1) {
    const { status, text } = await send(gateway.url, path, { body });
    expect([status, text]).toEqual([200, JSON.stringify(WHOLE.messages(`own ${round}`))]);
    await sleep(10);
  }
});

test('connections are kept and used again', async () => {
  const gateway = await inFrontOf((socket) => socket.write(answer('hi')));
  for (let round = 0; round < 5; round += 1) await send(gateway.url, path, { body });
  expect(gateway.connections()).toBe(1);
});

test('a kept connection that the backend closed does not fail the next call', async () => {
  const gateway = await inFrontOf((socket) => socket.end(answer('hi')));
  for (let round = 0; round < 5; round += 1) {
    expect((await send(gateway.url, path, { body })).status).toBe(200);
    await sleep(20);
  }
});

test('a refusal that comes while the body is still going out is told', async () => {
  const refusal = JSON.stringify({
    type: 'error',
    error: { type: 'request_too_large', message: 'too much' },
    request_id: null,
  });
  const gateway = await inFrontOf((socket, chunk) => {
    if (!chunk.startsWith('POST')) return;
    socket.write(
      `HTTP/1.1 413 Too Large\r\ncontent-type: application/json\r\ncontent-length: ${refusal.length}\r\nconnection: close\r\n\r\n${refusal}`,
    );
  });
  const large = { ...body, system: 'x'.repeat(8_000_000) };
  const told = await send(gateway.url, path, { body: large });
  expect([told.status, told.text]).toEqual([413, refusal]);
});

test('informational heads before the answer are passed over', async () => {
  const gateway = await inFrontOf((socket) =>
    socket.write(`HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n${answer('hi')}`),
  );
  expect((await send(gateway.url, path, { body })).status).toBe(200);
});

test.each([
  ['no HTTP', 'SSH-2.0-OpenSSH_9.0\r\n'],
  [
    'a body of another length',
    answer('hi').replace(/content-length: (\d+)/, (_all, n) => `content-length: ${Number(n) + 5}`),
  ],
  [
    'a broken chunk',
    'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n',
  ],
  ['nothing', ''],
])('%s from the backend: 502', async (_name, bytes) => {
  const gateway = await inFrontOf((socket) => socket.end(bytes));
  const told = await send(gateway.url, path, { body });
  expect(told.status).toBe(502);
  expect(messageOf('messages', told.body)).toBe('the connection to the backend broke');
});

test('headers of the backend cannot split ours', async () => {
  const gateway = await inFrontOf((socket) =>
    socket.write(answer('hi', '200 OK', 'request-id: a\tb\r\nx-ratelimit-limit-requests: 1\u0080\r\n')),
  );
  const told = await send(gateway.url, path, { body });
  expect(told.status).toBe(200);
  expect(told.headers['x-interlingua-upstream-request-id']).toBeUndefined();
});
