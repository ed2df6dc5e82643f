import type { Limits } from '../../translators/index.js';
import type { KeyConfig } from '../config/index.js';
import { memoryPlaces, type Places } from './places.js';
import { type Count, memoryWindows, type Windows } from './windows.js';

export type LimitKind = 'requests' | 'tokens' | 'concurrency';

/** A key as far as its limits go. */
export type LimitedKey = Pick<KeyConfig, 'name' | 'requestsPerMinute' | 'tokensPerMinute' | 'concurrency'> & {
  /** The places are those for what reads, as many again. */
  readonly places?: 'read';
};

/** What becomes of a request. Plain JSON: it also passes between processes. */
export interface Verdict {
  /** The limit that the key is over; absent = the request is admitted. */
  readonly refused?: LimitKind;
  /** When it is worth to come again; with a refusal only. */
  readonly retryAfterMs?: number;
  /** The state of the key's limits, this request included. */
  readonly limits: Limits;
}

/** Counts what keys use. Nothing here rejects because a server cannot be reached. */
export interface Ledger {
  /** Counts a request and takes a place for it, or does neither. `place` is the id of the place. */
  admit(key: LimitedKey, place: string): Promise<Verdict>;
  charge(key: LimitedKey, tokens: number): Promise<void>;
  /** Gives a place back. A place that is not taken stays so. */
  free(key: LimitedKey, place: string): Promise<void>;
  close(): Promise<void>;
}

/** When to try again for a place, in ms: nobody knows how long an exchange will take. */
const PLACE_RETRY_MS = 1000;

/**
 * A ledger over counts and places. What is refused counts towards no limit. Tokens are known when an exchange is over: it
 * is admitted while the minute's count is below the limit, and may carry the count beyond it.
 */
export function createLedger(windows: Windows, places: Places): Ledger {
  const requestsOf = async ({ name, requestsPerMinute: limit }: LimitedKey, points: number): Promise<Counted> =>
    // A changed limit begins a count of its own: the old one holds what was refused under the old limit.
    limit === undefined ? undefined : { limit, ...(await windows.add('requests', `${limit}:${name}`, points)) };
  const tokensOf = async ({ name, tokensPerMinute: limit }: LimitedKey): Promise<Counted> =>
    limit === undefined ? undefined : { limit, ...(await windows.add('tokens', name, 0)) };
  return {
    async admit(key, place) {
      const { concurrency } = key;
      const name = placesOf(key);
      const tokens = await tokensOf(key);
      const refuse = async (refused: LimitKind, retryAfterMs: number, requests?: Counted): Promise<Verdict> => ({
        refused,
        retryAfterMs,
        limits: limitsOf(requests ?? (await requestsOf(key, 0)), tokens),
      });
      if (tokens !== undefined && tokens.used >= tokens.limit) return refuse('tokens', tokens.resetMs);
      if (concurrency !== undefined && !(await places.take(name, place, concurrency))) {
        return refuse('concurrency', PLACE_RETRY_MS);
      }
      const requests = await requestsOf(key, 1);
      if (requests === undefined || requests.used <= requests.limit) return { limits: limitsOf(requests, tokens) };
      if (concurrency !== undefined) await places.free(name, place);
      return refuse('requests', requests.resetMs, requests);
    },
    async charge({ name, tokensPerMinute }, tokens) {
      if (tokensPerMinute !== undefined && tokens > 0) await windows.add('tokens', name, Math.ceil(tokens));
    },
    async free(key, place) {
      if (key.concurrency !== undefined) await places.free(placesOf(key), place);
    },
    close: () => places.close(),
  };
}

/** The counts of one process. */
export function createMemoryLedger(now: () => number = () => performance.now()): Ledger {
  return createLedger(memoryWindows(now), memoryPlaces());
}

/** The name under which the places of a key are taken. */
function placesOf({ name, places }: LimitedKey): string {
  return places === undefined ? name : `${name}\n${places}`;
}

type Counted = (Count & { readonly limit: number }) | undefined;

function limitsOf(requests: Counted, tokens: Counted): Limits {
  return {
    ...(requests !== undefined && { requests: bucketOf(requests) }),
    ...(tokens !== undefined && { tokens: bucketOf(tokens) }),
  };
}

function bucketOf({ limit, used, resetMs }: NonNullable<Counted>) {
  return { limit, remaining: Math.max(0, limit - used), resetMs };
}
