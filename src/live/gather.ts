import { isObject, randomHex } from '../ground/index.js';
import { type Answerer, askWorkers } from '../workers/index.js';
import { type LiveExchange, MOST_KEPT } from './plain/index.js';
import { createRing } from './ring.js';
import { question, type Seen, SUBJECT } from './source.js';

/** What the primary holds of exchanges for all workers, in bytes; about what one process holds. */
const PRIMARY_BYTES = 8 * 1024 * 1024;

/** Which exchange of which worker. */
interface Gathered {
  readonly exchange: LiveExchange;
  readonly worker: number;
}

/**
 * In the primary: gathers the exchanges of all workers when one of them asks, and numbers them as they come. What was said stays with the
 * worker. Of a worker that ended, what was gathered before is kept.
 */
export function createLiveAnswerer(ask: typeof askWorkers = askWorkers): Answerer {
  const run = randomHex().slice(0, 8);
  const ring = createRing<Gathered>(MOST_KEPT, PRIMARY_BYTES);
  /** The last number of each worker that was gathered. */
  let cursors: ReadonlyMap<number, number> = new Map();
  let gathering: Promise<void> | undefined;
  const gather = async (): Promise<void> => {
    const before = cursors;
    const next = new Map<number, number>();
    const answers = await ask(SUBJECT, (worker) => {
      // Who does not answer this time is asked for the same again; who ended is forgotten.
      const n = before.get(worker) ?? 0;
      next.set(worker, n);
      return { do: 'after', n };
    });
    const fresh = [...answers].flatMap(([worker, seen]) =>
      isObject(seen) && Array.isArray(seen.exchanges)
        ? (seen.exchanges as LiveExchange[]).map((exchange) => ({ exchange, worker }))
        : [],
    );
    fresh.sort((one, other) => one.exchange.at.localeCompare(other.exchange.at));
    for (const one of fresh) ring.add(one, JSON.stringify(one.exchange).length);
    for (const { exchange, worker } of fresh) next.set(worker, Math.max(exchange.n, next.get(worker) ?? 0));
    cursors = next;
  };
  return async (value) => {
    const asked = question.parse(value);
    if (asked.do === 'detail') {
      const found = ring.get(asked.n);
      if (found === undefined) return null;
      const { n } = found.exchange;
      const answers = await ask(SUBJECT, (worker) => ({ do: 'detail', n: worker === found.worker ? n : 0 }));
      const detail = answers.get(found.worker);
      return isObject(detail)
        ? { ...detail, exchange: { ...found.exchange, n: asked.n } }
        : { exchange: { ...found.exchange, n: asked.n } };
    }
    gathering ??= gather().finally(() => {
      gathering = undefined;
    });
    await gathering;
    return {
      run,
      exchanges: ring.after(asked.n).map(([n, { exchange }]) => ({ ...exchange, n })),
    } satisfies Seen;
  };
}
