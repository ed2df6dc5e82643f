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

/** A violation if `broken`; rules are lists of these, of which the service reports the first. */
export function when(broken: boolean, message: string, detail: Omit<Violation, 'message'> = {}): Violation[] {
  return broken ? [{ message, ...detail }] : [];
}
