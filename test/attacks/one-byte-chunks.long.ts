import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type BackendAnswer, callBackend } from '../../src/backend/call.js';
import type { TransportSink } from '../../src/backend/transport.js';
import { knownMs } from '../support/cost.js';
import { type Asked, type FaultyBackend, startFaultyBackend } from '../support/faulty-backend/server.js';
import { LAST_CHUNK, messageHead, streamHead } from '../support/faulty-backend/wire.js';
import {
  ASK,
  DIALECTS,
  FRAMES,
  STREAM,
  send,
  startGateway,
  type TestGateway,
  WHOLE,
} from '../support/gateway/harness.js';
import { setting } from '../support/load/figures.js';
import { png } from '../support/pictures.js';

/** Backends that send every byte as a chunk of its own: it costs what the bytes cost (attacks.md finding 11). */

const MB = 1024 * 1024;
/** Size of the largest answer in MB. */
const LARGEST = setting('CHUNK_MB', 2);
/** Size of a picture in bytes. */
const PICTURE = Math.min(LARGEST, 0.5) * MB;
/** Shorter bodies are judged as if they had so many bytes: what else the process does is no small part of them. */
const LEAST = MB / 8;
/** Kept or passed on piece by piece, each byte cost 120 bytes, and in streams 2.2 times as much as a kB of JSON to read. */
const MOST_BYTES = 60;
const MOST_READINGS = 0.8;

let backend: FaultyBackend;
let gateway: TestGateway;
/** The most that this process held, in bytes, since sending began. */
let peak = 0;

beforeAll(async () => {
  backend = await startFaultyBackend();
  gateway = await startGateway({
    backends: Object.fromEntries(
      DIALECTS.map((dialect) => [dialect, { dialect, baseUrl: backend.url, retries: 0, breaker: false }]),
    ),
    models: {
      ...Object.fromEntries(DIALECTS.map((dialect) => [dialect, { backend: dialect }])),
      'gpt-image-1': { backend: 'responses' },
    },
    media: { allowPrivate: ['127.0.0.1'] },
  });
});
afterAll(async () => {
  await gateway.close();
  await backend.close();
});

