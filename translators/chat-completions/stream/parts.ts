import { decodeLogprobs } from '../../adapt/index.js';
import type { Citation, Part, ReasoningPart, TextPart, TokenLogprob } from '../../canonical/content.js';
import type { EventSink } from '../../canonical/events.js';
import type { JsonObject } from '../../canonical/node.js';
import { isObject } from '../../wire/json.js';
import { createPackedBuffer, type TextBuffer } from '../../wire/packed-buffer.js';
import { type PlacedText, placeCitations } from '../content/citations.js';
import { isCarrierEntry, isThinkingChunk, noState, reasoningEntry } from '../content/reasoning.js';
import { opaque } from '../nodes.js';
import { isToldTwice } from '../tools/calls.js';
import {
  addCall,
  addLegacyCall,
  announceCalls,
  type CallTable,
  createCallTable,
  endCalls,
  type ReadContext,
} from './calls.js';
import {
  createInlineThoughts,
  createThoughts,
  type Followed,
  hasThoughts,
  type InlineThoughts,
  type Split,
  type Thoughts,
} from './thoughts.js';

interface OpenText {
  readonly kind: 'text' | 'refusal';
  readonly ix: number;
  readonly text: TextBuffer;
  readonly tokens: TokenLogprob[];
  readonly ptr: string;
}

interface OpenThought {
  readonly thoughts: Thoughts;
  readonly ptr: string;
  /** The number of the part, once there are words to show. */
  ix: number | undefined;
}

/** Puts the parts of messages together, out of deltas or whole (translation.md 6.1). */
export interface PartReader {
  readonly context: ReadContext;
  readonly emit: EventSink;
  readonly calls: CallTable;
  readonly followed: Followed;
  readonly inline: InlineThoughts | undefined;
  readonly texts: PlacedText[];
  readonly annotations: unknown[];
  /** The words of refusals. */
  readonly refused: TextBuffer;
  /** The number of a call that begins; what was said in front of it ends. */
  takeIx(): number;
  next: number;
  length: number;
  text: OpenText | undefined;
  thought: OpenThought | undefined;
  /** Probabilities of tokens whose text has not begun. */
  early: TokenLogprob[];
  /** A text with words came. */
  said: boolean;
  /** Carriers of a backend that is a gateway: they come in two places (translation.md 4.6). */
  readonly carriers: Set<string>;
}

/** A reader in front of the first part. */
export function createPartReader(context: ReadContext, emit: EventSink): PartReader {
  const { inlineThink } = context.flags;
  const reader: PartReader = {
    context,
    emit,
    calls: createCallTable(),
    followed: { key: undefined },
    inline: inlineThink === 'no' ? undefined : createInlineThoughts(inlineThink),
    texts: [],
    annotations: [],
    refused: createPackedBuffer(),
    takeIx() {
      closeThought(reader);
      closeText(reader);
      return takeIx(reader);
    },
    next: 0,
    length: 0,
    text: undefined,
    thought: undefined,
    early: [],
    said: false,
    carriers: new Set(),
  };
  return reader;
}

function takeIx(reader: PartReader): number {
  reader.next += 1;
  return reader.next - 1;
}

/** Adds a delta, or a whole message. Two kinds in one are in this order: thoughts, text, refusal, calls. */
export function addMessage(reader: PartReader, message: JsonObject, choice: number): void {
  const ptr = `/choices/${choice}/message`;
  const { content, refusal, function_call, tool_calls, annotations } = message;
  const thoughts = withoutRepeated(message, reader.carriers);
  if (hasThoughts(thoughts)) addThoughts(reader, thoughts, ptr);
  if (typeof content === 'string') addContent(reader, content, ptr);
  else if (Array.isArray(content)) addChunks(reader, content, ptr);
  if (typeof refusal === 'string' && refusal !== '') addText(reader, 'refusal', refusal, `${ptr}/refusal`);
  if (isObject(function_call) && !isToldTwice(function_call, tool_calls)) addLegacyCall(reader, function_call, choice);
  if (Array.isArray(tool_calls)) {
    for (const [index, call] of tool_calls.entries()) {
      // Entries of a whole message are calls of their own; only those of deltas may go on with one.
      if (isObject(call)) addCall(reader, reader.context.whole ? { ...call, index } : call, choice);
    }
  }
  if (Array.isArray(annotations)) for (const annotation of annotations) reader.annotations.push(annotation);
}

