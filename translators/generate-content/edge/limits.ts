import type { Headers, Limits } from '../../dialect.js';
import { readRetryAfter } from '../../wire/retry-after.js';

/** The service sends no limits in headers, only how long to wait (translation.md 7.2). */
export function decodeLimits(headers: Headers, now: number): Limits {
  const retryAfterMs = readRetryAfter(headers, now);
  return retryAfterMs === undefined ? {} : { retryAfterMs };
}

/** Encodes how long to wait; buckets have no header here. */
export function encodeLimits(limits: Limits): Record<string, string> {
  if (limits.retryAfterMs === undefined) return {};
  return { 'retry-after': String(Math.ceil(limits.retryAfterMs / 1000)) };
}
