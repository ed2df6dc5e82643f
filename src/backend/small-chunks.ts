import { createGathered } from '../http/pieces.js';

/** Hands chunks on in their order. */
export interface SmallChunks {
  add(chunk: Uint8Array): void;
  /** Hands on at once what waits. */
  flush(): void;
}

/** Chunks below this size, in bytes, wait for the others that one reading of the socket gives. Events are longer. */
const SMALL = 64;

/**
 * Joins small chunks that come in one tick, and passes others on as they are. What each chunk costs on its way to a client
 * is worth thousands of bytes, so that a backend that sends single bytes as chunks of their own would take the processor
 * for a minute with 5 MB.
 */
export function createSmallChunks(deliver: (chunk: Uint8Array) => void): SmallChunks {
  const waiting = createGathered();
  const flush = (): void => {
    if (waiting.length > 0) deliver(waiting.join());
  };
  return {
    add(chunk) {
      if (waiting.length === 0 && chunk.byteLength >= SMALL) {
        deliver(chunk);
        return;
      }
      if (waiting.length === 0) process.nextTick(flush);
      waiting.add(chunk);
    },
    flush,
  };
}
