import type { Part } from '../canonical/content.js';
import { type ErrorKind, TranslationError } from '../canonical/errors.js';
import type { JsonObject, Node, Source } from '../canonical/node.js';
import type { Tool } from '../canonical/tools.js';
import type { EncodeResponseContext } from '../dialect.js';
import { checkValue } from '../wire/check.js';
import { hash32, hashHex } from '../wire/hash.js';
import { put } from '../wire/json.js';
import type { Keys } from '../wire/keys.js';
import { sourceAt } from '../wire/memory.js';
import { dialectNodes } from '../wire/nodes.js';
import type * as s from '../wire/schema.js';

/** Id of this dialect. */
export const DIALECT = 'responses' as const;

export { put } from '../wire/json.js';
export { Keys, keysOf } from '../wire/keys.js';

export const { remember, remembered, rememberAll, rememberedAll, bagOf, withExtra } = dialectNodes(DIALECT);

/** How wire nodes are read: whose fault a malformed one is, and who issued opaque state. */
export interface Reader {
  readonly fault: Extract<ErrorKind, 'invalid_request' | 'upstream'>;
  /** State domain of native values: the backend's, or unknown when a client sent them bare. */
  readonly domain: string;
  /** Values that a client sends may be carriers; values of a backend are native whatever they look like. */
  readonly carriers: boolean;
}

/** Reads what a client sent. */
export const CLIENT: Reader = { fault: 'invalid_request', domain: `unknown:${DIALECT}`, carriers: true };

/** The node as its schema types it. Throws TranslationError with the path of the first fault. */
export function check<T>(schema: s.Schema<T>, node: unknown, ptr: string, reader: Reader = CLIENT): T {
  return checkValue(schema, node, ({ path, reason }) => fault(reader, ptr + path, reason));
}

/** The error for a malformed node. */
export function fault(reader: Reader, path: string, reason: string): TranslationError {
  return new TranslationError(reader.fault, reason, { path, dialect: DIALECT });
}

/** Where a node came from, and its keys that nobody knows. */
export interface Origin {
  readonly ext: Node['ext'];
  readonly src: Source;
}

/** The origin of a node whose schema names the `known` keys. */
export function origin(node: JsonObject, known: Keys, ptr: string): Origin {
  if (known.cover(node)) return { ext: undefined, src: sourceAt(ptr) };
  let bag: JsonObject | undefined;
  for (const key in node) {
    if (known.has(key)) continue;
    bag ??= {};
    put(bag, key, node[key]);
  }
  return { ext: bag === undefined ? undefined : { [DIALECT]: bag }, src: sourceAt(ptr) };
}

/**
 * Where an answer keeps the fields that only repeat the request. They say nothing new (translation.md 0.8), so they hang
 * under a symbol, which walks over the keys of a bag pass by.
 */
const ECHO: unique symbol = Symbol('echo');

/** A bag with echo fields in it. */
export function withEcho(bag: JsonObject, echo: JsonObject): JsonObject {
  return Object.defineProperty({ ...bag }, ECHO, { value: echo, enumerable: true });
}

/** The echo fields of an answer of this dialect; undefined when it is none. */
export function echoIn(ext: Node['ext']): Readonly<JsonObject> | undefined {
  const bag = ext?.[DIALECT];
  return bag === undefined ? undefined : Reflect.get(bag, ECHO);
}

/** Bag key, on the first part of a message, for what the message itself held. */
export const MESSAGE_KEYS = '$message';

/** How nodes are printed: `native` ones came from this dialect and are printed as they came. */
export interface Printer {
  readonly native: boolean;
  /** A tool of a foreign request as it is declared here; undefined for one that is dropped. Absent = tools are printed as they are. */
  readonly tool?: (tool: Tool) => JsonObject | undefined;
  /** The parts of a foreign request whose cache marks are sent. */
  readonly marked?: ReadonlySet<Part>;
  /** Detail of images that say none. */
  readonly detail?: string;
}

/** Prints what came from this dialect. */
export const NATIVE: Printer = { native: true };

/** Prints answers of other dialects. */
export const FOREIGN: Printer = { native: false };

/** Adds to encoded fields what only this dialect knows of the node. */
export function complete(fields: JsonObject, node: Node): JsonObject {
  const bag = bagOf(node);
  if (bag === undefined) return fields;
  // Spread, because assignment to a key called __proto__ would change the prototype.
  const full = { ...fields, ...bag };
  delete full[MESSAGE_KEYS];
  return full;
}

/** Puts every key of `node` in the bag of which encoding the part would give back something else. */
export function keepDifferences<N extends Node>(part: N, node: JsonObject, encoded: JsonObject): N {
  let kept = part;
  for (const key in node) {
    const value = node[key];
    if (value !== null && !sameJson(withoutNulls(value), withoutNulls(encoded[key])))
      kept = withExtra(kept, key, value);
  }
  return kept;
}

function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const out: JsonObject = {};
  for (const [key, child] of Object.entries(value)) if (child !== null) put(out, key, withoutNulls(child));
  return out;
}

/** Whether two values are the same JSON, key order aside. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && sameJson(Reflect.get(a, key), Reflect.get(b, key)));
}

/** The id of an answer of another service; the nonce keeps it from being guessed (translation.md 5.4). */
export function responseId(backendId: string, { nonce, asIssuer }: EncodeResponseContext): string {
  if (asIssuer === true) return backendId;
  const [, lead = ''] = /^([0-9a-f]{12})-/.exec(nonce) ?? [];
  return `resp_il${lead}${hashHex(`${backendId}\n${nonce}`, 32)}`;
}

/** Prefixes of the ids of items, by type [R §4.2]. */
const PREFIXES: Readonly<Record<string, string>> = {
  message: 'msg',
  function_call: 'fc',
  custom_tool_call: 'ctc',
  reasoning: 'rs',
  web_search_call: 'ws',
  file_search_call: 'fs',
  code_interpreter_call: 'ci',
  image_generation_call: 'ig',
  mcp_call: 'mcp',
  computer_call: 'cu',
  shell_call: 'sh',
  local_shell_call: 'lsh',
  apply_patch_call: 'apc',
  compaction: 'cmp',
};

/** The id of the item at `index` of an answer (translation.md 5.4). */
export function itemId(type: string, response: string, index: number, mark = 'il'): string {
  const digits = mark === 'il' ? digitsOf(response) : undefined;
  return `${PREFIXES[type] ?? 'item'}_${mark}${digits === undefined ? hash32(`${response}\n${index}`, 24) : `${digits}_${index}`}`;
}

/** The digits of the id of an answer that was given here, which the ids of its items have too; undefined of others. */
export function digitsOf(response: string): string | undefined {
  return /^resp_il([0-9a-f]{32,64})$/.exec(response)?.[1];
}

/** The id of the container in which another service ran code. */
export function containerId(response: string): string {
  return `cntr_il${hash32(`${response}\ncontainer`, 24)}`;
}
