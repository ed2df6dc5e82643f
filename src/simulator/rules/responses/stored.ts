import { type JsonObject, objectsOf, stringOf } from '../json.js';
import type { IssuedItems } from './item-rules.js';

/** A response kept for `previous_response_id` and the lookup routes. */
export interface StoredResponse {
  readonly response: { readonly id: string; readonly [key: string]: unknown };
  /** The whole context that the response was made from. */
  readonly items: readonly JsonObject[];
}

/** Responses by id; the oldest goes when there are too many. */
export interface ResponseStore {
  /** What is known of the items of the responses that are kept. */
  readonly issued: IssuedItems;
  get(id: string): StoredResponse | undefined;
  put(stored: StoredResponse): void;
  remove(id: string): boolean;
}

/** A store in memory of at most `capacity` responses. */
export function createResponseStore(capacity = 256): ResponseStore {
  const kept = new Map<string, StoredResponse>();
  const reasoningOf = new Map<string, string>();
  const stored = new Set<string>();
  const remove = (id: string): boolean => {
    for (const item of objectsOf(kept.get(id)?.response.output)) {
      reasoningOf.delete(stringOf(item.id));
      stored.delete(stringOf(item.id));
    }
    return kept.delete(id);
  };
  return {
    issued: { reasoningOf, stored },
    get: (id) => kept.get(id),
    put(one) {
      kept.set(one.response.id, one);
      let before: JsonObject | undefined;
      for (const item of objectsOf(one.response.output)) {
        stored.add(stringOf(item.id));
        if (before?.type === 'reasoning') reasoningOf.set(stringOf(item.id), stringOf(before.id));
        before = item;
      }
      for (const id of kept.keys()) {
        if (kept.size <= capacity) break;
        remove(id);
      }
    },
    remove,
  };
}
