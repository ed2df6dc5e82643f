import * as z from 'zod';
import { isObject, randomHex } from '../ground/index.js';
import { type Answerer, askPrimary, askWorkers } from '../workers/index.js';
import type { LiveDetail, LiveExchange } from './plain/index.js';
import { createRing } from './ring.js';

/** The exchanges that can be looked at: those of this process, or of all workers together. */
export interface LiveSource {
  /** Those above a number. `run` names the numbering: they begin anew with each start. */
  after(n: number): Promise<Seen>;
  /** One of them with what was said; undefined where it is not kept any more. */
  detail(n: number): Promise<LiveDetail | undefined>;
}

export interface Seen {
  readonly run: string;
  readonly exchanges: readonly LiveExchange[];
}

/** So many exchanges are kept. */
export const MOST = 500;
/** What the primary holds of them for all workers, in bytes; about what one process holds. */
const PRIMARY_BYTES = 8 * 1024 * 1024;

/** The subject under which workers and their primary speak of exchanges. */
export const SUBJECT = 'live';

/** What a worker asks its primary, and the primary each worker. */
const question = z.discriminatedUnion('do', [
  z.object({ do: z.literal('after'), n: z.number() }),
  z.object({ do: z.literal('detail'), n: z.number() }),
]);

/** Answers the primary out of the exchanges of this process. */
export async function answerFor(own: LiveSource, value: unknown): Promise<unknown> {
  const asked = question.parse(value);
  return asked.do === 'after' ? own.after(asked.n) : own.detail(asked.n);
}

/** In a worker: the exchanges of all. */
export const ofAllWorkers: LiveSource = {
  async after(n) {
    const seen = await askPrimary(SUBJECT, { do: 'after', n } satisfies z.output<typeof question>);
    return isObject(seen) && Array.isArray(seen.exchanges) ? (seen as unknown as Seen) : { run: '', exchanges: [] };
  },
  async detail(n) {
    const detail = await askPrimary(SUBJECT, { do: 'detail', n } satisfies z.output<typeof question>);
    return isObject(detail) ? (detail as unknown as LiveDetail) : undefined;
  },
};

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
  const ring = createRing<Gathered>(MOST, PRIMARY_BYTES);
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
      exchanges: ring.after(asked.n).kept.map(([n, { exchange }]) => ({ ...exchange, n })),
    } satisfies Seen;
  };
}
