import type { Headers, Limits } from '../../dialect.js';
import { decodeRateLimits, encodeRateLimits } from '../../wire/rate-limits.js';

/**
 * Rate limits of an answer's headers (translation.md 7.2), in the words of one service that counts by the minute as well
 * [H §1.2]. `now` in Unix ms.
 */
export function decodeLimits(headers: Headers, now: number): Limits {
  return decodeRateLimits({ ...byTheMinute(headers), ...soundHeaders(headers) }, now);
}

/** Headers for a client. */
export const encodeLimits = (limits: Limits, _now: number): Record<string, string> => encodeRateLimits(limits);

/** A minute is when such a limit is whole again at the latest. */
function byTheMinute(headers: Headers): Headers {
  const found: Record<string, string> = {};
  for (const [word, name] of [
    ['req', 'requests'],
    ['tokens', 'tokens'],
  ] as const) {
    const limit = headers[`x-ratelimit-limit-${word}-minute`];
    const remaining = headers[`x-ratelimit-remaining-${word}-minute`];
    if (limit === undefined && remaining === undefined) continue;
    if (limit !== undefined) found[`x-ratelimit-limit-${name}`] = limit;
    if (remaining !== undefined) found[`x-ratelimit-remaining-${name}`] = remaining;
    found[`x-ratelimit-reset-${name}`] = '60s';
  }
  return found;
}

/** Without the delay of no milliseconds that a service sends beside one in seconds [H §1.2]. */
export function soundHeaders(headers: Headers): Headers {
  if (headers['retry-after'] === undefined || !/^\s*0+(?:\.0+)?\s*$/.test(headers['retry-after-ms'] ?? ''))
    return headers;
  const { 'retry-after-ms': _none, ...others } = headers;
  return others;
}
