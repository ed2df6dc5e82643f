import { type Config, ConfigError } from '../config.js';
import { isLoopback } from './server.js';

/** Throws ConfigError when anybody could call a gateway that listens on `host`; undefined = nobody minds. */
export function checkExposure({ keys }: Pick<Config, 'keys'>, host: string | undefined): void {
  if (keys.length > 0 || host === undefined || isLoopback(host)) return;
  const reason = `none are configured, so anyone who reaches ${host} could use the backends; configure keys, listen on 127.0.0.1, or give --insecure`;
  throw new ConfigError([{ path: 'keys', reason }]);
}
