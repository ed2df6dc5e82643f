import type { DialectId } from '../library.js';

/** Where a source may go. */
export interface Target {
  readonly dialect: DialectId;
  /** '' = the model that the source asks for. */
  readonly model: string;
  /** A known host or an address; '' = the vendor's own. */
  readonly host: string;
}

/** So many targets are judged at once. */
export const MOST_TARGETS = 8;
