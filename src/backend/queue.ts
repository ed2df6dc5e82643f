import { createFairRows, type FairRows } from '../ground/index.js';
import { createHeldPlaces, shareOfKey } from '../http/index.js';

/** A call in want of a place. */
export interface Waiter {
  /** Who may hold half of the places and of the row at most; undefined = nobody shares them. */
  readonly key: string | undefined;
  /** It has its place now. */
  begin(): void;
}

/** Places for calls that run at the same time, and a row of those that wait for one. */
export interface Queue<W extends Waiter> {
  readonly running: number;
  /** Those who wait. */
  readonly row: Pick<FairRows<W>, 'size' | typeof Symbol.iterator>;
  /**
   * Begins at once or later: those of one key in the order of coming, keys in turn. Says why not: there is no place and none to
   * wait at (`full`), or the waiter's key holds its part of both (`share`).
   */
  enter(waiter: W): 'full' | 'share' | undefined;
  /** Gives back the place, or leaves the row. Once for each waiter that entered. */
  leave(waiter: W): void;
}

/**
 * The bulkhead of cockatiel is none for us: who went away keeps its place in the row there, and who is next may find its
 * place taken by a newcomer and be turned away. `places` and `length` of several keys are shared out: a key that has half of
 * the places waits while the others have room.
 */
export function createQueue<W extends Waiter>(places: number, length: number): Queue<W> {
  const row = createFairRows<W>();
  const running = createHeldPlaces();
  let taken = 0;
  const mayRun = ({ key }: W): boolean => key === undefined || running.held(key) < shareOfKey(places);
  const begin = (waiter: W): void => {
    taken += 1;
    if (waiter.key !== undefined) running.take(waiter.key);
    waiter.begin();
  };
  return {
    get running() {
      return taken;
    },
    row,
    enter(waiter) {
      const { key } = waiter;
      if (taken < places && mayRun(waiter)) {
        row.served(key);
        begin(waiter);
        return undefined;
      }
      if (row.size >= length) return taken < places ? 'share' : 'full';
      if (key !== undefined && row.of(key) >= shareOfKey(length)) return 'share';
      row.add(waiter);
      return undefined;
    },
    leave(waiter) {
      if (row.delete(waiter)) return;
      taken -= 1;
      if (waiter.key !== undefined) running.free(waiter.key);
      while (taken < places) {
        const next = row.next(mayRun);
        if (next === undefined) return;
        begin(next);
      }
    },
  };
}
