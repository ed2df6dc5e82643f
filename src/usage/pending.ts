import { HOUR_MS, type Increment } from '../store/index.js';
import type { Place } from './row.js';
import { SUMS, type Sums } from './sums.js';

/** What was used and is not kept yet. */
export interface Pending {
  add(owner: string, place: Place, sums: Sums): void;
  /** Takes everything out. */
  take(): readonly Increment[];
  readonly size: number;
}

/** So many rows of names that callers choose wait at most; those beyond are counted together, by key and hour. */
const MOST_FREE = 5000;

/** `now`: the clock of the machine, in ms. An exchange belongs to the hour in which it ended. */
export function createPending(now: () => number): Pending {
  let rows = new Map<string, Increment & { readonly values: number[] }>();
  let free = 0;
  return {
    get size() {
      return rows.size;
    },
    add(owner, { row, instead }, sums) {
      const hour = Math.floor(now() / HOUR_MS);
      const idOf = (name: string): string => `${hour}:${owner}:${name}`;
      let name = row;
      let found = rows.get(idOf(name));
      if (found === undefined && instead !== undefined && free >= MOST_FREE) {
        name = instead;
        found = rows.get(idOf(name));
      }
      if (found === undefined) {
        const isFree = instead !== undefined && name === row;
        if (isFree) free += 1;
        found = { hour, owner, row: name, ...(isFree && { instead }), values: SUMS.map(() => 0) };
        rows.set(idOf(name), found);
      }
      const { values } = found;
      for (let index = 0; index < SUMS.length; index += 1)
        values[index] = (values[index] ?? 0) + sums[SUMS[index] as (typeof SUMS)[number]];
    },
    take() {
      const taken = [...rows.values()];
      rows = new Map();
      free = 0;
      return taken;
    },
  };
}
