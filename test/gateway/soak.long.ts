import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runErrand } from '../support/load/exchange.js';
import { median, quantile, rounded, setting, slopeOf, tellFigures } from '../support/load/figures.js';
import { createMarks, lastingErrand } from '../support/load/mix.js';
import { runMixedLoad } from '../support/load/mixed-load.js';
import type { Holding } from '../support/load/program.js';
import { createRandom, seedOfRun } from '../support/load/random.js';
import { lookAt } from '../support/load/send.js';
import { holds, type LongStage, startLongStage } from '../support/load/stage.js';
import { createTally } from '../support/load/tally.js';

const SECONDS = setting('SOAK_SECONDS', 300);
const STREAMS = setting('SOAK_STREAMS', 500);
const REQUESTS_PER_SECOND = setting('SOAK_RATE', 200);
const MOST_REQUESTS = Math.max(50, REQUESTS_PER_SECOND);
const LOAD = {
  seconds: SECONDS,
  streams: STREAMS,
  gapMs: Math.min(2000, (SECONDS * 1000) / 20),
  perSecond: REQUESTS_PER_SECOND,
  mostRequests: MOST_REQUESTS,
  shares: { streams: 0.2, aborts: 0.1, troubles: 0.05, calls: 0.2 },
};
const MB = 1024 * 1024;
/** What everything may grow in a minute. */
const MB_PER_MINUTE = 1;
/** In a short run the process's own breathing is larger than a leak that matters: of all memory, and of the heap. */
const BREATHING_MB = { rss: 24, heap: 8 };
/** Compiling, pools and stores fill up first, in s. A run that is hardly longer tells nothing about memory. */
const LONG = SECONDS >= 1800;
const WARM_UP = LONG ? 600 : 55;
const WEIGHED = SECONDS >= 3 * WARM_UP;
/** More than are open at a time, so that places which are not given back are missed. */
const EXCHANGES = STREAMS + 2 * MOST_REQUESTS;

let stage: LongStage;
let base: Holding;

beforeAll(async () => {
  stage = await startLongStage(
    { limits: { exchanges: EXCHANGES, firstByteSeconds: 8, idleSeconds: 10, totalSeconds: 120 } },
    // Faults by chance never come so many in a row.
    { breaker: { failures: 100, seconds: 1 } },
  );
  base = await stage.program.holding();
}, 60_000);
afterAll(() => stage.close());

test(
  `a mixed load of ${SECONDS} s leaves nothing behind`,
  async () => {
    const random = createRandom(seedOfRun());
    const started = performance.now();
    const elapsed = (): number => (performance.now() - started) / 1000;
    const samples: Sample[] = [];
    const watch = async (): Promise<void> => {
      const every = Math.max(1, Math.min(10, SECONDS / 40));
      while (elapsed() < SECONDS) {
        await delay(every * 1000);
        samples.push(sampleOf(elapsed(), await stage.program.holding({ forget: true })));
      }
    };

    const calling = { url: stage.program.url, agent: stage.agent };
    const [{ tally, withheld }] = await Promise.all([runMixedLoad(calling, random, LOAD), watch()]);
    const left = await settled();
    const { program } = stage;
    const last = await program.holding();
    const growth = growthOf(samples);
    tellFigures('soak', {
      seed: random.seed,
      seconds: SECONDS,
      memoryWeighed: WEIGHED,
      exchanges: tally.total,
      withheld,
      good: tally.good,
      failing: tally.refused,
      aborted: tally.left,
      findings: tally.findings,
      causes: tally.causes,
      rssMb: { first: rounded(base.memory.rss / MB), last: rounded(last.memory.rss / MB), ...growth.rss },
      heapMb: { first: rounded(base.memory.heapUsed / MB), last: rounded(last.memory.heapUsed / MB), ...growth.heap },
      loopMs: {
        p99: rounded(median(samples.map(({ p99 }) => p99))),
        worst: rounded(
          quantile(
            samples.map(({ p99 }) => p99),
            1,
          ),
        ),
      },
      cpuShare: rounded((last.cpuMs - base.cpuMs) / 1000 / elapsed(), 2),
      resources: { base: base.resources, last: last.resources },
    });

    expect(tally.examples).toEqual([]);
    expect(tally.good).toBeGreaterThan(0);
    expect(tally.refused).toBeGreaterThan(0);
    expect(tally.left).toBeGreaterThan(0);
    expect(left).toEqual({ backend: 0, exchanges: 0, sockets: true, timers: true });
    expect(last.listeners).toEqual(base.listeners);
    expect(last.warnings).toEqual([]);
    expect(program.stderr).toBe('');
    if (WEIGHED) {
      expect(growth.rss.grew).toBeLessThanOrEqual(growth.rss.allowed);
      expect(growth.heap.grew).toBeLessThanOrEqual(growth.heap.allowed);
    }
    await everyPlaceIsFree();
  },
  (SECONDS + 240) * 1000,
);

