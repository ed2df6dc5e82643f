import type { JsonObject } from '../../canonical/node.js';
import { isObject } from '../../wire/json.js';

/** The version of what is written; a reader takes nothing else. */
export const VERSION = 1;

interface Versioned {
  readonly v: typeof VERSION;
}

/** That an answer is kept. */
export interface AnswerRecord extends Versioned {
  /** As it is shown to who asks for it again; absent where the last frame of its stream shows it. */
  readonly response?: JsonObject;
  /** How many pieces of its stream are kept. */
  readonly pieces: number;
}

/** The same with the answer. */
export interface StoredAnswer extends AnswerRecord {
  readonly response: JsonObject;
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
    /** Present when its items were forgotten, although a later exchange may still build upon them. */
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

/** A conversation up to and including one answer. */
export interface History {
  /** Ids of its answers, oldest first. */
  readonly answers: readonly string[];
  readonly turns: readonly StoredTurn[];
}

/** An item, and the answer in whose turn it stands. */
export interface KeptItem {
  readonly item: JsonObject;
  readonly answer: string;
  /** Whose state stands bare in it. */
  readonly domain: string | undefined;
}

type Shape = (record: Readonly<Record<string, unknown>>) => boolean;

const isText = (value: unknown): boolean => typeof value === 'string';
const areItems = (value: unknown): boolean => Array.isArray(value) && value.every(isObject);

/** What each kind of record has; the others are only there or not. */
const SHAPES: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  [
    'answer',
    ({ response, pieces }) =>
      Number.isSafeInteger(pieces) && (response === undefined ? Number(pieces) > 0 : isObject(response)),
  ],
  [
    'turn',
    ({ at, earlier, input, output }) =>
      typeof at === 'number' && Array.isArray(earlier) && earlier.every(isText) && areItems(input) && areItems(output),
  ],
  ['item', ({ answer }) => isText(answer)],
  ['owner', ({ backend }) => isText(backend)],
  ['piece', ({ deflated }) => isText(deflated)],
  ['run', ({ until, streamed }) => typeof until === 'number' && typeof streamed === 'boolean'],
]);

/** Whether the value at a key of {@link keysOf} has what its kind of record has. Other versions, and other values, have nothing to lack. */
export function isSound(key: string, value: unknown): boolean {
  if (!isObject(value) || value.v !== VERSION) return true;
  const [, kind = ''] = key.split(':', 2);
  return SHAPES.get(kind)?.(value) ?? true;
}
