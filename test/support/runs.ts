import fc from 'fast-check';

/** Beside everything else a law gets a short run; `test:long` gives it a long one. */
const SCALE = Number(process.env.LAW_RUNS ?? '0.1');

/** This is the short run. */
export const SHORT = SCALE < 1;

/**
 * Laws are tried on fresh values in every run, and print the seed of what fails. `LAW_SEED` makes the values those of an
 * earlier run: continuous integration has one of its own, so that it speaks of the change and not of its luck.
 */
if (process.env.LAW_SEED !== undefined) fc.configureGlobal({ seed: Number(process.env.LAW_SEED) });

/**
 * What a table is tried on in this run: every fifth row of it beside everything else, beginning with the row `turn`, and
 * all of them in the long run. Neighbours that take different turns share the table between them.
 */
export function share<T>(rows: readonly T[], turn = 0): readonly T[] {
  return SHORT ? rows.filter((_row, index) => (index + turn) % 5 === 0) : rows;
}

/** How many generated values a law is tried on: `base` times `LAW_RUNS`. */
export function runs(base: number): number {
  return Math.max(1, Math.round(base * SCALE));
}

/**
 * More than so many of the values that are given have to be read, so that a law does not hold for want of them: half of what is
 * there, which is less without the recorded exchanges, and no more than `most`.
 */
export function enough(given: { readonly length: number }, most = 20): number {
  return Math.min(most, given.length / 2);
}

/**
 * So many of `tried` drawn values are of a kind that a part of `share` of all values is; fewer are in one run of a million. What a
 * law asks of its values has to be asked by this, for the short run draws few. `share` is what was measured, less a third.
 */
export function surely(tried: number, share: number): number {
  /** The logarithm of the chance of just `count`: of many values the chance of none is too small for a number. */
  let just = tried * Math.log1p(-share);
  let fewer = Math.exp(just);
  let count = 0;
  while (fewer < 1e-6) {
    just += Math.log(((tried - count) / (count + 1)) * (share / (1 - share)));
    count += 1;
    fewer += Math.exp(just);
  }
  return count;
}
