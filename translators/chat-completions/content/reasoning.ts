import { fingerprint } from '../../adapt/index.js';
import type { CallPart, Part, ReasoningPart } from '../../canonical/content.js';
import type { JsonObject } from '../../canonical/node.js';
import type { StateEntry } from '../../canonical/state.js';
import { isCarrier, readCarrierHeader } from '../../wire/carrier.js';
import { isObject, parseJson } from '../../wire/json.js';
import { DIALECT } from '../nodes.js';

/** Keys of a message that hold the text of thoughts, the first that is looked at in front [H §3.3]. */
export const THOUGHT_FIELDS = ['reasoning_content', 'reasoning', 'reasoning_text'] as const;

/** Keys of an assistant message in which servers put what a model thought, or state of it [H §3.3]. */
export const REASONING_KEYS: ReadonlySet<string> = new Set([
  ...THOUGHT_FIELDS,
  'reasoning_opaque',
  'reasoning_details',
  'thinking_blocks',
  'extra_content',
  'thought_signature',
]);

/** What of the body the reading of reasoning needs. */
interface ReasoningScope {
  /** Whose state the body holds: `unknown:chatCompletions` in requests, which do not name it. */
  readonly domain: string;
}

/** The reasoning of one assistant message of a client (translation.md 4.4). */
export interface MessageReasoning {
  /** In front of everything else of the turn. */
  readonly front: readonly ReasoningPart[];
  /** What calls take along, by their places in `tool_calls`. */
  readonly calls: ReadonlyMap<number, CallReasoning>;
}

/** What belongs to one call. */
export interface CallReasoning {
  /** Directly in front of the call. */
  readonly before?: ReasoningPart;
  /** Fields of the call itself. */
  readonly fields: Pick<CallPart, 'carrier' | 'state'>;
}

type ThinkingChunk = JsonObject & { readonly type: 'thinking' | 'redacted_thinking' };

/** A part of `content` that holds thoughts; it is read here, and not as content [H §3.2]. */
export function isThinkingChunk(chunk: unknown): chunk is ThinkingChunk {
  return isObject(chunk) && (chunk.type === 'thinking' || chunk.type === 'redacted_thinking');
}

/**
 * Reads the reasoning of an assistant message of a request: carriers of ours in `reasoning_details` and in the
 * `extra_content` of calls, and what only the servers that wrote it understand (translation.md 4.4). Content comes
 * in front of all calls here, so that what a carrier holds of thoughts in front of the first call goes in front of the
 * content.
 */
export function decodeReasoningKeys(message: JsonObject, ptr: string, scope: ReasoningScope): MessageReasoning {
  if (!mayHoldReasoning(message)) return NOTHING;
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls.filter(isObject) : [];
  const found = findCarriers(message, calls);
  const keys = ownKeys(message);
  const front: ReasoningPart[] = [];
  const byCall = new Map<number, CallReasoning>();
  for (const { carrier, entry, call } of found) {
    if (call !== undefined && !(call === 0 && holdsThoughts(carrier))) byCall.set(call, { fields: { carrier } });
    else front.push({ kind: 'reasoning', text: [], carrier, src: { ptr, raw: { reasoning_details: [entry] } } });
  }
  for (const [index, call] of calls.entries()) {
    const state = byCall.has(index) || isCarried(call) ? undefined : callState(call, scope);
    if (state !== undefined) byCall.set(index, { fields: { state: [state] } });
  }
  const thought = messageThought(keys, ptr, scope, found.length > 0);
  const [carried] = byCall;
  if (thought === undefined) return { front, calls: byCall };
  // Thoughts that are shown next to carriers are copies, which give way to what the next carrier holds.
  if (front.length > 0 || found.length === 0 || carried === undefined) {
    return { front: [thought, ...front], calls: byCall };
  }
  byCall.set(carried[0], { ...carried[1], before: thought });
  return { front, calls: byCall };
}

const NOTHING: MessageReasoning = { front: [], calls: new Map() };

/** False for a message that has none of the places where reasoning stands, as most. */
function mayHoldReasoning(message: JsonObject): boolean {
  for (const key in message) if (REASONING_KEYS.has(key)) return true;
  const { content, tool_calls: calls } = message;
  return Array.isArray(content) || (Array.isArray(calls) && calls.some(hasExtra));
}

function hasExtra(call: unknown): boolean {
  return isObject(call) && call.extra_content !== undefined;
}

/** A carrier of a message, with the entry that holds it, or would. */
interface FoundCarrier {
  readonly carrier: string;
  readonly entry: JsonObject;
  /** The place of the call that it stands in front of. */
  readonly call: number | undefined;
}

