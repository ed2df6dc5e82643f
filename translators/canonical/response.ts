import type { Part } from './content.js';
import type { CanonicalError } from './errors.js';
import type { Node } from './node.js';

/** Why an answer ended (translation.md 5.2). */
export type FinishKind =
  | 'end'
  | 'tool_use'
  | 'stop_sequence'
  | 'max_tokens'
  | 'context_window'
  | 'refusal'
  | 'filter'
  | 'prompt_blocked'
  | 'pause'
  | 'malformed_call'
  | 'no_image'
  | 'compaction'
  | 'cancelled'
  | 'failed'
  | 'other';

/** The model's word for the end plus the word that was on the wire. */
export interface Finish {
  readonly kind: FinishKind;
  readonly raw: string;
  readonly dialect: string;
  /** The stop string that was hit. */
  readonly stopSequence?: string;
  /** Explanation for a person (refusal text, finish message). */
  readonly detail?: string;
  /** Category of a refusal, as on the wire. */
  readonly category?: string;
}

/** Token counts (translation.md 5.3). undefined = the backend did not say. */
export interface Usage extends Node {
  /** Everything fed in: uncached, cache reads, cache writes and results of hosted tools. */
  readonly input?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly cacheWrite1h?: number;
  /** Results of hosted tools fed back, part of `input`. */
  readonly toolInput?: number;
  /** Everything generated, reasoning included. */
  readonly output?: number;
  readonly reasoning?: number;
  readonly hosted?: { readonly webSearch?: number; readonly webFetch?: number; readonly codeExec?: number };
  /**
   * What they cost does not follow from them and the prices of text: sound or pictures are among them, a region or a speed has a
   * price of its own, or they do not add up.
   */
  readonly apart?: true;
  /** Tools of the service ran, for which there may be fees beside the tokens. */
  readonly fees?: true;
  /** Sums of several calls, each of which was billed by its own size. */
  readonly several?: true;
}

/** An answer in the canonical model. */
export interface CanonicalResponse extends Node {
  readonly source: string;
  readonly id: string;
  /** The backend's name of the model. */
  readonly model: string;
  /** Unix seconds. */
  readonly createdAt?: number;
  readonly parts: readonly Part[];
  readonly finish: Finish;
  readonly usage?: Usage;
  /** Service tier that was used, as on the wire. */
  readonly tier?: string;
  /** Further candidates as they came; only their own dialect prints them. */
  readonly extraCandidates?: readonly unknown[];
  /** Set when `finish.kind` is `failed` and the backend said why. */
  readonly error?: CanonicalError;
}
