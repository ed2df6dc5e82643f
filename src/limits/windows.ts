import { createRequire } from 'node:module';
import type { RateLimiterAbstract, RateLimiterMemory } from 'rate-limiter-flexible';

/** What was counted in the current minute of one name. */
export interface Count {
  readonly used: number;
  /** Until the minute is over and the count begins at zero. */
  readonly resetMs: number;
}

export type WindowKind = 'requests' | 'tokens';

/** Counts per minute. The minute of a name begins with what is counted first; after it, nothing is kept. */
export interface Windows {
  /** Adds whole points and gives the count with them; 0 looks only. */
  add(kind: WindowKind, name: string, points: number): Promise<Count>;
}

export const MINUTE = {
  // Who asks knows the limit; the counters themselves refuse nothing.
  points: Number.MAX_SAFE_INTEGER,
  /** Seconds. */
  duration: 60,
} as const;

/** Begins the names of counters and places in a store that is shared. */
export const PREFIX = 'interlingua:limits';

/** Windows over counters, which are made when something is counted for the first time. */
export function windowsOf(makeCounters: () => Readonly<Record<WindowKind, RateLimiterAbstract>>): Windows {
  let counters: ReturnType<typeof makeCounters> | undefined;
  return {
    async add(kind, name, points) {
      counters ??= makeCounters();
      const { consumedPoints, msBeforeNext } = await counters[kind].penalty(name, points);
      return { used: consumedPoints, resetMs: Math.max(0, msBeforeNext) };
    },
  };
}

/** Loaded when something is counted: many gateways limit nobody. */
export function rateLimiters(): typeof import('rate-limiter-flexible') {
  return createRequire(import.meta.url)('rate-limiter-flexible');
}

/** The counters of one process. */
export function memoryCounters(): Record<WindowKind, RateLimiterMemory> {
  const { RateLimiterMemory } = rateLimiters();
  return { requests: new RateLimiterMemory(MINUTE), tokens: new RateLimiterMemory(MINUTE) };
}
