import { ConfigError, type StoreConfig } from '../config/index.js';
import { errorCode, errorMessage } from '../ground/index.js';
import { createLmdbStorage } from './lmdb.js';
import { createMemoryStorage } from './memory.js';
import { createRedisStorage } from './redis.js';
import type { TallyStorage } from './types.js';

/**
 * The storage that a configuration asks for; undefined when it asks for none. `onError` hears why a server cannot be
 * reached, `onDamage` under which name a damaged file was set aside. Throws ConfigError for a folder that is no use.
 */
export function createStorage(
  config: StoreConfig,
  onError: (message: string) => void,
  onDamage?: (aside: string) => void,
): TallyStorage | undefined {
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

function openFolder(path: string, onDamage: ((aside: string) => void) | undefined): TallyStorage {
  try {
    return createLmdbStorage(path, onDamage);
  } catch (error) {
    throw new ConfigError([
      { path: 'store.path', reason: `${path} cannot be used (${errorCode(error) ?? errorMessage(error)})` },
    ]);
  }
}
