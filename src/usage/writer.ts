import { errorMessage, ignore, randomHex } from '../ground/index.js';
import type { Batch, Increment, Tallies } from '../store/index.js';
import type { AddToMinutes } from './minutes.js';
import type { Pending } from './pending.js';

/** How often, in ms, what waits is written: what a process that is killed loses at most. */
const WRITE_MS = 3000;

/** So many rows are written at once. */
const AT_ONCE = 250;

/** What cannot be written for this long, in batches, waits for the next try with what comes. */
const MOST_BATCHES = 8;

/** Writes what waits to where it is kept, every few seconds and at the end. */
export interface Writer {
  /** Something waits: it is written soon. */
  wake(): void;
  /** Adds to the minutes what is not in them yet. */
  updateMinutes(): void;
  /** Resolves when all that waits is written, or cannot be. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/**
 * `toMinutes` gets everything once, also while it cannot be written. `report` hears why nothing can be written, once, and undefined when it
 * can be again. A batch that may have arrived is given again as it was, under its number, so that it counts once.
 */
export function createWriter(
  pending: Pending,
  tallies: () => Tallies,
  toMinutes: AddToMinutes,
  keepMs: () => number,
  report: (reason: string | undefined) => void,
): Writer {
  const writer = randomHex();
  const batches: Batch[] = [];
  let number = 0;
  let timer: NodeJS.Timeout | undefined;
  let isFailing = false;
  let writing: Promise<void> | undefined;

  const updateMinutes = (): void => {
    for (const increments of stretches(pending.unreported())) toMinutes(increments);
  };
  const cut = (): void => {
    updateMinutes();
    if (batches.length > MOST_BATCHES) return;
    for (const increments of stretches(pending.take())) {
      number += 1;
      batches.push({ writer, number, increments });
    }
  };
  const writeAll = async (): Promise<void> => {
    cut();
    for (let batch = batches[0]; batch !== undefined; batch = batches[0]) {
      await tallies().add(batch, keepMs());
      batches.shift();
      if (isFailing) report(undefined);
      isFailing = false;
      if (batches.length === 0) cut();
    }
  };
  const flush = (): Promise<void> => {
    // Also while an earlier flush waits for the store.
    updateMinutes();
    writing ??= writeAll()
      .catch((error: unknown) => {
        if (!isFailing) report(errorMessage(error));
        isFailing = true;
      })
      .finally(() => {
        writing = undefined;
        if (batches.length > 0 || pending.size > 0) wake();
      });
    return writing;
  };
  const wake = (): void => {
    if (timer !== undefined || isClosed) return;
    timer = setTimeout(() => {
      timer = undefined;
      flush().catch(ignore);
    }, WRITE_MS);
    timer.unref();
  };
  let isClosed = false;
  return {
    wake,
    updateMinutes,
    flush,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      // What is being written may have begun before the last exchanges ended.
      await writing;
      await flush();
    },
  };
}

function stretches(increments: readonly Increment[]): readonly (readonly Increment[])[] {
  const count = Math.ceil(increments.length / AT_ONCE);
  return Array.from({ length: count }, (_, index) => increments.slice(index * AT_ONCE, (index + 1) * AT_ONCE));
}
