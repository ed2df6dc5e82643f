import type { JsonObject } from '../json.js';
import type { OpenResponse } from './print.js';

/** A response kept for `previous_response_id` and the lookup routes. */
export interface StoredResponse {
  readonly response: OpenResponse;
  /** The whole context that the response was made from. */
  readonly items: readonly JsonObject[];
}

/** Responses by id; the oldest goes when there are too many. */
export interface ResponseStore {
  get(id: string): StoredResponse | undefined;
  put(stored: StoredResponse): void;
  remove(id: string): boolean;
}

/** A store in memory of at most `capacity` responses. */
export function createResponseStore(capacity = 256): ResponseStore {
  const kept = new Map<string, StoredResponse>();
  return {
    get: (id) => kept.get(id),
    put(stored) {
      kept.set(stored.response.id, stored);
      for (const id of kept.keys()) {
        if (kept.size <= capacity) break;
        kept.delete(id);
      }
    },
    remove: (id) => kept.delete(id),
  };
}
