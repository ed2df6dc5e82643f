import type { z } from 'zod';
import { furtherKeys } from '../adapt/index.js';
import { TranslationError } from '../canonical/errors.js';
import type { JsonObject } from '../canonical/node.js';
import { firstFault } from '../wire/fault.js';
import { isObject } from '../wire/json.js';
import { join } from '../wire/pointer.js';

/** Names the dialect in parts, bags and errors. */
export const DIALECT = 'generateContent' as const;

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
 * Reads a node in either spelling ([G §2.1]). Nulls count as absent. What was special about the spelling is added to
 * `marks`, under `path`, which is the dotted way from the node that owns the marks and ends in a dot unless empty.
 * Throws `invalid_request` when one field is there in both spellings.
 */
export function open(node: JsonObject, fields: FieldNames, ptr: string, path: string, marks: string[]): Opened {
  for (const key in node) {
    if (fields[key] !== key || node[key] === null) return openRare(node, fields, ptr, path, marks);
  }
  return { known: node };
}

function openRare(node: JsonObject, fields: FieldNames, ptr: string, path: string, marks: string[]): Opened {
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
      marks.push(`snake:${path}${name}`);
      names[name] = key;
    }
    if (value === null) marks.push(`null:${path}${name}`);
    else known[name] = value;
  }
  return { known, ...(rest !== undefined && { rest: furtherKeys(rest, ptr) }), names };
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
  return new TranslationError('invalid_request', message, { path, dialect: DIALECT });
}

/** Sets a key that may be `__proto__`. */
export function put(object: JsonObject, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[key] = value;
  }
}

/** Numbers that came as decimal strings, as numbers ([G §2.1.7]). A copy only when there was one. */
export function numbers(known: JsonObject, keys: readonly string[], path: string, marks: string[]): JsonObject {
  let copy: JsonObject | undefined;
  for (const key of keys) {
    const value = known[key];
    if (typeof value !== 'string' || !/^-?(?:0|[1-9]\d*)$/.test(value) || !Number.isSafeInteger(Number(value)))
      continue;
    copy ??= { ...known };
    copy[key] = Number(value);
    marks.push(`numstr:${path}${key}`);
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
export function lists(known: JsonObject, keys: readonly string[], path: string, marks: string[]): Listed {
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
    marks.push(`single:${path}${key}`);
  }
  return {
    known: copy ?? known,
    at: (name, ptr) => (index) => (single?.has(name) === true ? ptr : `${ptr}/${index}`),
  };
}

/** A word of an enumeration in upper case; some clients write them in lower case ([G §2.1.8]). */
export function upper(word: string, path: string, marks: string[]): string {
  const big = word.toUpperCase();
  if (big !== word) marks.push(word === big.toLowerCase() ? `lower:${path}` : `as:${path}=${JSON.stringify(word)}`);
  return big;
}

/**
 * Gives a freshly printed node the spelling its source had. The marks are undone in reverse, so that inner names change
 * before the names on the way to them. Writes to `wire` and to the objects in it that marks name.
 */
export function respell(wire: JsonObject, shape: readonly string[] | undefined): JsonObject {
  if (shape === undefined) return wire;
  for (let index = shape.length - 1; index >= 0; index -= 1) {
    const mark = shape[index] ?? '';
    const colon = mark.indexOf(':');
    if (colon > 0) applyMark(wire, mark.slice(0, colon), mark.slice(colon + 1));
  }
  return wire;
}

type Change = (parent: JsonObject, key: string) => void;

/** How each kind of mark changes the field it names. */
const CHANGES: Readonly<Record<string, Change>> = {
  snake(parent, key) {
    if (!Object.hasOwn(parent, key)) return;
    const value = parent[key];
    delete parent[key];
    parent[snakeCase(key)] = value;
  },
  null(parent, key) {
    parent[key] = null;
  },
  numstr(parent, key) {
    if (typeof parent[key] === 'number') parent[key] = String(parent[key]);
  },
  lower(parent, key) {
    const word = parent[key];
    if (typeof word === 'string') parent[key] = word.toLowerCase();
  },
  single(parent, key) {
    const value = parent[key];
    if (Array.isArray(value) && value.length === 1) parent[key] = value[0];
  },
  absent(parent, key) {
    delete parent[key];
  },
};

function applyMark(wire: JsonObject, kind: string, text: string): void {
  if (kind === 'as') {
    const equals = text.indexOf('=');
    change(wire, text.slice(0, equals), (parent, key) => {
      parent[key] = JSON.parse(text.slice(equals + 1));
    });
    return;
  }
  const apply = Object.hasOwn(CHANGES, kind) ? CHANGES[kind] : undefined;
  if (apply !== undefined) change(wire, text, apply);
}

function change(wire: JsonObject, path: string, apply: Change): void {
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  let parent: JsonObject = wire;
  for (const key of keys) {
    const child = parent[key];
    if (typeof child === 'object' && child !== null) {
      parent = child as JsonObject;
    } else {
      const made: JsonObject = {};
      parent[key] = made;
      parent = made;
    }
  }
  apply(parent, last);
}

/** The value as its schema types it. Throws `invalid_request` with the pointer of the first fault. */
export function check<T>(schema: z.ZodType<T>, value: unknown, ptr: string, names?: Opened['names']): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const fault = firstFault(result.error.issues);
  const [, first = '', rest = ''] = /^\/([^/]*)(.*)$/.exec(fault.path) ?? [];
  const path = fault.path === '' ? ptr : `${ptr}/${names?.[first] ?? first}${rest}`;
  throw invalid(`${path.slice(path.lastIndexOf('/') + 1) || 'the body'}: ${fault.reason}`, path);
}

/** A JSON object, or `invalid_request`. */
export function checkObject(value: unknown, ptr: string): JsonObject {
  if (isObject(value)) return value;
  throw invalid(`${ptr.slice(ptr.lastIndexOf('/') + 1) || 'the body'}: expected an object`, ptr);
}
