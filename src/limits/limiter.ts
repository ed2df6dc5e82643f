import type { Limits } from '../../translators/index.js';
import type { Config, KeyConfig } from '../config/index.js';
import { randomHex } from '../ground/index.js';
import { isWorker } from '../workers/index.js';
import { createMemoryLedger, type LimitKind } from './ledger.js';
import type { ReportShared } from './link.js';
import { createRedisLedger } from './redis.js';
import { createWorkerLedger } from './worker.js';

/** Keeps callers within the limits of their keys (configuration.md#rules). */
export interface Limiter {
  /**
   * Decides whether a request may begin; undefined for a key without limits. What only `reads` uses no tokens, and has
   * places of its own, so that a key whose places are all taken by answers in the making can still look at them.
   */
  admit(key: KeyConfig, reads?: boolean): Promise<Admitted | Refused> | undefined;
  close(): Promise<void>;
}

/** A request that counts towards the limits of a key. */
export interface Admitted {
  readonly refused?: undefined;
  /** The state of the key's limits, this request included. */
  readonly limits: Limits;
  /** Counts tokens; may be called several times. */
  charge(tokens: number): void;
  /** It is over: its place is free. Repeated calls do nothing. */
  end(): void;
}

export interface Refused {
  /** The limit that the key is over. */
  readonly refused: LimitKind;
  readonly retryAfterMs: number;
  readonly limits: Limits;
}

/**
 * Counts are shared by all processes that use one Redis server as their store, else by the workers of one machine, else
 * they are those of this process. `tell` hears when what is shared cannot be reached and every process counts for itself,
 * and when it is shared again.
 */
export function createLimiter({ store }: Config, report: ReportShared): Limiter {
  const ledger =
    store.type === 'redis'
      ? createRedisLedger(store.url, report)
      : isWorker
        ? createWorkerLedger(report)
        : createMemoryLedger();
  return {
    admit(key, reads = false) {
      const { name, requestsPerMinute, concurrency } = key;
      const tokensPerMinute = reads ? undefined : key.tokensPerMinute;
      if (requestsPerMinute === undefined && tokensPerMinute === undefined && concurrency === undefined)
        return undefined;
      const limited = {
        name,
        requestsPerMinute,
        tokensPerMinute,
        concurrency,
        ...(reads && { places: 'read' as const }),
      };
      const place = randomHex();
      return ledger.admit(limited, place).then(({ refused, retryAfterMs = 1000, limits }) => {
        if (refused !== undefined) return { refused, retryAfterMs, limits };
        let over = false;
        return {
          limits,
          charge: (tokens) => void ledger.charge(limited, tokens),
          end() {
            if (!over) void ledger.free(limited, place);
            over = true;
          },
        };
      });
    },
    close: () => ledger.close(),
  };
}
