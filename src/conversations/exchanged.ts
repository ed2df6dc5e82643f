import type { JsonObject } from '../../translators/index.js';
import type { StoredPiece, StoredTurn } from './record.js';

/** A conversation up to and including one answer. */
export interface History {
  /** Ids of its answers, oldest first. */
  readonly answers: readonly string[];
  readonly turns: readonly StoredTurn[];
}

/** One exchange to keep. */
export interface Exchanged {
  readonly id: string;
  readonly response: JsonObject;
  /** Pieces of its stream that are kept already. */
  readonly kept: number;
  /** What follows them. */
  readonly pieces: readonly StoredPiece[];
  /** What was before it; undefined when that is not known, so that nothing can build upon our copy. */
  readonly before: History | undefined;
  readonly input: readonly JsonObject[];
  /** The backend that keeps the answer itself. */
  readonly owner: string | undefined;
  /** The state domain of a backend of the client's own dialect. */
  readonly domain: string | undefined;
}

/** An item, and the answer in whose turn it stands. */
export interface KeptItem {
  readonly item: JsonObject;
  readonly answer: string;
  /** Whose state stands bare in it. */
  readonly domain: string | undefined;
}
