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
  return [
    { key: storedResponses.keysOf(tenant, id).turn, value: turn },
    ...(await itemEntries(store, added)),
    ...(await earlierEntries(store, added)),
  ];
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

/**
 * That the last turn before is built upon, and the turns that would expire before what builds upon them. The last one may have been deleted
 * meanwhile, and is still needed. What was forgotten stays so as long as its turn lives.
 */
async function earlierEntries(
  store: Store,
  { tenant, before: { answers, turns }, turn: { at: now }, ttlMs }: NewTurn,
): Promise<Entry[]> {
  // Often one of hundreds.
  const touched = turns.flatMap((turn, index) => {
    const isOld = now - turn.at >= ttlMs / 2;
    const isLast = index === turns.length - 1;
    if (!isOld && !isLast) return [];
    return [{ turn, keys: storedResponses.keysOf(tenant, answers[index] ?? ''), isOld, isLast }];
  });
  const gone = touched.length === 0 ? [] : await store.get(touched.map(({ keys }) => keys.gone));
  const mark = { v: storedResponses.VERSION };
  return touched.flatMap(({ turn, keys, isOld, isLast }, index) => {
    const isGone = gone[index] !== undefined;
    return [
      ...(isLast ? [{ key: keys.child, value: mark }] : []),
      ...(isOld || isGone ? [{ key: keys.turn, value: { ...turn, at: now } }] : []),
      ...(isGone ? [{ key: keys.gone, value: mark }] : []),
    ];
  });
}
