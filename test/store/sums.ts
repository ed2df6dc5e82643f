import { open } from 'lmdb';
import { FILE_OPTIONS } from '../../src/store/lmdb-options.js';

/** What the records of an area in a file say together, and what its entries come to. */
export interface Bookkeeping {
  /** The bytes of all, of each owner, and the owners in the order of what they hold. */
  readonly told: object;
  readonly counted: object;
}

/** Opens the file of a folder for a look, beside those who work with it. */
export function openBooks(folder: string) {
  const root = open({ path: `${folder}/state.mdb`, ...FILE_OPTIONS });
  return {
    root,
    bookkeeping(name: string): Bookkeeping {
      const values = root.openDB<string, string>(`${name}:values`, { encoding: 'string' });
      const order = root.openDB<number, [number, string]>(`${name}:order`, { encoding: 'msgpack' });
      const owned = root.openDB<number, [string, number, string]>(`${name}:owned`, { encoding: 'msgpack' });
      const sums = root.openDB<number, string | [string, string]>(`${name}:sums`, { encoding: 'msgpack' });
      const ranks = root.openDB<true, [number, string]>(`${name}:ranks`, { encoding: 'msgpack' });
      const entries = [...order.getRange()].map(({ key: [expires, key], value }) => ({ expires, key, value }));
      const owners = new Map<string, number>();
      let astray = values.getCount() - entries.length;
      for (const { key, value } of owned.getRange()) {
        owners.set(key[0], (owners.get(key[0]) ?? 0) + value);
        if (order.get([key[1], key[2]]) !== value) astray += 1;
      }
      for (const { expires, key } of entries) if (!values.get(key)?.startsWith(`${expires}\n`)) astray += 1;
      const sorted = [...owners].sort(([a], [b]) => (a < b ? -1 : 1));
      const all = entries.reduce((sum, { value }) => sum + value, 0);
      return {
        told: {
          all: sums.get('bytes') ?? 0,
          owned: sums.get('owned') ?? 0,
          owners: [...sums.getRange()].flatMap(({ key, value }) => (Array.isArray(key) ? [[key[1], value]] : [])),
          ranks: [...ranks.getKeys()].sort(([, a], [, b]) => (a < b ? -1 : 1)).map(([bytes, owner]) => [owner, bytes]),
          astray: 0,
        },
        counted: {
          all,
          owned: sorted.reduce((sum, [, bytes]) => sum + bytes, 0),
          owners: sorted,
          ranks: sorted,
          astray,
        },
      };
    },
  };
}
