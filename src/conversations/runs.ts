import { createShares } from '../limits/shares.js';
import type { Run } from './run.js';

/** The answers that this process makes in the background. */
export interface Runs {
  /** How many are being made. */
  readonly size: number;
  /** How many of them are a tenant's. */
  held(tenant: string): number;
  get(tenant: string, id: string): Run | undefined;
  add(tenant: string, id: string, run: Run): void;
  /** Waits for all, at most so many seconds; what is left then has failed. */
  close(seconds: number): Promise<void>;
}

export function createRuns(): Runs {
  const runs = new Map<string, Run>();
  const shares = createShares();
  return {
    held: shares.held,
    get size() {
      return runs.size;
    },
    get: (tenant, id) => runs.get(`${tenant}:${id}`),
    add(tenant, id, run) {
      const key = `${tenant}:${id}`;
      runs.set(key, run);
      shares.take(tenant);
      void run.finished.then(() => {
        runs.delete(key);
        shares.free(tenant);
      });
    },
    async close(seconds) {
      const all = [...runs.values()];
      if (all.length === 0) return;
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, seconds * 1000);
      });
      await Promise.race([Promise.all(all.map(({ finished }) => finished)), late]);
      clearTimeout(timer);
      await Promise.all([...runs.values()].map((run) => run.abandon()));
    },
  };
}
