import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DialectId, MediaSurface } from '../translators/index.js';
import type { KeyConfig } from './config.js';
import type { Admission } from './limits.js';
import { randomHex } from './random.js';
import type { CallRecord } from './record.js';

/** What is known about one request of a client, whatever it asks for. */
export interface ClientCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Path without query, as it came. */
  readonly path: string;
  /** Query without the question mark; '' = none. */
  readonly query: string;
  /** In whose words errors are told. */
  readonly dialect: DialectId;
  /** Set on the media routes, whose errors have forms of their own. */
  readonly surface?: MediaSurface;
  /** The id shown to the client, logged, and unique to this request unless the client chose it. */
  readonly id: string;
  /** Milliseconds of `performance.now()`. */
  readonly startedAt: number;
  /** Who calls; set once the key was found to be valid. */
  key?: KeyConfig;
  /** What runs for this request at a backend; ended when the client goes away. */
  running?: { abort(): void };
  /** Its place within the limits of its key. */
  admission?: Admission;
  /** Its part of a trace, when traces are written. */
  trace?: unknown;
  /** The client went away before its answer was complete. */
  gone: boolean;
  /** Answered to nobody's connection: refusals are thrown, not sent. */
  readonly detached?: true;
  readonly record: CallRecord;
}

/** Opens the record of a request. `target` is the request target relative to where the gateway is mounted. */
export function openCall(
  request: IncomingMessage,
  response: ServerResponse,
  target: { readonly path: string; readonly query: string },
  dialect: DialectId,
  surface?: MediaSurface,
): ClientCall {
  return {
    request,
    response,
    path: target.path,
    query: target.query,
    dialect,
    surface,
    id: requestId(request.headers['x-request-id']),
    startedAt: performance.now(),
    gone: false,
    record: {},
  };
}

function requestId(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[\w.-]{1,128}$/.test(given) ? given : `req_${randomHex()}`;
}
