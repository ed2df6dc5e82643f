import { isObject } from '../json.js';
import type { Store } from '../store.js';
import { VERSION } from './record.js';

type Shape = (record: Readonly<Record<string, unknown>>) => boolean;

const isText = (value: unknown): boolean => typeof value === 'string';
const areItems = (value: unknown): boolean => Array.isArray(value) && value.every(isObject);

/** What each kind of record has (record.ts); the others are only there or not. */
const SHAPES: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ['answer', ({ response, pieces }) => isObject(response) && Number.isSafeInteger(pieces)],
  [
    'turn',
    ({ at, earlier, input, output }) =>
      typeof at === 'number' && Array.isArray(earlier) && earlier.every(isText) && areItems(input) && areItems(output),
  ],
  ['item', ({ answer }) => isText(answer)],
  ['owner', ({ backend }) => isText(backend)],
  ['piece', ({ deflated }) => isText(deflated)],
  ['run', ({ until, streamed }) => typeof until === 'number' && typeof streamed === 'boolean'],
]);

/** The same store, in which a record that lacks what its kind has is not there. `tell` hears of it by its key. */
export function soundRecords(store: Store, tell: (key: string) => void): Store {
  const isSound = (key: string, value: unknown): boolean => {
    if (!isObject(value) || value.v !== VERSION) return true;
    const [, kind = ''] = key.split(':', 2);
    const sound = SHAPES.get(kind)?.(value) ?? true;
    if (!sound) tell(key);
    return sound;
  };
  return {
    ...store,
    get: async (keys) =>
      (await store.get(keys)).map((value, index) => (isSound(keys[index] ?? '', value) ? value : undefined)),
    find: async (keys) =>
      (await store.find(keys)).map((found, index) => (isSound(keys[index] ?? '', found?.value) ? found : undefined)),
  };
}
