import { encodeLogprobs, packState } from '../../adapt/index.js';
import { NO_STATE } from '../../answer/thoughts.js';
import type { Answer } from '../../answer/writer.js';
import type { Citation, HostedCallPart } from '../../canonical/content.js';
import type { StreamEvent } from '../../canonical/events.js';
import type { Losses } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
import type { StateEntry } from '../../canonical/state.js';
import { isObject } from '../../wire/json.js';
import { createOffsetIndex, type OffsetIndex } from '../../wire/utf8.js';
import { encodeAnnotation, isAnnotated, reportCitation, reportText } from '../content/citations.js';
import { nodeOf } from '../content/reasoning.js';
import { DIALECT, FOREIGN, itemId, NATIVE, type Printer } from '../nodes.js';
import {
  announce,
  type FrameSink,
  type OpenCall,
  type OpenHosted,
  type OpenMessage,
  type OpenReasoning,
  type Port,
} from './items.js';

/** The content of a message that a text part became. */
interface TextSlot {
  readonly item: number;
  readonly content: number;
  /** The text came whole. */
  ended: boolean;
  /** Offsets into the text of a finished item, from the first late citation on. */
  offsets?: OffsetIndex;
}

/** What an output is made for. */
export interface OutputOptions extends Answer {
  readonly responseId: string;
  /** The host is the service itself: parts name their ids, and state goes out as it is. */
  readonly asIssuer?: boolean | undefined;
  /** Absent where only the items are wanted. */
  readonly frame?: FrameSink | undefined;
}

/** The items of an answer on its way, of which at most one is open. */
export interface Output extends OutputOptions {
  readonly printer: Printer;
  readonly items: JsonObject[];
  /** Finished items as text; empty without frames. */
  readonly texts: string[];
  /** Finished items that changed after their text was printed. */
  readonly changed: Set<number>;
  /** By the number of the part. */
  readonly slots: Map<number, TextSlot>;
  /** State that waits for the next carrier (translation.md 4.3). */
  waiting: StateEntry[];
  /** State of the open reasoning item. */
  reasoningState: readonly StateEntry[];
  open: OpenMessage | OpenReasoning | OpenCall | OpenHosted | undefined;
  /** The text that can still be cited by an event. */
  cited: { readonly ix: number; readonly message: OpenMessage } | undefined;
  /** The hosted call whose item is open for its result. */
  asked: HostedCallPart | undefined;
  /** Ids of hosted calls that have no item here. */
  readonly lostCalls: Set<string>;
  /** Whether a refusal was written. */
  refused: boolean;
  /** The answer breaks off: what is open stays incomplete. */
  cut: boolean;
}

/** An output without items. */
export function createOutput({ responseId, own, asIssuer, losses, frame }: OutputOptions): Output {
  return {
    responseId,
    own,
    asIssuer,
    losses,
    frame,
    printer: own ? NATIVE : FOREIGN,
    items: [],
    texts: [],
    changed: new Set(),
    slots: new Map(),
    waiting: [],
    reasoningState: [],
    open: undefined,
    cited: undefined,
    asked: undefined,
    lostCalls: new Set(),
    refused: false,
    cut: false,
  };
}

/** The port of the next item. `id` is the one it came with, if it came from this dialect. */
export function portFor(output: Output, type: string, id?: string): Port {
  const { own, asIssuer, responseId, frame, items } = output;
  const given = own || asIssuer ? id : undefined;
  const mark = asIssuer ? '' : undefined;
  return { id: given ?? itemId(type, responseId, items.length, mark), index: items.length, frame };
}

/** Adds a finished item that was announced before. */
export function finishItem(output: Output, item: JsonObject): void {
  const index = output.items.length;
  output.items.push(item);
  if (output.frame === undefined) return;
  const text = JSON.stringify(item);
  output.texts.push(text);
  output.frame('response.output_item.done', `"output_index":${index},"item":${text}`);
}

/** Adds an item that has no events of its own. `id` is the one it came with, if it came from this dialect. */
export function addItem(output: Output, item: JsonObject, id?: string): void {
  const port = portFor(output, String(item.type), id);
  const named = { ...item, id: port.id };
  announce(port, named);
  finishItem(output, named);
}

