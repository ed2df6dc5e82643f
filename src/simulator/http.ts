import type { DialectId } from '../../translators/index.js';

/** One HTTP request as the gateway's client seam hands it over. Header names are lower case. */
export interface SimulatorRequest {
  readonly method: string;
  /** Path with its query, as in the request line. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Ends a running stream early; what was already pulled stays valid. */
  readonly signal?: AbortSignal;
}

/** One HTTP answer. A plain answer has a string as its body, a stream its bytes in the pieces they were written in. */
export interface SimulatorAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: AsyncIterable<Uint8Array> | string;
}

/** What a request asks of a service. */
export type Operation = 'create' | 'count' | 'models' | 'stored' | 'images' | 'videos' | 'predict';

/** One request on its way through the simulator, and what its answer is made from. */
export interface Exchange {
  readonly dialect: DialectId;
  readonly operation: Operation | undefined;
  readonly method: string;
  /** Path without query, version prefix and trailing slash, e.g. `/messages`. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The model, where the path names it. */
  readonly model: string | undefined;
  /** Whether the path asks for a stream; undefined where the body decides. */
  readonly stream: boolean | undefined;
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** The body as it came. */
  readonly text: string;
  readonly signal: AbortSignal | undefined;
  /** Hex digits, different for every exchange; what is random in an answer is derived from it. */
  readonly seed: string;
  /** Headers that every answer has. */
  readonly headers: Readonly<Record<string, string>>;
  /** Unix time in seconds. */
  readonly now: number;
}

/** A JSON answer. */
export function json(body: object, headers: Readonly<Record<string, string>>, status = 200): SimulatorAnswer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

/** An answer of bytes that come in pieces. */
export function stream(
  body: AsyncIterable<Uint8Array>,
  headers: Readonly<Record<string, string>>,
  type = 'text/event-stream; charset=utf-8',
): SimulatorAnswer {
  return { status: 200, headers: { ...headers, 'content-type': type }, body };
}

/** Bytes that come in one piece. */
export async function* wholeOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
