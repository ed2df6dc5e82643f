import { request } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import express from 'express';
import { parseConfig } from '../../src/config/load.js';
import { createHttpServer } from '../../src/http/server.js';
import {
  type FaultyBackend,
  inChunks,
  LAST_CHUNK,
  rawAnswer,
  startFaultyBackend,
  streamHead,
} from '../support/faulty-backend.js';
import {
  ASK,
  DIALECTS,
  FRAMES,
  likeVendor,
  STREAM,
  startGateway,
  type TestGateway,
  WHOLE,
} from '../support/gateway/harness.js';
import { until } from '../support/until.js';

/** The limits of the tests, in seconds; between them lies the 300 of Node's own client. */
const TIMEOUTS = { connect: 10, firstByte: 900, idle: 900, total: 3600 };

let backend: FaultyBackend;
let gateway: TestGateway;

// All timers of the gateway and of its HTTP client go by a clock that the tests move; the network goes by the real one.
// It is one clock for all tests: the client keeps its own timer for as long as the process lives.
beforeAll(async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  backend = await startFaultyBackend();
  gateway = await startGateway({
    backends: Object.fromEntries(
      DIALECTS.map((dialect) => [dialect, { ...likeVendor(dialect), baseUrl: backend.url, timeouts: TIMEOUTS }]),
    ),
    models: Object.fromEntries(DIALECTS.map((dialect) => [`${dialect}-*`, { backend: dialect, model: '*' }])),
    store: { type: 'off' },
  });
});
afterAll(async () => {
  await gateway.close();
  await backend.close();
  jest.useRealTimers();
});

/** Lets so many seconds pass, one after the other, with the network in between. */
async function pass(seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 10) {
    jest.advanceTimersByTime(10_000);
    await turn();
  }
}

interface Told {
  status?: number;
  text: string;
  ended: boolean;
}

/** Asks and tells what came so far. */
function ask(path: string, body: object): Told {
  const told: Told = { text: '', ended: false };
  const headers = { 'content-type': 'application/json' };
  const outgoing = request(gateway.url, { path, method: 'POST', headers, agent: false }, (response) => {
    told.status = response.statusCode;
    response.on('data', (chunk) => {
      told.text += chunk;
    });
    response.on('end', () => {
      told.ended = true;
    });
  });
  outgoing.end(JSON.stringify(body));
  return told;
}

const PAIRS = DIALECTS.map((dialect, index) => ({ dialect, client: DIALECTS[(index + 1) % 3] ?? dialect }));

test.each([...PAIRS, ...DIALECTS.map((dialect) => ({ dialect, client: dialect }))])(
  'GW-10: a model that says nothing for 850 seconds is waited for, $client over $dialect',
  async ({ client, dialect }) => {
    let socket: Socket | undefined;
    backend.on('thinker', (asked) => {
      socket = asked.socket;
    });
    const { path, body } = ASK[client](`${dialect}-thinker`);
    const told = ask(path, body);
    await until(() => socket !== undefined);
    await pass(850);
    expect(told).toEqual({ text: '', ended: false });
    socket?.write(rawAnswer('200 OK', JSON.stringify(WHOLE[dialect]('at last'))));
    await until(() => told.ended);
    expect([told.status, told.text.includes('at last')]).toEqual([200, true]);
  },
);

test.each(DIALECTS)('GW-10: a stream that pauses for 850 seconds goes on, twice, %s', async (dialect) => {
  let socket: Socket | undefined;
  const frames = FRAMES[dialect]('at last');
  const [first = '', ...rest] = frames;
  const last = rest.pop() ?? '';
  backend.on('thinker', (asked) => {
    socket = asked.socket;
    socket.write(streamHead(asked) + inChunks(first));
  });
  const { path, body } = STREAM[dialect](`${dialect}-thinker`);
  const told = ask(path, body);
  await until(() => told.text !== '');
  await pass(850);
  socket?.write(inChunks(rest.join('') || ':\n\n'));
  await until(() => told.text.length > first.length);
  await pass(850);
  expect(told.ended).toBe(false);
  socket?.write(inChunks(last) + LAST_CHUNK);
  await until(() => told.ended);
  expect(told.text).toContain(last);
});

test('GW-10: what ends the wait is the configured limit', async () => {
  let closed = false;
  backend.on('thinker', ({ socket }) => {
    socket.on('close', () => {
      closed = true;
    });
  });
  const seen = () => backend.seen.get('thinker')?.length ?? 0;
  const before = seen();
  const { path, body } = ASK.messages('messages-thinker');
  const told = ask(path, body);
  await until(() => seen() > before);
  await pass(890);
  expect([told.ended, closed]).toEqual([false, false]);
  await pass(20);
  await until(() => told.ended && closed);
  expect(told.status).toBe(504);
});

test('GW-10: on the listening side only the head of a request has a limit of Node', () => {
  const { limits } = parseConfig({ backends: { m: { dialect: 'messages', simulator: true } } });
  const server = createHttpServer(express(), { ...limits, headersSeconds: 7 }, () => false);
  const { timeout, requestTimeout, headersTimeout, keepAliveTimeout } = server;
  expect({ timeout, requestTimeout, headersTimeout }).toEqual({ timeout: 0, requestTimeout: 0, headersTimeout: 7000 });
  // Whoever is in front gives a connection up first.
  expect(keepAliveTimeout).toBeGreaterThan(60_000);
});
