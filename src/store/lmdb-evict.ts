import type { Database } from 'lmdb';
import type { Ledger, Sums } from './lmdb-sums.js';
import type { AreaLimits } from './types.js';

/** Time of expiry and key: the order in which entries go. */
export type Turn = [expires: number, key: string];

/** The records of one area. */
export interface Area {
  /** Each text behind its time of expiry and a line feed. */
  readonly values: Database<string, string>;
  /** The bytes of each entry, in the order in which entries go. */
  readonly order: Database<number, Turn>;
  /** The same of each owner's, behind its name. What version 0.1.0 wrote is not in it: that is nobody's. */
  readonly owned: Database<number, [owner: string, ...Turn]>;
  readonly sums: Sums;
}

/** How many of an owner's entries are read together, and among how many of all those that are nobody's are looked for. */
const ROW = 8;
const AMONG = 100;

/** A way to make room in an area that holds too much. */
export interface Eviction {
  readonly area: Area;
  readonly limits: AreaLimits;
  /** Takes an entry out. */
  drop(key: string, ledger: Ledger): void;
}

/**
 * Inside a transaction: removes the oldest entries of the largest holder, one after the other, until the area holds no
 * more than its limit, at most `most` of them. Gives how many.
 */
export function evict(eviction: Eviction, most: number, ledger: Ledger): number {
  const { limits } = eviction;
  const rows = new Map<string, Turn[]>();
  let dropped = 0;
  while (dropped < most && ledger.total > limits.maxBytes) {
    const owner = ledger.richest();
    let row = rows.get(owner) ?? [];
    if (row.length === 0) {
      row = rowOf(owner, eviction);
      rows.set(owner, row);
    }
    const turn = row.shift();
    if (turn === undefined) break;
    take(owner, turn, eviction, ledger);
    dropped += 1;
  }
  return dropped;
}

/** Some of the oldest entries of an owner; the oldest of all where it has none. */
function rowOf(owner: string, { area: { order, owned }, limits: { ownerOf } }: Eviction): Turn[] {
  const row: Turn[] = [];
  if (owner !== '') {
    for (const [whose, expires, key] of owned.getKeys({ start: [owner], limit: ROW })) {
      if (whose === owner) row.push([expires, key]);
    }
  } else {
    // They are older than what is owned, but for those of a version 0.1.0 that runs beside this one.
    for (const [expires, key] of order.getKeys({ limit: AMONG })) {
      const whose = ownerOf?.(key) ?? '';
      if (whose === '' || !owned.doesExist([whose, expires, key])) row.push([expires, key]);
      if (row.length === ROW) break;
    }
  }
  return row.length > 0 ? row : [...order.getKeys({ limit: 1 })];
}

function take(owner: string, turn: Turn, { area: { order, owned }, drop }: Eviction, ledger: Ledger): void {
  const [expires, key] = turn;
  if (order.doesExist(turn)) {
    drop(key, ledger);
    return;
  }
  // A version 0.1.0 that runs beside this one took it out or replaced it.
  const bytes = owned.get([owner, expires, key]) ?? 0;
  owned.removeSync([owner, expires, key]);
  ledger.correct(owner, -bytes);
}
