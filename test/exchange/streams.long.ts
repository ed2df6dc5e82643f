import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runErrand } from '../support/load/exchange.js';
import { quantile, rounded, setting, tellFigures } from '../support/load/figures.js';
import { createMarks, lastingErrand } from '../support/load/mix.js';
import { createRandom, type Random, seedOfRun } from '../support/load/random.js';
import { type LongStage, startLongStage } from '../support/load/stage.js';
import { createTally, type Tally } from '../support/load/tally.js';

const STREAMS = setting('STREAMS', 500);
const SECONDS = setting('STREAM_SECONDS', 20);
const GAP_MS = 100;
const PIECES = Math.max(2, Math.round((SECONDS * 1000) / GAP_MS));
/** Streams do not all begin at once. */
const RAMP_MS = Math.min(5000, STREAMS * 2);
const MB = 1024 * 1024;
/** What the gateway may hold, in MB. */
const RSS_MB = 700;

let stage: LongStage;
beforeAll(async () => {
  stage = await startLongStage();
}, 60_000);
afterAll(() => stage.close());

interface Run {
  readonly tally: Tally;
  /** How long each piece was on its way, in ms. */
  readonly delays: readonly number[];
}

/** Holds so many streams of so many pieces open at a server, and times every piece. */
async function holdStreams(
  url: string,
  random: Random,
  mark: () => string,
  pieces: number,
  direct: boolean,
): Promise<Run> {
  const tally = createTally();
  const delays: number[] = [];
  const calling = {
    url,
    agent: stage.agent,
    onPiece: (piece: { readonly at: number }, now: number) => void delays.push(now - piece.at),
  };
  const one = async (index: number): Promise<void> => {
    await delay((index / STREAMS) * RAMP_MS);
    const errand = lastingErrand(random, mark, index, pieces, GAP_MS);
    tally.add(await runErrand(calling, direct ? { ...errand, client: errand.backend, framing: 'stream' } : errand));
  };
  await Promise.all(Array.from({ length: STREAMS }, (_, index) => one(index)));
  return { tally, delays };
}

test(
  `${STREAMS} streams of ten events a second for ${SECONDS} s arrive whole and in order`,
  async () => {
    const random = createRandom(seedOfRun());
    const mark = createMarks(random);
    const { program, backend } = stage;
    // The same load without a gateway, for what belongs to this machine and to the client.
    const bare = await holdStreams(backend.url, random, mark, Math.min(PIECES, 50), true);
    await program.holding({ forget: true });
    const before = await program.holding();
    let rss = 0;
    const watch = setInterval(() => {
      program.holding({ collect: false }).then(({ memory }) => {
        rss = Math.max(rss, memory.rss);
      }, ignore);
    }, 1000);
    const run = await holdStreams(program.url, random, mark, PIECES, false);
    clearInterval(watch);
    const after = await program.holding();
    const figure = (share: number) => [bare, run].map(({ delays }) => rounded(quantile(delays, share)));
    tellFigures('streams', {
      seed: random.seed,
      streams: STREAMS,
      seconds: SECONDS,
      events: run.delays.length,
      findings: run.tally.findings,
      directAndThroughMs: { p50: figure(0.5), p99: figure(0.99), max: figure(1) },
      addedP99Ms: rounded(quantile(run.delays, 0.99) - quantile(bare.delays, 0.99)),
      rssMb: {
        before: rounded(before.memory.rss / MB),
        most: rounded(rss / MB),
        after: rounded(after.memory.rss / MB),
      },
      loopMs: { p99: rounded(after.loop.p99), max: rounded(after.loop.max) },
      cpuMsPerEvent: rounded((after.cpuMs - before.cpuMs) / run.delays.length, 3),
    });
    expect(bare.tally.examples).toEqual([]);
    expect(run.tally.examples).toEqual([]);
    expect(run.tally.good).toBe(STREAMS);
    expect(run.delays).toHaveLength(STREAMS * PIECES);
    expect(rss).toBeGreaterThan(0);
    expect(rss / MB).toBeLessThan(RSS_MB);
    expect(backend.open).toBe(0);
    expect(after.warnings).toEqual([]);
    expect(program.stderr).toBe('');
  },
  SECONDS * 6000 + 120_000,
);

function ignore(): void {}
