import { type JsonObject, storedResponses } from '../../translators/index.js';
import type { Entry, Store } from '../store/index.js';
import type { Exchanged } from './exchanged.js';
import { inputList } from './input-list.js';
import { turnEntries } from './turn-entries.js';
import { type Budget, readTurn, readTurns } from './turns.js';

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

/** An archive in a store whose entries live `ttlMs` milliseconds. */
export function createArchive(store: Store, ttlMs: number): Archive {
  const one = async (key: string): Promise<unknown> => (await store.get([key]))[0];

  /** The turn of an answer that is known. */
  const lastTurn = async (
    tenant: string,
    id: string,
    budget?: Budget,
  ): Promise<storedResponses.StoredTurn | undefined> => {
    if (!storedResponses.isId(id)) return undefined;
    const keys = storedResponses.keysOf(tenant, id);
    const [answer, turn] = await store.find([keys.answer, keys.turn]);
    return storedResponses.readRecord<storedResponses.StoredAnswer>(answer?.value) === undefined
      ? undefined
      : readTurn(turn, budget);
  };

  return {
    store,
    async history(tenant, id, budget) {
      const last = await lastTurn(tenant, id, budget);
      if (last === undefined || last.open === true) return undefined;
      const turns: storedResponses.StoredTurn[] = [];
      for await (const turn of readTurns(store, tenant, last.earlier, budget)) {
        if (turn === undefined) return undefined;
        turns.push(turn);
      }
      return { answers: [...last.earlier, id], turns: [...turns, last] };
    },
    async input(tenant, id, order) {
      const last = await lastTurn(tenant, id);
      return last && inputList(store, tenant, last, order);
    },
    async promise(tenant, response, job, { before, input }) {
      const id = String(response.id);
      const keys = storedResponses.keysOf(tenant, id);
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
        { key: keys.run, value: job },
        ...(before === undefined ? [] : [{ key: keys.turn, value: turn satisfies storedResponses.StoredTurn }]),
        { key: keys.answer, value: answer },
      ]);
    },
    answer: async (tenant, id) =>
      storedResponses.isId(id)
        ? storedResponses.readRecord<storedResponses.StoredAnswer>(await one(storedResponses.keysOf(tenant, id).answer))
        : undefined,
    async owner(tenant, id) {
      if (!storedResponses.isId(id)) return undefined;
      return storedResponses.readRecord<storedResponses.StoredOwner>(
        await one(storedResponses.keysOf(tenant, id).owner),
      )?.backend;
    },
    async items(tenant, ids, budget) {
      const known = new Set(ids.filter(storedResponses.isId));
      const places = await store.get([...known].map((id) => storedResponses.keysOf(tenant, id).item));
      const answers = [
        ...new Set(
          places.flatMap((value) => storedResponses.readRecord<storedResponses.StoredItem>(value)?.answer ?? []),
        ),
      ];
      const found = new Map<string, storedResponses.KeptItem>();
      let index = 0;
      for await (const turn of readTurns(store, tenant, answers, budget)) {
        const answer = answers[index] ?? '';
        index += 1;
        const { input = [], output = [], domain } = turn ?? {};
        const take = (item: JsonObject, issuer: string | undefined): void => {
          if (typeof item.id === 'string' && known.has(item.id)) found.set(item.id, { item, answer, domain: issuer });
        };
        for (const item of input) take(item, undefined);
        for (const item of output) take(item, domain);
      }
      return found;
    },
    async keep(tenant, { id, response, kept, pieces, before, input, fresh, owner, domain }) {
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
        entries.push({
          key: keys.answer,
          value: {
            v: storedResponses.VERSION,
            response,
            pieces: kept + pieces.length,
          } satisfies storedResponses.StoredAnswer,
        });
      }
      await store.set(entries);
    },
    async update(tenant, id, response, pieces) {
      const value: storedResponses.StoredAnswer = { v: storedResponses.VERSION, response, pieces };
      await store.set([{ key: storedResponses.keysOf(tenant, id).answer, value }]);
    },
    async remove(tenant, id) {
      if (!storedResponses.isId(id)) return;
      const keys = storedResponses.keysOf(tenant, id);
      const [answer, turn, child] = await store.get([keys.answer, keys.turn, keys.child]);
      const pieces = storedResponses.readRecord<storedResponses.StoredAnswer>(answer)?.pieces ?? 0;
      const gone = [keys.answer, keys.owner, keys.run, keys.stop];
      for (let index = 0; index < pieces; index += 1) gone.push(keys.piece(index));
      const { input = [], output = [] } = storedResponses.readRecord<storedResponses.StoredTurn>(turn) ?? {};
      const items = [...input, ...output].flatMap((item) =>
        storedResponses.isId(item.id) ? [storedResponses.keysOf(tenant, item.id).item] : [],
      );
      const places = await store.get(items);
      gone.push(
        ...items.filter(
          (_, index) => storedResponses.readRecord<storedResponses.StoredItem>(places[index])?.answer === id,
        ),
      );
      if (child === undefined && turn !== undefined)
        await store.set([{ key: keys.gone, value: { v: storedResponses.VERSION } }]);
      await store.delete(child === undefined ? [...gone, keys.turn] : gone);
    },
  };
}

/** The output items of an answer. */
function outputOf({ output }: JsonObject): JsonObject[] {
  return Array.isArray(output) ? output : [];
}
