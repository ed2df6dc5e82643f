import { migrateAll, type Progress, targetAt, type Way } from '../../../src/migrate/plain/index.js';
import { atHost } from '../../../src/protocol/index.js';
import type { Target } from '../targets/target.js';
import { fileSource } from './file-source.js';
import type { Told } from './messages.js';

/** How often the progress is told, in ms. */
const TELL_MS = 100;

/** Turns of the loop. Timers would be held up by the browser, and there is one turn for every few entries. */
function createTurns(): { readonly pause: () => Promise<void>; readonly close: () => void } {
  const { port1, port2 } = new MessageChannel();
  let resume = (): void => {};
  Object.assign(port1, { onmessage: () => resume() });
  return {
    pause: () =>
      new Promise((resolve) => {
        resume = resolve;
        port2.postMessage(null);
      }),
    close: () => port1.close(),
  };
}

/**
 * Tells the reports of a file for each target, which is read once for all of them, by the reader and the counting of `interlingua migrate`
 * (migration.md), and how far it is. An abort lets it tell what was read until then. Throws HostError for a target whose host is none.
 */
export async function createReports(
  file: File,
  targets: readonly Target[],
  signal: AbortSignal,
  tell: (told: Told) => void,
): Promise<void> {
  const ways = targets.map(wayTo);
  let told = 0;
  const progress = (known: Progress): void => {
    const now = performance.now();
    if (now - told < TELL_MS) return;
    told = now;
    tell({ type: 'progress', ...known });
  };
  const { pause, close } = createTurns();
  const sources = [fileSource(file)];
  const all = await migrateAll({ sources, from: undefined, signal, pause, progress }, ways);
  close();
  for (const [index, target] of targets.entries()) tell({ type: 'reports', target, reports: all[index] ?? [] });
  tell({ type: 'done' });
}

function wayTo({ dialect, model, host }: Target): Way {
  const judged = targetAt(atHost(dialect, host === '' ? undefined : host, undefined), {
    ...(model !== '' && { model }),
    ...(host !== '' && { host }),
  });
  return { to: dialect, targetOf: () => judged };
}
