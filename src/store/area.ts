import { setImmediate as turn } from 'node:timers/promises';
import Keyv, { type Deserialize, type KeyvStoreAdapter } from 'keyv';
import type { Found, Store } from '../archive/index.js';
import type { AreaLimits } from './types.js';

/** An entry that is larger than its area allows. */
export class EntryTooLarge extends Error {
  override readonly name = 'EntryTooLarge';
}

/** How many characters are parsed before others run. */
const STRETCH = 128 * 1024;

/** Reads texts as Keyv keeps them into values of type Found, and lets others run between; undefined for what nobody of us wrote. */
function createReader(): Deserialize {
  let parsed = 0;
  return async (text) => {
    parsed += text.length;
    if (parsed > STRETCH) {
      parsed = text.length;
      await turn();
    }
    try {
      const data = JSON.parse(text);
      return { ...data, value: { value: data.value, bytes: Buffer.byteLength(text) } };
    } catch {
      return undefined;
    }
  };
}

/** A store over a Keyv adapter. The adapter sees texts under prefixed keys, and the time to live with each. */
export function createArea(name: string, adapter: KeyvStoreAdapter, { ttlMs, entryBytes }: AreaLimits): Store {
  const keyv = new Keyv<Found>({
    store: adapter,
    namespace: name,
    ttl: ttlMs,
    // The adapter separates areas itself.
    useKeyPrefix: false,
    throwOnErrors: true,
    emitErrors: false,
    serialize(data) {
      const text = JSON.stringify(data);
      // A character takes at most three bytes.
      if (text.length * 3 > entryBytes && Buffer.byteLength(text) > entryBytes) {
        throw new EntryTooLarge('the entry is larger than the store takes');
      }
      return text;
    },
    deserialize: createReader(),
  });
  const find = async (keys: readonly string[]): Promise<(Found | undefined)[]> =>
    keys.length === 0 ? [] : keyv.getMany([...keys]);
  return {
    find,
    get: async (keys) => (await find(keys)).map((found) => found?.value),
    async set(entries) {
      await keyv.setMany(entries.map(({ key, value }) => ({ key, value })));
    },
    async delete(keys) {
      if (keys.length > 0) await keyv.deleteMany([...keys]);
    },
  };
}
