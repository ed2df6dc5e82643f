import Keyv, { type KeyvStoreAdapter } from 'keyv';
import type { AreaLimits, Store } from './types.js';

/** An entry that is larger than its area allows. */
export class EntryTooLarge extends Error {
  override readonly name = 'EntryTooLarge';
}

/** The value of a text; undefined for one that nobody of us wrote. */
function readable(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A store over a Keyv adapter. The adapter sees texts under prefixed keys, and the time to live with each. */
export function createArea(name: string, adapter: KeyvStoreAdapter, { ttlMs, entryBytes }: AreaLimits): Store {
  const keyv = new Keyv({
    store: adapter,
    namespace: name,
    ttl: ttlMs,
    // The adapter separates areas itself.
    useKeyPrefix: false,
    throwOnErrors: true,
    emitErrors: false,
    serialize(data) {
      const text = JSON.stringify(data);
      if (text.length > entryBytes || Buffer.byteLength(text) > entryBytes) {
        throw new EntryTooLarge('the entry is larger than the store takes');
      }
      return text;
    },
    deserialize: readable,
  });
  return {
    async get(keys) {
      return keys.length === 0 ? [] : keyv.getMany<unknown>([...keys]);
    },
    async set(entries) {
      await keyv.setMany(entries.map(({ key, value }) => ({ key, value })));
    },
    async delete(keys) {
      if (keys.length > 0) await keyv.deleteMany([...keys]);
    },
  };
}
