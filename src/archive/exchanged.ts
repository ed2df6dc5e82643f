import type { JsonObject, storedResponses } from '../../translators/index.js';

/** One exchange to keep. */
export interface Exchanged {
  readonly id: string;
  readonly response: JsonObject;
  /** What it was printed as, where that was done. */
  readonly printed?: string | Uint8Array;
  /** The last frame of the pieces shows it as well, so that it is kept there alone. `response` may lack what it tells of its request. */
  readonly inStream?: boolean;
  /** Pieces of its stream that are kept already. */
  readonly kept: number;
  /** What follows them. */
  readonly pieces: readonly storedResponses.StoredPiece[];
  /** What was before it; undefined when that is not known, so that nothing can build upon our copy. */
  readonly before: storedResponses.History | undefined;
  readonly input: readonly JsonObject[];
  /** The client named no item of the input, so that none of them can be known from before. */
  readonly fresh?: boolean;
  /** The backend that keeps the answer itself. */
  readonly owner: string | undefined;
  /** The state domain of a backend of the client's own dialect. */
  readonly domain: string | undefined;
}
