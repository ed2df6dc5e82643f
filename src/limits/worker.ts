import { ignore, isObject } from '../ground/index.js';
import { askPrimary } from '../workers/index.js';
import { createMemoryLedger, type Ledger, type LimitedKey, type Verdict } from './ledger.js';
import { createLink, type ReportShared } from './link.js';

/** What a worker tells the primary about a key. */
export type LimitsQuestion =
  | { readonly do: 'admit'; readonly key: LimitedKey; readonly place: string }
  | { readonly do: 'free'; readonly key: LimitedKey; readonly place: string }
  | { readonly do: 'charge'; readonly key: LimitedKey; readonly tokens: number };

/** Keeps the counts in the primary, for all workers. While it does not answer, this process counts for itself. */
export function createWorkerLedger(
  report: ReportShared,
  askThem: (question: LimitsQuestion) => Promise<unknown> = (question) => askPrimary('limits', question),
): Ledger {
  const own = createMemoryLedger();
  const link = createLink(report);
  return {
    async admit(key, place) {
      let asked = false;
      try {
        return await link.ask(async () => {
          asked = true;
          return verdictOf(await askThem({ do: 'admit', key, place }));
        });
      } catch {
        // Questions are answered in order: a place that is still given will be given back.
        if (asked) askThem({ do: 'free', key, place }).catch(ignore);
        return own.admit(key, place);
      }
    },
    charge: (key, tokens) =>
      link.ask(() => askThem({ do: 'charge', key, tokens })).then(ignore, () => own.charge(key, tokens)),
    async free(key, place) {
      await own.free(key, place);
      await link.ask(() => askThem({ do: 'free', key, place })).catch(ignore);
    },
    close: () => own.close(),
  };
}

/** A primary that is not ours answers something else. */
function verdictOf(value: unknown): Verdict {
  if (isObject(value) && isObject(value.limits)) return value as unknown as Verdict;
  throw new Error('the primary keeps no limits');
}
