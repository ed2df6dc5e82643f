import type { JsonObject } from '../../translators/index.js';

/** An answer that is made in the background. */
export interface BackgroundJob {
  /** The frames so far, each at the index of its number; none when nobody wants a stream. */
  readonly frames: readonly string[];
  readonly streamed: boolean;
  /** The answer as far as it is made. */
  readonly answer: JsonObject;
  /** Nothing comes any more, and what came is kept. */
  readonly over: boolean;
  /** Resolves when a backend was asked; rejects with why none can be, and then nothing is kept. */
  readonly begun: Promise<void>;
  /** Hears of new frames and of the end; gives the way to listen no more. */
  listen(listener: () => void): () => void;
  /** Resolves when the answer is kept as cancelled, or as it was finished before. */
  cancel(): Promise<JsonObject>;
  /** Resolves when the answer is kept as one that could not be finished. */
  abandon(): Promise<void>;
  readonly finished: Promise<void>;
}
