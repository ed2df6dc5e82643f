import type { HostedCallPart, Part, ReasoningPart, RefusalPart, TextPart } from '../../canonical/content.js';
import type { DeltaOp, EventSink } from '../../canonical/events.js';
import type { JsonObject } from '../../canonical/node.js';
import { isObject } from '../../wire/json.js';
import { createPieces, type Pieces } from '../../wire/pieces.js';
import { createGrowingOffsets, type GrowingOffsets } from '../../wire/utf8.js';
import { decodeAnnotation, decodeLogprobs } from '../content/citations.js';
import type { Reader } from '../nodes.js';
import { decodeOutputItem } from '../response/decode.js';
import { isHostedItem } from '../tools/hosted/decode.js';

/** Reads the events of output items. */
interface StreamItems {
  /** false for events that are nobody's. */
  take(type: string, event: JsonObject): boolean;
  /** The answer is over: what was never announced is in the final output. Gives all parts. */
  finish(output: readonly unknown[]): readonly Part[];
}

/** An item that was announced. */
interface Item {
  readonly index: number;
  readonly head: JsonObject;
  /** Parts of a message by content index, in order of first sight. */
  readonly contents: Map<number, OpenPart>;
  /** The part of any other item. */
  part: OpenPart | undefined;
  done: boolean;
}

/** A part that was begun. */
interface OpenPart {
  readonly ix: number;
  readonly head: Part;
  /** What the deltas added up to, by paragraph. */
  text: Pieces[];
  raw: Pieces[];
  /** Offsets into the text, from the first citation on. */
  offsets?: GrowingOffsets;
  citations: number;
  ended: boolean;
}

/** What is known of a stream between its events. */
interface ItemsState {
  readonly reader: Reader;
  readonly emit: EventSink;
  readonly items: Map<number, Item>;
  readonly parts: Part[];
  next: number;
}

/** Items of one stream. */
export function createStreamItems(reader: Reader, emit: EventSink): StreamItems {
  const items = new Map<number, Item>();
  const parts: Part[] = [];

  const state: ItemsState = { reader, emit, items, parts, next: 0 };

  return {
    take: (type, event) => take(state, type, event),
    finish(output) {
      // Where output indexes had gaps, places in the final output tell nothing.
      const byId = new Map<unknown, Item>();
      for (const item of items.values()) {
        if (typeof item.head.id === 'string' && !byId.has(item.head.id)) byId.set(item.head.id, item);
      }
      output.forEach((node, index) => {
        if (isObject(node)) settle(state, items.get(index) ?? byId.get(node.id) ?? announce(state, index, node), node);
      });
      for (const item of items.values()) abandon(item, (open, part) => end(state, open, part));
      return parts;
    },
  };
}

function begin(state: ItemsState, head: Part, spoken?: Pieces): OpenPart {
  const ix = state.next;
  state.next += 1;
  state.parts[ix] = head;
  state.emit({ type: 'part.start', ix, part: head, ...(spoken !== undefined && { said: spoken.read }) });
  return { ix, head, text: spoken === undefined ? [] : [spoken], raw: [], citations: 0, ended: false };
}

function end(state: ItemsState, open: OpenPart, part: Part): void {
  if (open.ended) return;
  open.ended = true;
  state.parts[open.ix] = part;
  if (part.kind === 'text' || part.kind === 'refusal') shareText(open, part.text);
  if (part.state !== undefined) state.emit({ type: 'part.state', ix: open.ix, entries: part.state });
  state.emit({ type: 'part.end', ix: open.ix, part });
}

function whole(state: ItemsState, part: Part): void {
  end(state, begin(state, part), part);
}

function delta(state: ItemsState, open: OpenPart, op: DeltaOp, value: string, sub = 0): void {
  const list = op === 'raw' ? open.raw : open.text;
  while (list.length <= sub) list.push(createPieces());
  list[sub]?.add(value);
  open.offsets?.add(value);
  if (value === '') return;
  if (op === 'reasoning' || op === 'raw') state.emit({ type: 'part.delta', ix: open.ix, op, value, sub });
  else state.emit({ type: 'part.delta', ix: open.ix, op, value });
}

/** Emits what the deltas did not bring; what they brought wrongly the part's end corrects. */
function rest(state: ItemsState, open: OpenPart, op: DeltaOp, full: string, sub = 0): void {
  const known = (op === 'raw' ? open.raw : open.text)[sub]?.read() ?? '';
  if (full.length > known.length && full.startsWith(known)) delta(state, open, op, full.slice(known.length), sub);
}

function announce(state: ItemsState, index: number, node: JsonObject): Item {
  const item: Item = { index, head: node, contents: new Map(), part: undefined, done: false };
  state.items.set(index, item);
  item.part = openHead(state, node, index);
  return item;
}

