import * as z from 'zod';
import { isObject } from '../ground/index.js';
import { askPrimary } from '../workers/index.js';
import type { LiveDetail, LiveExchange } from './plain/index.js';

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

/** The subject under which workers and their primary speak of exchanges. */
export const SUBJECT = 'live';

/** What a worker asks its primary, and the primary each worker. */
export const question = z.discriminatedUnion('do', [
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
