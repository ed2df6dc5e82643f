import { type Entry, joined, type Store } from '../archive/index.js';
import { Failure } from '../ground/plain/index.js';
import { inTime } from './deadline.js';
import type { HandlerStore } from './options.js';

/**
 * The store of the options, for values, with entries that live so many seconds. What it throws, and that it does not answer within
 * `seconds`, is a failure that may be retried; what is no JSON is not there.
 */
export function storeOver(texts: HandlerStore, ttlSeconds: number, seconds: number): Store {
  const attempt = <T>(work: () => Promise<T>): Promise<T> => attemptFor(seconds, work);
  const read = async (key: string): Promise<string | undefined> => (await attempt(() => texts.get(key))) ?? undefined;
  const write = (entry: Entry): Promise<unknown> =>
    attempt(() => texts.set(entry.key, 'json' in entry ? joined(entry.json) : JSON.stringify(entry.value), ttlSeconds));
  return {
    get: (keys) => Promise.all(keys.map(async (key) => jsonOf(await read(key)))),
    find: (keys) =>
      Promise.all(
        keys.map(async (key) => {
          const text = await read(key);
          return text === undefined ? undefined : { value: jsonOf(text), bytes: text.length };
        }),
      ),
    async set(entries) {
      const last = entries.at(-1);
      await Promise.all(entries.slice(0, -1).map(write));
      // By the last one the others are found: it is there when they are.
      if (last !== undefined) await write(last);
    },
    async delete(keys) {
      await Promise.all(keys.map((key) => attempt(() => texts.delete(key))));
    },
  };
}

async function attemptFor<T>(seconds: number, work: () => Promise<T>): Promise<T> {
  try {
    return await inTime(seconds, 'the store', work());
  } catch (cause) {
    const message = 'the store cannot be reached';
    throw new Failure({ kind: 'overloaded', status: 503, message, retryAfterMs: 1000 }, { cause });
  }
}

function jsonOf(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
