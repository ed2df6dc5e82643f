import { type JsonObject, storedResponses } from '../../translators/index.js';
import type { Exchanged } from './exchanged.js';
import { inputList } from './input-list.js';
import type { Store } from './store.js';
import { type Budget, readTurn, readTurns } from './turns.js';
import { keepExchanged, promiseAnswer, removeAnswer, updateAnswer } from './writes.js';

/** What the gateway keeps of conversations. Every call is about one tenant; ids of others are unknown. */
export interface Archive {
  answer(tenant: string, id: string): Promise<storedResponses.StoredAnswer | undefined>;
  /** The backend that keeps the answer itself; undefined for ours and for unknown ones. */
  owner(tenant: string, id: string): Promise<string | undefined>;
  /**
   * The conversation that ends with an answer; undefined when any of it is not known. Rejects with a Failure when it is
   * more than `budget` has.
   */
  history(tenant: string, id: string, budget?: Budget): Promise<storedResponses.History | undefined>;
  /** Items by id; unknown ones are missing. Rejects as `history` does. */
  items(
    tenant: string,
    ids: readonly string[],
    budget?: Budget,
  ): Promise<ReadonlyMap<string, storedResponses.KeptItem>>;
  /**
   * What an answer was made from: all items before it, and its own input; undefined when it is not known. Only what is
   * taken of the list is read; a turn that is not known yields undefined.
   */
  input(
    tenant: string,
    id: string,
    order: storedResponses.ListOrder,
  ): Promise<AsyncIterable<JsonObject | undefined> | undefined>;
  /** Promises an answer that will be made. Rejects when it could not be kept. */
  promise(
    tenant: string,
    response: JsonObject,
    run: storedResponses.StoredRun,
    exchanged: Pick<Exchanged, 'before' | 'input'>,
  ): Promise<void>;
  /** Rejects when it could not be kept. */
  keep(tenant: string, exchanged: Exchanged): Promise<void>;
  /** Replaces what is shown of an answer. */
  update(tenant: string, id: string, response: JsonObject, pieces: number): Promise<void>;
  /** Forgets an answer. Its items stay while later exchanges build upon them. */
  remove(tenant: string, id: string): Promise<void>;
  readonly store: Store;
}

/** Gives the text of a piece of a stream. */
type Unpack = (piece: storedResponses.StoredPiece) => Promise<string>;

/** An archive in a store whose entries live `ttlMs` milliseconds. Without `unpack` no streams are kept in it. */
export function createArchive(store: Store, ttlMs: number, unpack?: Unpack): Archive {
  return {
    store,
    answer: (tenant, id) => readAnswer(store, unpack, tenant, id),
    owner: (tenant, id) => readOwner(store, tenant, id),
    history: (tenant, id, budget) => readHistory(store, tenant, id, budget),
    items: (tenant, ids, budget) => readItems(store, tenant, ids, budget),
    async input(tenant, id, order) {
      const last = await lastTurn(store, tenant, id);
      return last && inputList(store, tenant, last, order);
    },
    promise: (tenant, response, run, exchanged) => promiseAnswer(store, tenant, response, run, exchanged),
    keep: (tenant, exchanged) => keepExchanged(store, ttlMs, tenant, exchanged),
    update: (tenant, id, response, pieces) => updateAnswer(store, tenant, id, response, pieces),
    remove: (tenant, id) => removeAnswer(store, tenant, id),
  };
}

async function one(store: Store, key: string): Promise<unknown> {
  return (await store.get([key]))[0];
}

async function readAnswer(
  store: Store,
  unpack: Unpack | undefined,
  tenant: string,
  id: string,
): Promise<storedResponses.StoredAnswer | undefined> {
  if (!storedResponses.isId(id)) return undefined;
  const keys = storedResponses.keysOf(tenant, id);
  const record = storedResponses.readRecord<storedResponses.AnswerRecord>(await one(store, keys.answer));
  if (record === undefined) return undefined;
  const response = record.response ?? (await answerInStream(store, unpack, keys.piece(record.pieces - 1)));
  return response && { ...record, response };
}

