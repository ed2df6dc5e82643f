import { createGathered } from '../http/index.js';

/** Hands chunks on in their order. */
export interface JoinedChunks {
  add(chunk: Uint8Array): void;
  /** Hands on at once what waits. */
  flush(): void;
}

/** So many bytes do not wait: whoever gets them may hold back what follows, which is not read then. */
const ENOUGH = 16 * 1024;

/**
 * Hands on in one piece what one reading of a socket gives: chunks wait for the end of their tick, in which nothing else is read.
 * A backend sends each event as a chunk of its own, and what a chunk costs on its way to a client is worth thousands of bytes.
 */
export function createJoinedChunks(deliver: (chunk: Uint8Array) => void): JoinedChunks {
  return new Joined(deliver);
}

class Joined implements JoinedChunks {
  readonly #deliver: (chunk: Uint8Array) => void;
  readonly #waiting = createGathered();

  constructor(deliver: (chunk: Uint8Array) => void) {
    this.#deliver = deliver;
  }

  add(chunk: Uint8Array): void {
    const waiting = this.#waiting;
    if (waiting.length === 0) process.nextTick(flush, this);
    waiting.add(chunk);
    if (waiting.length >= ENOUGH) this.flush();
  }

  flush(): void {
    if (this.#waiting.length > 0) this.#deliver(this.#waiting.join());
  }
}

function flush(chunks: JoinedChunks): void {
  chunks.flush();
}
