import { createHash } from 'node:crypto';
import type { Directives } from './directives.js';
import { Refusal, type SimulatorRequest } from './http.js';
import { isObject, type JsonObject } from './json.js';
import type { Delivery } from './stream.js';

/** One request on its way through a dialect's handler. */
export interface Exchange {
  readonly method: string;
  /** Path without query, version prefix and trailing slash, e.g. `/messages`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  /** A new id of 24 characters behind the prefix, unique in this simulator. */
  readonly mint: (prefix: string, length?: number) => string;
  /** Unix time in seconds. */
  readonly now: number;
  /** The body as it came. */
  readonly text: string;
  /** The body as an object; a Refusal 400 when it is not one. */
  readBody(): JsonObject;
  /** A plain body of which only the first half arrives. */
  cutBody(body: string): AsyncIterable<Uint8Array>;
  /** How the stream is to be delivered, by the user's directives. */
  delivery(directives: Directives, failure: { readonly status: number; readonly message: string }): Delivery;
}

const BREAK_AFTER = 3;
const SLOW_MS = 50;

/**
 * @param path path without query, version prefix and trailing slash
 * @param identity what the exchange's ids are derived from; must differ between exchanges
 */
export function createExchange(
  request: SimulatorRequest,
  url: URL,
  path: string,
  identity: string,
  now: number,
): Exchange {
  let minted = 0;
  return {
    method: request.method.toUpperCase(),
    path,
    query: url.searchParams,
    headers: request.headers,
    now,
    text: request.body,
    mint(prefix, length = 24) {
      minted += 1;
      return `${prefix}${createHash('sha256').update(`${identity} ${minted}`).digest('hex').slice(0, length)}`;
    },
    readBody() {
      const value = parse(request.body);
      if (!isObject(value)) throw new Refusal(400, 'The request body is not a JSON object.');
      return value;
    },
    async *cutBody(body) {
      yield new TextEncoder().encode(body.slice(0, Math.floor(body.length / 2)));
    },
    delivery(directives, failure) {
      return {
        ...(directives.broken ? { breakAfter: BREAK_AFTER } : {}),
        ...(directives.broken === 'failed' ? { failure } : {}),
        ...(directives.slow ? { paceMs: SLOW_MS } : {}),
        ...(request.signal ? { signal: request.signal } : {}),
      };
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, 'The request body is not valid JSON.');
  }
}
