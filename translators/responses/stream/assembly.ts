import type { HostedCallPart, Part, ReasoningPart, RefusalPart, TextPart } from '../../canonical/content.js';
import type { DeltaOp, EventSink } from '../../canonical/events.js';
import type { JsonObject } from '../../canonical/node.js';
import { isObject } from '../../wire/json.js';
import { createPackedBuffer, type TextBuffer } from '../../wire/packed-buffer.js';
import type { GrowingOffsets } from '../../wire/utf8.js';
import type { Reader } from '../nodes.js';
import { decodeOutputItem } from '../response/decode.js';
import { familyOfItem } from '../tools/hosted/families.js';

/** An item that was announced. */
export interface Item {
  readonly index: number;
  readonly head: JsonObject;
  /** Parts of a message by content index, in order of first sight. */
  readonly contents: Map<number, OpenPart>;
  /** The part of any other item. */
  part: OpenPart | undefined;
  done: boolean;
}

/** A part that was begun. */
export interface OpenPart {
  readonly ix: number;
  readonly head: Part;
  /** What the deltas added up to, by paragraph. */
  text: TextBuffer[];
  raw: TextBuffer[];
  /** Offsets into the text, from the first citation on. */
  offsets?: GrowingOffsets;
  citations: number;
  ended: boolean;
}

/** What is known of the items of a stream between its events. */
export interface Assembly {
  readonly reader: Reader;
  readonly emit: EventSink;
  /** By output index. */
  readonly items: Map<number, Item>;
  readonly parts: Part[];
  next: number;
}

/** An assembly without items, which emits events of parts. */
export function createAssembly(reader: Reader, emit: EventSink): Assembly {
  return { reader, emit, items: new Map(), parts: [], next: 0 };
}

/** Ends what is open. What was never announced is in the final output. Gives all parts. */
export function finishAssembly(state: Assembly, output: readonly unknown[]): readonly Part[] {
  const { items, parts } = state;
  // Where output indexes had gaps, positions in the final output mean nothing.
  const byId = new Map<unknown, Item>();
  for (const item of items.values()) {
    if (typeof item.head.id === 'string' && !byId.has(item.head.id)) byId.set(item.head.id, item);
  }
  output.forEach((node, index) => {
    if (isObject(node))
      settleItem(state, items.get(index) ?? byId.get(node.id) ?? announceItem(state, index, node), node);
  });
  for (const item of items.values()) abandon(state, item);
  return parts;
}

function begin(state: Assembly, head: Part, text?: TextBuffer): OpenPart {
  const ix = state.next;
  state.next += 1;
  state.parts[ix] = head;
  state.emit({ type: 'part.start', ix, part: head, ...(text !== undefined && { said: () => text.read() }) });
  return { ix, head, text: text === undefined ? [] : [text], raw: [], citations: 0, ended: false };
}

function end(state: Assembly, open: OpenPart, part: Part): void {
  if (open.ended) return;
  open.ended = true;
  state.parts[open.ix] = part;
  if (part.kind === 'text' || part.kind === 'refusal') shareText(open, part.text);
  if (part.state !== undefined) state.emit({ type: 'part.state', ix: open.ix, entries: part.state });
  state.emit({ type: 'part.end', ix: open.ix, part });
}

function whole(state: Assembly, part: Part): void {
  end(state, begin(state, part), part);
}

/** Adds a delta to a part; `sub` counts paragraphs. */
export function append(state: Assembly, open: OpenPart, op: DeltaOp, value: string, sub = 0): void {
  const list = op === 'raw' ? open.raw : open.text;
  while (list.length <= sub) list.push(createPackedBuffer());
  list[sub]?.add(value);
  open.offsets?.add(value);
  if (value === '') return;
  if (op === 'reasoning' || op === 'raw') state.emit({ type: 'part.delta', ix: open.ix, op, value, sub });
  else state.emit({ type: 'part.delta', ix: open.ix, op, value });
}

/** Emits what the deltas did not bring; what they brought wrongly the part's end corrects. */
export function appendRest(state: Assembly, open: OpenPart, op: DeltaOp, full: string, sub = 0): void {
  const known = (op === 'raw' ? open.raw : open.text)[sub]?.read() ?? '';
  if (full.length > known.length && full.startsWith(known)) append(state, open, op, full.slice(known.length), sub);
}

/** Begins the part of an item that was announced, if its type has deltas. */
export function announceItem(state: Assembly, index: number, node: JsonObject): Item {
  const item: Item = { index, head: node, contents: new Map(), part: undefined, done: false };
  state.items.set(index, item);
  item.part = openHead(state, node, index);
  return item;
}

