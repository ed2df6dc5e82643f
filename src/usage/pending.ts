import { HOUR_MS, type Increment } from '../store/index.js';
import type { RowTexts } from './row.js';
import { SUMS } from './sums.js';

/** What was used and is not kept yet. */
export interface Pending {
  /** The sums of a row, in the order of {@link SUMS}, to be added to at once. */
  at(owner: string, texts: RowTexts): number[];
  /** What was added since the last call of this, to the sums that are still here; they stay. */
  unreported(): readonly Increment[];
  /** Takes everything out. */
  take(): readonly Increment[];
  readonly size: number;
}

/** `reported` = its values at the last call of `unreported`; none before the first. */
type Row = Increment & { readonly values: number[]; reported: readonly number[] };

/** So many rows of names that callers choose wait at most; those beyond are counted together, by key and hour. */
const MOST_FREE = 5000;

/** `now`: the clock of the machine, in ms. An exchange belongs to the hour in which it ended. */
export function createPending(now: () => number): Pending {
  /** By hour, owner and row: a text that is joined of them for each exchange would cost more than all that is added. */
  const hours = new Map<number, Map<string, Map<string, Row>>>();
  let size = 0;
  let free = 0;
  const all = (): readonly Row[] =>
    [...hours.values()].flatMap((owners) => [...owners.values()].flatMap((rows) => [...rows.values()]));
  return {
    get size() {
      return size;
    },
    at(owner, { row, instead }) {
      const hour = Math.floor(now() / HOUR_MS);
      const rows = within(within(hours, hour), owner);
      const known = rows.get(row);
      if (known !== undefined) return known.values;
      const isFree = instead !== undefined && free < MOST_FREE;
      const name = instead === undefined || isFree ? row : instead;
      const found = rows.get(name);
      if (found !== undefined) return found.values;
      const values = SUMS.map(() => 0);
      const made: Row = { interval: hour, owner, row: name, ...(isFree && { instead }), values, reported: [] };
      rows.set(name, made);
      size += 1;
      if (isFree) free += 1;
      return made.values;
    },
    unreported() {
      return all().flatMap((one) => {
        // Nothing is copied of rows that are as they were.
        if (one.values.every((value, index) => value === (one.reported[index] ?? 0))) return [];
        const { values, reported, ...names } = one;
        one.reported = [...values];
        return [{ ...names, values: values.map((value, index) => value - (reported[index] ?? 0)) }];
      });
    },
    take() {
      const taken = all().map(({ reported: _reported, ...increment }) => increment);
      hours.clear();
      size = 0;
      free = 0;
      return taken;
    },
  };
}

/** The map at a place of another, made where there is none yet. */
function within<K, L, V>(maps: Map<K, Map<L, V>>, key: K): Map<L, V> {
  let found = maps.get(key);
  if (found === undefined) {
    found = new Map();
    maps.set(key, found);
  }
  return found;
}
