import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { exchange } from '../backend/faults/cells.js';
import { knownMs, processorMs } from '../support/cost.js';
import { type FaultyBackend, startFaultyBackend } from '../support/faulty-backend.js';
import { STREAM, startGateway, type TestGateway, vendorsAt } from '../support/gateway/harness.js';
import { until } from '../support/until.js';
import { type Flow, flood, pairAt, stall } from './flood.js';

const MB = 1024 * 1024;
const READERS = 27;
const OFFERED = 24 * MB;

let backend: FaultyBackend;
let gateway: TestGateway;

beforeAll(async () => {
  backend = await startFaultyBackend();
  gateway = await startGateway({
    ...vendorsAt(backend.url),
    // Heartbeats are no progress of a client that does not read.
    limits: { writeIdleSeconds: 10, heartbeatSeconds: 0.2, drainSeconds: 1 },
    store: { type: 'off' },
  });
});
afterAll(async () => {
  await gateway.close();
  await backend.close();
});

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Bytes that this process holds. */
function held(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** What nine clients that read at once cost with a long stream each, in ms of this process, which holds both ends. */
function readAll(): Promise<number> {
  return processorMs(readStreams);
}

async function readStreams(): Promise<void> {
  const all = Array.from({ length: 9 }, (_, index) => {
    const { client, dialect } = pairAt(index);
    const { path, body } = STREAM[client](encodeURIComponent(`${dialect}/fast`));
    return exchange(gateway.url, path, JSON.stringify(body).replaceAll('%2F', '/'));
  });
  for (const [index, outcome] of (await Promise.all(all)).entries()) {
    expect([outcome.status, outcome.complete]).toEqual([200, true]);
    expect(outcome.text.length).toBeGreaterThan(1 * MB);
    expect(outcome.text).toContain(index < 9 ? 'of the flood' : '');
  }
}

test('hardening.md row 50: clients that read nothing hold their backends back, cost no memory, and are dropped', async () => {
  const flows: Flow[] = [];
  flood(backend, 'slow', OFFERED, flows);
  flood(backend, 'fast', MB, []);
  const alone = await readAll();
  const before = held();
  const sockets: Socket[] = [];
  for (let index = 0; index < READERS; index += 1) {
    const { client, dialect } = pairAt(index);
    sockets.push(stall(gateway.port, client, `${dialect}/slow`));
  }
  await until(() => flows.length === READERS);
  // Until nothing moves any more.
  for (let last = -1, sum = 0; sum !== last; ) {
    last = sum;
    await sleep(500);
    sum = flows.reduce((total, { sent }) => total + sent, 0);
  }
  const grown = held() - before;
  const stuck = flows.filter(({ sent, closed }) => sent < OFFERED && !closed).length;
  const beside = await readAll();
  if (process.env.INTERLINGUA_FIGURES !== undefined) {
    process.stdout.write(
      `${READERS} stalled: ${(grown / MB).toFixed(1)} MB held, nine readers ${alone.toFixed(0)} ms alone, ${beside.toFixed(0)} ms beside\n`,
    );
  }
  // What the system's own buffers swallow is not ours; every backend stands still.
  expect(stuck).toBe(READERS);
  // The text of a translated stream, six of nine pairs, is held until its end, at most once. Of what was sent a part is on its way.
  const told = (6 / 9) * flows.reduce((total, { sent }) => total + sent, 0);
  expect(grown).toBeLessThan((3 / 4) * told + READERS * 64 * 1024 + 50 * MB);
  expect(beside).toBeLessThan(3 * alone + 20 * (await knownMs()));
  await until(() => flows.every(({ closed }) => closed), 100_000);
  for (const socket of sockets) socket.destroy();
}, 180_000);
