import { type JsonObject, storedResponses } from '../../translators/index.js';
import type { Exchanged } from './exchanged.js';
import type { Entry, Store } from './store.js';
import { turnEntries } from './turn-entries.js';

/** Promises an answer that will be made: the run, the turn it is made from, and what is shown of it meanwhile. */
export async function promiseAnswer(
  store: Store,
  tenant: string,
  response: JsonObject,
  run: storedResponses.StoredRun,
  { before, input }: Pick<Exchanged, 'before' | 'input'>,
): Promise<void> {
  const keys = storedResponses.keysOf(tenant, String(response.id));
  const answer: storedResponses.StoredAnswer = { v: storedResponses.VERSION, response, pieces: 0 };
  const turn = {
    v: storedResponses.VERSION,
    at: Date.now(),
    earlier: before?.answers ?? [],
    input,
    output: [],
    open: true,
  } as const;
  await store.set([
    { key: keys.run, value: run },
    ...(before === undefined ? [] : [{ key: keys.turn, value: turn satisfies storedResponses.StoredTurn }]),
    { key: keys.answer, value: answer },
  ]);
}

/** Keeps an answer, whose entries live `ttlMs` milliseconds, with the turn that it ends. */
export async function keepExchanged(
  store: Store,
  ttlMs: number,
  tenant: string,
  { id, response, printed, inStream = false, kept, pieces, before, input, fresh, owner, domain }: Exchanged,
): Promise<void> {
  const now = Date.now();
  const keys = storedResponses.keysOf(tenant, id);
  const entries: Entry[] = [];
  if (owner !== undefined) entries.push({ key: keys.owner, value: { v: storedResponses.VERSION, backend: owner } });
  if (before !== undefined) {
    const turn: storedResponses.StoredTurn = {
      v: storedResponses.VERSION,
      at: now,
      earlier: before.answers,
      input,
      output: outputOf(response),
      domain,
    };
    entries.push(...(await turnEntries(store, { tenant, id, turn, before, fresh, ttlMs })));
  }
  pieces.forEach((value, index) => {
    entries.push({ key: keys.piece(kept + index), value });
  });
  // Last, so that an answer that can be found is whole wherever a store writes one after the other.
  if (before !== undefined || owner === undefined) {
    const all = kept + pieces.length;
    const record = { v: storedResponses.VERSION, pieces: all } satisfies storedResponses.AnswerRecord;
    entries.push(
      inStream && all > 0 ? { key: keys.answer, value: record } : answerEntry(keys.answer, response, printed, all),
    );
  }
  // Not awaited: nothing of the answer waits until it is written.
  return store.set(entries);
}

/** What is shown of an answer. */
function answerEntry(key: string, response: JsonObject, printed: Exchanged['printed'], pieces: number): Entry {
  const v = storedResponses.VERSION;
  if (printed !== undefined) return { key, json: [`{"v":${v},"response":`, printed, `,"pieces":${pieces}}`] };
  return { key, value: { v, response, pieces } satisfies storedResponses.StoredAnswer };
}

/** Replaces what is shown of an answer. */
export async function updateAnswer(
  store: Store,
  tenant: string,
  id: string,
  response: JsonObject,
  pieces: number,
): Promise<void> {
  await store.set([answerEntry(storedResponses.keysOf(tenant, id).answer, response, undefined, pieces)]);
}

/** Forgets an answer. Its items stay while later exchanges build upon them. */
export async function removeAnswer(store: Store, tenant: string, id: string): Promise<void> {
  if (!storedResponses.isId(id)) return;
  const keys = storedResponses.keysOf(tenant, id);
  const [answer, turn, child] = await store.get([keys.answer, keys.turn, keys.child]);
  const pieces = storedResponses.readRecord<storedResponses.AnswerRecord>(answer)?.pieces ?? 0;
  const gone = [keys.answer, keys.owner, keys.run, keys.stop];
  for (let index = 0; index < pieces; index += 1) gone.push(keys.piece(index));
  const { input = [], output = [] } = storedResponses.readRecord<storedResponses.StoredTurn>(turn) ?? {};
  const items = [...input, ...output].flatMap((item) =>
    storedResponses.isId(item.id) ? [storedResponses.keysOf(tenant, item.id).item] : [],
  );
  const places = await store.get(items);
  const isOwn = (place: unknown): boolean =>
    storedResponses.readRecord<storedResponses.StoredItem>(place)?.answer === id;
  gone.push(...items.filter((_, index) => isOwn(places[index])));
  if (turn !== undefined) await store.set([{ key: keys.gone, value: { v: storedResponses.VERSION } }]);
  await store.delete(child === undefined ? [...gone, keys.turn] : gone);
}

/** The output items of an answer. */
function outputOf({ output }: JsonObject): JsonObject[] {
  return Array.isArray(output) ? output : [];
}
