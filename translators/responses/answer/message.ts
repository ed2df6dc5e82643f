import { type PartHandler, remainder, type Writing, writingOf } from '../../answer/writer.js';
import type { Citation, RefusalPart, TextPart, TokenLogprob } from '../../canonical/content.js';
import type { JsonObject } from '../../canonical/node.js';
import { type AppendedText, createAppendedText } from '../../wire/appended-text.js';
import { escapeText } from '../../wire/json.js';
import { createGrowingOffsets, type GrowingOffsets } from '../../wire/utf8.js';
import { encodeAnnotation, reportText } from '../content/citations.js';
import { encodeOutputPart } from '../content/encode.js';
import { encodeAssistantMessage, type MessagePart, sharesMessage } from '../content/messages.js';
import { NATIVE, type Printer } from '../nodes.js';
import { announce, deltaHead, itemMembers, type OpenMessage, type Port } from './items.js';
import { closeOpen, holdState, type Output, portFor, settleState } from './output.js';

interface Content {
  readonly index: number;
  readonly members: string;
  readonly type: 'text' | 'refusal';
  readonly deltaHead: string;
  part: TextPart | RefusalPart;
  /** What its deltas said; a part that is whole holds its text itself. */
  readonly text: AppendedText;
  /** Offsets into that text, from the first citation on. */
  offsets?: GrowingOffsets;
  citations: Citation[];
  /** How many annotations were sent. */
  sent: number;
  whole: boolean;
}

/** What is known of a message until it is closed. */
interface MessageState {
  readonly port: Port;
  readonly head: MessagePart;
  readonly printer: Printer;
  readonly done: MessagePart[];
  readonly late: Map<number, Citation[]>;
  content: Content | undefined;
}

/** Opens a message and announces it. Native parts are printed as they came, others with every key of a fresh answer. */
function openMessage(port: Port, head: MessagePart, printer: Printer): OpenMessage {
  const done: MessagePart[] = [];
  /** Citations of content parts that were closed before, by index. */
  const late = new Map<number, Citation[]>();

  const state: MessageState = { port, head, printer, done, late, content: undefined };

  announce(port, envelope(state, 'in_progress', []));
  return {
    kind: 'message',
    head,
    begin: (part, text) => begin(state, part, text),
    delta: (value) => delta(state, value),
    citation: (cited) => citation(state, cited),
    citeClosed(index, cited) {
      const list = late.get(index);
      if (list === undefined) late.set(index, [cited]);
      else list.push(cited);
    },
    addTokens(index, tokens) {
      const part = state.content?.index === index ? state.content.part : done[index];
      if (part?.kind !== 'text') return;
      if (state.content?.index === index) state.content.part = { ...part, logprobs: tokens };
      else done[index] = { ...part, logprobs: tokens };
    },
    end: (part) => end(state, part),
    addRaw(part) {
      closeContent(state);
      const members = `${itemMembers(port)},"content_index":${done.length},"part":${JSON.stringify(print(state, part))}`;
      done.push(part);
      port.frame?.('response.content_part.added', members);
      port.frame?.('response.content_part.done', members);
    },
    snapshot() {
      const parts = state.content === undefined ? closed(state) : [...closed(state), finishedPart(state.content)];
      return envelope(
        state,
        'in_progress',
        parts.map((part) => print(state, part)),
      );
    },
    close(cut) {
      closeContent(state);
      if (printer.native && !cut) return { ...encodeAssistantMessage(closed(state), NATIVE), id: port.id };
      return envelope(
        state,
        cut ? 'incomplete' : 'completed',
        closed(state).map((part) => print(state, part)),
      );
    },
  };
}

function envelope(state: MessageState, status: string, parts: readonly JsonObject[]): JsonObject {
  return {
    id: state.port.id,
    type: 'message',
    status,
    role: 'assistant',
    content: parts,
    ...(state.head.phase !== undefined && { phase: state.head.phase }),
  };
}

function print(state: MessageState, part: MessagePart): JsonObject {
  return encodeContent(part, state.printer);
}

function closed(state: MessageState): MessagePart[] {
  return state.late.size === 0
    ? state.done
    : state.done.map((part, index) => {
        const added = state.late.get(index);
        return part.kind !== 'text' || added === undefined
          ? part
          : { ...part, citations: [...(part.citations ?? []), ...added] };
      });
}

function begin(state: MessageState, part: TextPart | RefusalPart, text: AppendedText): number {
  closeContent(state);
  const index = state.done.length;
  const members = `${itemMembers(state.port)},"content_index":${index}`;
  const type = part.kind;
  state.content = {
    index,
    members,
    type,
    deltaHead: deltaHead(members),
    part,
    text,
    citations: [],
    sent: 0,
    whole: false,
  };
  const empty = type === 'text' ? EMPTY_TEXT : EMPTY_REFUSAL;
  state.port.frame?.('response.content_part.added', `${members},"part":${empty}`);
  return index;
}

function delta(state: MessageState, value: string): void {
  if (state.content === undefined || value === '') return;
  state.content.text.add(value);
  state.content.offsets?.add(value);
  if (state.port.frame === undefined) return;
  const printed = state.content.deltaHead + escapeText(value);
  if (state.content.type === 'text') state.port.frame('response.output_text.delta', `${printed}","logprobs":[]`);
  else state.port.frame('response.refusal.delta', `${printed}"`);
}

