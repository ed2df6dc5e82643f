import type { Citation, Part, TokenLogprob } from './content.js';
import type { CanonicalError } from './errors.js';
import type { Extensions, JsonObject } from './node.js';
import type { Finish, Usage } from './response.js';
import type { StateEntry } from './state.js';

/** What a delta appends to. */
export type DeltaOp = 'text' | 'refusal' | 'reasoning' | 'raw' | 'args' | 'freeform' | 'code' | 'partialMedia';

/**
 * Stream events (translation.md 6.1). Order: `start` once and first; per part `part.start`, deltas, `part.end`;
 * `finish` before `end`; exactly one of `end` and `error` is last. `ix` counts parts 0, 1, 2 in order of first sight.
 */
export type StreamEvent =
  | {
      readonly type: 'start';
      readonly id: string;
      readonly model: string;
      readonly createdAt?: number;
      readonly usage?: Usage;
      /** The tier that serves the answer, where it is known already. */
      readonly tier?: string;
      readonly ext?: Extensions;
    }
  /**
   * `part` is the head: its kind, ids and names with empty content, and state where it is known already. `said` gives the
   * text that the deltas of the part add up to so far, for stages that would else keep a copy; one that changes the
   * deltas leaves it out, one that holds some of them back does not have to.
   */
  | { readonly type: 'part.start'; readonly ix: number; readonly part: Part; readonly said?: () => string }
  /** `sub` counts the paragraphs of a reasoning part. */
  | {
      readonly type: 'part.delta';
      readonly ix: number;
      readonly op: DeltaOp;
      readonly value: string;
      readonly sub?: number;
    }
  /** May come after `part.end` of its text part (grounding arrives last). */
  | { readonly type: 'part.citation'; readonly ix: number; readonly citation: Citation }
  /** May come after `part.end` of a text that has none, like citations. */
  | { readonly type: 'part.logprobs'; readonly ix: number; readonly tokens: readonly TokenLogprob[] }
  /** Assigns. Comes before `part.end`. */
  | { readonly type: 'part.state'; readonly ix: number; readonly entries: readonly StateEntry[] }
  /** The whole part; authoritative. */
  | { readonly type: 'part.end'; readonly ix: number; readonly part: Part }
  /** A snapshot: per field the last value counts, nothing is added. */
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'finish'; readonly finish: Finish }
  | {
      readonly type: 'end';
      readonly tier?: string;
      readonly ext?: Extensions;
      readonly extraCandidates?: readonly unknown[];
    }
  | { readonly type: 'error'; readonly error: CanonicalError }
  | { readonly type: 'ping' }
  | { readonly type: 'opaque'; readonly dialect: string; readonly name: string; readonly raw: JsonObject };

export type EventSink = (event: StreamEvent) => void;
