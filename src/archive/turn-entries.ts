import { type JsonObject, storedResponses } from '../../translators/index.js';
import type { Entry, Store } from './store.js';

/** A turn that is to be kept. */
export interface NewTurn {
  readonly tenant: string;
  readonly id: string;
  readonly turn: storedResponses.StoredTurn;
  readonly before: storedResponses.History;
  /** No item of its input can be known from before. */
  readonly fresh: boolean | undefined;
  /** How long entries live, in milliseconds. */
  readonly ttlMs: number;
}

/** What has to be written so that a turn is found, and stays whole as long as it lives itself. */
export async function turnEntries(store: Store, added: NewTurn): Promise<Entry[]> {
  const { tenant, id, turn } = added;
  const items = await itemEntries(store, added);
  return [
    { key: storedResponses.keysOf(tenant, id).turn, value: turn },
    ...renewed(added),
    ...items,
    ...(await parentEntries(store, added)),
  ];
}

/** Turns that would expire before what builds upon them. */
function renewed({ tenant, before: { answers, turns }, turn: { at: now }, ttlMs }: NewTurn): Entry[] {
  return turns.flatMap((turn, index) =>
    now - turn.at < ttlMs / 2
      ? []
      : [{ key: storedResponses.keysOf(tenant, answers[index] ?? '').turn, value: { ...turn, at: now } }],
  );
}

/**
 * The entries that name the turn of each item whose id does not. Items that a client sent again keep their first turn, as long as that
 * lives.
 */
async function itemEntries(
  store: Store,
  { tenant, id: answer, turn: { input, output }, fresh = false }: NewTurn,
): Promise<Entry[]> {
  const keysIn = (items: readonly JsonObject[]) =>
    items.flatMap(({ id }) =>
      storedResponses.isId(id) && storedResponses.answerOfItem(id) !== answer
        ? [storedResponses.keysOf(tenant, id).item]
        : [],
    );
  const given = keysIn(input);
  const known = fresh || given.length === 0 ? [] : await store.get(given);
  const added = given.filter(
    (_, index) => storedResponses.readRecord<storedResponses.StoredItem>(known[index]) === undefined,
  );
  return [...added, ...keysIn(output)].map((key) => ({
    key,
    value: { v: storedResponses.VERSION, answer } satisfies storedResponses.StoredItem,
  }));
}

/** That an answer is built upon. When it was deleted meanwhile its items are still needed. */
async function parentEntries(store: Store, { tenant, before, turn: { at } }: NewTurn): Promise<Entry[]> {
  const [parent, turn] = [before.answers.at(-1), before.turns.at(-1)];
  if (parent === undefined || turn === undefined) return [];
  const keys = storedResponses.keysOf(tenant, parent);
  const [gone] = await store.get([keys.gone]);
  const entry = { key: keys.child, value: { v: storedResponses.VERSION } };
  return gone === undefined ? [entry] : [entry, { key: keys.turn, value: { ...turn, at } }];
}