/** The same message without entries whose carrier came before. */
function withoutRepeated(message: JsonObject, carriers: Set<string>): JsonObject {
  const { reasoning_details: details } = message;
  if (!Array.isArray(details) || !details.some(isCarrierEntry)) return message;
  const kept = details.filter((entry) => !isCarrierEntry(entry) || !carriers.has(String(entry.data)));
  for (const entry of kept) if (isCarrierEntry(entry)) carriers.add(String(entry.data));
  return { ...message, reasoning_details: kept };
}

/** Adds log probabilities; they come with the text that they are of, or in front of it. */
export function addTokens({ text, early }: PartReader, list: unknown): void {
  const tokens = text?.kind === 'text' ? text.tokens : early;
  for (const token of (Array.isArray(list) && decodeLogprobs(list)) || []) tokens.push(token);
}

function openThought(reader: PartReader, ptr: string): OpenThought {
  if (reader.thought === undefined) {
    announceCalls(reader);
    reader.thought = { thoughts: createThoughts(reader.followed, reader.context.whole), ptr, ix: undefined };
  }
  return reader.thought;
}

function addThoughts(reader: PartReader, message: JsonObject, ptr: string): void {
  const thought = openThought(reader, ptr);
  showThought(reader, thought, thought.thoughts.add(message));
}

function showThought(reader: PartReader, thought: OpenThought, words: string): void {
  if (words === '') return;
  if (thought.ix === undefined) {
    thought.ix = takeIx(reader);
    const src = { ptr: thought.ptr, raw: { key: reader.followed.key } };
    const { said } = thought.thoughts;
    reader.emit({ type: 'part.start', ix: thought.ix, part: { kind: 'reasoning', text: [], src }, said });
  }
  reader.emit({ type: 'part.delta', ix: thought.ix, op: 'reasoning', value: words, sub: 0 });
}

function closeThought(reader: PartReader): void {
  const { thought, context } = reader;
  if (thought === undefined) return;
  reader.thought = undefined;
  const text = thought.thoughts.said();
  const keys = thought.thoughts.keys();
  const isShown = text !== '';
  const state = isShown && context.flags.reasoningReplay === 'never' ? noState(context) : reasoningEntry(keys, context);
  const part: ReasoningPart = {
    kind: 'reasoning',
    text: isShown ? [text] : [],
    ...(!isShown && { redacted: true }),
    state: [state],
    src: { ptr: thought.ptr, raw: keys },
  };
  const ix = thought.ix ?? takeIx(reader);
  if (thought.ix === undefined) reader.emit({ type: 'part.start', ix, part });
  else reader.emit({ type: 'part.state', ix, entries: [state] });
  reader.emit({ type: 'part.end', ix, part });
}

/** Text in which there may be thoughts, as long as none came under a key of their own [H §8.3]. */
function addContent(reader: PartReader, content: string, ptr: string): void {
  if (content === '') return;
  if (reader.inline === undefined || reader.followed.key !== undefined) {
    addText(reader, 'text', content, `${ptr}/content`);
  } else {
    addSplit(reader, reader.inline.push(content), ptr);
  }
}

function addSplit(reader: PartReader, { thought, raw, text }: Split, ptr: string): void {
  if (raw !== '') {
    const open = openThought(reader, ptr);
    open.thoughts.addInline(thought, raw);
    showThought(reader, open, thought);
  }
  addText(reader, 'text', text, `${ptr}/content`);
}

