import type { OpaquePart } from '../canonical/content.js';
import type { Losses } from '../canonical/loss.js';
import type { CacheMark, Extensions, JsonObject, Node, Source } from '../canonical/node.js';
import type { ClientFamily } from '../canonical/tools.js';
import { isObject, put } from '../wire/json.js';
import type { Keys } from '../wire/keys.js';
import { sourceAt } from '../wire/memory.js';
import { dialectNodes } from '../wire/nodes.js';

/** The id of this dialect. */
export const DIALECT = 'messages' as const;

/** The code of a refusal for which official clients send the whole conversation and ask for no thread again [M §2]. */
export const THREADLESS = 'thread_unsupported_request';

export type { Mutable } from '../canonical/node.js';
export { put } from '../wire/json.js';
export { Keys, keysOf } from '../wire/keys.js';

export const { remember, remembered, check, invalid, bagOf, withExtra } = dialectNodes(DIALECT);

/** Where a node came from, its keys for which the model has no field, and its cache mark. */
export interface Kept {
  readonly ext?: Extensions;
  readonly src: Source;
  readonly cache?: CacheMark;
}

const MARKS = ['cache_control'] as const;

/** Puts the keys of a wire node for which the model has no field into the bag, but for those that carry no information (translation.md 0.8). */
export function keep(node: JsonObject, known: Keys, ptr: string): Kept {
  if (known.cover(node, MARKS)) return { ext: undefined, src: sourceAt(ptr), cache: undefined };
  let bag: JsonObject | undefined;
  for (const key in node) {
    const isKnown = known.has(key);
    if (isKnown && key !== 'cache_control') continue;
    const value = node[key];
    const isModelled = isKnown ? value === null || isPlainMark(value) : key === 'caller' && isDirect(value);
    if (isModelled) continue;
    bag ??= {};
    put(bag, key, value);
  }
  const mark = node.cache_control;
  const cache = isObject(mark) && known.has('cache_control') ? decodeCache(mark) : undefined;
  return { ext: bag && { [DIALECT]: bag }, src: sourceAt(ptr), cache };
}

function decodeCache({ ttl }: JsonObject): CacheMark {
  return typeof ttl === 'string' ? { ttl } : {};
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

/** Keeps wire fields that the model holds only in part; they are written again for this dialect alone. */
export function keepRaw(kept: Kept, raw: JsonObject): Kept {
  return { ...kept, src: { ...kept.src, raw } };
}

/** The fields that {@link keepRaw} set aside. */
export function rawOf({ src }: Node): JsonObject {
  return isObject(src?.raw) ? src.raw : {};
}

/** Adds the bag of a node to its fields; a key of the bag wins. */
export function restore(out: JsonObject, node: Node): JsonObject {
  const bag = bagOf(node);
  if (bag !== undefined) for (const key in bag) put(out, key, bag[key]);
  return out;
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

/** What decoding a node knows of its body. */
export interface Scope {
  readonly losses: Losses;
  /** Whose opaque state the body holds: `unknown:messages` in requests, which do not name it. */
  readonly domain: string;
  /** Names that declared client tools fix, with their families. */
  readonly clientTools: ReadonlyMap<string, ClientFamily>;
  /** In answers: wire nodes of hosted calls by id, so that a result's state holds the pair. Absent in requests. */
  readonly hostedCalls?: Map<string, JsonObject>;
}

/** What a reference to a tool, as a search for deferred tools finds it, says in words. */
export function foundTool(name: unknown): string {
  return `Found the tool ${String(name)}.`;
}

/** A block that only this dialect knows. */
export function opaque(node: JsonObject, ptr: string): OpaquePart {
  return {
    kind: 'opaque',
    dialect: DIALECT,
    type: typeof node.type === 'string' ? node.type : '',
    raw: node,
    ...(node.type === 'tool_reference' && { words: foundTool(node.tool_name) }),
    src: { ptr },
  };
}

/** Who called a tool: the model itself [M §2.3]. The vendor's schema requires it of calls and their results. */
export const DIRECT: JsonObject = { type: 'direct' };

/** A block of text. The vendor's schema requires its `citations`. */
export function textBlock(text: string, citations: JsonObject[] | null = null): JsonObject {
  return { type: 'text', text, citations };
}
