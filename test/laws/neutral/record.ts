import type { Trait } from '../dialects/traits.js';

/** Fields of requests that vanish without a word, because with their documented values they say nothing to the target. */
export interface NeutralFields {
  readonly fields: readonly string[];
  readonly reason: string;
}

/** Keys of recorded bodies that may vanish without an entry, because as they stand there they say nothing elsewhere. */
export interface NeutralKeys {
  readonly kind: 'request' | 'response';
  /** Of the key's pattern. */
  readonly keys: RegExp;
  readonly reason: string;
}

/** Recorded requests that backends of another dialect cannot answer, and why; all else is sent. */
export interface ForeseenRefusal {
  /** What sets the dialects apart that refuse; absent = all others do. */
  readonly where?: Trait;
  /** Which recordings, by name. */
  readonly recordings: RegExp;
  readonly path: RegExp;
  readonly reason: string;
}
