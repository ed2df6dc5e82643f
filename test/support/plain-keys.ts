/**
 * Whether every key of a JSON value stands in its text as it is, without an escape. What a law generates, prints and reads again is
 * restricted to such values: since V8 13 (Node.js 24, 26) `JSON.parse` reads a key with an escape, such as a quote, as another one
 * that it has seen before, such as a backslash (https://github.com/nodejs/node/issues/63785). Nothing of ours finds members so:
 * `wire/json-members.ts` reads each key as a text of its own.
 */
export function hasPlainKeys(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, child]) => isPlainKey(key) && hasPlainKeys(child));
}

/** Whether one key does. */
export function isPlainKey(key: string): boolean {
  return JSON.stringify(key).length === key.length + 2;
}
