import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../config/index.js';
import { reachable, type Storage } from '../store/index.js';

/** Gives the key with which ids of videos are sealed, 32 bytes. Rejects with Failure when it cannot be had. */
export type VideoKey = () => Promise<Buffer>;

const LIMITS = { ttlMs: 10 * 365 * 86_400_000, maxBytes: 1024 * 1024, entryBytes: 1024 };
const ENTRY = 'videos';

/** Processes that start together may each write a key: after so long, in ms, all of them see the last one. */
const SETTLE_MS = 100;

/**
 * The key is the same for everybody who has to know ids again: it lies in the storage where that is shared and lasts,
 * else it follows from the configuration, so that processes with the same one agree.
 */
export function createVideoKey(config: Config, storage: Storage | undefined): VideoKey {
  const { type } = config.store;
  if (storage === undefined || (type !== 'lmdb' && type !== 'redis')) {
    const key = derivedKey(config);
    return () => Promise.resolve(key);
  }
  const store = reachable(storage.area('secrets', LIMITS));
  const read = async (): Promise<Buffer | undefined> => {
    const [value] = await store.get([ENTRY]);
    return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value) ? Buffer.from(value, 'hex') : undefined;
  };
  let key: Promise<Buffer> | undefined;
  const find = async (): Promise<Buffer> => {
    const found = await read();
    if (found !== undefined) return found;
    const made = randomBytes(32);
    await store.set([{ key: ENTRY, value: made.toString('hex') }]);
    await delay(SETTLE_MS);
    return (await read()) ?? made;
  };
  return () => {
    key ??= find().catch((error: unknown) => {
      key = undefined;
      throw error;
    });
    return key;
  };
}

/** Nobody who calls knows all that it is made of: the keys of the other callers, and those of the backends. */
function derivedKey({ backends, keys }: Config): Buffer {
  const secrets = Object.entries(backends).map(([name, { baseUrl, apiKey, headers }]) => [
    name,
    baseUrl,
    apiKey,
    headers,
  ]);
  const text = JSON.stringify([secrets, keys.map(({ sha256 }) => sha256)]);
  return createHash('sha256').update(`interlingua videos\n${text}`).digest();
}
