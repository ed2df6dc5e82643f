import { Failure } from '../http/failure.js';
import { EntryTooLarge } from './area.js';
import type { Store } from './types.js';

/** The same store; whoever needs it while it cannot be reached is told to come again. */
export function reachable(store: Store): Store {
  const tell = (cause: unknown): never => {
    if (cause instanceof EntryTooLarge) throw cause;
    const message = 'the store cannot be reached';
    throw new Failure({ kind: 'overloaded', status: 503, message, retryAfterMs: 1000 }, { cause });
  };
  return {
    get: (keys) => store.get(keys).catch(tell),
    find: (keys) => store.find(keys).catch(tell),
    set: (entries) => store.set(entries).catch(tell),
    delete: (keys) => store.delete(keys).catch(tell),
  };
}
