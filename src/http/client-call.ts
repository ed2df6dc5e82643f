import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DialectId, MediaSurface } from '../../translators/index.js';
import type { KeyConfig, Target } from '../config/index.js';
import { type CallFailure, randomHex } from '../ground/index.js';
import type { JsonText } from '../protocol/index.js';
import { type CallRecord, createRecord } from './call-record.js';

/** What is known about one request of a client, whatever it asks for. */
export interface ClientCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Base of URLs that this caller is given, without a trailing slash; never what the request claims (configuration.md#rules). */
  readonly base: string;
  /** Path without query, without runs of slashes. */
  readonly path: string;
  /** Query without the question mark; '' = none. */
  readonly query: string;
  /** The path of its route as the documentation has it, when there is one. */
  route?: string;
  /** The dialect of errors. */
  readonly dialect: DialectId;
  /** Set on the media routes, whose errors have forms of their own. */
  readonly surface?: MediaSurface;
  /** The id shown to the client, logged, and unique to this request unless the client chose it. */
  readonly id: string;
  /** Milliseconds of `performance.now()`. */
  readonly startedAt: number;
  /** Who calls; set once the key was found to be valid. */
  key?: KeyConfig;
  /** What runs for this request at a backend; ended when the client goes away, or with the reason why nobody waits. */
  running?: Running;
  /** Why this request is ended before its time; what would still begin for it is ended as well. */
  stopped?: CallFailure;
  /** Where its model leads, drawn once for the request. */
  targets?: readonly Target[];
  /** Its place within the limits of its key. */
  admission?: Admission;
  /** Its body, where that was read already. */
  body?: Buffer;
  /** Its body, once that was read as JSON. */
  json?: JsonText;
  /** Where it is served by a thread: resolves when its record is whole. */
  elsewhere?: Promise<unknown>;
  /** A thread gave it back: none serves it after that, as its backends would be called and paid again each time. */
  returned?: true;
  /** Its place among the open calls, as long as it is one. */
  openIndex?: number;
  /** The end of its answer, which waits until the store has it, as {@link endLater} notes it. Rejects with what is to be answered in its place. */
  ending?: Promise<void>;
  /** Its part of a trace, when traces are written. */
  trace?: unknown;
  /** The client went away before its answer was complete. */
  gone: boolean;
  /** Answered to nobody's connection: refusals are thrown, not sent. */
  readonly detached?: true;
  readonly record: CallRecord;
}

/** Who waits for a call to a backend, and ends it when there is no more use for it. */
export type Waiting = Pick<ClientCall, 'running' | 'gone' | 'stopped'>;

/** What runs for a request. Its reader gets `reason` as the error, else that the call was cancelled. */
export interface Running {
  /** Set to false while no backend was called. */
  readonly called?: boolean;
  abort(reason?: CallFailure): void;
}

/**
 * What a request is for the limits of its caller's key: a POST whose tokens the answer alone reports; a conversation,
 * whose tokens are estimated when nobody tells them; or one that reads what is stored, which costs no tokens.
 */
export type Counted = 'request' | 'conversation' | 'read';

/** A call's place within the limits of its key. */
export interface Admission {
  /** The key's own limits as they were when the request came, in the words of the client's dialect. */
  readonly headers: Readonly<Record<string, string>>;
  readonly counted: Counted;
  /** What was sent to the model, as text or in UTF-8, once that is known; or how many tokens that is about. */
  asked?: string | Uint8Array | number;
  /** Who holds it from now on ends it; the one it was taken from has nothing to end. */
  handOver(): Admission;
  /** Counts tokens, and gives the place back. Repeated calls do nothing. */
  settle(tokens: number): void;
}

/** Notes what runs for a request; it ends at once when nobody waits for it any more. */
export function runFor(call: Waiting, running: Running): void {
  call.running = running;
  if (call.gone || call.stopped !== undefined) running.abort(call.stopped);
}

/**
 * Everything is done for a request but the end of its answer, which `ending` sends once the store has it. Whoever serves the request waits for
 * that ({@link ClientCall.ending}), and nothing else of the exchange does: what waits is moved by each collection of the young generation.
 */
export function endLater(call: ClientCall, ending: Promise<void>): void {
  call.ending = ending;
  call.json = undefined;
}

/** Opens the record of a request. `target` is the request target relative to where the gateway is mounted. */
export function openCall(
  request: IncomingMessage,
  response: ServerResponse,
  { base, path, query }: { readonly base: string; readonly path: string; readonly query: string },
  dialect: DialectId,
  surface?: MediaSurface,
): ClientCall {
  return {
    request,
    response,
    base,
    path,
    query,
    dialect,
    surface,
    id: requestId(request.headers['x-request-id']),
    startedAt: performance.now(),
    gone: false,
    record: createRecord(),
    route: undefined,
    key: undefined,
    running: undefined,
    stopped: undefined,
    targets: undefined,
    admission: undefined,
    body: undefined,
    json: undefined,
    elsewhere: undefined,
    returned: undefined,
    openIndex: undefined,
    ending: undefined,
    trace: undefined,
  };
}

/** Notes that a call is over; `outcome` where it ended otherwise than its connection tells. */
export function noteEnd(call: ClientCall, outcome = outcomeOf(call)): void {
  const { record, response, startedAt } = call;
  record.ms = performance.now() - startedAt;
  record.status = response.headersSent ? response.statusCode : undefined;
  record.outcome = outcome;
}

/** How a call ended: `ok`, the kind of its error, or `client_closed` where the client left before its end. */
function outcomeOf({ gone, record }: ClientCall): string {
  return gone && record.brokenOff !== true ? 'client_closed' : (record.error ?? 'ok');
}

function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[\w.-]{1,128}$/.test(given) ? given : `req_${randomHex()}`;
}
