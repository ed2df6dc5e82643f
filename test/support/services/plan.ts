import type { JsonObject, StateKeeper } from '../../../src/simulator/rules/index.js';

/** One call the model makes. */
export interface PlannedCall {
  readonly name: string;
  readonly arguments: JsonObject;
  /** Free text of a custom tool; `arguments` is then unused. */
  readonly input?: string;
  /** The argument text as far as it came before the token limit; the call is unfinished. */
  readonly cut?: string;
}

/** Why the answer ends. */
export type Finish =
  | { readonly kind: 'end' }
  | { readonly kind: 'calls' }
  | { readonly kind: 'length' }
  | { readonly kind: 'stop'; readonly sequence: string }
  | { readonly kind: 'refusal'; readonly text: string };

/** One answer of a model in no dialect: reasoning, then text, then calls. */
export interface Plan {
  /** Paragraphs of the reasoning summary; an empty list is reasoning that shows nothing. */
  readonly reasoning?: readonly string[];
  readonly text?: string;
  readonly calls?: readonly PlannedCall[];
  /** A PNG in base64. */
  readonly picture?: string;
  readonly finish: Finish;
}

/** Token counts; `cached` and `cacheWritten` are part of `input`, `reasoning` is part of `output`. */
export interface Usage {
  readonly input: number;
  readonly cached: number;
  readonly cacheWritten: number;
  readonly output: number;
  readonly reasoning: number;
}

/** What every dialect's printer needs besides its own switches. */
export interface Printing {
  readonly plan: Plan;
  readonly model: string;
  readonly usage: Usage;
  /** A new id: the prefix and `length` characters of hex digits, 24 unless given. */
  readonly mint: (prefix: string, length?: number) => string;
  readonly state: StateKeeper;
  /** Unix time in seconds. */
  readonly now: number;
}
