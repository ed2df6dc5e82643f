import { storedResponses } from '../../translators/index.js';
import { MB } from '../ground/plain/index.js';
import { historyTooLarge } from './refusals.js';
import type { Found, Store } from './store.js';

/** How much of what is stored may be loaded for one request. */
export interface Budget {
  /** Throws a Failure once more was taken than there is. */
  take(bytes: number): void;
  /** It has thrown. */
  readonly spent: boolean;
}

export function createBudget(mostMb: number): Budget {
  let left = mostMb * MB;
  return {
    take(bytes) {
      left -= bytes;
      if (left < 0) throw historyTooLarge(mostMb);
    },
    get spent() {
      return left < 0;
    },
  };
}

/** The most turns that are asked of the store at once: their texts are all in memory. */
const PAGE = 8;

/**
 * The turns of answers, in the order of `answers`; undefined for one that is not known. They are read page by page, as
 * far as they are asked for.
 */
export async function* readTurns(
  store: Store,
  tenant: string,
  answers: readonly string[],
  budget?: Budget,
): AsyncGenerator<storedResponses.StoredTurn | undefined> {
  let size = 1;
  for (let start = 0; start < answers.length; ) {
    const page = answers.slice(start, start + size);
    for (const found of await store.find(page.map((answer) => storedResponses.keysOf(tenant, answer).turn))) {
      yield readTurn(found, budget);
    }
    start += size;
    size = Math.min(2 * size, PAGE);
  }
}

/** A turn as it was found. */
export function readTurn(found: Found | undefined, budget?: Budget): storedResponses.StoredTurn | undefined {
  budget?.take(found?.bytes ?? 0);
  return storedResponses.readRecord<storedResponses.StoredTurn>(found?.value);
}
