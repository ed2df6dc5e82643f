/** A call in want of a place. */
export interface Waiter {
  /** It has its place now. */
  begin(): void;
}

/** Places for calls that run at the same time, and a row of those that wait for one. */
export interface Queue<W extends Waiter> {
  readonly running: number;
  /** Those who wait, in the order of coming. */
  readonly row: ReadonlySet<W>;
  /** Begins at once or later, in the order of coming. False when there is no place, and none to wait at. */
  enter(waiter: W): boolean;
  /** Gives back the place, or leaves the row. Once for each waiter that entered. */
  leave(waiter: W): void;
}

/**
 * The bulkhead of cockatiel is none for us: who went away keeps its place in the row there, and who is next may find its
 * place taken by a newcomer and be turned away.
 */
export function createQueue<W extends Waiter>(places: number, length: number): Queue<W> {
  const row = new Set<W>();
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
        return true;
      }
      if (row.size >= length) return false;
      row.add(waiter);
      return true;
    },
    leave(waiter) {
      if (row.delete(waiter)) return;
      const [next] = row;
      if (next === undefined) {
        running -= 1;
        return;
      }
      row.delete(next);
      next.begin();
    },
  };
}