/** Closes the open item. The carrier of a reasoning item also takes the state of the part that comes next. */
export function closeOpen(output: Output, next: readonly StateEntry[] = [], cut = false): void {
  const item = output.open;
  if (item === undefined) return;
  output.open = undefined;
  output.cited = undefined;
  output.asked = undefined;
  if (item.kind === 'reasoning' && output.asIssuer) item.seal(issuedState(output.reasoningState));
  else if (item.kind === 'reasoning' && !output.own)
    item.seal({ encrypted_content: carrierOf([...output.reasoningState, ...next], output.losses) });
  output.reasoningState = [];
  finishItem(output, item.close(cut));
}

/** What the service itself adds to a reasoning item: the member of its own node, where there is one. */
function issuedState(entries: readonly StateEntry[]): JsonObject {
  const own = entries.find((entry) => entry.dialect === DIALECT);
  return own === undefined ? {} : { encrypted_content: nodeOf(own).encrypted_content };
}

/** The carrier of a reasoning item. That there is no state is stated only when nothing else is in it. */
function carrierOf(entries: readonly StateEntry[], losses: Losses): string {
  const held = entries.filter((entry) => entry.kind !== 'none');
  if (held.length > 0) return packState(held, losses);
  return packState(entries.length > 0 ? entries : [NO_STATE]);
}

/** Adds an item that carries the waiting state and shows nothing. */
function addState(output: Output): void {
  closeOpen(output);
  const port = portFor(output, 'reasoning');
  const item = { id: port.id, type: 'reasoning', summary: [] };
  announce(port, item);
  finishItem(output, { ...item, encrypted_content: packState(output.waiting, output.losses) });
  output.waiting = [];
}

/** Before a part that is no reasoning: its state joins the reasoning in front of it, or gets an item of its own. */
export function settleState(output: Output, entries: readonly StateEntry[] = []): void {
  if (!output.own) output.waiting.push(...entries);
  if (output.open?.kind === 'reasoning') {
    closeOpen(output, output.waiting);
    output.waiting = [];
  } else if (output.waiting.length > 0) addState(output);
}

/** Lets the state of a part that shows nothing, or is written already, wait for the next carrier. */
export function holdState(output: Output, entries: readonly StateEntry[] = []): void {
  if (!output.own) output.waiting.push(...entries);
}

/** Adds a citation to its text, which may be closed: then no event shows it, but the whole answer at the end does. */
export function addCitation(output: Output, ix: number, citation: Citation): void {
  const slot = output.slots.get(ix);
  if (!output.own && slot?.ended === true) reportCitation(citation, output.losses);
  if (!isAnnotated(citation)) return;
  if (output.cited?.ix === ix) {
    output.cited.message.citation(citation);
    return;
  }
  if (output.own || slot === undefined) return;
  if (slot.item === output.items.length && output.open?.kind === 'message') {
    output.open.citeClosed(slot.content, citation);
    return;
  }
  const { text, annotations } = finishedContent(output, slot) ?? {};
  if (typeof text !== 'string' || !Array.isArray(annotations)) return;
  slot.offsets ??= createOffsetIndex(text, 'codePoint');
  annotations.push(encodeAnnotation(citation, text.length, slot.offsets));
  output.changed.add(slot.item);
}

/** Adds log probabilities that come when their text is closed: only the item has them. */
export function addLogprobs(output: Output, { ix, tokens }: Extract<StreamEvent, { type: 'part.logprobs' }>): void {
  const slot = output.slots.get(ix);
  if (output.own || slot?.ended !== true) return;
  reportText({ kind: 'text', text: '', logprobs: tokens }, output.losses);
  if (slot.item === output.items.length && output.open?.kind === 'message') {
    output.open.addTokens(slot.content, tokens);
    return;
  }
  const content = finishedContent(output, slot);
  if (content === undefined) return;
  content.logprobs = encodeLogprobs(tokens);
  output.changed.add(slot.item);
}

function finishedContent(output: Output, { item, content }: TextSlot): JsonObject | undefined {
  const list = output.items[item]?.content;
  const node: unknown = Array.isArray(list) ? list[content] : undefined;
  return isObject(node) ? node : undefined;
}