/** Both places of carriers: entries of `reasoning_details`, then calls for which there is none (translation.md 4.4). */
function findCarriers(message: JsonObject, calls: readonly JsonObject[]): readonly FoundCarrier[] {
  const places = new Map(calls.map((call, index) => [call.id, index]));
  const details: unknown = message.reasoning_details;
  const entries = (Array.isArray(details) ? details : []).filter(isCarrierEntry);
  const found: FoundCarrier[] = [];
  const known = new Set<string>();
  for (const entry of entries.sort((one, other) => Number(one.index ?? 0) - Number(other.index ?? 0))) {
    const carrier = String(entry.data);
    if (known.has(carrier)) continue;
    known.add(carrier);
    found.push({ carrier, entry, call: typeof entry.id === 'string' ? places.get(entry.id) : undefined });
  }
  for (const [index, call] of calls.entries()) {
    const carrier = signatureOfCall(call);
    if (carrier === undefined || !isCarrier(carrier) || known.has(carrier)) continue;
    known.add(carrier);
    found.push({ carrier, entry: carrierEntry(carrier, String(call.id), found.length), call: index });
  }
  return found;
}

/** Whether an entry of `reasoning_details` holds a carrier. */
export function isCarrierEntry(entry: unknown): entry is JsonObject {
  return isObject(entry) && typeof entry.data === 'string' && isCarrier(entry.data);
}

/** Whether the state of a call is a carrier, which was found already. */
function isCarried(call: JsonObject): boolean {
  const signature = signatureOfCall(call);
  return signature !== undefined && isCarrier(signature);
}

/** A call without state that is read where it stands: what else its servers put beside that stays. */
export function withoutCallState(call: JsonObject): JsonObject {
  if (signatureOfCall(call) === undefined) return call;
  const vendors = Object.entries(isObject(call.extra_content) ? call.extra_content : {});
  const plain = vendors.every(([, vendor]) => isObject(vendor) && Object.keys(vendor).join() === 'thought_signature');
  if (!plain || vendors.length > 1) return call;
  const { extra_content: _state, ...rest } = call;
  return rest;
}

function holdsThoughts(carrier: string): boolean {
  return readCarrierHeader(carrier)?.kinds.some((kind) => kind === 'reasoning' || kind === 'hosted') === true;
}

/**
 * The entry of `reasoning_details` in which a carrier rides (translation.md 4.6): of an encrypted kind, with a format
 * that clients know, because they drop entries of others.
 */
export function carrierEntry(carrier: string, id: string, index: number): JsonObject {
  return { type: 'reasoning.encrypted', id, format: 'unknown', index, data: carrier };
}

/** The reasoning keys of a message, without carriers and without what says nothing. */
function ownKeys(message: JsonObject): JsonObject {
  const keys: JsonObject = {};
  for (const key of REASONING_KEYS) {
    const value = message[key];
    if (value === undefined || value === null || value === '') continue;
    if (key === 'extra_content' && signatureIn(value) === undefined) continue;
    const rest: unknown = Array.isArray(value) ? value.filter((entry) => !isCarrierEntry(entry)) : value;
    if (!(Array.isArray(rest) && rest.length === 0)) keys[key] = rest;
  }
  const chunks = Array.isArray(message.content) ? message.content.filter(isThinkingChunk) : [];
  if (chunks.length > 0) keys.content = chunks;
  return keys;
}

/** What of a message only its server understands; next to `carriers` it is a copy for display. */
function messageThought(
  keys: JsonObject,
  ptr: string,
  scope: ReasoningScope,
  carriers: boolean,
): ReasoningPart | undefined {
  if (Object.keys(keys).length === 0) return undefined;
  const text = thoughtOf(keys);
  const part: ReasoningPart = { kind: 'reasoning', text: text === '' ? [] : [text], src: { ptr, raw: keys } };
  return carriers ? part : { ...part, state: [isOpaque(keys) ? reasoningEntry(keys, scope) : noState(scope)] };
}

/** Whether keys hold more than words: signatures, or what is encrypted. */
function isOpaque(keys: JsonObject): boolean {
  const { reasoning_opaque, reasoning_details, thinking_blocks, content } = keys;
  const signed = (entry: unknown): boolean =>
    isObject(entry) && (typeof entry.signature === 'string' || typeof entry.data === 'string');
  const lists = [reasoning_details, thinking_blocks, content].flatMap((list: unknown) =>
    Array.isArray(list) ? list : [],
  );
  const whole = reasoning_opaque ?? keys.extra_content ?? keys.thought_signature;
  return whole !== undefined || lists.some(signed);
}

/** State that is all reasoning keys of a message (translation.md 4.1). */
export function reasoningEntry(keys: JsonObject, { domain }: ReasoningScope): StateEntry {
  return { dialect: DIALECT, domain, kind: 'reasoning', payload: JSON.stringify(keys) };
}

