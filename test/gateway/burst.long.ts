import { Agent } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runErrand } from '../support/load/exchange.js';
import { quantile, rounded, setting, tellFigures } from '../support/load/figures.js';
import { createMarks, lastingErrand, PAIRS } from '../support/load/mix.js';
import { createRandom, seedOfRun } from '../support/load/random.js';
import { isErrorBody } from '../support/load/reading.js';
import { holds, type LongStage, startLongStage } from '../support/load/stage.js';
import { createTally } from '../support/load/tally.js';
import { described } from '../support/load/verdict.js';

const CONNECTIONS = setting('BURST', 1000);
const PLACES = Math.floor(CONNECTIONS * 0.3);
const random = createRandom(seedOfRun());
const mark = createMarks(random);

let stage: LongStage;
beforeAll(async () => {
  stage = await startLongStage({ limits: { exchanges: PLACES } });
}, 60_000);
afterAll(() => stage.close());

test(`${CONNECTIONS} connections within a second find ${PLACES} places: the rest is refused at once`, async () => {
  const own = monitorEventLoopDelay({ resolution: 10 });
  own.enable();
  const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
  const calling = { url: stage.program.url, agent };
  const release = stage.backend.hold();
  let refusals = 0;
  const all = Promise.all(
    Array.from({ length: CONNECTIONS }, async (_, index) => {
      await delay((index / CONNECTIONS) * 1000);
      const errand = lastingErrand(random, mark, index, 3, 10);
      const ending = await runErrand(calling, index % 2 === 0 ? errand : { ...errand, framing: 'plain' });
      if (ending.status !== 200) refusals += 1;
      return ending;
    }),
  );
  // Nobody who was let in goes before everybody has come, and all others are refused.
  const everybody = await holds(() => stage.backend.open + refusals >= CONNECTIONS, 60_000);
  release();
  const endings = await all;
  own.disable();
  const { loop } = await stage.program.holding();
  /** What both ends were kept from their work by, in ms: on a quiet machine next to nothing. */
  const stalled = own.max / 1e6 + loop.max;
  const served = endings.filter(({ status }) => status === 200);
  const refused = endings.filter(({ status }) => status === 503);
  const others = endings.filter(({ status }) => status !== 200 && status !== 503);
  const tally = createTally();
  for (const ending of served) tally.add(ending);
  const after = await Promise.all(
    PAIRS.map((_pair, index) => runErrand(calling, lastingErrand(random, mark, index, 2, 10))),
  );
  const times = refused.map(({ ms }) => ms);
  tellFigures('burst', {
    seed: random.seed,
    connections: CONNECTIONS,
    places: PLACES,
    served: served.length,
    refused: refused.length,
    stalledMs: rounded(stalled),
    refusedMs: {
      p50: rounded(quantile(times, 0.5)),
      p99: rounded(quantile(times, 0.99)),
      max: rounded(quantile(times, 1)),
    },
  });
  expect(others.slice(0, 5).map(described)).toEqual([]);
  expect(tally.examples).toEqual([]);
  expect([everybody, served.length, refused.length]).toEqual([true, PLACES, CONNECTIONS - PLACES]);
  const misshapen = refused.filter(({ errand, refusal }) => !isErrorBody(errand.client, JSON.parse(refusal)));
  expect(misshapen.slice(0, 3).map(described)).toEqual([]);
  // None of those that were refused has reached a backend.
  expect(refused.filter(({ errand }) => stage.backend.seen.has(errand.order.nonce))).toEqual([]);
  for (const ending of after) tally.add(ending);
  expect(tally.examples).toEqual([]);
  expect(stage.program.stderr).toBe('');
}, 120_000);
