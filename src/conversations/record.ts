import type { JsonObject } from '../../translators/index.js';

/** The version of what is written; a reader takes nothing else. */
export const VERSION = 1;

interface Versioned {
  readonly v: typeof VERSION;
}

/** An answer as it is shown to who asks for it again. */
export interface StoredAnswer extends Versioned {
  readonly response: JsonObject;
  /** How many pieces of its stream are kept. */
  readonly pieces: number;
}

/** What one exchange added to its conversation. Outlives its answer while later exchanges build upon it. */
export interface StoredTurn extends Versioned {
  /** When it was written last, in Unix milliseconds. */
  readonly at: number;
  /** Ids of the answers before it, oldest first. */
  readonly earlier: readonly string[];
  /** What the client sent, each item with an id. */
  readonly input: readonly JsonObject[];
  readonly output: readonly JsonObject[];
  /** The answer is still being made, or never came: nothing can build upon it. */
  readonly open?: true;
  /** The state domain of a backend of the client's own dialect, whose opaque state stands bare in the output. */
  readonly domain?: string;
}

/** In which answer's turn an item stands. */
export interface StoredItem extends Versioned {
  readonly answer: string;
}

/** A backend that keeps the answer itself. */
export interface StoredOwner extends Versioned {
  readonly backend: string;
}

/** A piece of an answer's stream: server-sent events, deflated, in base64. */
export interface StoredPiece extends Versioned {
  readonly deflated: string;
}

/** A run in the background: who works at it is alive until `until`, in Unix milliseconds. */
export interface StoredRun extends Versioned {
  readonly until: number;
  /** Its stream is kept too. */
  readonly streamed: boolean;
}

/** The keys of one tenant's records about one id. */
export function keysOf(tenant: string, id: string) {
  return {
    answer: `${tenant}:answer:${id}`,
    turn: `${tenant}:turn:${id}`,
    item: `${tenant}:item:${id}`,
    owner: `${tenant}:owner:${id}`,
    run: `${tenant}:run:${id}`,
    /** Present when the run is to end. */
    stop: `${tenant}:stop:${id}`,
    /** Present when a later exchange builds upon this one. */
    child: `${tenant}:child:${id}`,
    /** Present when its items were forgotten: an exchange that began before may still build upon them. */
    gone: `${tenant}:gone:${id}`,
    piece: (index: number) => `${tenant}:piece:${id}:${index}`,
  };
}

/**
 * Ids that can be stored ones; others are unknown without a look. The service's own have letters, digits, `_` and `-`;
 * those of other services may be long, and base64.
 */
export function isId(id: unknown): id is string {
  return typeof id === 'string' && /^\w[\w.=+-]{0,255}$/.test(id);
}

/** The record, when it is one of this version. */
export function readRecord<T extends Versioned>(value: unknown): T | undefined {
  return typeof value === 'object' && value !== null && 'v' in value && value.v === VERSION ? (value as T) : undefined;
}
