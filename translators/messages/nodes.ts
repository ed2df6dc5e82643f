import type { z } from 'zod';
import { furtherKeys } from '../adapt/index.js';
import type { OpaquePart } from '../canonical/content.js';
import { TranslationError } from '../canonical/errors.js';
import type { Losses } from '../canonical/loss.js';
import type { CacheMark, Extensions, JsonObject, Node, Source } from '../canonical/node.js';
import type { CanonicalRequest } from '../canonical/request.js';
import type { ClientFamily } from '../canonical/tools.js';
import { firstFault } from '../wire/fault.js';
import { isObject } from '../wire/json.js';

/** The id of this dialect. */
export const DIALECT = 'messages' as const;

/** A node while it is built. */
export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * The value as the schema has it, without keys the schema does not name. Throws TranslationError `invalid_request` with
 * the place and a reason in words.
 */
export function check<S extends z.ZodType>(schema: S, value: unknown, ptr: string): z.infer<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const fault = firstFault(result.error.issues);
  throw invalid(ptr + fault.path, fault.reason);
}

/** A fault of the client's body. */
export function invalid(path: string, reason: string): TranslationError {
  return new TranslationError('invalid_request', reason, { path, dialect: DIALECT });
}

/** The keys an object schema names. */
export function keysOf(schema: z.ZodObject): ReadonlySet<string> {
  return new Set(Object.keys(schema.shape));
}

/** Keys for which the model has no field, with what has to be kept to print the same node again. */
export interface Kept {
  readonly ext?: Extensions;
  readonly src: Source;
}

/**
 * Sorts the keys of a wire node: unknown ones go into the bag, explicit nulls of known ones into the shape. `shape` holds
 * further spellings: `string` (content given as a string), `bare` (no `type`), `none` (no content key), `unsigned`
 * (empty signature), `null:<key>/<child>`, `direct:<key>` (`{type: 'direct'}`), `default:<key>` (see {@link DEFAULTS}),
 * `blocks` (a document's content as blocks), `at:<pointer>` (the other half of an MCP server), `tier` (told beside the
 * counts), `details` (details of the end).
 */
export function keep(node: JsonObject, known: ReadonlySet<string>, ptr: string, shape?: readonly string[]): Kept {
  let bag: JsonObject | undefined;
  let words: string[] | undefined;
  for (const key in node) {
    const value = node[key];
    const word = wordFor(key, value, known);
    if (word !== undefined) {
      words ??= [];
      words.push(word);
    } else if (!known.has(key) || (key === 'cache_control' && !isPlainMark(value))) {
      bag ??= {};
      put(bag, key, value);
    }
  }
  const spelled = words === undefined ? shape : [...(shape ?? []), ...words];
  const src: Source = spelled === undefined ? { ptr } : { ptr, shape: spelled };
  return bag === undefined ? { src } : { ext: { [DIALECT]: bag }, src };
}

/** The spelling that a value amounts to, if it carries no information of its own. */
function wordFor(key: string, value: unknown, known: ReadonlySet<string>): string | undefined {
  if (value === null && known.has(key)) return `null:${key}`;
  return key === 'caller' && isDirect(value) && !known.has(key) ? 'direct:caller' : undefined;
}

/** The mark of a call that the model made itself; it carries no information (translation.md 0.8). */
function isDirect(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return 'type' in value && value.type === 'direct' && Object.keys(value).length === 1;
}

/** Whether the model holds all there is to a mark. */
function isPlainMark(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('type' in value) || value.type !== 'ephemeral') return false;
  for (const key in value)
    if (key !== 'type' && !(key === 'ttl' && 'ttl' in value && typeof value.ttl === 'string')) return false;
  return true;
}

/** Documented defaults of a request's own keys; written out they say nothing (translation.md 0.8). */
export const DEFAULTS: Readonly<Record<string, unknown>> = { speed: 'standard' };

/** Sets an own key whatever its name is: assigning to `__proto__` would change the prototype instead. */
export function put(target: JsonObject, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[key] = value;
  }
}

/** Puts a key into the own bag of what was kept. */
export function stow(kept: Kept, key: string, value: unknown): Kept {
  return { src: kept.src, ext: { [DIALECT]: { ...kept.ext?.[DIALECT], [key]: value } } };
}