/** Says that thoughts were shown, and that their server needs nothing of them back (translation.md 4.1). */
export function noState({ domain }: ReasoningScope): StateEntry {
  return { dialect: DIALECT, domain, kind: 'none', payload: '' };
}

/** State on a call: its `extra_content` as its server gave it; undefined where it has none (translation.md 4.1). */
export function callState(call: JsonObject, { domain }: ReasoningScope): StateEntry | undefined {
  if (signatureOfCall(call) === undefined) return undefined;
  const fields = isObject(call.function) ? call.function : call.custom;
  const name = isObject(fields) && typeof fields.name === 'string' ? fields.name : '';
  const payload = JSON.stringify(call.extra_content);
  return { dialect: DIALECT, domain, kind: 'signature', payload, on: 'call', h: fingerprint(name) };
}

function signatureOfCall(call: JsonObject): string | undefined {
  return signatureIn(call.extra_content);
}

/** The signature in an `extra_content`, whose members are named by their vendors [H §3.3]. */
export function signatureIn(extra: unknown): string | undefined {
  if (!isObject(extra)) return undefined;
  for (const vendor of [extra.google, extra.vertex]) {
    if (isObject(vendor) && typeof vendor.thought_signature === 'string') return vendor.thought_signature;
  }
  return undefined;
}

/** The words of thoughts in reasoning keys: of the first key that has any, because servers say the same under several [H §7.2]. */
export function thoughtOf(keys: JsonObject): string {
  for (const field of THOUGHT_FIELDS) {
    const text = wordsOf(keys[field]);
    if (text !== '') return text;
  }
  return [keys.reasoning_details, keys.thinking_blocks, keys.content].map(wordsOf).find((text) => text !== '') ?? '';
}

/** The words in the value of a reasoning key: a text, a list of entries, or an object that wraps a text [H §3.3]. */
export function wordsOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(wordsOf).join('');
  if (!isObject(value)) return '';
  const { text, summary, thinking, reasoningContent, reasoningText } = value;
  return wordsOf(text ?? summary ?? thinking ?? reasoningContent ?? reasoningText);
}

/** Reasoning in the words of one server, for an assistant message. */
export interface ReasoningKeys {
  readonly keys: JsonObject;
  /** Goes in front of the text: servers that think in their text want it back there. */
  readonly inline: string;
  /** Go in front of the text, as parts of a list. */
  readonly chunks: readonly unknown[];
}

/** The reasoning of a message that has none. */
export const NO_REASONING: ReasoningKeys = { keys: {}, inline: '', chunks: [] };

/** Joins the payloads of one message: what came in several parts is put together. */
export function joinPayloads(payloads: readonly JsonObject[]): ReasoningKeys {
  if (payloads.length === 0) return NO_REASONING;
  const keys: JsonObject = {};
  for (const payload of payloads) {
    for (const key in payload) {
      const [earlier, value] = [keys[key], payload[key]];
      if (typeof earlier === 'string' && typeof value === 'string') keys[key] = earlier + value;
      else if (Array.isArray(earlier) && Array.isArray(value)) keys[key] = [...earlier, ...value];
      else keys[key] = value;
    }
  }
  const { inline, content, ...rest } = keys;
  return {
    keys: rest,
    inline: typeof inline === 'string' ? inline : '',
    chunks: Array.isArray(content) ? content : [],
  };
}

/** The reasoning of a turn of this dialect as it came. */
export function encodeOwnReasoning(parts: readonly Part[]): ReasoningKeys {
  return joinPayloads(
    parts.flatMap((part) => {
      // What came home in a carrier (translation.md 4.2.7).
      if (part.kind === 'opaque' && part.restored === 'reasoning') return [part.raw];
      if (part.kind !== 'reasoning') return [];
      const raw = part.src?.raw;
      const payload = part.state?.find((entry) => entry.dialect === DIALECT)?.payload ?? '';
      const parsed = isObject(raw) ? raw : parsedObject(payload);
      return parsed === undefined ? [] : [parsed];
    }),
  );
}

function parsedObject(text: string): JsonObject | undefined {
  const parsed = parseJson(text);
  return parsed.ok && isObject(parsed.value) ? parsed.value : undefined;
}

/** Whether nodes out of a carrier are reasoning keys of a message, as servers of this dialect issue them. */
export function isReasoningState(nodes: readonly JsonObject[]): boolean {
  const known = (key: string): boolean => REASONING_KEYS.has(key) || key === 'inline' || key === 'content';
  return nodes.length === 1 && nodes.every((node) => Object.keys(node).length > 0 && Object.keys(node).every(known));
}
