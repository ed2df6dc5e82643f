import type { JsonObject } from '../../canonical/node.js';
import { isObject } from '../../wire/json.js';
import { digitsOf } from '../nodes.js';
import { isId } from './records.js';

/** Id prefixes of items that clients send [R §3 row 7]. */
const PREFIXES = new Map([
  ['message', 'msg'],
  ['reasoning', 'rs'],
  ['function_call', 'fc'],
  ['function_call_output', 'fc'],
  ['custom_tool_call', 'ctc'],
  ['custom_tool_call_output', 'ctc'],
]);

/** Marks ids that were given here, and that no backend knows. */
const OURS = /^[a-z]+_ili/;

/** The items of an input; a string is one message of the user. */
export function inputItems(input: unknown): readonly unknown[] {
  return typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : itemsOf(input);
}

/**
 * The items of an input as they are kept: as the client wrote them, so that a backend sees the same beginning in every turn,
 * each with an id. One that has none gets an id by which its answer is found, where that was given here; otherwise `nonce`
 * gives 128 random bits.
 */
export function storedItems(
  items: readonly JsonObject[],
  answer: string | undefined,
  nonce: () => string,
): readonly JsonObject[] {
  const digits = answer && digitsOf(answer);
  return items.map((item, index) => {
    if (isId(item.id)) return item;
    const own = digits ? `${digits}_${index}` : nonce();
    return { ...item, id: `${PREFIXES.get(typeOf(item)) ?? 'item'}_ili${own}` };
  });
}

/** The answer that an item was given with, by its id; undefined where that does not tell. Its turn may have another id. */
export function answerOfItem(id: string): string | undefined {
  const digits = /^[a-z]+_ili?([0-9a-f]{32,64})_\d+$/.exec(id)?.[1];
  return digits && `resp_il${digits}`;
}

/** A kept item as it is listed: whole. */
export function listedItem(item: JsonObject): JsonObject {
  const type = typeOf(item);
  if (HAS_STATUS.test(type)) return { ...item, type, status: item.status ?? 'completed' };
  if (type !== 'message') return { ...item, type };
  return { ...item, type, status: item.status ?? 'completed', content: contentOf(item) };
}

/** Calls and their results; clients may leave their status out, and resources have it [R §4.2]. */
const HAS_STATUS = /_call(?:_output)?$/;

function typeOf({ type }: JsonObject): string {
  return typeof type === 'string' ? type : 'message';
}

/** The list that an input is; empty when it is none. */
export function itemsOf(input: unknown): readonly unknown[] {
  return Array.isArray(input) ? input : [];
}

function contentOf({ role, content }: JsonObject): unknown {
  if (typeof content !== 'string') return content;
  return role === 'assistant'
    ? [{ type: 'output_text', text: content, annotations: [] }]
    : [{ type: 'input_text', text: content }];
}

/** The id that an item refers to; the type of a reference may be left out [R §2.5]. */
export function referenceOf(item: unknown): string | undefined {
  if (!isObject(item) || typeof item.id !== 'string') return undefined;
  const bare = (item.type === undefined || item.type === null) && item.role === undefined;
  return item.type === 'item_reference' || bare ? item.id : undefined;
}

/**
 * An item as a backend takes it that does not have it: without an id that it would look for [R §3 rows 5 and 11], and
 * without what only answers may hold [R §2.5]. undefined for reasoning of which nothing is left without its id.
 */
export function sendable(item: unknown): unknown {
  if (!isObject(item)) return item;
  const type = typeOf(item);
  if (type === 'reasoning' && typeof item.encrypted_content !== 'string' && itemsOf(item.content).length === 0) {
    return undefined;
  }
  const known = typeof item.id === 'string' && !OURS.test(item.id) && !LOOKED_UP.has(type);
  if ((known || item.id === undefined) && item.created_by === undefined) return item;
  const { id, created_by: _createdBy, ...rest } = item;
  return known ? { ...rest, id } : rest;
}

const LOOKED_UP = new Set(['message', 'function_call', 'custom_tool_call', 'reasoning']);
