import { CLOCKS, type Clocks, createAgeClock } from './age-clock.js';
import { added, type Batch, type Increment, LOOK, MOST_DELETED, MOST_FREE, type Tallies } from './tallies.js';

interface Interval {
  readonly interval: number;
  readonly owner: string;
  readonly rows: Map<string, readonly number[]>;
  expires: number;
  free: number;
}

/** The last batches of so many writers are known: workers of one machine that end are replaced. */
const MOST_WRITERS = 1000;

/** Sums in this process. */
export function createMemoryTallies(clocks: Clocks = CLOCKS): Tallies {
  const intervals = new Map<string, Interval>();
  const writers = new Map<string, number>();
  const age = createAgeClock(clocks, undefined);
  let looking = intervals.entries();

  const isNew = ({ writer, number }: Batch): boolean => {
    if ((writers.get(writer) ?? 0) >= number) return false;
    writers.delete(writer);
    writers.set(writer, number);
    const [oldest] = writers.keys();
    if (writers.size > MOST_WRITERS && oldest !== undefined) writers.delete(oldest);
    return true;
  };
  const add = ({ interval, owner, row, instead, values }: Increment, expires: number): void => {
    const id = `${interval}:${owner}`;
    const kept = intervals.get(id) ?? { interval, owner, rows: new Map(), expires, free: 0 };
    intervals.set(id, kept);
    kept.expires = expires;
    const isFree = instead !== undefined && !kept.rows.has(row);
    const name = isFree && kept.free >= MOST_FREE ? instead : row;
    if (name === row && isFree) kept.free += 1;
    kept.rows.set(name, added(kept.rows.get(name) ?? [], values));
  };
  /** Some of the intervals, which go on with the next batch. */
  const sweep = (): void => {
    const time = age.read();
    let deleted = 0;
    for (let looked = 0; looked < LOOK && deleted < MOST_DELETED; looked += 1) {
      const { value, done } = looking.next();
      if (done === true) {
        looking = intervals.entries();
        return;
      }
      if (value[1].expires > time) continue;
      intervals.delete(value[0]);
      deleted += 1;
    }
  };
  return {
    async add(batch, keepMs) {
      if (!isNew(batch)) return;
      const expires = age.written() + keepMs;
      for (const increment of batch.increments) add(increment, expires);
      sweep();
    },
    async *read({ from, to, owner: whose }) {
      const time = age.read();
      for (const { interval, owner, rows, expires } of intervals.values()) {
        if (interval < from || interval >= to || expires <= time || (whose !== undefined && owner !== whose)) continue;
        yield { interval, owner, rows: [...rows] };
      }
    },
  };
}
