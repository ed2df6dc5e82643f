import { Refusal } from './http.js';

/** What a rule found: the words for the caller and the dialect's discriminators. */
export interface Violation {
  readonly message: string;
  /** HTTP status; 400 unless given. */
  readonly status?: number;
  readonly code?: string;
  readonly param?: string;
  /** Further details of the error body, where the dialect has them. */
  readonly details?: readonly object[];
}

/** Throws the first of what was found, as the service tells it. */
export function refuseFirst([first]: readonly Violation[]): void {
  if (first !== undefined) throw new Refusal(first.status ?? 400, first.message, first);
}
