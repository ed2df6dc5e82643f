import { storedResponses } from '../../translators/index.js';
import type { Store } from './store.js';

/** The same store, in which a record that lacks what its kind has is not there. `report` gets its key. */
export function soundRecords(store: Store, report: (key: string) => void): Store {
  const check = (key = '', value: unknown): boolean => {
    const sound = storedResponses.isSound(key, value);
    if (!sound) report(key);
    return sound;
  };
  return {
    ...store,
    get: async (keys) => (await store.get(keys)).map((value, index) => (check(keys[index], value) ? value : undefined)),
    find: async (keys) =>
      (await store.find(keys)).map((found, index) => (check(keys[index], found?.value) ? found : undefined)),
  };
}
