/** Who waits, and for whom. */
export interface Waiting {
  /** The key whose row it stands in; undefined = it belongs to none of several keys. */
  readonly key: string | undefined;
}

/**
 * Those who wait for something that several keys share: one row for each key, in the order of coming, and the rows are served
 * in turn. However many wait for one key, another key waits for one of them at most.
 */
export interface FairRows<W extends Waiting> extends Iterable<W> {
  /** Of all rows together. */
  readonly size: number;
  /** How many wait for a key. */
  of(key: string | undefined): number;
  add(waiter: W): void;
  /** Whether it waited. */
  delete(waiter: W): boolean;
  /** A key was served without waiting: the others are before it in turn. */
  served(key: string | undefined): void;
  /** Takes out the first of the row that was served longest ago, of those rows whose first one `may` go. */
  next(may: (waiter: W) => boolean): W | undefined;
}

export function createFairRows<W extends Waiting>(): FairRows<W> {
  const rows = new Map<string | undefined, Set<W>>();
  /** When each key was served last, as a count of services. */
  const turns = new Map<string | undefined, number>();
  let services = 0;
  let size = 0;
  const served = (key: string | undefined): void => {
    services += 1;
    turns.set(key, services);
  };
  const leave = (waiter: W): boolean => {
    const row = rows.get(waiter.key);
    if (row?.delete(waiter) !== true) return false;
    if (row.size === 0) rows.delete(waiter.key);
    size -= 1;
    return true;
  };
  return {
    get size() {
      return size;
    },
    of: (key) => rows.get(key)?.size ?? 0,
    add(waiter) {
      const row = rows.get(waiter.key) ?? new Set<W>();
      rows.set(waiter.key, row.add(waiter));
      size += 1;
    },
    delete: leave,
    served,
    next(may) {
      let chosen: W | undefined;
      let turn = Number.POSITIVE_INFINITY;
      for (const [key, row] of rows) {
        const [first] = row;
        const last = turns.get(key) ?? 0;
        if (first === undefined || last >= turn || !may(first)) continue;
        chosen = first;
        turn = last;
      }
      if (chosen === undefined) return undefined;
      leave(chosen);
      served(chosen.key);
      return chosen;
    },
    *[Symbol.iterator]() {
      for (const row of rows.values()) yield* row;
    },
  };
}
