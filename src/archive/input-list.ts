import { type JsonObject, storedResponses } from '../../translators/index.js';
import type { Store } from './store.js';
import { readTurns } from './turns.js';

/**
 * The items that the answer of the turn `last` was made from. It begins with the turn that contains `after`, where
 * that is known, else with the first one in this order. A turn that is not known yields undefined.
 */
export async function* inputList(
  store: Store,
  tenant: string,
  last: storedResponses.StoredTurn,
  { order, after }: storedResponses.ListOrder,
): AsyncGenerator<JsonObject | undefined> {
  const inOrder = <T>(list: readonly T[]): readonly T[] => (order === 'asc' ? list : [...list].reverse());
  const place = await placeOf(store, tenant, after);
  const earlier = inOrder(last.earlier);
  const first = place === undefined ? -1 : earlier.indexOf(place);
  if (order === 'desc' && first === -1) yield* inOrder(last.input);
  for await (const turn of readTurns(store, tenant, first === -1 ? earlier : earlier.slice(first))) {
    if (turn === undefined) yield undefined;
    else yield* inOrder([...turn.input, ...turn.output]);
  }
  if (order === 'asc') yield* last.input;
}

/** The answer whose turn contains an item. */
async function placeOf(store: Store, tenant: string, item: string | undefined): Promise<string | undefined> {
  if (item === undefined || !storedResponses.isId(item)) return undefined;
  const [found] = await store.get([storedResponses.keysOf(tenant, item).item]);
  return storedResponses.readRecord<storedResponses.StoredItem>(found)?.answer ?? storedResponses.answerOfItem(item);
}
