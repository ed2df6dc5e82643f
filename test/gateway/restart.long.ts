import { once } from 'node:events';
import { Agent } from 'node:http';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type OrderedBackend, startOrderedBackend } from '../support/load/backend.js';
import { type Ending, runErrand } from '../support/load/exchange.js';
import { quantile, rounded, setting, tellFigures } from '../support/load/figures.js';
import { createMarks, mixedErrand } from '../support/load/mix.js';
import { type Program, startProgram } from '../support/load/program.js';
import { createRandom, seedOfRun } from '../support/load/random.js';
import { configFor, holds } from '../support/load/stage.js';
import { createTally } from '../support/load/tally.js';
import { described } from '../support/load/verdict.js';

const RESTARTS = setting('RESTARTS', 10);
const CALLERS = 24;
const random = createRandom(seedOfRun());
const mark = createMarks(random);
const agent = new Agent({ keepAlive: true });

let backend: OrderedBackend;
let port: number;
let program: Program;

beforeAll(async () => {
  backend = await startOrderedBackend();
  port = await freePort();
  program = await start();
}, 60_000);

afterAll(async () => {
  agent.destroy();
  await program.close();
  await backend.close();
});

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

function start(): Promise<Program> {
  return startProgram(configFor(backend.url, { limits: { drainSeconds: 600 } }), port);
}

/** How an attempt ended for a client that may only repeat what was certainly not begun. */
type Outcome = 'answered' | 'refused' | 'reset' | 'busy' | 'broken';

function outcomeOf({ status, error }: Ending): Outcome {
  if (status === 503) return 'busy';
  if (status !== 0) return 'answered';
  if (error === 'ECONNREFUSED') return 'refused';
  return error === 'ECONNRESET' || error === 'EPIPE' ? 'reset' : 'broken';
}

/**
 * A restart is SIGTERM, the end of the process, and a new one on the same port. What must hold, request by request: an
 * attempt that was refused, reset before the first byte of an answer, or answered 503 has not reached the backend; every
 * other one was answered whole. So a client that repeats the former until the latter comes pays for one answer.
 */
test(
  `${RESTARTS} restarts under load: the backend is asked once for each request`,
  async () => {
    const tally = createTally();
    const outcomes: Record<Outcome, number> = { answered: 0, refused: 0, reset: 0, busy: 0, broken: 0 };
    const paidTwice: string[] = [];
    const wrong: string[] = [];
    let over = false;
    let answered = 0;
    const calling = { url: program.url, agent };

    const caller = async (): Promise<void> => {
      while (!over) {
        const errand = mixedErrand(random, mark, { streams: 0.5, aborts: 0, troubles: 0, calls: 0.2 });
        let calls = 0;
        for (let repeat = true; repeat; ) {
          const order = { ...errand.order, nonce: mark() };
          const ending = await runErrand(calling, { ...errand, order });
          const outcome = outcomeOf(ending);
          outcomes[outcome] += 1;
          const reached = backend.seen.get(order.nonce) ?? 0;
          calls += reached;
          repeat = outcome === 'refused' || outcome === 'reset' || outcome === 'busy';
          if (repeat && reached > 0) wrong.push(`${outcome} behind the call: ${described(ending)}`);
          if (repeat) await delay(25);
          else tally.add(ending);
        }
        if (calls !== 1) paidTwice.push(`${errand.order.nonce}: ${calls} calls`);
        answered += 1;
      }
    };
    const callers = Array.from({ length: CALLERS }, caller);
    const stops: number[] = [];
    const codes: (number | string)[] = [];
    for (let restart = 0; restart < RESTARTS; restart += 1) {
      const before = answered;
      expect(await holds(() => answered >= before + 2 * CALLERS, 20_000)).toBe(true);
      const asked = performance.now();
      program.signal('SIGTERM');
      codes.push(await program.exited);
      stops.push(performance.now() - asked);
      program = await start();
    }
    const before = answered;
    await holds(() => answered >= before + CALLERS, 20_000);
    over = true;
    await Promise.all(callers);
    tellFigures('restart', {
      seed: random.seed,
      restarts: RESTARTS,
      requests: answered,
      outcomes,
      paidTwice: paidTwice.length,
      findings: tally.findings,
      stopMs: { p50: rounded(quantile(stops, 0.5)), max: rounded(quantile(stops, 1)) },
      codes: [...new Set(codes)],
    });
    expect(wrong.slice(0, 5)).toEqual([]);
    expect(paidTwice.slice(0, 5)).toEqual([]);
    expect(tally.examples).toEqual([]);
    expect(outcomes.broken).toBe(0);
    // Otherwise nothing was restarted under load.
    expect(outcomes.refused).toBeGreaterThan(0);
    expect([...new Set(codes)]).toEqual([0]);
  },
  60_000 + RESTARTS * 40_000,
);