interface Sample {
  readonly at: number;
  readonly rssMb: number;
  readonly heapMb: number;
  readonly p99: number;
}

function sampleOf(at: number, { memory, loop }: Holding): Sample {
  const heapMb = (memory.heapUsed + memory.external) / MB;
  return { at, rssMb: memory.rss / MB, heapMb, p99: loop.p99 };
}

/**
 * How memory grew after the warm-up, in MB: in a run of half an hour or more by the slope of all samples after ten, in
 * a shorter one by the medians of the first and the last third after the warm-up.
 */
function growthOf(samples: readonly Sample[]) {
  const calm = samples.filter(({ at }) => !WEIGHED || at > WARM_UP);
  const minutes = ((calm.at(-1)?.at ?? 0) - (calm[0]?.at ?? 0)) / 60;
  const of = (read: (sample: Sample) => number, breathing: number) => {
    const perMinute = slopeOf(calm.map((sample) => [sample.at / 60, read(sample)]));
    const third = Math.max(1, Math.floor(calm.length / 3));
    const early = median(calm.slice(0, third).map(read));
    const late = median(calm.slice(-third).map(read));
    const grew = LONG ? perMinute * minutes : late - early;
    const allowed = rounded(MB_PER_MINUTE * minutes + (LONG ? 0 : breathing));
    return {
      early: rounded(early),
      late: rounded(late),
      perMinute: rounded(perMinute, 2),
      grew: rounded(grew),
      allowed,
    };
  };
  return { rss: of(({ rssMb }) => rssMb, BREATHING_MB.rss), heap: of(({ heapMb }) => heapMb, BREATHING_MB.heap) };
}

interface Left {
  /** Answers that the backend still makes. */
  readonly backend: number;
  /** Exchanges that the gateway counts as open. */
  readonly exchanges: number;
  readonly sockets: boolean;
  readonly timers: boolean;
}

async function openExchanges(): Promise<number> {
  const { text } = await lookAt(`${stage.program.url}/metrics`);
  return Number(/^interlingua_open_exchanges (\d+)$/m.exec(text)?.[1] ?? Number.NaN);
}

/** Waits until what belonged to the load is gone, and tells what is not. */
async function settled(): Promise<Left> {
  stage.agent.destroy();
  await holds(() => stage.backend.open === 0, 15_000);
  const count = (holding: Holding, name: string): number => holding.resources[name] ?? 0;
  let now = await stage.program.holding();
  const fits = (name: string, slack: number): boolean => count(now, name) <= count(base, name) + slack;
  await holds(
    async () => {
      stage.backend.rest();
      now = await stage.program.holding();
      return fits('TCPSocketWrap', 0) && fits('Timeout', 2);
    },
    60_000,
    1000,
  );
  // Clocks of the connection pools may tick on; each exchange had several of its own.
  const timers = fits('Timeout', 10);
  return { backend: stage.backend.open, exchanges: await openExchanges(), sockets: fits('TCPSocketWrap', 0), timers };
}

/** As many exchanges as are allowed find room at once: none of those before still has a place. */
async function everyPlaceIsFree(): Promise<void> {
  const random = createRandom(1);
  const mark = createMarks(random);
  const calling = { url: stage.program.url, agent: stage.agent };
  const tally = createTally();
  const endings = Array.from({ length: EXCHANGES }, async (_, index) => {
    // Not more connections at a time than the system keeps waiting, and all of them before the first has ended.
    await delay(index * 2);
    return runErrand(calling, lastingErrand(random, mark, index, 2, 3000));
  });
  for (const ending of await Promise.all(endings)) tally.add(ending);
  expect(tally.examples).toEqual([]);
}
