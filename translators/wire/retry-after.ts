import type { CanonicalError, ErrorKind } from '../canonical/errors.js';

/** The longest delay that is passed on, in ms: who asks for more than a day is mistaken, or wants to be rid of a client. */
const LONGEST_MS = 86_400_000;

/** A delay in ms as a client may receive it: at most a day; undefined for what is negative or no number. */
export function saneDelay(ms: number): number | undefined {
  return Number.isFinite(ms) && ms >= 0 ? Math.min(ms, LONGEST_MS) : undefined;
}

/**
 * How long a service asks to wait, in ms: `retry-after-ms`, then `retry-after` in seconds or, where the time `now` (Unix
 * ms) is known, as an HTTP date (translation.md 7.2). Anything else is no delay (hardening.md row 49).
 */
export function readRetryAfter(
  headers: Readonly<Record<string, string | undefined>>,
  now?: number,
): number | undefined {
  const millis = decimal(headers['retry-after-ms']);
  if (millis !== undefined) return saneDelay(millis);
  const text = headers['retry-after'];
  const seconds = decimal(text);
  if (seconds !== undefined) return saneDelay(seconds * 1000);
  // Without a time of day it is no date, although the platform reads one into `-1`.
  if (text === undefined || now === undefined || !/\d:\d\d/.test(text)) return undefined;
  return saneDelay(Math.max(0, Date.parse(text) - now));
}

function decimal(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}

/** Kinds of failure that a repetition does not mend (translation.md 7.2). */
const PERMANENT: ReadonlySet<ErrorKind> = new Set(['billing', 'unsupported', 'content_policy', 'context_length']);

/** Whether a client should come again; undefined = that is its own affair. */
export function retryAdvice({ kind, retry }: CanonicalError): boolean | undefined {
  return PERMANENT.has(kind) ? false : retry;
}

/** The headers by which an error answer names its request and says whether and when to come again. */
export function errorHeaders(error: CanonicalError, requestId: string | undefined): Record<string, string> {
  const headers: Record<string, string> = {};
  if (requestId !== undefined) headers['x-request-id'] = requestId;
  if (error.retryAfterMs !== undefined) {
    headers['retry-after'] = String(Math.max(1, Math.ceil(error.retryAfterMs / 1000)));
    headers['retry-after-ms'] = String(Math.round(error.retryAfterMs));
  }
  const retry = retryAdvice(error);
  if (retry !== undefined) headers['x-should-retry'] = String(retry);
  return headers;
}
