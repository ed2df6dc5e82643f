import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DIALECTS, STREAM, vendorsAt } from '../support/gateway/harness.js';
import { setting, tellFigures } from '../support/load/figures.js';
import { type Program, startProgram } from '../support/load/program.js';
import { ask, type Echo, questions, startEcho } from './crossing.js';

const ROUNDS = setting('CROSSING_ROUNDS', 20);
const STREAMS = setting('CROSSING_STREAMS', 500);
const ABORTED = setting('ABORTED_STREAMS', 2000);

let echo: Echo;
let program: Program;

beforeAll(async () => {
  echo = await startEcho();
  program = await startProgram({
    ...vendorsAt(echo.url),
    store: { type: 'off' },
    log: { level: 'error' },
  });
}, 60_000);
afterAll(async () => {
  await program.close();
  await echo.close();
});

test(`hardening.md row 36: ${STREAMS} streams at once, three of ten left, ${ROUNDS} times: no foreign answer`, async () => {
  let whole = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const all = questions(STREAMS).map((question, index) => ask(program.url, `r${round}x${index}`, question));
    const told = await Promise.all(all);
    expect(told.flatMap(({ foreign }) => foreign)).toEqual([]);
    whole += told.filter(({ outcome }) => outcome === 'whole').length;
  }
  tellFigures('crossing', { rounds: ROUNDS, streams: STREAMS, whole });
  expect(whole).toBeGreaterThanOrEqual(ROUNDS * STREAMS * 0.7);
}, 600_000);

/** Asks for a stream and leaves after a moment. */
async function leave(index: number): Promise<void> {
  const client = DIALECTS[index % 3] ?? 'messages';
  const { path, body } = STREAM[client](DIALECTS[Math.floor(index / 3) % 3] ?? 'messages');
  const payload = JSON.stringify(body);
  const socket = connect(program.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.resume();
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${payload.length}\r\n\r\n${payload}`,
  );
  await delay(Math.random() * 60);
  socket.destroy();
}

test(`hardening.md row 62: ${ABORTED} streams that were left leave nothing behind`, async () => {
  for (let index = 0; index < 100; index += 1) await leave(index);
  await delay(2000);
  const before = await program.holding({ collect: true });
  for (let done = 0; done < ABORTED; done += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, index) => leave(done + index)));
  }
  await delay(3000);
  const after = await program.holding({ collect: true });
  tellFigures('aborted streams', {
    aborted: ABORTED,
    resources: [before.resources, after.resources],
    heapMb: [before.memory.heapUsed / 2 ** 20, after.memory.heapUsed / 2 ** 20],
  });
  expect(after.listeners).toEqual(before.listeners);
  expect(after.warnings).toEqual([]);
  for (const kind of ['Timeout', 'TCPSocketWrap', 'Immediate']) {
    // Connections to the backend that are kept for the next call may differ by a few.
    expect(after.resources[kind] ?? 0).toBeLessThanOrEqual((before.resources[kind] ?? 0) + 20);
  }
  expect(after.memory.heapUsed - before.memory.heapUsed).toBeLessThan(8 * 2 ** 20);
}, 300_000);
