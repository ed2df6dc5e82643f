import fs from 'node:fs';
import { errorCode } from '../ground/index.js';

/** Lines for a file that somebody reads. */
export interface Lines {
  /** Takes a line, which may wait for others. */
  write(line: string): void;
  /** Writes what waits, as far as the reader takes it at the moment. */
  flush(): void;
  /** The same for the last time: a reader that is slow has a moment. */
  finish(): void;
}

/** So many characters are gathered before they are written. */
const GATHERED = 4096;
/** So many wait at most for a reader that takes none at the moment; what comes then is dropped. */
const MOST_WAITING = 1024 * 1024;
/** How often, and with what pause in ms, a slow reader is asked to take the last lines. */
const LAST_TRIES = 50;
const LAST_PAUSE_MS = 10;

/**
 * Lines for a file descriptor. Its reader may be stalled, or gone: lines are lost then, and nobody waits for it.
 * `put` writes, and gives the number of bytes that were taken.
 */
export function createLines(
  fd: number,
  put: (fd: number, bytes: Uint8Array) => number = (to, bytes) => fs.writeSync(to, bytes),
): Lines {
  let waiting = '';
  let left: Uint8Array | undefined;
  let gone = false;
  const flush = (): void => {
    if (gone) return;
    let bytes = left === undefined ? Buffer.from(waiting) : Buffer.concat([left, Buffer.from(waiting)]);
    waiting = '';
    left = undefined;
    try {
      while (bytes.length > 0) bytes = bytes.subarray(put(fd, bytes));
    } catch (error) {
      const code = errorCode(error);
      if (code === 'EAGAIN') left = bytes;
      // A full disk may have room again.
      else gone = code === 'EPIPE' || code === 'EBADF';
    }
  };
  return {
    write(line) {
      if (gone || waiting.length + (left?.length ?? 0) > MOST_WAITING) return;
      waiting += line;
      // A stalled reader is tried again with the next flush.
      if (waiting.length >= GATHERED && left === undefined) flush();
    },
    flush,
    finish() {
      flush();
      for (let tries = 0; left !== undefined && tries < LAST_TRIES; tries += 1) {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LAST_PAUSE_MS);
        flush();
      }
    },
  };
}
