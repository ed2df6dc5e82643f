import { isDeepStrictEqual } from 'node:util';
import { ConfigError } from './problem.js';
import type { Config } from './types.js';

/** What only a new start changes (configuration.md#keys). */
const LASTING = ['listen', 'workers', 'store', 'metrics'] as const satisfies readonly (keyof Config)[];

/**
 * A new configuration as far as a running gateway can follow it, and the names of the parts where it cannot. Throws
 * ConfigError when it takes the keys away altogether: a file that was cut short must not open the gateway to everybody.
 */
export function followable(
  running: Config,
  next: Config,
): { readonly config: Config; readonly kept: readonly string[] } {
  if (running.keys.length > 0 && next.keys.length === 0) {
    const reason = 'none are configured any more, so anyone could call; a gateway without keys needs a new start';
    throw new ConfigError([{ path: 'keys', reason }]);
  }
  const { listen, workers, store, metrics } = running;
  return {
    config: Object.freeze({ ...next, listen, workers, store, metrics }),
    kept: LASTING.filter((name) => !isDeepStrictEqual(running[name], next[name])),
  };
}