function annotate(state: MessageState, open: Content, annotation: JsonObject): void {
  const members = `${open.members},"annotation_index":${open.sent},"annotation":${JSON.stringify(annotation)}`;
  state.port.frame?.('response.output_text.annotation.added', members);
  open.sent += 1;
}

/** Citations inside the text go out as soon as their text did. */
function citation(state: MessageState, cited: Citation): void {
  if (state.content === undefined || state.content.type !== 'text') return;
  state.content.citations.push(cited);
  if (state.content.whole || state.content.citations.length !== state.content.sent + 1) return;
  if (cited.span === undefined || cited.span.end > state.content.text.length) return;
  if (state.content.offsets === undefined) {
    state.content.offsets = createGrowingOffsets('codePoint');
    state.content.offsets.add(state.content.text.read());
  }
  annotate(state, state.content, encodeAnnotation(cited, state.content.text.length, state.content.offsets));
}

function end(state: MessageState, part: TextPart | RefusalPart): void {
  if (state.content === undefined) return;
  delta(state, remainder(part.text, state.content.text.read()));
  state.content = { ...state.content, part, text: createAppendedText(), whole: true, citations: [] };
}

function finishedPart(open: Content): TextPart | RefusalPart {
  const part = open.whole ? open.part : { ...open.part, text: open.text.read() };
  if (part.kind !== 'text' || open.citations.length === 0) return part;
  return { ...part, citations: open.whole ? [...(part.citations ?? []), ...open.citations] : open.citations };
}

function closeContent(state: MessageState): void {
  const open = state.content;
  if (open === undefined) return;
  state.content = undefined;
  const part = finishedPart(open);
  const printed = print(state, part);
  state.done.push(part);
  if (state.port.frame === undefined) return;
  if (part.kind === 'text') {
    const annotations = Array.isArray(printed.annotations) ? printed.annotations : [];
    for (let index = open.sent; index < annotations.length; index += 1) annotate(state, open, annotations[index]);
    // Events have tokens without bytes; the part that follows has both.
    const logprobs = JSON.stringify((part.logprobs ?? []).map(withoutBytes));
    state.port.frame(
      'response.output_text.done',
      `${open.members},"text":${JSON.stringify(part.text)},"logprobs":${logprobs}`,
    );
  } else {
    state.port.frame('response.refusal.done', `${open.members},"refusal":${JSON.stringify(part.text)}`);
  }
  state.port.frame('response.content_part.done', `${open.members},"part":${JSON.stringify(printed)}`);
}

function withoutBytes({ token, logprob, top }: TokenLogprob): JsonObject {
  return { token, logprob, top_logprobs: top.map((other) => ({ token: other.token, logprob: other.logprob })) };
}

const EMPTY_TEXT = '{"type":"output_text","text":"","annotations":[],"logprobs":[]}';
const EMPTY_REFUSAL = '{"type":"refusal","refusal":""}';

/** A content part of an answer: fresh ones always have both lists [R §4.3 rule 1]. */
function encodeContent(part: MessagePart, printer: Printer): JsonObject {
  const printed = encodeOutputPart(part, printer);
  if (!printer.native && part.kind === 'text' && printed.logprobs === undefined) printed.logprobs = [];
  return printed;
}

/** The open message if the part belongs to it, else a new one. */
export function messageFor(output: Output, head: MessagePart): OpenMessage {
  settleState(output);
  if (output.open?.kind === 'message' && sharesMessage(output.open.head, head)) return output.open;
  closeOpen(output);
  const message = openMessage(portFor(output, 'message', head.id), head, output.printer);
  output.open = message;
  return message;
}

/** Texts and refusals are contents of a message, which is opened by the first word. */
export const text: PartHandler<Output, TextPart | RefusalPart> = {
  begin: (output, { head }) => settleState(output, head.state),
  state(output, { head, opened }, entries) {
    if ((head.state?.length ?? 0) > 0) return;
    if (opened) holdState(output, entries);
    else settleState(output, entries);
  },
  delta(output, writing, { value }) {
    if (value !== '') messageOf(output, writing).delta(value);
  },
  end(output, writing, part) {
    if (part.text === '' && !output.own && !writing.opened) return;
    if (part.kind === 'text' && !output.own) reportText(part, output.losses);
    messageOf(output, writing).end(part);
    const slot = output.slots.get(writing.ix);
    if (slot !== undefined) slot.ended = true;
  },
};

function messageOf(output: Output, writing: Writing<TextPart | RefusalPart>): OpenMessage {
  const { ix, head, written } = writing;
  if (writing.opened && output.open?.kind === 'message') return output.open;
  writing.opened = true;
  const message = messageFor(output, head);
  output.slots.set(ix, { item: output.items.length, content: message.begin(head, written), ended: false });
  output.cited = { ix, message };
  output.refused ||= head.kind === 'refusal';
  return message;
}

/** Adds a text that is no part of the answer. */
export function addText(output: Output, part: TextPart | RefusalPart): void {
  const writing = writingOf(-1, part, createAppendedText());
  text.begin?.(output, writing);
  text.end(output, writing, part);
}