/** The answer that the last frame of a piece shows; undefined where that is missing or damaged. */
async function answerInStream(store: Store, unpack: Unpack | undefined, key: string): Promise<JsonObject | undefined> {
  const piece = storedResponses.readRecord<storedResponses.StoredPiece>(await one(store, key));
  const frames = piece && (await unpack?.(piece).catch(() => undefined));
  return frames === undefined ? undefined : storedResponses.answerIn(frames.slice(storedResponses.lastFrameAt(frames)));
}

async function readOwner(store: Store, tenant: string, id: string): Promise<string | undefined> {
  if (!storedResponses.isId(id)) return undefined;
  const { owner } = storedResponses.keysOf(tenant, id);
  return storedResponses.readRecord<storedResponses.StoredOwner>(await one(store, owner))?.backend;
}

/** The turn of an answer that is known. */
async function lastTurn(
  store: Store,
  tenant: string,
  id: string,
  budget?: Budget,
): Promise<storedResponses.StoredTurn | undefined> {
  if (!storedResponses.isId(id)) return undefined;
  const keys = storedResponses.keysOf(tenant, id);
  const [answer, turn] = await store.find([keys.answer, keys.turn]);
  return storedResponses.readRecord<storedResponses.AnswerRecord>(answer?.value) === undefined
    ? undefined
    : readTurn(turn, budget);
}

async function readHistory(
  store: Store,
  tenant: string,
  id: string,
  budget: Budget | undefined,
): Promise<storedResponses.History | undefined> {
  const last = await lastTurn(store, tenant, id, budget);
  if (last === undefined || last.open === true) return undefined;
  const turns: storedResponses.StoredTurn[] = [];
  for await (const turn of readTurns(store, tenant, last.earlier, budget)) {
    if (turn === undefined) return undefined;
    turns.push(turn);
  }
  return { answers: [...last.earlier, id], turns: [...turns, last] };
}

async function readItems(
  store: Store,
  tenant: string,
  ids: readonly string[],
  budget: Budget | undefined,
): Promise<ReadonlyMap<string, storedResponses.KeptItem>> {
  const wanted = [...new Set(ids.filter(storedResponses.isId))];
  const made = wanted.map(storedResponses.answerOfItem);
  const answers = [...new Set(made)].filter((answer) => answer !== undefined);
  const values = await store.get([
    ...wanted.map((id) => storedResponses.keysOf(tenant, id).item),
    ...answers.map((answer) => storedResponses.keysOf(tenant, answer).gone),
  ]);
  const forgotten = new Set(answers.filter((_, index) => values[wanted.length + index] !== undefined));
  const found = new Map<string, storedResponses.KeptItem>();
  const takeFrom = async (placeAt: (index: number) => string | undefined): Promise<void> => {
    const places = wanted.flatMap((id, index): readonly (readonly [string, string])[] => {
      const place = found.has(id) ? undefined : placeAt(index);
      return place === undefined ? [] : [[id, place]];
    });
    await takeItems(store, tenant, new Map(places), budget, found);
  };
  await takeFrom((index) => {
    const answer = made[index];
    return answer === undefined || forgotten.has(answer) ? undefined : answer;
  });
  await takeFrom((index) => storedResponses.readRecord<storedResponses.StoredItem>(values[index])?.answer);
  return found;
}

/** Adds to `found` the items of `places`, each from the turn of the answer that it has there: another turn may hold it as its client sent it again. */
async function takeItems(
  store: Store,
  tenant: string,
  places: ReadonlyMap<string, string>,
  budget: Budget | undefined,
  found: Map<string, storedResponses.KeptItem>,
): Promise<void> {
  const answers = [...new Set(places.values())];
  let index = 0;
  for await (const turn of readTurns(store, tenant, answers, budget)) {
    const answer = answers[index] ?? '';
    index += 1;
    const { input = [], output = [], domain } = turn ?? {};
    const take = (item: JsonObject, issuer: string | undefined): void => {
      if (typeof item.id !== 'string' || places.get(item.id) !== answer || found.has(item.id)) return;
      found.set(item.id, { item, answer, domain: issuer });
    };
    for (const item of input) take(item, undefined);
    for (const item of output) take(item, domain);
  }
}
