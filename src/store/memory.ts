import { joined } from '../archive/index.js';
import { type Text, type Texts, toAdapter } from './adapter.js';
import { createArea } from './area.js';
import { createHoldings } from './holdings.js';
import { createMemoryTallies } from './memory-tallies.js';
import type { AreaLimits, TallyStorage } from './types.js';

/** Keeps everything in this process; nothing outlives it. An area that is asked for again keeps its first size. */
export function createMemoryStorage(): TallyStorage {
  const areas = new Map<string, Texts>();
  const tallies = createMemoryTallies();
  return {
    area(name, limits) {
      const texts = areas.get(name) ?? createTexts(limits);
      areas.set(name, texts);
      return createArea(name, toAdapter(texts), texts.setMany, limits);
    },
    texts: (name) => areas.get(name),
    tallies: () => tallies,
    async close() {},
  };
}

interface Kept {
  readonly value: string;
  readonly expires: number;
}

/** A map in the order of writing, which is the order of expiry, since all entries of an area live equally long. */
function createTexts({ maxBytes, ownerOf = () => '' }: AreaLimits): Texts {
  const kept = new Map<string, Kept>();
  const holdings = createHoldings();
  const drop = (key: string): void => {
    const entry = kept.get(key);
    if (entry === undefined) return;
    kept.delete(key);
    holdings.remove(ownerOf(key), key, sizeOf(key, entry.value));
  };
  /** Amortised over the writes: every step drops an entry that a write put there. */
  const sweep = (now: number): void => {
    for (const [key, { expires }] of kept) {
      if (expires > now) break;
      drop(key);
    }
    while (holdings.bytes > maxBytes) {
      const key = holdings.first();
      if (key === undefined) return;
      drop(key);
    }
  };
  return {
    getMany(keys) {
      const now = Date.now();
      return keys.map((key) => {
        const entry = kept.get(key);
        return entry === undefined || entry.expires <= now ? undefined : entry.value;
      });
    },
    async setMany(texts: readonly Text[]) {
      const now = Date.now();
      for (const { key, value: parts, ttl } of texts) {
        const value = joined(parts);
        drop(key);
        kept.set(key, { value, expires: now + ttl });
        holdings.add(ownerOf(key), key, sizeOf(key, value));
      }
      sweep(now);
    },
    async deleteMany(keys) {
      for (const key of keys) drop(key);
    },
    async clear() {
      kept.clear();
      holdings.clear();
    },
  };
}

/** A string takes up to two bytes a unit. */
function sizeOf(key: string, value: string): number {
  return 2 * (key.length + value.length);
}