/** Items with deltas begin when they are announced; others when they are whole. */
function openHead(state: ItemsState, node: JsonObject, index: number): OpenPart | undefined {
  if (node.type === 'reasoning') {
    const head: ReasoningPart = { kind: 'reasoning', text: [], id: idOf(node), item: index };
    return begin(state, head);
  }
  if (node.type !== 'function_call' && node.type !== 'custom_tool_call' && !isHostedItem(node.type)) return undefined;
  const [head] = decodeOutputItem({ ...node, status: 'in_progress' }, index, state.reader);
  if (head?.kind === 'call') {
    const bare = head.freeform === undefined ? { args: { value: {} } } : { freeform: '' };
    const open = begin(state, { ...head, ...bare, ext: undefined });
    if (typeof node.arguments === 'string') delta(state, open, 'args', node.arguments);
    if (typeof node.input === 'string') delta(state, open, 'freeform', node.input);
    return open;
  }
  if (head?.kind !== 'hostedCall') return undefined;
  const { state: _state, ...call } = head;
  return begin(state, { ...call, input: bareInput(head) });
}

function itemOf(state: ItemsState, event: JsonObject): Item | undefined {
  return typeof event.output_index === 'number' ? state.items.get(event.output_index) : undefined;
}

function contentOf(state: ItemsState, event: JsonObject, kind: 'text' | 'refusal'): OpenPart | undefined {
  const item = itemOf(state, event);
  if (item === undefined) return undefined;
  const index = typeof event.content_index === 'number' ? event.content_index : 0;
  return item.contents.get(index) ?? openContent(state, item, index, kind);
}

function openContent(state: ItemsState, item: Item, index: number, kind: 'text' | 'refusal'): OpenPart {
  const phase = typeof item.head.phase === 'string' ? item.head.phase : undefined;
  const head: TextPart | RefusalPart = { kind, text: '', id: idOf(item.head), item: item.index, phase };
  const open = begin(state, head, createPieces());
  item.contents.set(index, open);
  return open;
}

function reasoningOf(state: ItemsState, event: JsonObject): OpenPart | undefined {
  const open = itemOf(state, event)?.part;
  return open?.head.kind === 'reasoning' ? open : undefined;
}

function cite(state: ItemsState, event: JsonObject): void {
  const open = contentOf(state, event, 'text');
  if (open === undefined || !isObject(event.annotation)) return;
  if (open.offsets === undefined) {
    open.offsets = createGrowingOffsets('codePoint');
    open.offsets.add(open.text[0]?.read() ?? '');
  }
  const citation = decodeAnnotation(event.annotation, open.offsets, annotationPath(event, open));
  open.citations += 1;
  if (citation !== undefined) state.emit({ type: 'part.citation', ix: open.ix, citation });
}

function text(state: ItemsState, event: JsonObject, kind: 'text' | 'refusal'): void {
  const open = contentOf(state, event, kind);
  if (open === undefined || typeof event.delta !== 'string') return;
  delta(state, open, kind, event.delta);
  const tokens =
    Array.isArray(event.logprobs) && event.logprobs.length > 0 ? decodeLogprobs(event.logprobs) : undefined;
  if (tokens !== undefined) state.emit({ type: 'part.logprobs', ix: open.ix, tokens });
}

/** The item as it will stay: its parts end with what it says. */
function settle(state: ItemsState, item: Item, node: JsonObject): void {
  if (item.done) return;
  item.done = true;
  const decoded = decodeOutputItem(node, item.index, state.reader);
  if (node.type === 'message') settleMessage(state, item, decoded);
  else if (item.part === undefined) for (const part of decoded) whole(state, part);
  else settleSingle(state, item.part, decoded);
}

/** Content indexes of some hosts have gaps, so parts are matched in their order. */
function settleMessage(state: ItemsState, item: Item, decoded: readonly Part[]): void {
  const opened = [...item.contents.values()];
  decoded.forEach((part, position) => {
    const open = opened[position];
    if (open === undefined) whole(state, part);
    else {
      if (part.kind === 'text' || part.kind === 'refusal') rest(state, open, part.kind, part.text);
      end(state, open, part);
    }
  });
  for (const open of opened.slice(decoded.length)) end(state, open, spoken(open));
}

function settleSingle(state: ItemsState, open: OpenPart, decoded: readonly Part[]): void {
  const [part, ...others] = decoded;
  if (part === undefined) return;
  if (part.kind === 'reasoning') {
    for (const [sub, paragraph] of part.text.entries()) rest(state, open, 'reasoning', paragraph, sub);
    for (const [sub, paragraph] of part.raw?.entries() ?? []) rest(state, open, 'raw', paragraph, sub);
  } else if (part.kind === 'call') {
    if (part.freeform !== undefined) rest(state, open, 'freeform', part.freeform);
    else if (part.args.text !== undefined) rest(state, open, 'args', part.args.text);
  } else if (part.kind === 'hostedCall') {
    if (typeof part.input.code === 'string') rest(state, open, 'code', part.input.code);
    if (typeof part.input.arguments === 'string') rest(state, open, 'args', part.input.arguments);
  }
  end(state, open, part);
  for (const part of others) whole(state, part);
}

