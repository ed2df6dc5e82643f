import type { DialectId } from '../library.js';

/** A call that was found in what was pasted. */
export interface Call {
  /** What it sends; '' = nothing. */
  readonly text: string;
  /** By names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** Whose endpoint it calls, where that is known. */
  readonly dialect?: DialectId;
  /** The model and the choice of a stream, where the URL says so. */
  readonly model?: string;
  readonly stream?: boolean;
}

/** What no header says. */
export const NO_HEADERS: ReadonlyMap<string, string> = new Map();