/** Keeps wire fields that the model holds in another form; they are printed again for this dialect alone. */
export function keepRaw(kept: Kept, raw: JsonObject): Kept {
  return { ...kept, src: { ...kept.src, raw } };
}

/** The fields that {@link keepRaw} set aside. */
export function rawOf({ src }: Node): JsonObject {
  return isObject(src?.raw) ? src.raw : {};
}

/** Adds what {@link keep} set aside; a bag's key wins over a printed one. */
export function restore(out: JsonObject, node: Node): JsonObject {
  const shape = node.src?.shape;
  if (shape !== undefined) {
    for (const word of shape) {
      if (word.startsWith('null:')) putNull(out, word.slice(5));
      else if (word.startsWith('default:')) put(out, word.slice(8), DEFAULTS[word.slice(8)]);
      else if (word.startsWith('direct:')) put(out, word.slice(7), { type: 'direct' });
    }
  }
  const bag = node.ext?.[DIALECT];
  if (bag !== undefined) for (const key in bag) put(out, key, bag[key]);
  return out;
}

function putNull(out: JsonObject, place: string): void {
  const slash = place.indexOf('/');
  const holder = slash < 0 ? undefined : out[place.slice(0, slash)];
  if (typeof holder === 'object' && holder !== null) put(holder as JsonObject, place.slice(slash + 1), null);
  else put(out, place, null);
}

/** Whether the node was spelled so in its source. */
export function hasShape(node: Node, word: string): boolean {
  return node.src?.shape?.includes(word) === true;
}

/** The own bag of a node. */
export function bagOf(node: Node): Readonly<JsonObject> | undefined {
  return node.ext?.[DIALECT];
}

/** The mark of a node; undefined when it has none. */
export function decodeCache(mark: { readonly ttl?: string | null } | null | undefined): CacheMark | undefined {
  if (mark === null || mark === undefined) return undefined;
  return typeof mark.ttl === 'string' ? { ttl: mark.ttl } : {};
}

/** The wire form of a mark. */
export function encodeCache(mark: CacheMark): JsonObject {
  return mark.ttl === undefined ? { type: 'ephemeral' } : { type: 'ephemeral', ttl: mark.ttl };
}

/** Adds what every block and tool may carry. */
export function finish(out: JsonObject, node: Node & { readonly cache?: CacheMark }, own: boolean): JsonObject {
  if (node.cache !== undefined) out.cache_control = encodeCache(node.cache);
  return own ? restore(out, node) : out;
}

/** What decoding one body knows beside the node at hand. */
export interface Scope {
  readonly losses: Losses;
  /** Whose opaque state the body holds: `unknown:messages` in requests, where nothing tells. */
  readonly domain: string;
  /** Names that declared client tools fix, with their families. */
  readonly clientTools: ReadonlyMap<string, ClientFamily>;
  /** In answers: wire nodes of hosted calls by id, so that a result's state holds the pair. Absent in requests. */
  readonly hostedCalls?: Map<string, JsonObject>;
}

/** A block that only this dialect knows. */
export function opaque(node: JsonObject, ptr: string): OpaquePart {
  return {
    kind: 'opaque',
    dialect: DIALECT,
    type: typeof node.type === 'string' ? node.type : '',
    raw: node,
    src: { ptr },
  };
}

/** Who called a tool: the model itself [M §2.3]. The vendor's schema requires it of calls and their results. */
export const DIRECT: JsonObject = { type: 'direct' };

/** A block of text. The vendor's schema requires its `citations`. */
export function textBlock(text: string, citations: JsonObject[] | null = null): JsonObject {
  return { type: 'text', text, citations };
}

/** Keys of an object field that the model has no place for, kept under the field's own name; nulls join the shape. */
export function keepRest(
  out: Mutable<CanonicalRequest>,
  bag: JsonObject,
  key: string,
  node: unknown,
  known: ReadonlySet<string>,
): void {
  if (!isObject(node)) return;
  const rest: JsonObject = {};
  const nulls: string[] = [];
  for (const child in node) {
    if (!known.has(child)) put(rest, child, node[child]);
    else if (node[child] === null) nulls.push(`null:${key}/${child}`);
  }
  if (Object.keys(rest).length > 0) bag[key] = furtherKeys(rest, `/${key}`);
  if (nulls.length > 0) out.src = { ptr: '', shape: [...(out.src?.shape ?? []), ...nulls] };
}
