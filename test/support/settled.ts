import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until a number has stayed the same for half a second, and gives it. */
export async function settled(count: () => number): Promise<number> {
  for (let before = count(); ; before = count()) {
    await sleep(500);
    if (count() === before) return before;
  }
}
