import { skipJsonString } from './json-scan.js';

/** Any value `JSON.parse` can give. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

/** An object as `JSON.parse` gives it. A key may be `__proto__`, as an own property. */
export type JsonObject = { [key: string]: Json };

/** True for an object that is neither `null` nor an array. Meant for values that came out of `JSON.parse`. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** How deep JSON from outside may nest where its reader is given no other limit: texts in texts, such as arguments of calls. */
export const MAX_DEPTH = 128;

/** `deep`: the text nests too deeply, and was not parsed. */
export type ParsedJson = { ok: true; value: Json } | { ok: false; deep?: true };

/**
 * `JSON.parse` that answers instead of throwing. Text that nests deeper than `depth` is no JSON: whatever recurses over a
 * value, the printer of the engine among it, ends at some thousand levels.
 */
export function parseJson(text: string, depth: number = MAX_DEPTH): ParsedJson {
  // Text that is JSON closes what it opens.
  if (text.length > 2 * depth && jsonDepth(text, depth)) return { ok: false, deep: true };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false };
  }
}

/** The message about an event that was too deep to be parsed; undefined for others. */
export function tooDeep(parsed: ParsedJson, depth: number = MAX_DEPTH): string | undefined {
  if (parsed.ok || parsed.deep === undefined) return undefined;
  return `the backend sent an event that is nested more than ${depth} levels deep`;
}

/**
 * True when the value holds, at any place, an integer that a double cannot tell from its neighbours (beyond 2^53).
 * Such a number was perhaps changed already when the text was parsed (hardening.md 2.2). Does not recurse.
 */
export function hasUnsafeInteger(value: Json): boolean {
  if (typeof value === 'number') return isUnsafe(value);
  const waiting: Json[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    if (Array.isArray(next)) {
      for (const child of next) if (isUnsafeOr(child, waiting)) return true;
    } else for (const key in next) if (isUnsafeOr(next[key], waiting)) return true;
  }
  return false;
}

/** Whether a value is such a number; what may hold one is to wait. */
function isUnsafeOr(value: Json | undefined, waiting: Json[]): boolean {
  if (typeof value === 'number') return isUnsafe(value);
  if (typeof value === 'object' && value !== null) waiting.push(value);
  return false;
}

function isUnsafe(value: number): boolean {
  // Integers beyond what a double holds at all are read as infinite.
  return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value));
}

/**
 * True when arrays and objects in the text nest deeper than `limit` (a bare scalar has depth 0, `[]` has 1). Reads as
 * {@link jsonBeyond} does.
 */
export function jsonDepth(text: string, limit: number): boolean {
  // Most texts have too few brackets for it, wherever these are: to count them is a fraction of reading.
  if (text.length <= limit || !hasMore(text, limit)) return false;
  return jsonBeyond(text, { depth: limit, values: Number.POSITIVE_INFINITY }) === 'depth';
}

/** Whether there are more opening brackets than `limit`, in strings or not. */
function hasMore(text: string, limit: number): boolean {
  let left = limit;
  for (const bracket of '{[') {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      left -= 1;
      if (left < 0) return true;
    }
  }
  return false;
}

/** How deep arrays and objects may nest, and how many values there may be: scalars and containers, at every level. */
export type JsonBounds = { readonly depth: number; readonly values: number };

/**
 * The first bound that the text goes beyond; undefined = none. Reads the text and not the value, in linear time, so that
 * it can run before anything is built or recurses (hardening.md 2.2). The text need not be valid JSON: brackets and commas
 * outside strings are what counts.
 */
export function jsonBeyond(text: string, bounds: JsonBounds): keyof JsonBounds | undefined {
  const length = text.length;
  let depth = 0;
  let values = 1;
  let at = 0;
  while (at < length) {
    const code = text.charCodeAt(at);
    at += 1;
    if (code === 0x22) {
      at = skipJsonString(text, at);
      if (at === -1) return undefined;
    } else if (code === 0x2c) {
      values += 1;
      if (values > bounds.values) return 'values';
    } else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > bounds.depth) return 'depth';
      if (closesAt(text, at)) continue;
      values += 1;
      if (values > bounds.values) return 'values';
    } else if (code === 0x5d || code === 0x7d) {
      depth -= 1;
    }
  }
  return undefined;
}

/** Whether a closing bracket is what comes next, after white space. */
function closesAt(text: string, from: number): boolean {
  for (let at = from; ; at += 1) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return code === 0x5d || code === 0x7d;
  }
}

/**
 * `JSON.stringify` of a text without the quotes, which the text around it has. The pieces of a stream are short and mostly plain,
 * so that they stay what they are.
 */
export function escapeText(text: string): string {
  return isPlain(text) ? text : JSON.stringify(text).slice(1, -1);
}

/**
 * The pieces as one text. What `+` and templates make is a tree of its pieces until somebody reads it, so that what repeats a text
 * would walk through these each time.
 */
export function inOne(...pieces: readonly string[]): string {
  return pieces.join('');
}

/** Whether a text is short, and printable ASCII that needs no escape. */
function isPlain(text: string): boolean {
  if (text.length > SHORT) return false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code > 0x7e || code === 0x22 || code === 0x5c) return false;
  }
  return true;
}

const SHORT = 64;

/**
 * JSON text without the two characters that JSON allows in strings and JavaScript takes for line ends: some readers of
 * streams cut lines with an expression that ends at them.
 */
export function onOneLine(json: string): string {
  if (json.indexOf('\u2028') === -1 && json.indexOf('\u2029') === -1) return json;
  return json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/** What a table holds under a word from outside: words such as `constructor`, which every object knows, find nothing. */
export function lookUp<T>(table: Readonly<Record<string, T>>, word: unknown): T | undefined {
  return typeof word === 'string' && Object.hasOwn(table, word) ? table[word] : undefined;
}

/** Sets an own key whatever its name is: assigning to `__proto__` would change the prototype instead. */
export function put(target: { [key: string]: unknown }, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[key] = value;
  }
}
