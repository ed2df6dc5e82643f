import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { type Ending, runErrand } from '../support/load/exchange.js';
import { quantile, rounded, setting, tellFigures } from '../support/load/figures.js';
import { createMarks, lastingErrand } from '../support/load/mix.js';
import { createRandom, seedOfRun } from '../support/load/random.js';
import { lookAt } from '../support/load/send.js';
import { holds, type LongStage, startLongStage } from '../support/load/stage.js';
import { createTally } from '../support/load/tally.js';
import { described } from '../support/load/verdict.js';

const STREAMS = setting('DRAIN_STREAMS', 200);
const GAP_MS = 200;
const random = createRandom(seedOfRun());
const mark = createMarks(random);

let stage: LongStage;
afterEach(() => stage.close());

/** Opens streams and waits until every one of them is on its way. */
async function openStreams(pieces: number): Promise<{ readonly endings: readonly Promise<Ending>[] }> {
  let begun = 0;
  const endings = Array.from({ length: STREAMS }, (_, index) => {
    let first = true;
    const onPiece = (): void => {
      if (first) begun += 1;
      first = false;
    };
    const calling = { url: stage.program.url, agent: stage.agent, onPiece };
    return runErrand(calling, lastingErrand(random, mark, index, pieces, GAP_MS));
  });
  expect(await holds(() => begun === STREAMS, 30_000)).toBe(true);
  return { endings };
}

/** What the ready probe says: a status, or 0 when no new connection is taken. */
async function ready(): Promise<number> {
  return (await lookAt(`${stage.program.url}/readyz`)).status;
}

test(`${STREAMS} streams that are open at SIGTERM end as they would have ended`, async () => {
  stage = await startLongStage({ limits: { drainSeconds: 600 } });
  const pieces = 25;
  expect(await ready()).toBe(200);
  const { endings } = await openStreams(pieces);
  const told = performance.now();
  stage.program.signal('SIGTERM');
  // Balancers are told first; then nobody new is let in, while the streams go on.
  const told503 = await holds(async () => (await ready()) === 503, 30_000, 5);
  const notReadyMs = performance.now() - told;
  const refuses = await holds(async () => (await ready()) === 0, 30_000, 5);
  const refusedMs = performance.now() - told;
  const openThen = stage.backend.open;
  const tally = createTally();
  for (const ending of await Promise.all(endings)) tally.add(ending);
  const endedMs = performance.now() - told;
  const code = await stage.program.exited;
  const exitMs = performance.now() - told;
  tellFigures('drain', {
    seed: random.seed,
    streams: STREAMS,
    findings: tally.findings,
    notReadyMs: rounded(notReadyMs),
    refusesMs: rounded(refusedMs),
    openWhenItRefuses: openThen,
    lastStreamMs: rounded(endedMs),
    exitMs: rounded(exitMs),
    code,
  });
  expect(tally.examples).toEqual([]);
  expect(tally.good).toBe(STREAMS);
  expect([told503, refuses]).toEqual([true, true]);
  expect(openThen).toBe(STREAMS);
  // Before the grace time is over: connections on which nothing happens any more are no reason to wait.
  expect(code).toBe(0);
}, 120_000);

test('streams that do not end in the grace time are told so, and none passes for whole', async () => {
  stage = await startLongStage({ limits: { drainSeconds: 2 } });
  const { endings } = await openStreams(600);
  stage.program.signal('SIGTERM');
  const started = performance.now();
  const ended = await Promise.all(endings);
  const code = await stage.program.exited;
  const complete = ended.filter(({ reading }) => reading.ends > 0);
  const untold = ended.filter(({ reading }) => reading.failures === 0);
  tellFigures('drain, too slow', {
    seed: random.seed,
    streams: STREAMS,
    passedForWhole: complete.length,
    untold: untold.length,
    lastMs: rounded(
      quantile(
        ended.map(({ ms }) => ms),
        1,
      ),
    ),
    exitMs: rounded(performance.now() - started),
    code,
  });
  expect(complete.map(described)).toEqual([]);
  expect(untold.slice(0, 5).map(described)).toEqual([]);
  expect(code).toBe(0);
}, 120_000);

test('a second SIGTERM does not wait', async () => {
  stage = await startLongStage({ limits: { drainSeconds: 600 } });
  const { endings } = await openStreams(600);
  stage.program.signal('SIGTERM');
  await delay(300);
  stage.program.signal('SIGTERM');
  await stage.program.exited;
  const ended = await Promise.all(endings);
  expect(ended.filter(({ reading }) => reading.ends > 0).map(described)).toEqual([]);
}, 120_000);
