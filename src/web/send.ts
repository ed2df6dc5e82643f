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
export function notAsked(): Answered {
  return { status: 404, headers: {}, response: new Response() };
}

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
  // A function of its own: called as a method, that of some runtimes refuses.
  const { send: fetchIt } = settings;
  const response = await unlessAborted(signal, fetchIt(new URL(path, host.baseUrl).href, init)).catch(
    (thrown: unknown) => {
      if (signal?.aborted === true) throw signal.reason;
      if (thrown instanceof Failure) throw thrown;
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
export async function bytesOf(call: Call, answered: Answered): Promise<Uint8Array<ArrayBuffer>> {
  const { bytes, rest } = await readBytes(call, answered, call.settings.maxAnswerBytes);
  if (rest !== undefined) throw rest;
  return bytes;
}

/** The beginning of an error body, or what there is of it when the connection breaks: its status says enough. */
export async function beginningOf(call: Call, answered: Answered): Promise<Uint8Array> {
  return (await readBytes(call, answered, ERROR_BYTES)).bytes;
}

/** The bytes of an answer, `most` at most, and why the rest of them is missing. Rejects with the reason of an abort. */
async function readBytes(
  { signal }: Call,
  answered: Answered,
  most: number,
): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly rest?: Failure }> {
  const reader = readerOf(answered);
  const pieces: Uint8Array[] = [];
  let length = 0;
  let rest: Failure | undefined;
  try {
    for (;;) {
      const { done, value } = await unlessAborted(signal, reader.read());
      if (done) return { bytes: joined(pieces, length) };
      pieces.push(value.subarray(0, most - length));
      length += value.length;
      if (length > most) break;
    }
    rest = new Failure(TOO_LARGE);
  } catch (cause) {
    rest = new Failure(BROKEN, { cause });
  }
  reader.cancel().catch(() => undefined);
  if (signal?.aborted === true) throw signal.reason;
  return { bytes: joined(pieces, Math.min(length, most)), rest };
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
