/** Sums are kept by hours since 1970, in UTC. */
export const HOUR_MS = 3_600_000;

/** Numbers to be added to the sums of one row. */
export interface Increment {
  /** Intervals since 1970, in UTC: hours, but where others are kept (`usage/minutes.ts`). */
  readonly interval: number;
  /** Whose row it is: up to 128 characters of printable ASCII. */
  readonly owner: string;
  /** The row, as the text of a JSON array of up to 1,200 bytes. */
  readonly row: string;
  /**
   * The row that gets the numbers in place of a new one when the owner has {@link MOST_FREE} of those in this interval; absent for rows
   * whose number has another bound.
   */
  readonly instead?: string;
  /** Whole numbers, each for the sum in its place. */
  readonly values: readonly number[];
}

/** What is added at once, and only once: `number` rises with each batch of a writer. */
export interface Batch {
  readonly writer: string;
  readonly number: number;
  readonly increments: readonly Increment[];
}

/** The rows of an owner in an interval. */
export interface KeptInterval {
  readonly interval: number;
  readonly owner: string;
  readonly rows: readonly (readonly [row: string, sums: readonly number[]])[];
}

/** Intervals from `from` on, before `to`. */
export interface IntervalRange {
  readonly from: number;
  readonly to: number;
  /** Those of this owner alone. */
  readonly owner?: string;
}

/** Sums that several processes, on one machine or on several, add to: none replaces what another has added. */
export interface Tallies {
  /**
   * Adds all of a batch, or rejects. A batch that is given again, since nobody knows whether it arrived, is added once. The rows of an owner
   * in an interval are kept for `keepMs` from the last time that something was added to them.
   */
  add(batch: Batch, keepMs: number): Promise<void>;
  /** What is kept, by interval and owner in some order. */
  read(range: IntervalRange): AsyncIterable<KeptInterval>;
}

/** Names of rows that callers choose, which an owner has in one interval. */
export const MOST_FREE = 100;

/** How many of the owners' intervals one batch looks at for some that are too old, and how many of those it deletes. */
export const LOOK = 500;
export const MOST_DELETED = 20;

/** Sums as they are kept. */
export function sumsText(sums: readonly number[]): string {
  return sums.join(' ');
}

/** What cannot be read counts as nothing. */
export function sumsIn(text: string | undefined): readonly number[] {
  return text === undefined ? [] : text.split(' ').map((number) => Number(number) || 0);
}

/** Sums with what is added to each. */
export function added(sums: readonly number[], values: readonly number[]): readonly number[] {
  return Array.from(
    { length: Math.max(sums.length, values.length) },
    (_, index) => (sums[index] ?? 0) + (values[index] ?? 0),
  );
}

/** Of an owner's hour. */
export interface HourState {
  readonly expires: number;
  /** How many of its rows are of those that {@link Increment.instead} bounds. */
  readonly free: number;
}