function held(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Sends a body byte by byte, as fast as it is taken. */
async function sendBytes({ socket }: Asked, head: string, body: string | Buffer): Promise<void> {
  socket.write(head);
  const bytes = Buffer.from(body);
  const step = 32 * 1024;
  for (let at = 0; at < bytes.length && !socket.destroyed; at += step) {
    const piece = bytes.subarray(at, at + step);
    const chunks = Buffer.alloc(piece.length * 6, '1\r\n.\r\n', 'latin1');
    for (let index = 0; index < piece.length; index += 1) chunks[index * 6 + 3] = piece[index] ?? 0;
    if (!socket.write(chunks)) {
      while (socket.writableLength > 0 && !socket.destroyed) await turn();
    }
    peak = Math.max(peak, held());
  }
  if (!socket.destroyed) socket.write(LAST_CHUNK);
}

interface Cost {
  readonly status: number;
  readonly text: string;
  /** For each byte of `length`: the bytes that were held at most, and the processor time, in what reading a kB of JSON takes. */
  readonly perByte: { readonly held: number; readonly readings: number };
}

async function measure(length: number, ask: { path: string; body: object }): Promise<Cost> {
  const before = held();
  const counted = Math.max(length, LEAST);
  peak = before;
  const started = process.cpuUsage();
  const { status, text } = await send(gateway.url, ask.path, { body: ask.body });
  const { user, system } = process.cpuUsage(started);
  const readings = (1300 * (user + system)) / 1000 / (await knownMs());
  return { status, text, perByte: { held: (peak - before) / counted, readings: readings / counted } };
}

const isCheap = ({ perByte }: Cost): boolean => perByte.held < MOST_BYTES && perByte.readings < MOST_READINGS;

/** What one of three tries cost: when the collector runs, and what else the machine does, is not ours. */
async function costOf(length: number, ask: { path: string; body: object }): Promise<Cost> {
  let cost = await measure(length, ask);
  for (let tries = 1; tries < 3 && !isCheap(cost); tries += 1) cost = await measure(length, ask);
  return cost;
}

function expectCheap({ perByte }: Cost): void {
  expect(perByte.held).toBeLessThan(MOST_BYTES);
  expect(perByte.readings).toBeLessThan(MOST_READINGS);
}

const CHUNKED = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
const text = (length: number): string => 'x'.repeat(length);
const PAIRS = DIALECTS.map((from, index) => [from, DIALECTS[(index + 1) % DIALECTS.length] ?? from] as const);

describe.each([...DIALECTS.map((dialect) => [dialect, dialect] as const), ...PAIRS])('to %s from %s', (from, to) => {
  const length = from === 'messages' && to === from ? LARGEST * MB : (LARGEST * MB) / 8;

  test('a whole answer', async () => {
    const body = JSON.stringify(WHOLE[to](text(length)));
    backend.on(to, (asked) => void sendBytes(asked, messageHead('200 OK', CHUNKED), body));
    const cost = await costOf(body.length, ASK[from](to));
    expect(cost.status).toBe(200);
    expect(cost.text).toContain(text(length));
    expectCheap(cost);
  });

  test('a stream', async () => {
    // In streams of responses the text comes five times.
    const body = FRAMES[to](text(to === 'responses' ? length / 5 : length)).join('');
    backend.on(to, (asked) => void sendBytes(asked, streamHead(asked), body));
    const cost = await costOf(body.length, STREAM[from](to));
    expect(cost.status).toBe(200);
    expect(cost.text).toContain(text(5000));
    expectCheap(cost);
  });

  test('an error', async () => {
    const body = JSON.stringify({ type: 'error', error: { type: 'api_error', message: text(MB / 8) } });
    backend.on(to, (asked) => void sendBytes(asked, messageHead('400 Bad Request', CHUNKED), body));
    const cost = await costOf(body.length, ASK[from](to));
    expect(cost.status).toBe(400);
    expectCheap(cost);
  });
});

describe('media', () => {
  test('a picture in a whole answer', async () => {
    const picture = png({ bytes: PICTURE }).toString('base64');
    const body = JSON.stringify({ created: 1, data: [{ b64_json: picture }] });
    backend.on('gpt-image-1', (asked) => void sendBytes(asked, messageHead('200 OK', CHUNKED), body));
    const ask = { path: '/v1/images/generations', body: { model: 'gpt-image-1', prompt: 'x' } };
    const cost = await costOf(body.length, ask);
    expect([cost.status, JSON.parse(cost.text).data[0].b64_json === picture]).toEqual([200, true]);
    expectCheap(cost);
  });

  test('a picture in a frame', async () => {
    const data = { type: 'image_generation.completed', b64_json: png({ bytes: PICTURE }).toString('base64') };
    const body = `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
    backend.on('gpt-image-1', (asked) => void sendBytes(asked, streamHead(asked), body));
    const ask = { path: '/v1/images/generations', body: { model: 'gpt-image-1', prompt: 'x', stream: true } };
    const cost = await costOf(body.length, ask);
    expect([cost.status, cost.text]).toEqual([200, body]);
    expectCheap(cost);
  });

  test('a picture behind a URL', async () => {
    const picture = png({ bytes: PICTURE });
    const head = { ...CHUNKED, 'content-type': 'image/png' };
    backend.on('picture', (asked) => void sendBytes(asked, messageHead('200 OK', head), picture));
    backend.on('generateContent', ({ socket, body }) => {
      expect(body).toContain(picture.toString('base64'));
      const answer = JSON.stringify(WHOLE.generateContent('A pixel.'));
      socket.write(`${messageHead('200 OK', { ...CHUNKED, connection: 'close' })}`);
      socket.end(`${answer.length.toString(16)}\r\n${answer}\r\n${LAST_CHUNK}`);
    });
    const source = { type: 'url', url: `${backend.url}/at/picture/a.png` };
    const messages = [{ role: 'user', content: [{ type: 'image', source }] }];
    const cost = await costOf(picture.length, ASK.messages('generateContent', { messages }));
    expect(cost.status).toBe(200);
    expectCheap(cost);
  });
});

test('what comes before anybody reads is joined too', async () => {
  let sink: TransportSink | undefined;
  const transport = {
    send(_request: unknown, given: TransportSink) {
      sink = given;
      return { pause() {}, resume() {}, abort() {} };
    },
    close: async () => {},
  };
  const running = callBackend(
    transport,
    { method: 'GET', path: '/', headers: {} },
    { connect: 9, firstByte: 9, idle: 9, total: 9 },
  );
  sink?.connected();
  sink?.head(200, {});
  const answer: BackendAnswer = await running.answer;
  for (let n = 0; n < 100_000; n += 1) sink?.data(Buffer.from([n & 255]));
  sink?.end();
  const lengths: number[] = [];
  answer.pipe({ data: (chunk) => lengths.push(chunk.byteLength), end() {}, fail() {} });
  expect(lengths.length).toBeLessThan(100);
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(100_000);
});
