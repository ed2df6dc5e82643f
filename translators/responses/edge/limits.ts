import type { Headers, Limits } from '../../dialect.js';
import { decodeRateLimits, encodeRateLimits } from '../../wire/rate-limits.js';

/** Rate limits of an answer's headers (translation.md 7.2). `now` in Unix ms. */
export const decodeLimits = (headers: Headers, now: number): Limits => decodeRateLimits(headers, now);

/** Headers for a client. */
export const encodeLimits = (limits: Limits, _now: number): Record<string, string> => encodeRateLimits(limits);
