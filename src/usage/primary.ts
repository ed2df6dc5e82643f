import * as z from 'zod';
import {
  type Batch,
  createMemoryTallies,
  type IntervalRange,
  type KeptInterval,
  type Tallies,
} from '../store/index.js';
import { type Answerer, askPrimary } from '../workers/index.js';

const batch = z.object({
  writer: z.string(),
  number: z.number(),
  increments: z.array(
    z.object({
      interval: z.number(),
      owner: z.string(),
      row: z.string(),
      instead: z.string().optional(),
      values: z.array(z.number()),
    }),
  ),
});

const question = z.discriminatedUnion('do', [
  z.object({ do: z.literal('add'), batch, keepMs: z.number() }),
  z.object({
    do: z.literal('read'),
    range: z.object({ from: z.number(), to: z.number(), owner: z.string().optional() }),
  }),
]);

/** What the primary is asked for: the sums by hours where no store keeps them, and those by minutes. */
export const SUBJECTS = { hours: 'usage', minutes: 'usage-minutes' } as const;

/** In the primary: keeps the sums of all workers, for a subject. Rejects what is no question. */
export function createTalliesAnswerer(tallies: Tallies = createMemoryTallies()): Answerer {
  return async (value) => {
    const asked = question.parse(value);
    if (asked.do === 'add') return tallies.add(asked.batch as Batch, asked.keepMs);
    const found: KeptInterval[] = [];
    for await (const interval of tallies.read(asked.range as IntervalRange)) found.push(interval);
    return found;
  };
}

/** In a worker: the sums that the primary keeps. */
export function createWorkerTallies(subject: (typeof SUBJECTS)[keyof typeof SUBJECTS]): Tallies {
  return {
    async add(given, keepMs) {
      await askPrimary(subject, { do: 'add', batch: given, keepMs });
    },
    async *read(range) {
      yield* (await askPrimary(subject, { do: 'read', range })) as readonly KeptInterval[];
    },
  };
}
