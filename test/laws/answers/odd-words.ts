import fc from 'fast-check';
import { isObject } from '../../../translators/wire/json.js';

/** Words that every object knows, and some that no table does. */
export const oddWords = fc.constantFrom('constructor', '__proto__', 'toString', 'hasOwnProperty', 'newly_invented', '');

/** A copy of a body with one of its strings, counted round, replaced by a word. */
export function withWord(body: unknown, place: number, word: string): unknown {
  const copy: unknown = structuredClone(body);
  const places = stringsIn(copy);
  const chosen = places[place % Math.max(1, places.length)];
  if (chosen !== undefined) Reflect.set(chosen.holder, chosen.key, word);
  return copy;
}

interface Place {
  readonly holder: object;
  readonly key: string;
}

function stringsIn(value: unknown): Place[] {
  if (!Array.isArray(value) && !isObject(value)) return [];
  return Object.entries(value).flatMap(([key, entry]) =>
    typeof entry === 'string' ? [{ holder: value, key }] : stringsIn(entry),
  );
}
