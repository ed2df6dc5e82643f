import { isDeepStrictEqual } from 'node:util';
import type { Config } from './config.js';

/** What only a new start changes (contract.md 3.1). */
const LASTING = ['listen', 'workers', 'store', 'metrics'] as const satisfies readonly (keyof Config)[];

/** A new configuration as far as a running gateway can follow it, and the names of the parts where it cannot. */
export function followable(
  running: Config,
  next: Config,
): { readonly config: Config; readonly kept: readonly string[] } {
  const { listen, workers, store, metrics } = running;
  return {
    config: Object.freeze({ ...next, listen, workers, store, metrics }),
    kept: LASTING.filter((name) => !isDeepStrictEqual(running[name], next[name])),
  };
}
