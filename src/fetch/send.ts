import type { CanonicalError, Headers as HeaderMap } from '../../translators/index.js';
import { Failure } from '../ground/plain/index.js';
import { createHostRequests, type HostAsk } from '../protocol/index.js';
import type { Call } from './call.js';

/** What the backend answered. */
export interface Answered {
  readonly status: number;
  readonly headers: HeaderMap;
  readonly response: Response;
}

/** What a host without a route would answer: it is not asked. */
export const NOT_ASKED: Answered = { status: 404, headers: {}, response: new Response() };

/** How deep what a backend answers may nest. */
export const DEPTH = 128;

/** So many bytes of an error body, from its beginning, are read, made out and handed on. */
const ERROR_BYTES = 1024 * 1024;

/**
 * Sends a call to the backend. Rejects with the reason of an abort, and with Failure when there is no answer. Redirects are
 * not followed: they would lead the key elsewhere.
 */
export async function send(
  { settings, signal }: Call,
  ask: HostAsk<'GET' | 'POST', string | Uint8Array<ArrayBuffer>>,
): Promise<Answered> {
  const { host, apiKey } = settings;
  const { method, path, body, headers } = createHostRequests(host)(ask, { apiKey, headers: host.headers });
  const init = { method, headers, body, redirect: 'manual', ...(signal !== undefined && { signal }) } as const;
  const response = await unlessAborted(signal, settings.send(new URL(path, host.baseUrl).href, init)).catch(
    (thrown: unknown) => {
      if (signal?.aborted === true) throw signal.reason;
      throw new Failure({ kind: 'upstream', message: 'the backend cannot be reached' }, { cause: thrown });
    },
  );
  return { status: response.status, headers: Object.fromEntries(response.headers.entries()), response };
}

/** What a promise gives, or the reason of an abort that comes before it. */
export async function unlessAborted<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (signal === undefined) return work;
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    if (stop !== undefined) signal.removeEventListener('abort', stop);
  }
}

/** The bytes of a whole answer. Rejects with Failure when it breaks off or has more than `maxAnswerBytes`. */
export async function bytesOf({ settings, signal }: Call, answered: Answered): Promise<Uint8Array<ArrayBuffer>> {
  const reader = readerOf(answered);
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await unlessAborted(signal, reader.read());
      if (done) return joined(pieces, length);
      length += value.length;
      if (length > settings.maxAnswerBytes) throw new Failure(TOO_LARGE);
      pieces.push(value);
    }
  } catch (thrown) {
    reader.cancel().catch(() => undefined);
    if (signal?.aborted === true) throw signal.reason;
    throw thrown instanceof Failure ? thrown : new Failure(BROKEN, { cause: thrown });
  }
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** The beginning of an error body, or what there is of it when the connection breaks: its status says enough. */
export async function beginningOf({ signal }: Call, answered: Answered): Promise<Uint8Array> {
  const reader = readerOf(answered);
  const bytes = new Uint8Array(ERROR_BYTES);
  let length = 0;
  try {
    while (length < ERROR_BYTES) {
      const { done, value } = await unlessAborted(signal, reader.read());
      if (done) break;
      const piece = value.subarray(0, ERROR_BYTES - length);
      bytes.set(piece, length);
      length += piece.length;
    }
  } catch (thrown) {
    if (signal?.aborted === true) throw thrown;
  }
  reader.cancel().catch(() => undefined);
  return bytes.subarray(0, length);
}

/** Reads the body of an answer, piece by piece. */
export function readerOf({ response }: Answered): ReadableStreamDefaultReader<Uint8Array> {
  return (response.body ?? new Blob([]).stream()).getReader();
}

const TOO_LARGE: CanonicalError = { kind: 'upstream', message: 'the backend sent an answer that is too large' };

export const BROKEN: CanonicalError = { kind: 'upstream', message: 'the connection to the backend broke' };

/** Whether the backend answered with a success. */
export function isSuccess({ status }: Answered): boolean {
  return status >= 200 && status < 300;
}
