import type { JsonObject } from './json.js';
import type { StateKeeper } from './state.js';

/** A tool the model may call. `schema` is JSON Schema, or the upper-case `Schema` of generateContent. */
export interface Tool {
  readonly name: string;
  readonly schema?: JsonObject;
  /** Takes free text in place of a JSON object. */
  readonly freeform?: boolean;
}

/** What the caller sent back for one call. */
export interface ToolOutcome {
  readonly name: string;
  readonly text: string;
  readonly isError: boolean;
}

/** The form the answer must have. */
export type OutputForm =
  | { readonly kind: 'text' }
  | { readonly kind: 'json' }
  | { readonly kind: 'schema'; readonly schema: JsonObject }
  | { readonly kind: 'enum'; readonly values: readonly string[] };

/**
 * The little that the script wants to know of a request. "Current turn" is everything after the last turn of the model.
 */
export interface View {
  readonly model: string;
  /** Text of the user in the current turn. */
  readonly userText: string;
  /** Tool results in the current turn. */
  readonly results: readonly ToolOutcome[];
  /** Kinds of media in the current turn, e.g. `image/png`, `image by URL`. */
  readonly media: readonly string[];
  readonly tools: readonly Tool[];
  readonly choice: { readonly mode: 'auto' | 'required' | 'none'; readonly only?: readonly string[] };
  readonly parallel: boolean;
  readonly wantsReasoning: boolean;
  readonly output: OutputForm;
  /** Cap on output tokens, reasoning included. */
  readonly maxTokens?: number;
  readonly stop: readonly string[];
  /** Tokens of the whole prompt, and of its instructions and tools alone. */
  readonly promptTokens: number;
  readonly prefixTokens: number;
  /** Whether the model has spoken before. */
  readonly laterTurn: boolean;
}

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
