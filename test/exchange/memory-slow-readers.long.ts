import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { exchange } from '../backend/faults/cells.js';
import { knownMs } from '../support/cost.js';
import { type FaultyBackend, startFaultyBackend } from '../support/faulty-backend.js';
import { STREAM, vendorsAt } from '../support/gateway/harness.js';
import { rounded, setting, tellFigures } from '../support/load/figures.js';
import { type Program, startProgram } from '../support/load/program.js';
import { until } from '../support/until.js';
import { type Flow, flood, pairAt, stall } from './flood.js';

const READERS = setting('SLOW_READERS', 200);
const FAST = 20;
const MB = 1024 * 1024;
/** More than the system's own buffers take of one stream. */
const OFFERED = 24 * MB;
const WRITE_IDLE_S = 25;

let backend: FaultyBackend;
let program: Program;

beforeAll(async () => {
  backend = await startFaultyBackend();
  program = await startProgram({
    ...vendorsAt(backend.url),
    limits: { writeIdleSeconds: WRITE_IDLE_S, heartbeatSeconds: 1 },
    store: { type: 'off' },
    log: { level: 'error' },
  });
}, 60_000);
afterAll(async () => {
  await program.close();
  await backend.close();
});

/** What clients that read at once cost the gateway with a long stream each, in ms on the processor. */
async function readAll(): Promise<number> {
  const { cpuMs } = await program.holding();
  const all = Array.from({ length: FAST }, async (_, index) => {
    const { client, dialect } = pairAt(index);
    const { path, body } = STREAM[client](encodeURIComponent(`${dialect}/fast`));
    const { status, complete, text } = await exchange(program.url, path, JSON.stringify(body).replaceAll('%2F', '/'));
    expect([status, complete]).toEqual([200, true]);
    expect(text).toContain('of the flood');
  });
  await Promise.all(all);
  return (await program.holding()).cpuMs - cpuMs;
}

type Pair = ReturnType<typeof pairAt>;
const PAIRS: readonly Pair[] = Array.from({ length: 9 }, (_, index) => pairAt(index));
/** The text of a translated answer is held until its end: packed, but for answers that a sign of life has just repeated. */
const translated = ({ client, dialect }: Pair): boolean => client !== dialect;
/** At most so much of what the backend sent was read: the rest is in the system's buffers on the way to the gateway. */
const READ = 3 / 4;

test.each([
  { name: 'of relayed streams', pairs: PAIRS.filter((pair) => !translated(pair)), texts: 0 },
  { name: 'of translated streams', pairs: PAIRS.filter(translated), texts: 1 },
])(
  `hardening.md row 50: ${READERS} clients $name read nothing, cost bounded memory, and are dropped`,
  async ({ name, pairs, texts }) => {
    const flows: Flow[] = [];
    flood(backend, 'slow', OFFERED, flows);
    flood(backend, 'fast', MB, []);
    const alone = Math.min(await readAll(), await readAll());
    const before = (await program.holding({ collect: true, forget: true })).memory;
    const sockets: Socket[] = Array.from({ length: READERS }, (_, index) => {
      const { client, dialect } = pairs[index % pairs.length] ?? pairAt(0);
      return stall(program.port, client, `${dialect}/slow`);
    });
    await until(() => flows.length === READERS, 60_000);
    const sum = () => flows.reduce((total, { sent }) => total + sent, 0);
    for (let last = -1; sum() !== last; ) {
      last = sum();
      await delay(500);
    }
    const stuck = flows.filter(({ sent, closed }) => sent < OFFERED && !closed).length;
    const backendSent = sum();
    const { memory, loop } = await program.holding({ collect: true });
    const beside = await readAll();
    const held = memory.heapUsed + memory.arrayBuffers - before.heapUsed - before.arrayBuffers;
    await until(() => flows.every(({ closed }) => closed), 120_000);
    for (const socket of sockets) socket.destroy();
    await delay(1000);
    const after = await program.holding({ collect: true });
    tellFigures(`slow readers ${name}`, {
      readers: READERS,
      rssBeforeMb: rounded(before.rss / MB),
      rssGrownMb: rounded((memory.rss - before.rss) / MB),
      heldGrownMb: rounded(held / MB),
      backendSentMb: rounded(backendSent / MB),
      fastAloneCpuMs: rounded(alone),
      fastBesideCpuMs: rounded(beside),
      loopP99Ms: rounded(loop.p99),
      rssAfterMb: rounded(after.memory.rss / MB),
      heapAfterMb: rounded(after.memory.heapUsed / MB),
    });
    expect(stuck).toBe(READERS);
    // A reader costs what is on its way to it, some chunks of 64 kB on either side, and at most once the text that was translated for it.
    expect(held).toBeLessThan((READERS * MB) / 4 + 50 * MB + texts * READ * backendSent);
    expect(beside).toBeLessThan(3 * alone + 20 * (await knownMs()));
    expect(after.memory.heapUsed).toBeLessThan(before.heapUsed + 50 * MB);
    expect(after.warnings).toEqual([]);
  },
  300_000,
);
