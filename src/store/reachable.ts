import type { Store } from '../archive/index.js';
import { Failure } from '../ground/index.js';
import { EntryTooLarge } from './area.js';

/** The same store; while it cannot be reached, its users get a failure that may be retried. */
export function reachable(store: Store): Store {
  const report = (cause: unknown): never => {
    if (cause instanceof EntryTooLarge) throw cause;
    const message = 'the store cannot be reached';
    throw new Failure({ kind: 'overloaded', status: 503, message, retryAfterMs: 1000 }, { cause });
  };
  return {
    get: (keys) => store.get(keys).catch(report),
    find: (keys) => store.find(keys).catch(report),
    set: (entries) => store.set(entries).catch(report),
    delete: (keys) => store.delete(keys).catch(report),
  };
}
