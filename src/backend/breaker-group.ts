import { ignore } from '../ground/index.js';
import type { Attempt, Breaker, BreakerState } from './breaker.js';

/**
 * The breakers of one kind of calls: one for everybody, which opens when calls of more than one key failed in a row, and
 * one for each key, which the failures of that key alone open. A call that is no key's speaks for everybody.
 */
export interface BreakerGroup {
  /** Of the breaker for everybody. */
  readonly state: BreakerState;
  /** Milliseconds for which no call of the key may begin; 0 = one may. */
  rest(key: string | undefined): number;
  /** Keys whose calls alone are kept out, and for how long in ms. */
  keysOut(): readonly (readonly [key: string, ms: number])[];
  /** A call begins. Only when there is no `rest`. Undefined without breakers. */
  begin(key: string | undefined): Attempt | undefined;
}

/** `create` makes the breaker of a key, or that for everybody; undefined where there is to be none. */
export function createBreakerGroup(
  create: (key?: string, mayOpen?: () => boolean) => Breaker | undefined,
): BreakerGroup {
  /** Whose calls failed since the last that did not. */
  const blamed = new Set<string | undefined>();
  const common = create(undefined, () => blamed.has(undefined) || blamed.size > 1);
  const own = new Map<string, Breaker>();
  const ownOf = (key: string | undefined): Breaker | undefined => {
    if (key === undefined) return undefined;
    const breaker = own.get(key) ?? create(key);
    if (breaker !== undefined) own.set(key, breaker);
    return breaker;
  };
  return {
    get state() {
      return common?.state ?? 'closed';
    },
    rest: (key) => Math.max(common?.rest() ?? 0, ownOf(key)?.rest() ?? 0),
    keysOut: () => [...own].map(([key, breaker]) => [key, breaker.rest()] as const).filter(([, rest]) => rest > 0),
    begin(key) {
      const shared = common?.begin();
      if (shared === undefined) return undefined;
      const alone = ownOf(key)?.begin();
      let settled = false;
      return {
        noted() {
          const one = alone?.noted();
          return one === undefined ? shared.noted() : Promise.all([shared.noted(), one]).then(ignore);
        },
        report(verdict) {
          if (settled) return;
          settled = true;
          if (verdict === 'success') blamed.clear();
          else if (verdict !== 'neutral') blamed.add(key);
          shared.report(verdict);
          alone?.report(verdict);
        },
      };
    },
  };
}