function take(state: ItemsState, type: string, event: JsonObject): boolean {
  switch (type) {
    case 'response.output_text.delta':
      text(state, event, 'text');
      return true;
    case 'response.refusal.delta':
      text(state, event, 'refusal');
      return true;
    case 'response.function_call_arguments.delta':
    case 'response.mcp_call_arguments.delta':
      piece(state, event, 'args');
      return true;
    case 'response.custom_tool_call_input.delta':
      piece(state, event, 'freeform');
      return true;
    case 'response.code_interpreter_call_code.delta':
      piece(state, event, 'code');
      return true;
    case 'response.reasoning_summary_text.delta':
      paragraph(state, event, 'reasoning', event.summary_index);
      return true;
    case 'response.reasoning_text.delta':
      paragraph(state, event, 'raw', event.content_index);
      return true;
    case 'response.image_generation_call.partial_image': {
      const open = itemOf(state, event)?.part;
      if (open !== undefined && typeof event.partial_image_b64 === 'string') {
        state.emit({ type: 'part.delta', ix: open.ix, op: 'partialMedia', value: event.partial_image_b64 });
      }
      return true;
    }
    case 'response.output_text.annotation.added':
      cite(state, event);
      return true;
    case 'response.output_text.done':
      ended(state, event, 'text', event.text);
      return true;
    case 'response.refusal.done':
      ended(state, event, 'refusal', event.refusal);
      return true;
    case 'response.output_item.added':
      if (typeof event.output_index === 'number' && isObject(event.item) && !state.items.has(event.output_index)) {
        announce(state, event.output_index, event.item);
      }
      return true;
    case 'response.content_part.added':
      if (isObject(event.part) && event.part.type === 'output_text') contentOf(state, event, 'text');
      if (isObject(event.part) && event.part.type === 'refusal') contentOf(state, event, 'refusal');
      return true;
    case 'response.output_item.done':
      if (typeof event.output_index === 'number' && isObject(event.item)) {
        settle(
          state,
          state.items.get(event.output_index) ?? announce(state, event.output_index, event.item),
          event.item,
        );
      }
      return true;
    default:
      // Whatever else is said of an item, its end says too.
      return typeof event.output_index === 'number';
  }
}

function piece(state: ItemsState, event: JsonObject, op: DeltaOp): void {
  const open = itemOf(state, event)?.part;
  if (open !== undefined && typeof event.delta === 'string') delta(state, open, op, event.delta);
}

function paragraph(state: ItemsState, event: JsonObject, op: 'reasoning' | 'raw', index: unknown): void {
  const open = reasoningOf(state, event);
  if (open === undefined || typeof event.delta !== 'string') return;
  delta(state, open, op, event.delta, typeof index === 'number' && index >= 0 && index < MAX_PARAGRAPHS ? index : 0);
}

function ended(state: ItemsState, event: JsonObject, kind: 'text' | 'refusal', full: unknown): void {
  const open = contentOf(state, event, kind);
  if (open !== undefined && typeof full === 'string') rest(state, open, kind, full);
}

/** An index beyond it is no count of paragraphs but a fault. */
const MAX_PARAGRAPHS = 10_000;

/** Items that the terminal event does not mention end as far as they came. */
function abandon(item: Item, end: (open: OpenPart, part: Part) => void): void {
  if (item.done) return;
  item.done = true;
  for (const open of item.contents.values()) end(open, spoken(open));
  if (item.part !== undefined) end(item.part, spoken(item.part));
}

/** The text that the deltas of a part added up to becomes the very string that the part holds. */
function shareText({ text: [spoken] }: OpenPart, whole: string): void {
  if (spoken?.read() !== whole) return;
  spoken.clear();
  spoken.add(whole);
}

/** A part made of its deltas alone. */
function spoken({ head, text, raw }: OpenPart): Part {
  const said = text[0]?.read() ?? '';
  switch (head.kind) {
    case 'text':
    case 'refusal':
      return { ...head, text: said };
    case 'reasoning':
      return { ...head, text: text.map(wholeOf), ...(raw.length > 0 && { raw: raw.map(wholeOf) }) };
    case 'call':
      if (head.freeform !== undefined) return { ...head, freeform: said, truncated: true };
      return { ...head, args: said === '' ? { value: {} } : { text: said }, truncated: true };
    default:
      return head;
  }
}

function wholeOf(pieces: Pieces): string {
  return pieces.read();
}

function idOf(node: JsonObject): string | undefined {
  return typeof node.id === 'string' ? node.id : undefined;
}

function bareInput({ family, input }: HostedCallPart): JsonObject {
  if (family !== 'mcp') return {};
  return { server: input.server, name: input.name, arguments: '' };
}

function annotationPath(event: JsonObject, open: OpenPart): string {
  return `/output/${String(event.output_index)}/content/${String(event.content_index)}/annotations/${open.citations}`;
}
