import { isBlank } from './blank.js';
import { readRetryAfter } from './retry-after.js';

/** HTTP headers with lower-case names. */
type Headers = Readonly<Record<string, string | undefined>>;

/** One bucket of a rate limit; `resetMs` from now. */
type Bucket = {
  readonly limit?: number | undefined;
  readonly remaining?: number | undefined;
  readonly resetMs?: number | undefined;
};

/** What the headers `x-ratelimit-*` and their neighbours say [R §1.3]. */
export type RateLimits = {
  readonly requests?: Bucket;
  readonly tokens?: Bucket;
  readonly inputTokens?: Bucket;
  readonly outputTokens?: Bucket;
  readonly retryAfterMs?: number;
  readonly shouldRetry?: boolean;
  readonly processingMs?: number;
};

/** Rate limits and hints that the headers of an answer hold (translation.md 7.2). `now` in Unix ms. */
export function decodeRateLimits(headers: Headers, now: number): RateLimits {
  const requests = decodeBucket(headers, 'requests');
  const tokens = decodeBucket(headers, 'tokens');
  const retryAfterMs = readRetryAfter(headers, now);
  const advice = headers['x-should-retry'];
  const processing = headerNumber(headers['openai-processing-ms']);
  return {
    ...(requests !== undefined && { requests }),
    ...(tokens !== undefined && { tokens }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...((advice === 'true' || advice === 'false') && { shouldRetry: advice === 'true' }),
    ...(processing !== undefined && { processingMs: processing }),
  };
}

function decodeBucket(headers: Headers, name: string): Bucket | undefined {
  const limit = headerNumber(headers[`x-ratelimit-limit-${name}`]);
  const remaining = headerNumber(headers[`x-ratelimit-remaining-${name}`]);
  const resetMs = decodeDuration(headers[`x-ratelimit-reset-${name}`]);
  if (limit === undefined && remaining === undefined && resetMs === undefined) return undefined;
  return { limit, remaining, resetMs };
}

/** The number that a header says; undefined where it says none. */
export function headerNumber(text: string | undefined): number | undefined {
  const value = text === undefined || isBlank(text) ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
}

const UNITS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** `6m0s`, `1.5s`, `120ms` in milliseconds; undefined for anything else. */
function decodeDuration(text: string | undefined): number | undefined {
  if (text === undefined || !/^(?:\d+(?:\.\d+)?(?:ms|d|h|m|s))+$/.test(text)) return undefined;
  let sum = 0;
  for (const [, amount, unit] of text.matchAll(/(?<![\d.])([\d.]+)([a-z]+)/g))
    sum += Number(amount) * (UNITS[unit ?? ''] ?? 0);
  return sum;
}

/** The form in which the service writes durations [R §1.3]. */
function encodeDuration(ms: number): string {
  const whole = Math.max(0, Math.round(ms));
  if (whole < 1000) return `${whole}ms`;
  const seconds = Math.ceil(whole / 1000);
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `${seconds}s` : `${minutes}m${seconds % 60}s`;
}

/** Headers for a client. Buckets of tokens fold into one: that with the smallest share left (translation.md 7.2). */
export function encodeRateLimits(limits: RateLimits): Record<string, string> {
  const headers: Record<string, string> = {};
  encodeBucket(limits.requests, 'requests', headers);
  encodeBucket(scarcest([limits.tokens, limits.inputTokens, limits.outputTokens]), 'tokens', headers);
  if (limits.retryAfterMs !== undefined) {
    headers['retry-after'] = String(Math.max(1, Math.ceil(limits.retryAfterMs / 1000)));
    headers['retry-after-ms'] = String(Math.round(limits.retryAfterMs));
  }
  if (limits.shouldRetry !== undefined) headers['x-should-retry'] = String(limits.shouldRetry);
  if (limits.processingMs !== undefined) headers['openai-processing-ms'] = String(limits.processingMs);
  return headers;
}

function encodeBucket(bucket: Bucket | undefined, name: string, headers: Record<string, string>): void {
  if (bucket?.limit !== undefined) headers[`x-ratelimit-limit-${name}`] = String(bucket.limit);
  if (bucket?.remaining !== undefined) headers[`x-ratelimit-remaining-${name}`] = String(bucket.remaining);
  if (bucket?.resetMs !== undefined) headers[`x-ratelimit-reset-${name}`] = encodeDuration(bucket.resetMs);
}

function scarcest(buckets: readonly (Bucket | undefined)[]): Bucket | undefined {
  const known = buckets.filter((bucket) => bucket !== undefined);
  return known.slice(1).reduce((least, next) => (share(next) < share(least) ? next : least), known[0] ?? {});
}

function share({ limit, remaining }: Bucket): number {
  return limit === undefined || remaining === undefined || limit === 0 ? 1 : remaining / limit;
}
