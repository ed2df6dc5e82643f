import type { Database, RootDatabase } from 'lmdb';

/** The bytes that an area holds, and each owner in it, as records that are written with the entries they count. */
export interface Sums {
  /** The bytes of all. */
  total(): number;
  /** Inside a transaction: opens what is written by `close`, at its end. */
  open(): Ledger;
  /** Inside a transaction: nobody holds anything. */
  clear(): void;
}

/** Changes of one transaction. Nobody's entries (owner '') have no sum of their own: it is what the others leave. */
export interface Ledger {
  /** The bytes of all. */
  readonly total: number;
  /** Counts bytes that an owner stores, or loses when they are below zero. */
  count(owner: string, bytes: number): void;
  /** Corrects an owner's sum alone: `total` knows of it. */
  correct(owner: string, bytes: number): void;
  /** Who holds most; the last one by name of several. Once asked, owners may lose, and not win. */
  richest(): string;
  close(): void;
}

/** What an owner holds, in the order in which they lose. */
type Rank = [bytes: number, owner: string];

/** Of a sum: two that are of all, and one of each owner. */
type Key = typeof ALL | typeof OWNED | ['of', owner: string];

const ALL = 'bytes';
/** The bytes of all who are somebody. Entries without a record of their owner are what remains. */
const OWNED = 'owned';

/** How many owners are compared without reading further. */
const LEADERS = 8;

export function openSums(root: RootDatabase, name: string): Sums {
  const sums: Database<number, Key> = root.openDB(`${name}:sums`, { encoding: 'msgpack' });
  const ranks: Database<true, Rank> = root.openDB(`${name}:ranks`, { encoding: 'msgpack' });
  const read = (key: Key): number => sums.get(key) ?? 0;

  const rewrite = (owner: string, past: number, bytes: number): void => {
    if (past > 0) ranks.removeSync([past, owner]);
    if (bytes > 0) {
      sums.putSync(['of', owner], bytes);
      ranks.putSync([bytes, owner], true);
    } else sums.removeSync(['of', owner]);
  };

  const open = (): Ledger => {
    const before = { total: read(ALL), owned: read(OWNED) };
    let { total, owned } = before;
    /** What owners held when this began, or was last written, and what they hold. */
    const held = new Map<string, { past: number; bytes: number }>();
    const look = (owner: string): { past: number; bytes: number } => {
      const known = held.get(owner);
      if (known !== undefined) return known;
      const bytes = read(['of', owner]);
      const found = { past: bytes, bytes };
      held.set(owner, found);
      return found;
    };
    const correct = (owner: string, bytes: number): void => {
      if (owner === '') return;
      owned += bytes;
      look(owner).bytes += bytes;
    };
    const write = (): void => {
      for (const [owner, { past, bytes }] of held) if (past !== bytes) rewrite(owner, past, bytes);
      held.clear();
    };
    let leaders: string[] = [];
    /** The first who is not among them. */
    let next: Rank | undefined;
    const readLeaders = (): void => {
      write();
      const known = [...ranks.getKeys({ reverse: true, limit: LEADERS + 1 })];
      next = known[LEADERS];
      leaders = known.slice(0, LEADERS).map(([, owner]) => owner);
    };
    const first = (): Rank => {
      let most: Rank = [total - owned, ''];
      for (const owner of leaders) {
        const rank: Rank = [look(owner).bytes, owner];
        if (isMore(rank, most)) most = rank;
      }
      return most;
    };
    return {
      get total() {
        return total;
      },
      count(owner, bytes) {
        total += bytes;
        correct(owner, bytes);
      },
      correct,
      richest() {
        if (leaders.length === 0) readLeaders();
        if (next !== undefined && isMore(next, first())) readLeaders();
        return first()[1];
      },
      close() {
        write();
        if (total !== before.total) sums.putSync(ALL, total);
        if (owned !== before.owned) sums.putSync(OWNED, owned);
      },
    };
  };

  return {
    total: () => read(ALL),
    open,
    clear() {
      sums.clearSync();
      ranks.clearSync();
    },
  };
}

function isMore([bytes, owner]: Rank, [others, other]: Rank): boolean {
  return bytes === others ? owner > other : bytes > others;
}
