import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { MessagePort } from 'node:worker_threads';
import type { DialectId, MediaSurface } from '../../translators/index.js';
import type { AnswerHeaders, BackendAsk, CallKind, Learner, ModelRestrictions, Restriction } from '../backend/index.js';
import type { Config, KeyConfig, Target } from '../config/index.js';
import type { CallRecord, Counted, Facts } from '../http/index.js';
import type { ToldByBackend } from '../models/index.js';
import type { PassReason } from '../observe/index.js';
import type { Text } from '../store/index.js';
import type { PackedFailure } from './packed-failure.js';

/** What a thread is given when it starts. */
export interface ThreadData {
  readonly config: Config;
  /** Whether there is a storage beside this process's memory. */
  readonly stores: boolean;
}

/** One request that a thread works on. Everything about it goes over its own port. */
export interface Begin {
  readonly port: MessagePort;
  /** Which of the routes serves it. */
  readonly route: number;
  readonly call: GivenCall;
  /** The body, in pieces. */
  readonly body: Uint8Array[];
  readonly state: GivenState;
  /** An answer that a backend has begun already: the first call for this request gets it. */
  readonly begun?: { readonly status: number; readonly headers: AnswerHeaders };
  /** Where its model leads, where that was drawn already. */
  readonly targets?: readonly Target[];
}

/** What a thread needs to know of a call. */
export interface GivenCall {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly base: string;
  readonly path: string;
  readonly query: string;
  readonly route: string;
  readonly dialect: DialectId;
  readonly surface: MediaSurface | undefined;
  readonly id: string;
  /** Unix ms, with fractions. */
  readonly startedAt: number;
  readonly key: KeyConfig | undefined;
  readonly admission: { readonly headers: Readonly<Record<string, string>>; readonly counted: Counted } | undefined;
}

/** The state of this gateway. */
export interface GivenState {
  readonly url: string;
  readonly listening: boolean;
  readonly insecure: boolean;
  /** Backends with the models of them that want to be left alone. */
  readonly cooling: readonly (readonly [backend: string, models: readonly string[]])[];
  /** Endpoints of backends with the restrictions that apply to the caller. */
  readonly restrictions: readonly (EndpointName & { readonly models: readonly ModelRestrictions[] })[];
  /** Names of models that can be asked for. */
  readonly names: readonly string[];
  /** What backends told of their models. */
  readonly told: ToldByBackend;
}

/** A backend, and by which of its endpoints it is meant. */
interface EndpointName {
  readonly backend: string;
  readonly dialect: DialectId;
}

/** From the thread of a request. `call` numbers the calls to backends. */
export type FromThread =
  | (EndpointName & {
      readonly kind: 'call';
      readonly call: number;
      readonly ask: Omit<BackendAsk, 'body'> & { readonly body?: string | Uint8Array | readonly Uint8Array[] };
      readonly for: CallKind | undefined;
      readonly key: string | undefined;
      /** The backend's name of the model; absent = the call belongs to no exchange, and nobody counts it. */
      readonly model?: string;
      readonly facts: Facts | undefined;
    })
  | { readonly kind: 'abort'; readonly call: number; readonly reason: PackedFailure }
  | { readonly kind: 'pause' | 'resume'; readonly call: number }
  /** So many bytes of an answer are in the thread. */
  | { readonly kind: 'read'; readonly call: number; readonly size: number }
  /** What the answer to a call reported; it is over. */
  | { readonly kind: 'reported'; readonly call: number; readonly reported: CallRecord['reported'] }
  | {
      readonly kind: 'cool';
      readonly backend: string;
      readonly model: string;
      readonly learner: Learner;
      readonly ms: number;
    }
  | (EndpointName & {
      readonly kind: 'learned';
      readonly model: string;
      readonly learner: Learner;
      readonly restriction: Restriction;
    })
  | (EndpointName & {
      readonly kind: 'answered';
      readonly model: string;
      readonly learner: Learner;
      readonly tokens: number;
    })
  | { readonly kind: 'key refused'; readonly backend: string }
  | { readonly kind: 'passed'; readonly backend: string; readonly reason: PassReason }
  | { readonly kind: 'head'; readonly status: number; readonly headers: OutgoingHttpHeaders }
  | { readonly kind: 'write'; readonly piece: string | Uint8Array }
  | { readonly kind: 'end'; readonly piece: string | Uint8Array | undefined }
  | { readonly kind: 'flush' | 'destroy' | 'breakOff' }
  /** It is over, or cannot be served in a thread: `body` is given back then. */
  | {
      readonly kind: 'done';
      readonly record: CallRecord;
      /** Estimated tokens of the request, where nobody reported them. */
      readonly asked: number | undefined;
      readonly body?: Uint8Array;
    };

/** To the thread of a request. */
export type ToThread =
  | { readonly kind: 'head'; readonly call: number; readonly status: number; readonly headers: AnswerHeaders }
  /** What a backend is called with that its configuration does not hold. */
  | { readonly kind: 'secrets'; readonly backend: string; readonly secrets: readonly string[] }
  | { readonly kind: 'data'; readonly call: number; readonly chunk: Uint8Array }
  | { readonly kind: 'end'; readonly call: number }
  | { readonly kind: 'fail'; readonly call: number; readonly failure: PackedFailure }
  /** So many bytes or characters of the answer have left. */
  | { readonly kind: 'taken'; readonly size: number }
  /** Nobody waits any more: the client is gone, or there is a reason. */
  | { readonly kind: 'stop'; readonly reason: PackedFailure | undefined };

/** What a thread wants of the process beside any request. */
export type Question =
  | { readonly ask: 'get' | 'delete'; readonly area: AreaName; readonly keys: readonly string[] }
  | { readonly ask: 'set'; readonly area: AreaName; readonly texts: readonly Text[] }
  | { readonly ask: 'videoKey' };

export interface AreaName {
  /** Files are kept in memory where there is no storage. */
  readonly in: 'storage' | 'files';
  readonly name: string;
}

export type FromThreadItself =
  | { readonly kind: 'question'; readonly id: number; readonly question: Question }
  | { readonly kind: 'log'; readonly level: LogLevel; readonly words: readonly unknown[] };

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

export function isLogLevel(label: string): label is LogLevel {
  return LOG_LEVELS.some((level) => level === label);
}

export type ToThreadItself =
  | { readonly kind: 'begin'; readonly begin: Begin }
  | { readonly kind: 'answer'; readonly id: number; readonly value?: unknown; readonly failed?: PackedFailure };

/** Bytes that may be given away: those themselves when nothing else is in their memory, else a copy. */
export function movable(bytes: Uint8Array): { readonly bytes: Uint8Array; readonly memory: ArrayBuffer } {
  const { buffer, byteLength } = bytes;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) return { bytes, memory: buffer };
  return copied(bytes);
}

/** Bytes that may be given away while somebody else keeps the others. */
export function copied(given: Uint8Array): { readonly bytes: Uint8Array; readonly memory: ArrayBuffer } {
  const memory = new ArrayBuffer(given.byteLength);
  const bytes = new Uint8Array(memory);
  bytes.set(given);
  return { bytes, memory };
}
