import { createShares, shareOfKey } from '../http/index.js';

/** A call in want of a place. */
export interface Waiter {
  /** Who may hold half of the row at most; undefined = nobody shares it. */
  readonly key: string | undefined;
  /** It has its place now. */
  begin(): void;
}

/** Places for calls that run at the same time, and a row of those that wait for one. */
export interface Queue<W extends Waiter> {
  readonly running: number;
  /** Those who wait, in the order of coming. */
  readonly row: ReadonlySet<W>;
  /**
   * Begins at once or later, in the order of coming. Says why not: there is no place and none to wait at (`full`), or the
   * waiter's key holds its part of the row (`share`).
   */
  enter(waiter: W): 'full' | 'share' | undefined;
  /** Gives back the place, or leaves the row. Once for each waiter that entered. */
  leave(waiter: W): void;
}

/**
 * The bulkhead of cockatiel is none for us: who went away keeps its place in the row there, and who is next may find its
 * place taken by a newcomer and be turned away.
 */
export function createQueue<W extends Waiter>(places: number, length: number): Queue<W> {
  const row = new Set<W>();
  const shares = createShares();
  const leaveRow = (waiter: W): boolean => {
    if (!row.delete(waiter)) return false;
    if (waiter.key !== undefined) shares.free(waiter.key);
    return true;
  };
  let running = 0;
  return {
    get running() {
      return running;
    },
    row,
    enter(waiter) {
      if (running < places) {
        running += 1;
        waiter.begin();
        return undefined;
      }
      if (row.size >= length) return 'full';
      if (waiter.key !== undefined) {
        if (shares.held(waiter.key) >= shareOfKey(length)) return 'share';
        shares.take(waiter.key);
      }
      row.add(waiter);
      return undefined;
    },
    leave(waiter) {
      if (leaveRow(waiter)) return;
      const [next] = row;
      if (next === undefined) {
        running -= 1;
        return;
      }
      leaveRow(next);
      next.begin();
    },
  };
}
