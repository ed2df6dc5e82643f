import { isLoopback } from '../ground/index.js';
import { ConfigError } from './problem.js';
import type { Config } from './types.js';

/** Throws ConfigError when anybody could call a gateway that listens on `host`; undefined = nobody minds. */
export function checkExposure({ keys, open }: Pick<Config, 'keys' | 'open'>, host: string | undefined): void {
  if (keys.length > 0 || open || host === undefined || isLoopback(host)) return;
  const reason = `none are configured, so anyone who reaches ${host} could use the backends; configure keys, listen on 127.0.0.1, set open: true, or give --insecure`;
  throw new ConfigError([{ path: 'keys', reason }]);
}
