import { ignore, randomHex } from '../ground/index.js';
import type { Increment, Tallies } from '../store/index.js';

export const MINUTE_MS = 60_000;

/** Minutes that are kept, with the present one and that which an hour ago began. */
export const MINUTES_KEPT = 61;

/** Takes sums when they are reported, by the minute of that. */
export type AddToMinutes = (increments: readonly Increment[]) => void;

/** The sums of the last hour by minutes are for who looks now: in the memory of one process, they are gone with it. */
export function createMinutes(tallies: () => Tallies, now: () => number): AddToMinutes {
  const writer = randomHex();
  let number = 0;
  return (given) => {
    number += 1;
    const minute = Math.floor(now() / MINUTE_MS);
    const increments = given.map((one) => ({ ...one, interval: minute }));
    // What cannot be told to the primary is in the sums of the hour all the same.
    tallies()
      .add({ writer, number, increments }, MINUTES_KEPT * MINUTE_MS)
      .catch(ignore);
  };
}