/** Items with deltas begin when they are announced; others when they are whole. */
function openHead(state: Assembly, node: JsonObject, index: number): OpenPart | undefined {
  if (node.type === 'reasoning') {
    const head: ReasoningPart = { kind: 'reasoning', text: [], id: idOf(node), item: index };
    return begin(state, head);
  }
  const isCall = node.type === 'function_call' || node.type === 'custom_tool_call';
  if (!isCall && familyOfItem(node.type) === undefined) return undefined;
  const [head] = decodeOutputItem({ ...node, status: 'in_progress' }, index, state.reader);
  if (head?.kind === 'call') {
    const bare = head.freeform === undefined ? { args: { value: {} } } : { freeform: '' };
    const open = begin(state, { ...head, ...bare, ext: undefined });
    if (typeof node.arguments === 'string') append(state, open, 'args', node.arguments);
    if (typeof node.input === 'string') append(state, open, 'freeform', node.input);
    return open;
  }
  if (head?.kind !== 'hostedCall') return undefined;
  const { state: _state, ...call } = head;
  return begin(state, { ...call, input: bareInput(head) });
}

/** The part of a message's content at `index`, which begins when it is first seen. */
export function contentAt(state: Assembly, item: Item, index: number, kind: 'text' | 'refusal'): OpenPart {
  const known = item.contents.get(index);
  if (known !== undefined) return known;
  const phase = typeof item.head.phase === 'string' ? item.head.phase : undefined;
  const head: TextPart | RefusalPart = { kind, text: '', id: idOf(item.head), item: item.index, phase };
  const open = begin(state, head, createPackedBuffer());
  item.contents.set(index, open);
  return open;
}

/** Ends the parts of an item as the whole item has them. */
export function settleItem(state: Assembly, item: Item, node: JsonObject): void {
  if (item.done) return;
  item.done = true;
  const decoded = decodeOutputItem(node, item.index, state.reader);
  if (node.type === 'message') settleMessage(state, item, decoded);
  else if (item.part === undefined) for (const part of decoded) whole(state, part);
  else settleSingle(state, item.part, decoded);
}

/** Content indexes of some hosts have gaps, so parts are matched in their order. */
function settleMessage(state: Assembly, item: Item, decoded: readonly Part[]): void {
  const opened = [...item.contents.values()];
  decoded.forEach((part, position) => {
    const open = opened[position];
    if (open === undefined) whole(state, part);
    else {
      if (part.kind === 'text' || part.kind === 'refusal') appendRest(state, open, part.kind, part.text);
      end(state, open, part);
    }
  });
  for (const open of opened.slice(decoded.length)) end(state, open, partial(open));
}

function settleSingle(state: Assembly, open: OpenPart, decoded: readonly Part[]): void {
  const [part, ...others] = decoded;
  if (part === undefined) return;
  if (part.kind === 'reasoning') {
    for (const [sub, paragraph] of part.text.entries()) appendRest(state, open, 'reasoning', paragraph, sub);
    for (const [sub, paragraph] of part.raw?.entries() ?? []) appendRest(state, open, 'raw', paragraph, sub);
  } else if (part.kind === 'call') {
    if (part.freeform !== undefined) appendRest(state, open, 'freeform', part.freeform);
    else if (part.args.text !== undefined) appendRest(state, open, 'args', part.args.text);
  } else if (part.kind === 'hostedCall') {
    if (typeof part.input.code === 'string') appendRest(state, open, 'code', part.input.code);
    if (typeof part.input.arguments === 'string') appendRest(state, open, 'args', part.input.arguments);
  }
  end(state, open, part);
  for (const part of others) whole(state, part);
}

/** Items that the terminal event does not mention end as far as they came. */
function abandon(state: Assembly, item: Item): void {
  if (item.done) return;
  item.done = true;
  for (const open of item.contents.values()) end(state, open, partial(open));
  if (item.part !== undefined) end(state, item.part, partial(item.part));
}

/** The text that the deltas of a part added up to becomes the very string that the part holds. */
function shareText({ text: [buffer] }: OpenPart, whole: string): void {
  if (buffer?.read() !== whole) return;
  buffer.clear();
  buffer.add(whole);
}

/** A part made of its deltas alone. */
function partial({ head, text, raw }: OpenPart): Part {
  const whole = text[0]?.read() ?? '';
  switch (head.kind) {
    case 'text':
    case 'refusal':
      return { ...head, text: whole };
    case 'reasoning':
      return {
        ...head,
        text: text.map((buffer) => buffer.read()),
        ...(raw.length > 0 && { raw: raw.map((buffer) => buffer.read()) }),
      };
    case 'call':
      if (head.freeform !== undefined) return { ...head, freeform: whole, truncated: true };
      return { ...head, args: whole === '' ? { value: {} } : { text: whole }, truncated: true };
    default:
      return head;
  }
}

function idOf(node: JsonObject): string | undefined {
  return typeof node.id === 'string' ? node.id : undefined;
}

function bareInput({ family, input }: HostedCallPart): JsonObject {
  if (family !== 'mcp') return {};
  return { server: input.server, name: input.name, arguments: '' };
}
