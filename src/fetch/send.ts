import type { CanonicalError, Headers as HeaderMap, Loss } from '../../translators/index.js';
import { Failure } from '../plain/index.js';
import { createHostRequests, type HostAsk, readUpstreamError } from '../protocol/index.js';
import { answerHeaders, type Call, Refusal } from './call.js';

/** What the backend answered. */
export interface Answered {
  readonly status: number;
  readonly headers: HeaderMap;
  readonly response: Response;
}

/** So many bytes of an error body, from its beginning, are made out and handed on. */
const ERROR_BYTES = 1024 * 1024;

/**
 * Sends a call to the backend. Rejects with the reason of an abort, and with Failure when there is no answer. Redirects are
 * not followed: they would lead the key elsewhere.
 */
export async function send({ settings, signal }: Call, ask: HostAsk<'GET' | 'POST', string>): Promise<Answered> {
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

/** The bytes of a whole answer. */
export async function bytesOf({ signal }: Call, { response }: Answered): Promise<Uint8Array<ArrayBuffer>> {
  const read = response.arrayBuffer().catch((thrown: unknown) => {
    if (signal?.aborted === true) throw signal.reason;
    throw new Failure(BROKEN, { cause: thrown });
  });
  return new Uint8Array(await unlessAborted(signal, read));
}

export const BROKEN: CanonicalError = { kind: 'upstream', message: 'the connection to the backend broke' };

/** Whether the backend answered with a success. */
export function isSuccess({ status }: Answered): boolean {
  return status >= 200 && status < 300;
}

/**
 * What a client is answered for a refusal: as it came when it is of the client's own dialect, else translated. That the key is
 * refused is the caller's own affair here, and told as it is.
 */
export async function refusalOf(
  call: Call,
  answered: Answered,
  model: string,
  losses: readonly Loss[],
): Promise<Refusal> {
  const { host } = call.settings;
  const { status, headers } = answered;
  const bytes = (await bytesOf(call, answered).catch(nothing)).subarray(0, ERROR_BYTES);
  const { error, shaped } = readUpstreamError({ ...host, auth: 'client' }, status, headers, bytes);
  const own = answerHeaders(call, model, headers, losses);
  const relayed = shaped && host.dialect === call.dialect;
  const body = new TextDecoder().decode(bytes);
  return new Refusal(error, {
    status,
    own,
    losses,
    relayed: relayed ? { status, body, type: headers['content-type'] ?? 'application/json' } : undefined,
  });
}

/** The status of a refusal says enough when its words break off. */
function nothing(thrown: unknown): Uint8Array {
  if (thrown instanceof Failure) return new Uint8Array();
  throw thrown;
}
