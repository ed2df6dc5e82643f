import type { Progress } from '../migrate/index.js';

/** How often, in ms, the line is written anew. */
const EVERY_MS = 200;

/** A line on standard error that tells how far a reading is; none where that is no terminal. */
export function createProgress(): { show(progress: Progress): void; clear(): void } {
  if (process.stderr.isTTY !== true) return { show() {}, clear() {} };
  const begun = performance.now();
  let last = begun;
  let shown = false;
  return {
    show(progress) {
      const now = performance.now();
      if (now - last < EVERY_MS) return;
      last = now;
      shown = true;
      process.stderr.write(`\r\u001b[K${lineOf(progress, (now - begun) / 1000)}`);
    },
    clear() {
      if (shown) process.stderr.write('\r\u001b[K');
    },
  };
}

function lineOf({ entries, read, size }: Progress, seconds: number): string {
  const rate = `${entries} exchanges, ${Math.round(entries / seconds)} a second`;
  if (size === undefined || read === 0) return rate;
  const left = Math.max(0, Math.round((seconds * (size - read)) / read));
  return `${rate}, ${Math.floor((read * 100) / Math.max(size, read))} %, ${left} s left`;
}
