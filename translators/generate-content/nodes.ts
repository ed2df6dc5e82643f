import { furtherKeys } from '../adapt/index.js';
import type { TranslationError } from '../canonical/errors.js';
import type { Losses } from '../canonical/loss.js';
import type { JsonObject } from '../canonical/node.js';
import { checkValue } from '../wire/check.js';
import { isObject, put } from '../wire/json.js';
import { dialectNodes } from '../wire/nodes.js';
import { itemPtr, join } from '../wire/pointer.js';
import type * as s from '../wire/schema.js';

/** Names the dialect in parts, bags and errors. */
export const DIALECT = 'generateContent' as const;

export type { Mutable } from '../canonical/node.js';
export { put } from '../wire/json.js';

const nodes = dialectNodes(DIALECT);
export const { remember, remembered, rememberAll, rememberedAll } = nodes;

/** Field names of one kind of node, looked up by either spelling. */
export type FieldNames = Readonly<Record<string, string>>;

/** The snake_case spelling of a camelCase name. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** A table of field names: each stands under its camelCase and its snake_case spelling. */
export function fieldNames(...names: readonly string[]): FieldNames {
  const table: Record<string, string> = Object.create(null);
  for (const name of names) {
    table[name] = name;
    table[snakeCase(name)] = name;
  }
  return table;
}

/** A node with its known fields under their camelCase names. */
export interface Opened {
  /** The known fields; the node itself when nothing had to change. Must not be written to. */
  readonly known: JsonObject;
  /** Fields that this dialect does not know, as they came. */
  readonly rest?: JsonObject;
  /** Wire spellings of the fields that were not camelCase. */
  readonly names?: Readonly<Record<string, string>>;
}

/**
 * Reads a node in either spelling ([G §2.1]). Nulls count as absent. Throws `invalid_request` when one field is there in
 * both spellings.
 */
export function open(node: JsonObject, fields: FieldNames, ptr: string): Opened {
  for (const key in node) {
    if (fields[key] !== key || node[key] === null) return openRare(node, fields, ptr);
  }
  return { known: node, rest: undefined, names: undefined };
}

function openRare(node: JsonObject, fields: FieldNames, ptr: string): Opened {
  const known: JsonObject = {};
  const names: Record<string, string> = {};
  let rest: JsonObject | undefined;
  for (const key of Object.keys(node)) {
    const name = fields[key];
    const value = node[key];
    if (name === undefined) {
      rest ??= {};
      put(rest, key, value);
      continue;
    }
    if (name !== key) {
      if (Object.hasOwn(node, name)) {
        throw invalid(`"${name}" and "${key}" are two spellings of one field`, join(ptr, key));
      }
      names[name] = key;
    }
    if (value !== null) known[name] = value;
  }
  return { known, rest: rest && furtherKeys(rest, ptr), names };
}

/** What the reading of parts needs to know. */
export interface ReadContext {
  readonly losses: Losses;
  /** Whose opaque state it is: the answering backend's, or `unknown:generateContent` for what a client sends. */
  readonly domain: string;
  /** Parts of an answer get what is needed to bring their state home through another dialect (translation.md 4.1). */
  readonly answer: boolean;
  /** Names of declared functions, where the computer is declared too: other calls may be its. */
  readonly functions?: ReadonlySet<string>;
}

/** Fields of a part besides its data. */
export interface Frame {
  readonly opened: Opened;
  readonly ptr: string;
  readonly thought: boolean;
  readonly signature: string | undefined;
  readonly context: ReadContext;
}

/** The pointer of a field of an opened node, as the source spelled it. */
export function fieldPtr(opened: Opened, name: string, ptr: string): string {
  return `${ptr}/${opened.names?.[name] ?? name}`;
}

/** Where those of `fields` that only this dialect has stood, for {@link Source}, if they were not spelled in camelCase. */
export function bagPlaces(
  { names }: Opened,
  ptr: string,
  fields: readonly string[],
): { readonly at?: Readonly<Record<string, string>> } {
  if (names === undefined) return {};
  let at: Record<string, string> | undefined;
  for (const field of fields) {
    if (names[field] === undefined) continue;
    at ??= {};
    at[`ext.${field}`] = `${ptr}/${names[field]}`;
  }
  return at === undefined ? {} : { at };
}

/** The fields of a node that only this dialect has, under their camelCase names; undefined when there are none. */
export function ownFields(known: JsonObject, names: readonly string[]): JsonObject | undefined {
  let found: JsonObject | undefined;
  for (const name of names) {
    if (known[name] === undefined) continue;
    found ??= {};
    found[name] = known[name];
  }
  return found;
}

/** An error about what a client sent. */
export function invalid(message: string, path: string): TranslationError {
  return nodes.invalid(path, message);
}

/** Numbers that came as decimal strings, as numbers ([G §2.1.7]). A copy only when there was one. */
export function numbers(known: JsonObject, keys: readonly string[]): JsonObject {
  let copy: JsonObject | undefined;
  for (const key of keys) {
    const value = known[key];
    if (typeof value !== 'string' || !/^-?(?:0|[1-9]\d*)$/.test(value) || !Number.isSafeInteger(Number(value)))
      continue;
    copy ??= { ...known };
    copy[key] = Number(value);
  }
  return copy ?? known;
}

/** What of a node's lists came as one value, and is read as a list of one, as the service does (Google's own samples leave the brackets out). */
interface Listed {
  readonly known: JsonObject;
  /** The pointer of an item of the list `name`, which stands at `ptr`. */
  at(name: string, ptr: string): (index: number) => string;
}

/** Reads one value in place of a list as a list of one. A copy of the node only when there was one. */
export function lists(known: JsonObject, keys: readonly string[]): Listed {
  let copy: JsonObject | undefined;
  let single: Set<string> | undefined;
  for (const key of keys) {
    const value = known[key];
    if (value === undefined || Array.isArray(value)) continue;
    if (!isObject(value) && typeof value !== 'string') continue;
    copy ??= { ...known };
    copy[key] = [value];
    single ??= new Set();
    single.add(key);
  }
  return {
    known: copy ?? known,
    at: (name, ptr) => (single?.has(name) === true ? () => ptr : (index) => itemPtr(ptr, index)),
  };
}

/** The value as its schema types it. Throws `invalid_request` with the pointer of the first fault. */
export function check<T>(schema: s.Schema<T>, value: unknown, ptr: string, names?: Opened['names']): T {
  return checkValue(schema, value, (fault) => {
    const [, first = '', rest = ''] = /^\/([^/]*)(.*)$/.exec(fault.path) ?? [];
    const path = fault.path === '' ? ptr : `${ptr}/${names?.[first] ?? first}${rest}`;
    return invalid(`${path.slice(path.lastIndexOf('/') + 1) || 'the body'}: ${fault.reason}`, path);
  });
}

/** A JSON object, or `invalid_request`. */
export function checkObject(value: unknown, ptr: string): JsonObject {
  if (isObject(value)) return value;
  throw invalid(`${ptr.slice(ptr.lastIndexOf('/') + 1) || 'the body'}: expected an object`, ptr);
}
