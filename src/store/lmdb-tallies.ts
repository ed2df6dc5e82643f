import type { Database } from 'lmdb';
import { type Clocks, createAgeClock } from './age-clock.js';
import { commit } from './lmdb-commit.js';
import type { LmdbFile } from './lmdb-file.js';
import {
  added,
  type HourState,
  type Increment,
  LOOK,
  MOST_DELETED,
  MOST_FREE,
  sumsIn,
  sumsText,
  type Tallies,
} from './tallies.js';

type HourKey = [hour: number, owner: string];

/** Sorts behind every row, which is the text of an array. */
const BEHIND_ROWS = '\\';

/** Sums in a file that the processes of one machine share: a transaction adds a batch whole, or not at all. */
export function createLmdbTallies(file: LmdbFile, clocks: Clocks): Tallies {
  const { root } = file;
  const sums: Database<string, [...HourKey, row: string]> = root.openDB('usage:sums', { encoding: 'string' });
  const hours: Database<HourState, HourKey> = root.openDB('usage:hours', { encoding: 'msgpack' });
  const notes: Database<number, string> = root.openDB('usage:notes', { encoding: 'msgpack' });
  const age = createAgeClock(clocks, notes.get('age'));
  /** Behind which hour the next look for old ones begins. */
  let cursor: HourKey | undefined;

  const add = ({ interval: hour, owner, row, instead, values }: Increment, expires: number): void => {
    const key: HourKey = [hour, owner];
    const free = hours.get(key)?.free ?? 0;
    const isFree = instead !== undefined && !sums.doesExist([...key, row]);
    const name = isFree && free >= MOST_FREE ? instead : row;
    sums.putSync([...key, name], sumsText(added(sumsIn(sums.get([...key, name])), values)));
    hours.putSync(key, { expires, free: name === row && isFree ? free + 1 : free });
  };
  const rowsOf = (key: HourKey) => sums.getRange({ start: [...key, ''], end: [...key, BEHIND_ROWS] });
  /** Some of the hours, which go on with the next batch. */
  const sweep = (): void => {
    const time = age.read();
    if (time > (notes.get('age') ?? 0)) notes.putSync('age', time);
    const looked = [
      ...hours.getRange({ ...(cursor !== undefined && { start: cursor, exclusiveStart: true }), limit: LOOK }),
    ];
    const old = looked.filter(({ value }) => value.expires <= time).slice(0, MOST_DELETED);
    for (const { key } of old) {
      for (const row of [...rowsOf(key)]) sums.removeSync(row.key);
      hours.removeSync(key);
    }
    cursor = old.length === MOST_DELETED ? old.at(-1)?.key : looked.length < LOOK ? undefined : looked.at(-1)?.key;
  };
  return {
    add: ({ increments }, keepMs) =>
      commit(file, () => {
        const expires = age.written() + keepMs;
        for (const increment of increments) add(increment, expires);
        sweep();
      }),
    async *read({ from, to, owner: whose }) {
      file.check();
      const time = age.read();
      for (const { key, value } of hours.getRange({ start: [from, ''], end: [to, ''] })) {
        const [hour, owner] = key;
        if (value.expires <= time || (whose !== undefined && owner !== whose)) continue;
        const rows = [...rowsOf(key)].map(({ key: [, , row], value: text }) => [row, sumsIn(text)] as const);
        yield { interval: hour, owner, rows };
      }
    },
  };
}
