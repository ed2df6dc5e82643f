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

/** Items of one stream. */
export function createStreamItems(reader: Reader, emit: EventSink): StreamItems {
  const items = new Map<number, Item>();
  const parts: Part[] = [];
  let next = 0;

  const begin = (head: Part, spoken?: Pieces): OpenPart => {
    const ix = next;
    next += 1;
    parts[ix] = head;
    emit({ type: 'part.start', ix, part: head, ...(spoken !== undefined && { said: spoken.read }) });
    return { ix, head, text: spoken === undefined ? [] : [spoken], raw: [], citations: 0, ended: false };
  };

  const end = (open: OpenPart, part: Part): void => {
    if (open.ended) return;
    open.ended = true;
    parts[open.ix] = part;
    if (part.kind === 'text' || part.kind === 'refusal') shareText(open, part.text);
    if (part.state !== undefined) emit({ type: 'part.state', ix: open.ix, entries: part.state });
    emit({ type: 'part.end', ix: open.ix, part });
  };

  const whole = (part: Part): void => end(begin(part), part);

  const delta = (open: OpenPart, op: DeltaOp, value: string, sub = 0): void => {
    const list = op === 'raw' ? open.raw : open.text;
    while (list.length <= sub) list.push(createPieces());
    list[sub]?.add(value);
    open.offsets?.add(value);
    if (value === '') return;
    if (op === 'reasoning' || op === 'raw') emit({ type: 'part.delta', ix: open.ix, op, value, sub });
    else emit({ type: 'part.delta', ix: open.ix, op, value });
  };

  /** Emits what the deltas did not bring; what they brought wrongly the part's end corrects. */
  const rest = (open: OpenPart, op: DeltaOp, full: string, sub = 0): void => {
    const known = (op === 'raw' ? open.raw : open.text)[sub]?.read() ?? '';
    if (full.length > known.length && full.startsWith(known)) delta(open, op, full.slice(known.length), sub);
  };

  const announce = (index: number, node: JsonObject): Item => {
    const item: Item = { index, head: node, contents: new Map(), part: undefined, done: false };
    items.set(index, item);
    item.part = openHead(node, index);
    return item;
  };

  /** Items with deltas begin when they are announced; others when they are whole. */
  const openHead = (node: JsonObject, index: number): OpenPart | undefined => {
    if (node.type === 'reasoning') {
      const head: ReasoningPart = { kind: 'reasoning', text: [], id: idOf(node), item: index };
      return begin(head);
    }
    if (node.type !== 'function_call' && node.type !== 'custom_tool_call' && !isHostedItem(node.type)) return undefined;
    const [head] = decodeOutputItem({ ...node, status: 'in_progress' }, index, reader);
    if (head?.kind === 'call') {
      const bare = head.freeform === undefined ? { args: { value: {} } } : { freeform: '' };
      const open = begin({ ...head, ...bare, ext: undefined });
      if (typeof node.arguments === 'string') delta(open, 'args', node.arguments);
      if (typeof node.input === 'string') delta(open, 'freeform', node.input);
      return open;
    }
    if (head?.kind !== 'hostedCall') return undefined;
    const { state: _state, ...call } = head;
    return begin({ ...call, input: bareInput(head) });
  };

  const itemOf = (event: JsonObject): Item | undefined =>
    typeof event.output_index === 'number' ? items.get(event.output_index) : undefined;

  const contentOf = (event: JsonObject, kind: 'text' | 'refusal'): OpenPart | undefined => {
    const item = itemOf(event);
    if (item === undefined) return undefined;
    const index = typeof event.content_index === 'number' ? event.content_index : 0;
    return item.contents.get(index) ?? openContent(item, index, kind);
  };

  const openContent = (item: Item, index: number, kind: 'text' | 'refusal'): OpenPart => {
    const phase = typeof item.head.phase === 'string' ? item.head.phase : undefined;
    const head: TextPart | RefusalPart = { kind, text: '', id: idOf(item.head), item: item.index, phase };
    const open = begin(head, createPieces());
    item.contents.set(index, open);
    return open;
  };

  const reasoningOf = (event: JsonObject): OpenPart | undefined => {
    const open = itemOf(event)?.part;
    return open?.head.kind === 'reasoning' ? open : undefined;
  };

  const cite = (event: JsonObject): void => {
    const open = contentOf(event, 'text');
    if (open === undefined || !isObject(event.annotation)) return;
    if (open.offsets === undefined) {
      open.offsets = createGrowingOffsets('codePoint');
      open.offsets.add(open.text[0]?.read() ?? '');
    }
    const citation = decodeAnnotation(event.annotation, open.offsets, annotationPath(event, open));
    open.citations += 1;
    if (citation !== undefined) emit({ type: 'part.citation', ix: open.ix, citation });
  };

  const text = (event: JsonObject, kind: 'text' | 'refusal'): void => {
    const open = contentOf(event, kind);
    if (open === undefined || typeof event.delta !== 'string') return;
    delta(open, kind, event.delta);
    const tokens =
      Array.isArray(event.logprobs) && event.logprobs.length > 0 ? decodeLogprobs(event.logprobs) : undefined;
    if (tokens !== undefined) emit({ type: 'part.logprobs', ix: open.ix, tokens });
  };

  /** The item as it will stay: its parts end with what it says. */
  const settle = (item: Item, node: JsonObject): void => {
    if (item.done) return;
    item.done = true;
    const decoded = decodeOutputItem(node, item.index, reader);
    if (node.type === 'message') settleMessage(item, decoded);
    else if (item.part === undefined) decoded.forEach(whole);
    else settleSingle(item.part, decoded);
  };

  /** Content indexes of some hosts have gaps, so parts are matched in their order. */
  const settleMessage = (item: Item, decoded: readonly Part[]): void => {
    const opened = [...item.contents.values()];
    decoded.forEach((part, position) => {
      const open = opened[position];
      if (open === undefined) whole(part);
      else {
        if (part.kind === 'text' || part.kind === 'refusal') rest(open, part.kind, part.text);
        end(open, part);
      }
    });
    for (const open of opened.slice(decoded.length)) end(open, spoken(open));
  };

  const settleSingle = (open: OpenPart, decoded: readonly Part[]): void => {
    const [part, ...others] = decoded;
    if (part === undefined) return;
    if (part.kind === 'reasoning') {
      for (const [sub, paragraph] of part.text.entries()) rest(open, 'reasoning', paragraph, sub);
      for (const [sub, paragraph] of part.raw?.entries() ?? []) rest(open, 'raw', paragraph, sub);
    } else if (part.kind === 'call') {
      if (part.freeform !== undefined) rest(open, 'freeform', part.freeform);
      else if (part.args.text !== undefined) rest(open, 'args', part.args.text);
    } else if (part.kind === 'hostedCall') {
      if (typeof part.input.code === 'string') rest(open, 'code', part.input.code);
      if (typeof part.input.arguments === 'string') rest(open, 'args', part.input.arguments);
    }
    end(open, part);
    others.forEach(whole);
  };

  const take = (type: string, event: JsonObject): boolean => {
    switch (type) {
      case 'response.output_text.delta':
        text(event, 'text');
        return true;
      case 'response.refusal.delta':
        text(event, 'refusal');
        return true;
      case 'response.function_call_arguments.delta':
      case 'response.mcp_call_arguments.delta':
        piece(event, 'args');
        return true;
      case 'response.custom_tool_call_input.delta':
        piece(event, 'freeform');
        return true;
      case 'response.code_interpreter_call_code.delta':
        piece(event, 'code');
        return true;
      case 'response.reasoning_summary_text.delta':
        paragraph(event, 'reasoning', event.summary_index);
        return true;
      case 'response.reasoning_text.delta':
        paragraph(event, 'raw', event.content_index);
        return true;
      case 'response.image_generation_call.partial_image': {
        const open = itemOf(event)?.part;
        if (open !== undefined && typeof event.partial_image_b64 === 'string') {
          emit({ type: 'part.delta', ix: open.ix, op: 'partialMedia', value: event.partial_image_b64 });
        }
        return true;
      }
      case 'response.output_text.annotation.added':
        cite(event);
        return true;
      case 'response.output_text.done':
        ended(event, 'text', event.text);
        return true;
      case 'response.refusal.done':
        ended(event, 'refusal', event.refusal);
        return true;
      case 'response.output_item.added':
        if (typeof event.output_index === 'number' && isObject(event.item) && !items.has(event.output_index)) {
          announce(event.output_index, event.item);
        }
        return true;
      case 'response.content_part.added':
        if (isObject(event.part) && event.part.type === 'output_text') contentOf(event, 'text');
        if (isObject(event.part) && event.part.type === 'refusal') contentOf(event, 'refusal');
        return true;
      case 'response.output_item.done':
        if (typeof event.output_index === 'number' && isObject(event.item)) {
          settle(items.get(event.output_index) ?? announce(event.output_index, event.item), event.item);
        }
        return true;
      default:
        // Whatever else is said of an item, its end says too.
        return typeof event.output_index === 'number';
    }
  };

  const piece = (event: JsonObject, op: DeltaOp): void => {
    const open = itemOf(event)?.part;
    if (open !== undefined && typeof event.delta === 'string') delta(open, op, event.delta);
  };

  const paragraph = (event: JsonObject, op: 'reasoning' | 'raw', index: unknown): void => {
    const open = reasoningOf(event);
    if (open === undefined || typeof event.delta !== 'string') return;
    delta(open, op, event.delta, typeof index === 'number' && index >= 0 && index < MAX_PARAGRAPHS ? index : 0);
  };

  const ended = (event: JsonObject, kind: 'text' | 'refusal', full: unknown): void => {
    const open = contentOf(event, kind);
    if (open !== undefined && typeof full === 'string') rest(open, kind, full);
  };

  return {
    take,
    finish(output) {
      // Where output indexes had gaps, places in the final output tell nothing.
      const byId = new Map<unknown, Item>();
      for (const item of items.values()) {
        if (typeof item.head.id === 'string' && !byId.has(item.head.id)) byId.set(item.head.id, item);
      }
      output.forEach((node, index) => {
        if (isObject(node)) settle(items.get(index) ?? byId.get(node.id) ?? announce(index, node), node);
      });
      for (const item of items.values()) abandon(item, end);
      return parts;
    },
  };
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
