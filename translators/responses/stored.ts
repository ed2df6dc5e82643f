import type { Part } from '../canonical/content.js';
import type { JsonObject, Node } from '../canonical/node.js';
import type { StoredItems } from '../dialect.js';
import { isObject } from '../wire/json.js';
import type { Conversation } from './input.js';
import type * as wire from './wire.js';

/** The items of a request, with what a host kept in the place of its name. */
export interface WholeInput {
  readonly items: readonly JsonObject[];
  /** The earlier conversation is among them. */
  readonly chained: boolean;
  /** JSON Pointer of an item: what was restored stands where the body names it. */
  pointer(index: number): string;
  /** The places that only name what stands there. */
  readonly names: ReadonlySet<string>;
}

/**
 * Puts the earlier conversation in front of the input, and stored items in the place of references to them. undefined
 * when the host kept nothing that this body names.
 */
export function wholeInput(fields: wire.Request, state: StoredItems | undefined): WholeInput | undefined {
  if (state === undefined) return undefined;
  const earlier = kept(state, fields.previous_response_id);
  const given: readonly unknown[] =
    typeof fields.input === 'string' ? [userMessage(fields.input)] : (fields.input ?? []);
  const named = given.some((item) => kept(state, referenceOf(item)) !== undefined);
  if (earlier === undefined && !named) return undefined;
  const items: JsonObject[] = [];
  const pointers: string[] = [];
  const names = new Set(['/previous_response_id']);
  const add = (item: JsonObject, pointer: string): void => {
    items.push(item);
    pointers.push(pointer);
  };
  for (const item of earlier ?? []) add(item, '/previous_response_id');
  given.forEach((item, index) => {
    const pointer = typeof fields.input === 'string' ? '/input' : `/input/${index}`;
    // What is no object is refused by whoever reads the items.
    const restored = kept(state, referenceOf(item));
    if (restored !== undefined) names.add(pointer);
    for (const one of restored ?? [item as JsonObject]) add(one, pointer);
  });
  return { items, chained: earlier !== undefined, pointer: (index) => pointers[index] ?? '/input', names };
}

/** The conversation with every restored node at the place that names it: the body holds nothing below that. */
export function atNames({ instructions, turns }: Conversation, names: ReadonlySet<string>): Conversation {
  const place = <N extends Node>(node: N): N => {
    const named = /^\/(?:input\/\d+|[^/]+)(?=\/)/.exec(node.src?.ptr ?? '')?.[0];
    if (named === undefined || !names.has(named)) return node;
    const { at: _at, ...src } = { ...node.src, ptr: named };
    return { ...node, src };
  };
  const part = <P extends Part>(given: P): P => {
    const placed = place(given);
    return 'parts' in placed ? { ...placed, parts: placed.parts.map(place) } : placed;
  };
  return {
    instructions: instructions.map((given) => ({ ...place(given), parts: given.parts.map(part) })),
    turns: turns.map((given) => ({ ...place(given), parts: given.parts.map(part) })),
  };
}

function kept(state: StoredItems, id: string | null | undefined): readonly JsonObject[] | undefined {
  return typeof id === 'string' && Object.hasOwn(state, id) ? state[id] : undefined;
}

/** The id that an item refers to; the type of a reference may be left out [R §2.5]. */
function referenceOf(item: unknown): string | undefined {
  if (!isObject(item) || typeof item.id !== 'string') return undefined;
  const bare = (item.type === undefined || item.type === null) && item.role === undefined;
  return item.type === 'item_reference' || bare ? item.id : undefined;
}

function userMessage(text: string): JsonObject {
  return { type: 'message', role: 'user', content: [{ type: 'input_text', text }] };
}
