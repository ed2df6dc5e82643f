import cluster, { type Worker } from 'node:cluster';
import * as z from 'zod';
import type { Answerer } from '../workers/index.js';
import { createMemoryLedger, type LimitedKey, type Verdict } from './ledger.js';

const key = z.object({
  name: z.string(),
  requestsPerMinute: z.number().optional(),
  tokensPerMinute: z.number().optional(),
  concurrency: z.number().optional(),
});

const question = z.discriminatedUnion('do', [
  z.object({ do: z.literal('admit'), key, place: z.string() }),
  z.object({ do: z.literal('free'), key, place: z.string() }),
  z.object({ do: z.literal('charge'), key, tokens: z.number() }),
]);

/** In the primary: counts for all workers. Places of a worker that ends are free. Rejects what is no question. */
export function createLimitsAnswerer(): Answerer {
  const ledger = createMemoryLedger();
  /** By worker: its places, and whose they are. */
  const held = new Map<number, Map<string, LimitedKey>>();
  cluster.on('exit', ({ id }: Worker) => {
    for (const [place, owner] of held.get(id) ?? []) void ledger.free(owner, place);
    held.delete(id);
  });

  const admit = async (owner: LimitedKey, place: string, worker: Worker): Promise<Verdict> => {
    const verdict = await ledger.admit(owner, place);
    if (verdict.refused !== undefined || owner.concurrency === undefined) return verdict;
    // Its end was reported already.
    if (worker.isDead()) await ledger.free(owner, place);
    else {
      const places = held.get(worker.id) ?? new Map<string, LimitedKey>();
      held.set(worker.id, places.set(place, owner));
    }
    return verdict;
  };
  const answer = (asked: z.output<typeof question>, worker: Worker): Promise<unknown> => {
    if (asked.do === 'charge') return ledger.charge(asked.key, asked.tokens);
    // Workers choose the ids, each for itself.
    const place = `${worker.id}:${asked.place}`;
    if (asked.do === 'admit') return admit(asked.key, place, worker);
    held.get(worker.id)?.delete(place);
    return ledger.free(asked.key, place);
  };

  let before: Promise<unknown> = Promise.resolve();
  return (value, worker) => {
    const asked = question.parse(value);
    // One after the other: a place is not given back before it was given.
    const answered = before.then(() => answer(asked, worker));
    before = answered.catch(() => {});
    return answered;
  };
}