function addChunks(reader: PartReader, chunks: readonly unknown[], ptr: string): void {
  for (const [index, chunk] of chunks.entries()) {
    if (!isObject(chunk) || isThinkingChunk(chunk)) continue;
    const at = `${ptr}/content/${index}`;
    if (chunk.type === 'text' && typeof chunk.text === 'string') addText(reader, 'text', chunk.text, `${ptr}/content`);
    else if (chunk.type === 'refusal' && typeof chunk.refusal === 'string')
      addText(reader, 'refusal', chunk.refusal, at);
    else addWhole(reader, opaque(chunk, at));
  }
}

function addText(reader: PartReader, kind: OpenText['kind'], value: string, ptr: string): void {
  if (value === '') return;
  if (reader.text?.kind !== kind) {
    closeThought(reader);
    closeText(reader);
    announceCalls(reader);
    const text = createPackedBuffer();
    const open: OpenText = { kind, ix: takeIx(reader), text, tokens: kind === 'text' ? reader.early : [], ptr };
    if (kind === 'text') reader.early = [];
    reader.text = open;
    const part: Part = { kind, text: '', src: { ptr } };
    reader.emit({ type: 'part.start', ix: open.ix, part, said: () => text.read() });
  }
  const { ix, text } = reader.text ?? { ix: 0, text: createPackedBuffer() };
  text.add(value);
  if (kind === 'refusal') reader.refused.add(value);
  else reader.said = true;
  reader.emit({ type: 'part.delta', ix, op: kind, value });
}

function closeText(reader: PartReader, citations: readonly Citation[] = []): void {
  const { text: open } = reader;
  if (open === undefined) return;
  reader.text = undefined;
  const { kind, ix, ptr, tokens } = open;
  const text = open.text.read();
  if (kind === 'refusal') {
    reader.emit({ type: 'part.end', ix, part: { kind, text, src: { ptr } } });
    return;
  }
  const part: TextPart = {
    kind,
    text,
    ...(citations.length > 0 && { citations }),
    ...(tokens.length > 0 && { logprobs: tokens }),
    src: { ptr },
  };
  if (tokens.length > 0) reader.emit({ type: 'part.logprobs', ix, tokens });
  reader.emit({ type: 'part.end', ix, part });
  reader.texts.push({ ix, start: reader.length, text });
  reader.length += text.length;
}

/** Adds a part that comes at once; what was said in front of it ends. */
export function addWhole(reader: PartReader, part: Part): void {
  announceCalls(reader);
  const ix = reader.takeIx();
  reader.emit({ type: 'part.start', ix, part });
  reader.emit({ type: 'part.end', ix, part });
}

/**
 * Ends everything. `cut`: the answer was cut. `sources` are those that the server lists beside the answer; they belong to
 * the last text, others to the text in which they begin.
 */
export function endParts(reader: PartReader, cut: boolean, sources: readonly Citation[]): void {
  if (reader.inline !== undefined) addSplit(reader, reader.inline.end(cut), '/choices/0/message');
  closeThought(reader);
  const open = reader.text?.kind === 'text' ? reader.text : undefined;
  const texts = open === undefined ? reader.texts : [...reader.texts, placed(reader, open)];
  const cited = placeCitations(reader.annotations, sources, texts);
  const last = open === undefined ? [] : (cited.get(open.ix) ?? []);
  for (const citation of last) reader.emit({ type: 'part.citation', ix: open?.ix ?? 0, citation });
  closeText(reader, last);
  endCalls(reader, cut);
  for (const [ix, citations] of cited) {
    if (ix !== open?.ix) for (const citation of citations) reader.emit({ type: 'part.citation', ix, citation });
  }
}

function placed({ length }: PartReader, { ix, text }: OpenText): PlacedText {
  return { ix, start: length, text: text.read() };
}
