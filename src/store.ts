import { ConfigError, type StoreConfig } from './config.js';
import { errorCode, errorMessage } from './error-code.js';
import { createLmdbStorage } from './store/lmdb.js';
import { createMemoryStorage } from './store/memory.js';
import { createRedisStorage } from './store/redis.js';
import type { Storage } from './store/types.js';

export { EntryTooLarge } from './store/area.js';
export { reachable } from './store/reachable.js';
export type { Entry, Found, Storage, Store } from './store/types.js';

/**
 * The storage that a configuration asks for; undefined when it asks for none. `onError` hears why a server cannot be
 * reached, `onDamage` under which name a damaged file was set aside. Throws ConfigError for a folder that is no use.
 */
export function createStorage(
  config: StoreConfig,
  onError: (message: string) => void,
  onDamage?: (aside: string) => void,
): Storage | undefined {
  switch (config.type) {
    case 'lmdb':
      return openFolder(config.path, onDamage);
    case 'redis':
      return createRedisStorage(config.url, onError);
    case 'memory':
      return createMemoryStorage();
    case 'off':
      return undefined;
  }
}

function openFolder(path: string, onDamage: ((aside: string) => void) | undefined): Storage {
  try {
    return createLmdbStorage(path, onDamage);
  } catch (error) {
    throw new ConfigError([
      { path: 'store.path', reason: `${path} cannot be used (${errorCode(error) ?? errorMessage(error)})` },
    ]);
  }
}
