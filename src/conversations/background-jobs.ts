import { createHeldPlaces } from '../http/index.js';
import type { BackgroundJob } from './background-job.js';

/** The answers that this process makes in the background. */
export interface BackgroundJobs {
  /** How many are being made. */
  readonly size: number;
  /** How many of them are a tenant's. */
  held(tenant: string): number;
  get(tenant: string, id: string): BackgroundJob | undefined;
  add(tenant: string, id: string, run: BackgroundJob): void;
  /** Waits for all, at most so many seconds; what is left then has failed. */
  close(seconds: number): Promise<void>;
}

export function createBackgroundJobs(): BackgroundJobs {
  const jobs = new Map<string, BackgroundJob>();
  const places = createHeldPlaces();
  return {
    held: places.held,
    get size() {
      return jobs.size;
    },
    get: (tenant, id) => jobs.get(`${tenant}:${id}`),
    add(tenant, id, job) {
      const key = `${tenant}:${id}`;
      jobs.set(key, job);
      places.take(tenant);
      void job.finished.then(() => {
        jobs.delete(key);
        places.free(tenant);
      });
    },
    async close(seconds) {
      const all = [...jobs.values()];
      if (all.length === 0) return;
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, seconds * 1000);
      });
      await Promise.race([Promise.all(all.map(({ finished }) => finished)), late]);
      clearTimeout(timer);
      await Promise.all([...jobs.values()].map((job) => job.abandon()));
    },
  };
}
