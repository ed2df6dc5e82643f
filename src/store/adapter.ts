import { EventEmitter } from 'node:events';
import type { KeyvStoreAdapter } from 'keyv';
import type { Parts } from '../archive/index.js';

/** One text to keep. */
export interface Text {
  readonly key: string;
  readonly value: Parts;
  /** Time to live in milliseconds. */
  readonly ttl: number;
}

/** What a place to keep texts has to do. */
export interface Texts {
  getMany(keys: readonly string[]): readonly (string | undefined)[] | Promise<readonly (string | undefined)[]>;
  /** Resolves when all are kept. */
  setMany(texts: readonly Text[]): Promise<void>;
  deleteMany(keys: readonly string[]): Promise<void>;
  clear(): Promise<void>;
}

/** The texts of an area, for who reads and writes its values elsewhere. */
export type AreaTexts = Omit<Texts, 'clear'>;

/** The bytes of a text in UTF-8. */
export function byteLength(parts: Parts): number {
  return parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
}

/** The adapter by which Keyv reads `texts`, and deletes them. An area writes them itself. */
export function toAdapter(texts: Texts): KeyvStoreAdapter {
  const emitter = new EventEmitter();
  const one = async (key: string) => (await texts.getMany([key]))[0];
  return {
    opts: {},
    on(event, listener) {
      emitter.on(event, listener);
      return this;
    },
    // Keyv parses the texts; its types want what comes out of that.
    get: one as KeyvStoreAdapter['get'],
    getMany: (async (keys: string[]) => texts.getMany(keys)) as NonNullable<KeyvStoreAdapter['getMany']>,
    set: () => Promise.reject(new Error('texts are not written by Keyv')),
    has: async (key) => (await one(key)) !== undefined,
    async delete(key) {
      await texts.deleteMany([key]);
      return true;
    },
    async deleteMany(keys) {
      await texts.deleteMany(keys);
      return true;
    },
    clear: () => texts.clear(),
  };
}
