import { setImmediate as turn } from 'node:timers/promises';
import Keyv, { type Deserialize, type KeyvStoreAdapter } from 'keyv';
import type { Entry, Found, Parts, Store } from '../archive/index.js';
import { byteLength, type Texts } from './adapter.js';
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

/**
 * A store over a Keyv adapter, which sees texts under prefixed keys. They are written by `write`, in the form that Keyv reads: what it does
 * itself for each entry takes several promises, which outlive a collection while they wait.
 */
export function createArea(
  name: string,
  adapter: KeyvStoreAdapter,
  write: Texts['setMany'],
  { ttlMs, entryBytes }: AreaLimits,
): Store {
  const keyv = new Keyv<Found>({
    store: adapter,
    namespace: name,
    // The adapter separates areas itself.
    useKeyPrefix: false,
    throwOnErrors: true,
    emitErrors: false,
    deserialize: createReader(),
  });
  const find = async (keys: readonly string[]): Promise<(Found | undefined)[]> =>
    keys.length === 0 ? [] : keyv.getMany([...keys]);
  return {
    find,
    get: async (keys) => (await find(keys)).map((found) => found?.value),
    async set(entries) {
      const expires = Date.now() + ttlMs;
      const texts = entries.map((entry) => ({ key: ownText(entry.key), value: printed(entry, expires), ttl: ttlMs }));
      if (texts.some(({ value }) => isLonger(value, entryBytes))) {
        throw new EntryTooLarge('the entry is larger than the store takes');
      }
      return write(texts);
    },
    async delete(keys) {
      if (keys.length > 0) await keyv.deleteMany([...keys]);
    },
  };
}

/** The same text as one of its own: an id that was cut out of an answer holds the whole answer, as long as a store has it in a key. */
function ownText(text: string): string {
  return Buffer.from(text).toString();
}

/** An entry as Keyv keeps it. */
function printed(entry: Entry, expires: number): Parts {
  if ('json' in entry) return ['{"value":', ...entry.json, `,"expires":${expires}}`];
  return [JSON.stringify({ value: entry.value, expires })];
}

/** Whether it takes more bytes. */
function isLonger(parts: Parts, bytes: number): boolean {
  // A character takes at most three.
  const most = parts.reduce((sum, part) => sum + (typeof part === 'string' ? part.length * 3 : part.length), 0);
  return most > bytes && byteLength(parts) > bytes;
}
