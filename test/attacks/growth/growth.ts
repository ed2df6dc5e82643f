/**
 * What one doubling may cost, at most. A linear step costs 2, and up to 2.7 where its list outgrows a cache of the
 * processor in between; a quadratic one costs 4.
 */
export const MOST_GROWTH = 3;

/** How long one run at the smaller size lasts, at least, in milliseconds: below it the clock and the collector decide. */
const LEAST_MS = Number(process.env.GROWTH_MS ?? 1);
const MOST_ENTRIES = 16_000;
const RUNS = 3;
/** How often each size is tried, and how many times longer the lists become. */
const TRIES = 4;
const LONGEST = 8;

/**
 * How much dearer work gets when a list is twice as long: the mean of two doublings, each the least of some runs. Time
 * on the processor is measured, for a busy machine makes runs longer and not dearer; what the collector adds to one run
 * it does not add to all, so a ratio above the bound is measured again. Where lists outgrow the young generation or a
 * cache, the cost of an entry rises by a step of up to five times, once: with longer lists it is behind both sizes,
 * while what is quadratic shows all the better.
 */
export function growthOf(prepare: (entries: number) => () => void): number {
  let growth = Number.POSITIVE_INFINITY;
  for (let longer = 1; longer <= LONGEST; longer *= 2) {
    for (let tries = 0; tries < TRIES && growth >= MOST_GROWTH; tries += 1) {
      growth = Math.min(growth, measure(prepare, longer));
    }
  }
  return growth;
}

function measure(prepare: (entries: number) => () => void, longer: number): number {
  const entries = enoughEntries(prepare) * longer;
  const base = Math.max(cheapest(prepare(entries), tooSoon), 0.1);
  // A run that is cheap enough decides: others could only be cheaper.
  const large = cheapest(prepare(entries * 4), (ms) => Math.sqrt(ms / base) < MOST_GROWTH);
  return Math.sqrt(large / base);
}

/** How many entries take long enough to be measured. */
function enoughEntries(prepare: (entries: number) => () => void): number {
  let entries = 64;
  while (entries < MOST_ENTRIES && tooSoon(cheapest(prepare(entries), tooSoon))) entries *= 2;
  return entries;
}

const tooSoon = (ms: number): boolean => ms < LEAST_MS;

/** Milliseconds on the processor, the least of some runs; of fewer when one of them is `enough`. */
function cheapest(work: () => void, enough: (ms: number) => boolean): number {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS && !enough(least); run += 1) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}
