import { createRequire } from 'node:module';

/**
 * The client of Redis servers. Loaded only where there is one: it takes a tenth of the time of a start. Its types are those
 * of a package that users need not have.
 * @internal
 */
export function redisPackage(): typeof import('@keyv/redis') {
  return createRequire(import.meta.url)('@keyv/redis');
}
