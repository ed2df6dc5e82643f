import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exchange } from '../backend/faults/cells.js';
import {
  type FaultyBackend,
  inChunks,
  messageHead,
  rawAnswer,
  startFaultyBackend,
  streamHead,
} from '../support/faulty-backend.js';
import {
  ASK,
  DIALECTS,
  json,
  likeVendor,
  messageOf,
  type Recorder,
  STREAM,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
} from '../support/gateway/harness.js';

const MB = 1024 * 1024;
const LIMIT_MB = 2;

let recorder: Recorder;
let backend: FaultyBackend;
let gateway: TestGateway;

beforeAll(async () => {
  recorder = await startRecorder();
  backend = await startFaultyBackend();
  gateway = await startGateway({
    backends: Object.fromEntries(
      DIALECTS.flatMap((dialect) => [
        [dialect, { ...likeVendor(dialect), baseUrl: recorder.url }],
        [`${dialect}-raw`, { ...likeVendor(dialect), baseUrl: backend.url }],
      ]),
    ),
    models: Object.fromEntries(
      DIALECTS.flatMap((dialect) => [
        [dialect, { backend: dialect }],
        [`${dialect}-*`, { backend: `${dialect}-raw`, model: '*' }],
      ]),
    ),
    limits: { bodyMb: LIMIT_MB, eventMb: LIMIT_MB, uploadMb: LIMIT_MB },
  });
});
afterAll(async () => {
  await gateway.close();
  await recorder.close();
  await backend.close();
});

const QUICK = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const CODINGS = {
  gzip: (bytes: Buffer) => gzipSync(bytes),
  'x-gzip': (bytes: Buffer) => gzipSync(bytes),
  deflate: (bytes: Buffer) => deflateSync(bytes),
  'deflate ': (bytes: Buffer) => deflateRawSync(bytes),
  br: (bytes: Buffer) => brotliCompressSync(bytes, QUICK),
} as const;

/** The most bytes that this process held beside its heap while something was done, above what it held before. */
async function grownWhile(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage().arrayBuffers;
  let most = before;
  const look = setInterval(() => {
    most = Math.max(most, process.memoryUsage().arrayBuffers);
  }, 1);
  await work().finally(() => clearInterval(look));
  return most - before;
}

describe.each(Object.entries(CODINGS))('hardening.md row 54: a body in %s', (coding, code) => {
  const bomb = code(Buffer.concat([Buffer.from('{"model":"'), Buffer.alloc(256 * MB, 'x'), Buffer.from('"}')]));

  test('that would fill the memory is given up at the limit', async () => {
    const grown = await grownWhile(async () => {
      for (const client of DIALECTS) {
        const { path } = ASK[client](client);
        const told = await send(gateway.url, path, { body: bomb, headers: { 'content-encoding': coding.trim() } });
        expect(told.status).toBe(413);
        messageOf(client, told.body);
      }
    });
    expect(grown).toBeLessThan(64 * MB);
    expect(recorder.seen).toEqual([]);
  });
});

test.each([
  'gzip, gzip',
  Array.from({ length: 10 }, () => 'gzip').join(', '),
  'gzip, identity',
  'zstd',
  'compress',
  'aes128gcm',
  'chunked',
  'GZIP,BR',
])('hardening.md row 54: encodings in a chain, and others than ours, are refused: %s', async (coding) => {
  const body = gzipSync(gzipSync('{}'));
  for (const client of DIALECTS) {
    const told = await send(gateway.url, ASK[client](client).path, { body, headers: { 'content-encoding': coding } });
    expect(told.status).toBe(415);
    messageOf(client, told.body);
  }
  const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-encoding': coding };
  // What is wrong with a request for a video always has this status (media.md 4.5).
  for (const [path, status] of [
    ['/v1/images/edits', 415],
    ['/v1/images/variations', 415],
    ['/v1/videos', 400],
  ] as const) {
    const told = await send(gateway.url, path, { body, headers });
    expect([path, told.status, told.body.error.type]).toEqual([path, status, 'invalid_request_error']);
  }
});

test('hardening.md row 54: a compressed answer that was not asked for is refused and never opened', async () => {
  const bytes = gzipSync(Buffer.alloc(256 * MB, 'x'));
  const grown = await grownWhile(async () => {
    for (const [client, dialect] of DIALECTS.flatMap((one) => DIALECTS.map((other) => [one, other] as const))) {
      const name = `bomb-${client}`;
      backend.on(name, ({ socket, stream }) => {
        const type = stream ? 'text/event-stream' : 'application/json';
        socket.write(rawAnswer('200 OK', bytes, { 'content-encoding': 'gzip', 'content-type': type }));
      });
      for (const { path, body } of [ASK[client](`${dialect}-${name}`), STREAM[client](`${dialect}-${name}`)]) {
        const told = await exchange(gateway.url, path, body);
        expect(told.status).toBe(client === 'generateContent' ? 503 : 502);
        messageOf(client, JSON.parse(told.text));
      }
    }
  });
  expect(grown).toBeLessThan(64 * MB);
});

test('hardening.md row 51: one line without end stops at the limit of an event', async () => {
  const sent: number[] = [];
  const grown = await grownWhile(async () => {
    const pairs = DIALECTS.flatMap((client) => DIALECTS.map((dialect) => ({ client, dialect })));
    for (const { client, dialect } of pairs) {
      const name = `endless-${client}`;
      const at = sent.push(0) - 1;
      backend.on(name, (asked) => {
        const { socket } = asked;
        socket.write(streamHead(asked) + inChunks('data: {"a":"'));
        const piece = inChunks('x'.repeat(64 * 1024));
        const write = (): void => {
          while (!socket.destroyed && (sent[at] ?? 0) < 1024 * MB) {
            sent[at] = (sent[at] ?? 0) + piece.length;
            if (!socket.write(piece)) return void socket.once('drain', write);
          }
        };
        write();
      });
      const { path, body } = STREAM[client](`${dialect}-${name}`);
      const told = await exchange(gateway.url, path, body);
      expect(told.status).toBe(client === 'generateContent' ? 503 : 502);
      messageOf(client, JSON.parse(told.text));
    }
  });
  // Beside the limit, what the system's buffers took before the connection was closed.
  expect(Math.max(...sent)).toBeLessThan((LIMIT_MB + 30) * MB);
  expect(grown).toBeLessThan(64 * MB);
});

test('hardening.md row 51: a head without end is given up', async () => {
  backend.on('head', ({ socket }) => {
    socket.write(messageHead('200 OK', { 'content-type': 'application/json' }).trimEnd());
    const write = (): void => {
      while (!socket.destroyed)
        if (!socket.write(`x-more: ${'y'.repeat(8000)}\r\n`)) return void socket.once('drain', write);
    };
    write();
  });
  const { path, body } = ASK.messages('messages-head');
  expect((await exchange(gateway.url, path, body)).status).toBe(502);
});

test('what is compressed and small is served', async () => {
  recorder.reply = (response) => json(response, 200, { ok: true });
  const { path, body } = ASK.messages('messages');
  for (const [coding, code] of Object.entries(CODINGS)) {
    const sent = code(Buffer.from(JSON.stringify(body)));
    const headers = { 'content-encoding': coding.trim() };
    expect((await send(gateway.url, path, { body: sent, headers })).status).toBe(200);
  }
});
