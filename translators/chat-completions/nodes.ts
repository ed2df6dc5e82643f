import { furtherKeys } from '../adapt/index.js';
import type { OpaquePart } from '../canonical/content.js';
import type { Losses } from '../canonical/loss.js';
import type { CacheMark, Extensions, JsonObject, Node, Source } from '../canonical/node.js';
import { isObject, put } from '../wire/json.js';
import type { Keys } from '../wire/keys.js';
import { sourceAt } from '../wire/memory.js';
import { dialectNodes } from '../wire/nodes.js';

/** The id of this dialect. */
export const DIALECT = 'chatCompletions' as const;

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

/** Keys under which a part asks for the prompt to be cached up to it: of hosts of other models, and of the vendor's own. */
const MARKS = ['cache_control', 'prompt_cache_breakpoint'] as const;
type MarkKey = (typeof MARKS)[number];

/** Puts the keys of a wire node for which the model has no field into the bag; a cache mark is a field of the model. */
export function keep(node: JsonObject, known: Keys, ptr: string): Kept {
  if (known.cover(node, MARKS)) return { ext: undefined, src: sourceAt(ptr), cache: undefined };
  let bag: JsonObject | undefined;
  let mark: MarkKey | undefined;
  for (const key in node) {
    if (!known.has(key)) {
      bag ??= {};
      put(bag, key, node[key]);
    } else if ((key === MARKS[0] || (key === MARKS[1] && mark === undefined)) && isObject(node[key])) mark = key;
  }
  const kept: Kept = { ext: bag && { [DIALECT]: bag }, src: sourceAt(ptr), cache: undefined };
  return mark === undefined ? kept : marked(kept, mark, node[mark] as JsonObject);
}

/** The mark, with the key that it had for the way back; one that says more than the model knows stays whole beside it. */
function marked(kept: Kept, key: MarkKey, mark: JsonObject): Kept {
  const cache: CacheMark = typeof mark.ttl === 'string' ? { ttl: mark.ttl } : {};
  const src = { ...kept.src, at: { cache: `${kept.src.ptr}/${key}` } };
  const plain = JSON.stringify(encodeMark(key, cache)) === JSON.stringify(mark);
  return { ...(plain ? kept : withExtra(kept, key, mark)), src, cache };
}

/** A cache mark under the key that has it. */
export function encodeMark(key: MarkKey, { ttl }: CacheMark): JsonObject {
  const mark = key === 'cache_control' ? { type: 'ephemeral' } : { mode: 'explicit' };
  return ttl === undefined ? mark : { ...mark, ttl };
}

/** Puts the unknown keys of an object inside a node into the bag, under the name of that object. */
export function keepInner(kept: Kept, key: string, node: unknown, known: ReadonlySet<string>, ptr: string): Kept {
  if (!isObject(node)) return kept;
  let rest: JsonObject | undefined;
  for (const name in node) {
    if (known.has(name)) continue;
    rest ??= {};
    put(rest, name, node[name]);
  }
  return rest === undefined ? kept : withExtra(kept, key, furtherKeys(rest, `${ptr}/${key}`));
}

/** Wire fields that the model holds only in part; they are written again for this dialect alone. */
export function rawOf({ src }: Node): JsonObject {
  return isObject(src?.raw) ? src.raw : {};
}

/** Adds the bag of a node to its fields; a key of the bag wins, and the keys of an object inside join those that are there. */
export function restore(out: JsonObject, node: Node): JsonObject {
  const bag = bagOf(node) ?? {};
  for (const key in bag) {
    // What a key called `__proto__` would find is nothing of ours.
    const [kept, written] = [bag[key], Object.hasOwn(out, key) ? out[key] : undefined];
    put(out, key, isObject(kept) && isObject(written) ? { ...written, ...kept } : kept);
  }
  return out;
}

/** Adds to a part or a tool of this dialect what it may carry: its cache mark, and what only this dialect knows of it. */
export function finish(out: JsonObject, node: Node & { readonly cache?: CacheMark }, own: boolean): JsonObject {
  if (!own) return out;
  const key = node.src?.at?.cache?.endsWith('prompt_cache_breakpoint') === true ? MARKS[1] : MARKS[0];
  if (node.cache !== undefined) out[key] = encodeMark(key, node.cache);
  return restore(out, node);
}

/** Notes that a node came without the type that some servers let be left out. */
export function keepUntyped(kept: Kept, type: unknown): Kept {
  if (type) return kept;
  return { ...kept, src: { ...kept.src, at: { ...kept.src.at, untyped: kept.src.ptr } } };
}

/** The type of a node, but for one that came without. */
export function typeOf({ src }: Node, type: string): { readonly type?: string } {
  return src?.at?.untyped === undefined ? { type } : {};
}

/** What decoding a node knows of its body. */
export interface Scope {
  readonly losses: Losses;
  /** Whose opaque state the body holds: `unknown:chatCompletions` in requests, which do not name it. */
  readonly domain: string;
}

/** A part that only this dialect knows. */
export function opaque(node: JsonObject, ptr: string): OpaquePart {
  return {
    kind: 'opaque',
    dialect: DIALECT,
    type: typeof node.type === 'string' ? node.type : '',
    raw: node,
    src: { ptr },
  };
}
