import type { Bucket, Headers, Limits } from '../../dialect.js';
import { headerNumber } from '../../wire/rate-limits.js';
import { readRetryAfter } from '../../wire/retry-after.js';

/** Names of the buckets in headers and model [M §1.3]. */
const BUCKETS = [
  ['requests', 'requests'],
  ['tokens', 'tokens'],
  ['input-tokens', 'inputTokens'],
  ['output-tokens', 'outputTokens'],
] as const;

/** Rate limits of an answer's headers. `now` in Unix ms. */
export function decodeLimits(headers: Headers, now: number): Limits {
  const limits: { -readonly [K in keyof Limits]: Limits[K] } = {};
  for (const [name, field] of BUCKETS) {
    const bucket = decodeBucket(headers, name, now);
    if (bucket !== undefined) limits[field] = bucket;
  }
  const delay = readRetryAfter(headers, now);
  if (delay !== undefined) limits.retryAfterMs = delay;
  const advice = headers['x-should-retry'];
  if (advice === 'true' || advice === 'false') limits.shouldRetry = advice === 'true';
  return limits;
}

function decodeBucket(headers: Headers, name: string, now: number): Bucket | undefined {
  const at = (what: string): string | undefined => headers[`anthropic-ratelimit-${name}-${what}`];
  const limit = headerNumber(at('limit'));
  const remaining = headerNumber(at('remaining'));
  const reset = Date.parse(at('reset') ?? '');
  if (limit === undefined && remaining === undefined && Number.isNaN(reset)) return undefined;
  return {
    ...(limit !== undefined && { limit }),
    ...(remaining !== undefined && { remaining }),
    ...(!Number.isNaN(reset) && { resetMs: Math.max(0, reset - now) }),
  };
}

/** Headers for a client. `now` in Unix ms; times of reset are rounded up to the second. */
export function encodeLimits(limits: Limits, now: number): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, field] of BUCKETS) {
    const bucket = limits[field];
    if (bucket?.limit !== undefined) headers[`anthropic-ratelimit-${name}-limit`] = String(bucket.limit);
    if (bucket?.remaining !== undefined) headers[`anthropic-ratelimit-${name}-remaining`] = String(bucket.remaining);
    if (bucket?.resetMs !== undefined) headers[`anthropic-ratelimit-${name}-reset`] = timestamp(now + bucket.resetMs);
  }
  if (limits.retryAfterMs !== undefined) headers['retry-after'] = String(Math.ceil(limits.retryAfterMs / 1000));
  if (limits.shouldRetry !== undefined) headers['x-should-retry'] = String(limits.shouldRetry);
  return headers;
}

/** The last moment that a date can name. */
const MAX_TIME = 8.64e15;

function timestamp(ms: number): string {
  const seconds = Math.ceil(Math.min(ms, MAX_TIME) / 1000) * 1000;
  return new Date(Math.min(seconds, MAX_TIME)).toISOString().replace('.000Z', 'Z');
}
