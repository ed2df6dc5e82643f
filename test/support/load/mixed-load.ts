import { setTimeout as delay } from 'node:timers/promises';
import { type Calling, type Errand, runErrand } from './exchange.js';
import { createMarks, lastingErrand, mixedErrand, type Shares } from './mix.js';
import type { Random } from './random.js';
import { createTally, type Tally } from './tally.js';

/** A load of streams that last, and of requests of every kind beside them. */
export interface Load {
  readonly seconds: number;
  /** How many lasting streams are open at any time, each with a word every so many ms. */
  readonly streams: number;
  readonly gapMs: number;
  readonly perSecond: number;
  /** A machine that is too busy gets fewer requests, and not ever more of them at a time. */
  readonly mostRequests: number;
  readonly shares: Shares;
}

const TICK_MS = 20;
/** How far apart the lasting streams begin, in ms. */
const APART_MS = 10;

/** Runs a load to its end: every exchange that was begun has ended. Tells how many requests were not sent for want of room. */
export async function runMixedLoad(
  calling: Calling,
  random: Random,
  load: Load,
): Promise<{ readonly tally: Tally; readonly withheld: number }> {
  const { seconds, streams, gapMs, perSecond, mostRequests, shares } = load;
  const mark = createMarks(random);
  const tally = createTally();
  const requests = new Set<Promise<void>>();
  const started = performance.now();
  const elapsed = (): number => (performance.now() - started) / 1000;
  let withheld = 0;

  const run = async (errand: Errand): Promise<void> => tally.add(await runErrand(calling, errand));

  const lane = async (index: number): Promise<void> => {
    await delay(random.next() * Math.max(gapMs, streams * APART_MS));
    while (elapsed() < seconds) {
      const left = Math.ceil(((seconds - elapsed()) * 1000) / gapMs);
      await run(lastingErrand(random, mark, index, Math.max(2, Math.min(8 + random.below(5), left)), gapMs));
    }
  };

  const ask = async (): Promise<void> => {
    let due = 0;
    let looked = 0;
    while (elapsed() < seconds) {
      const now = elapsed();
      due += (now - looked) * perSecond;
      looked = now;
      const room = mostRequests - requests.size;
      withheld += Math.max(0, Math.floor(due) - room);
      for (let count = Math.min(Math.floor(due), room); count > 0; count -= 1) {
        const request = run(mixedErrand(random, mark, shares)).finally(() => requests.delete(request));
        requests.add(request);
      }
      due -= Math.floor(due);
      await delay(TICK_MS);
    }
  };

  await Promise.all([...Array.from({ length: streams }, (_, index) => lane(index)), ask()]);
  await Promise.all(requests);
  return { tally, withheld };
}
