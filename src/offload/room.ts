import { Failure } from '../ground/index.js';

/** Memory for large bodies: who finds none waits for others to leave. */
export interface Room {
  /** Resolves when there is room for `bytes`, with the way to give some or all of it back. Rejects with Failure (503) when none becomes free in time. */
  take(bytes: number): Promise<Held>;
}

export interface Held {
  /** Keeps so many bytes of it. */
  shrink(bytes: number): void;
  leave(): void;
}

/** How long, in ms, a body waits for room. */
const PATIENCE_MS = 60_000;
const RETRY_MS = 2000;

/** Room for `most` bytes. What is larger than all of it comes in alone. */
export function createRoom(most: number, patience = PATIENCE_MS): Room {
  const row = new Set<() => boolean>();
  let held = 0;
  const next = (): void => {
    for (const enter of row) {
      if (!enter()) return;
    }
  };
  const hold = (bytes: number): Held => {
    let own = bytes;
    held += own;
    const shrink = (left: number): void => {
      if (left >= own) return;
      held -= own - left;
      own = left;
      next();
    };
    return { shrink, leave: () => shrink(0) };
  };
  const fits = (bytes: number): boolean => held === 0 || held + bytes <= most;
  return {
    take(bytes) {
      if (row.size === 0 && fits(bytes)) return Promise.resolve(hold(bytes));
      return new Promise((resolve, reject) => {
        const enter = (): boolean => {
          if (!fits(bytes)) return false;
          leaveRow();
          resolve(hold(bytes));
          return true;
        };
        const leaveRow = (): void => {
          row.delete(enter);
          clearTimeout(timer);
        };
        const timer = setTimeout(() => {
          leaveRow();
          reject(noRoom());
          next();
        }, patience);
        row.add(enter);
      });
    },
  };
}

function noRoom(): Failure {
  const message = 'the gateway has too many large bodies to work on';
  return new Failure({ kind: 'overloaded', status: 503, message, retryAfterMs: RETRY_MS });
}
