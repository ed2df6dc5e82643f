/**
 * What one doubling may cost, at most. What is linear costs 2, and up to 2.7 where its list outgrows a cache of the
 * processor in between; what is quadratic costs 4.
 */
export const MOST_GROWTH = 3;

/** How long one run at the smaller size lasts, at least, in milliseconds: below it the clock and the collector decide. */
const LEAST_MS = Number(process.env.GROWTH_MS ?? 1);
/** How many entries the smaller list of a first try has, at most. */
const MOST_ENTRIES = 16_000;
const RUNS = 3;
/** How many tries each size gets, and the sizes: a run lasts so many times the least there, or has so many times the most entries. */
const TRIES = 4;
const LONGER = [1, 2, 4, 8];

/**
 * How much dearer work gets when a list is twice as long: the mean of two doublings, each the least of some runs. Time
 * on the processor is measured, for a busy machine makes runs longer and not dearer; what the collector adds to one run
 * it does not add to all, so a ratio above the bound is measured again. Where a list outgrows V8's young generation, each
 * entry costs up to five times as much from there on. The later tries begin with longer lists, of which both sizes are
 * beyond that, and where quadratic work shows all the better.
 */
export function growthOf(prepare: (entries: number) => () => void): number {
  let growth = Number.POSITIVE_INFINITY;
  for (const longer of LONGER) {
    for (let tries = 0; tries < TRIES && growth >= MOST_GROWTH; tries += 1) {
      growth = Math.min(growth, measure(prepare, LEAST_MS * longer, MOST_ENTRIES * longer));
    }
  }
  return growth;
}

function measure(prepare: (entries: number) => () => void, leastMs: number, most: number): number {
  let entries = 64;
  const tooSoon = (ms: number): boolean => ms < leastMs && entries < most;
  let small = cheapest(prepare(entries), tooSoon);
  while (tooSoon(small)) {
    entries *= 2;
    small = cheapest(prepare(entries), tooSoon);
  }
  const base = Math.max(small, 0.1);
  // A run that is cheap enough decides: others could only be cheaper.
  const large = cheapest(prepare(entries * 4), (ms) => Math.sqrt(ms / base) < MOST_GROWTH);
  return Math.sqrt(large / base);
}

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
