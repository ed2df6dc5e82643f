import { createGathered, type Gathered } from '../http/index.js';

/** Hands chunks on in their order. */
export interface SmallChunks {
  add(chunk: Uint8Array): void;
  /** Hands on at once what waits. */
  flush(): void;
}

/** A chunk below this size, in bytes, makes those after it wait for all that one reading of the socket gives. Events are longer. */
const SMALL = 64;

/**
 * Joins the chunks that follow a small one in its tick, and passes others on as they are: a small chunk that comes alone
 * is delivered at once. What each chunk costs on its way to a client is worth thousands of bytes, so that a
 * backend that sends single bytes as chunks of their own would take the processor for a minute with 5 MB.
 */
export function createSmallChunks(deliver: (chunk: Uint8Array) => void): SmallChunks {
  let waiting: Gathered | undefined;
  let joining = false;
  const flush = (): void => {
    if (waiting !== undefined && waiting.length > 0) deliver(waiting.join());
  };
  const endTick = (): void => {
    joining = false;
    flush();
  };
  return {
    add(chunk) {
      if (joining) {
        waiting ??= createGathered();
        waiting.add(chunk);
        return;
      }
      if (chunk.byteLength < SMALL) {
        joining = true;
        process.nextTick(endTick);
      }
      deliver(chunk);
    },
    flush,
  };
}
