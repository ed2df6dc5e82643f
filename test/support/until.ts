import { setTimeout as sleep } from 'node:timers/promises';

/** What `look` finds, as soon as it finds something; rejects when it does not within `ms`. */
export async function until<T>(look: () => T | Promise<T>, ms = 30_000): Promise<Exclude<T, undefined | false>> {
  const most = performance.now() + ms;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found as Exclude<T, undefined | false>;
    if (performance.now() > most) throw new Error(`not within ${ms} ms: ${look.toString()}`);
    await sleep(5);
  }
}
