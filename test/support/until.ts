import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves when something has become true; rejects when it does not within `ms`. */
export async function until(isTrue: () => boolean | Promise<boolean>, ms = 30_000): Promise<void> {
  const most = performance.now() + ms;
  while (!(await isTrue())) {
    if (performance.now() > most) throw new Error(`not within ${ms} ms: ${isTrue.toString()}`);
    await sleep(5);
  }
}
