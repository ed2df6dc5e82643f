import { dropForeign, mintAnswerCallId, packState } from '../../adapt/index.js';
import type {
  CallPart,
  HostedCallPart,
  HostedResultPart,
  MediaPart,
  Part,
  ReasoningPart,
  RefusalPart,
  TextPart,
} from '../../canonical/content.js';
import type { StreamEvent } from '../../canonical/events.js';
import type { Losses } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
import type { StateEntry } from '../../canonical/state.js';
import { createOffsetIndex, type OffsetIndex } from '../../wire/utf8.js';
import { encodeAnnotation, encodeLogprobs, isAnnotated, reportCitation, reportText } from '../content/citations.js';
import { encodeItem } from '../content/items.js';
import { isMessagePart, type MessagePart, sharesMessage } from '../content/messages.js';
import type { Printer } from '../nodes.js';
import { containerId, DIALECT, FOREIGN, itemId, NATIVE } from '../nodes.js';
import { encodeFamilyCall } from '../tools/client-items.js';
import { hostedType, isShown, type OpenHosted, openHosted } from '../tools/hosted/encode.js';
import { reportHosted } from '../tools/hosted/report.js';
import { announce, encodeOpenFamilyCall, type FrameSink, type OpenCall, openCall, type Port } from './items.js';
import { type OpenMessage, openMessage } from './message.js';
import { createSerializer, type PartEvent, type Session, type Sessions } from './queue.js';
import { type OpenReasoning, openReasoning } from './reasoning.js';

/** Makes output items of canonical parts: the one mapper for streamed and whole answers (translation.md 6.7). */
export interface AnswerWriter {
  write(event: PartEvent): void;
  /** Ends everything. `cut`: the answer broke off, so what is open stays incomplete. */
  finish(cut: boolean): void;
  /** Adds the words of a refusal that stand in no part. */
  refuse(words: string): void;
  /** Whether a refusal stands in the output. */
  readonly refused: boolean;
  /** Whether a summary stands in the output. */
  readonly compacted: boolean;
  readonly items: readonly JsonObject[];
  /** Finished items as text. Empty where nobody listens. */
  readonly texts: readonly string[];
  /** The item that is open, as it stands. */
  snapshot(): JsonObject | undefined;
}

/** What a writer needs to know of the answer. */
interface AnswerWriterOptions {
  readonly responseId: string;
  /** The answer came from this dialect: ids and items are printed as they came. */
  readonly native: boolean;
  readonly losses: Losses;
  readonly frame?: FrameSink;
}

/** Says that reasoning was shown whose issuer gave no state, so that it is recognised when it comes back. */
const NO_STATE: StateEntry = { dialect: 'none', domain: 'none', kind: 'none', payload: '' };

type Open = OpenMessage | OpenReasoning | OpenCall | OpenHosted;

/** Where a text stands in the output. */
interface Place {
  readonly item: number;
  readonly content: number;
}

/** What is known of an answer between its events. */
interface AnswerState {
  readonly responseId: string;
  readonly native: boolean;
  readonly losses: Losses;
  readonly frame: FrameSink | undefined;
  readonly printer: Printer;
  readonly items: JsonObject[];
  readonly texts: string[];
  readonly changed: Set<number>;
  /** Offsets into texts of finished items that are cited late, by part. */
  readonly offsets: Map<number, OffsetIndex>;
  readonly places: Map<number, Place>;
  readonly ended: Set<number>;
  readonly lostCalls: Set<string>;
  /** State that waits for the next carrier (translation.md 4.3). */
  waiting: StateEntry[];
  /** State of the open reasoning item. */
  reasoningState: readonly StateEntry[];
  open: Open | undefined;
  cited: { readonly ix: number; readonly message: OpenMessage } | undefined;
  awaited: string | undefined;
  /** The hosted call whose item is open. */
  asked: HostedCallPart | undefined;
  refused: boolean;
}

/** A writer for one answer. */
export function createAnswerWriter(options: AnswerWriterOptions): AnswerWriter {
  const { responseId, native, losses, frame } = options;
  const printer = native ? NATIVE : FOREIGN;
  const items: JsonObject[] = [];
  const texts: string[] = [];
  /** Finished items that changed since: their texts are printed anew when somebody reads them. */
  const changed = new Set<number>();

  /** Texts that were given whole. */
  const ended = new Set<number>();

  const answer: AnswerState = {
    responseId,
    native,
    losses,
    frame,
    printer,
    items,
    texts,
    changed,
    offsets: new Map<number, OffsetIndex>(),
    places: new Map<number, Place>(),
    ended,
    lostCalls: new Set<string>(),
    waiting: [],
    reasoningState: [],
    open: undefined,
    cited: undefined,
    awaited: undefined,
    asked: undefined,
    refused: false,
  };

  const sessions: Sessions = {
    begin: (ix, head, said) => begin(answer, ix, head, said),
    tokens: (value) => addTokens(answer, value),
    citation(event) {
      if (!native && ended.has(event.ix)) reportCitation(event.citation, losses);
      if (!isAnnotated(event.citation)) return;
      if (answer.cited?.ix === event.ix) answer.cited.message.citation(event.citation);
      else if (!native) citeLate(answer, event);
    },
    get awaited() {
      return answer.awaited;
    },
    abandon(cut) {
      closeOpen(answer, [], cut || answer.awaited !== undefined);
    },
  };
  const serializer = createSerializer(sessions);

  return {
    write: serializer.write,
    finish(cut) {
      serializer.finish(cut);
      if (answer.waiting.length > 0) addState(answer, answer.waiting);
      answer.waiting = [];
    },
    refuse(words) {
      // What waits for the result of a hosted call stands before the words of the end.
      serializer.finish(false);
      addText(answer, { kind: 'refusal', text: words });
    },
    get compacted() {
      return items.some((item) => item.type === 'compaction');
    },
    get refused() {
      return answer.refused;
    },
    items,
    get texts() {
      if (frame !== undefined) for (const index of changed) texts[index] = JSON.stringify(items[index]);
      changed.clear();
      return texts;
    },
    snapshot: () => answer.open?.snapshot(),
  };
}

function portFor(answer: AnswerState, type: string, id?: string): Port {
  const index = answer.items.length;
  return { id: (answer.native ? id : undefined) ?? itemId(type, answer.responseId, index), index, frame: answer.frame };
}

function keep(answer: AnswerState, item: JsonObject): void {
  const index = answer.items.length;
  answer.items.push(item);
  if (answer.frame === undefined) return;
  const text = JSON.stringify(item);
  answer.texts.push(text);
  answer.frame('response.output_item.done', `"output_index":${index},"item":${text}`);
}

/** Closes what is open. The carrier of a reasoning item also takes the state of the part that comes next. */
function closeOpen(answer: AnswerState, next: readonly StateEntry[] = [], cut = false): void {
  const item = answer.open;
  if (item === undefined) return;
  answer.open = undefined;
  answer.cited = undefined;
  answer.awaited = undefined;
  if (item.kind === 'reasoning' && !answer.native)
    item.seal({ encrypted_content: carrierOf([...answer.reasoningState, ...next], answer.losses) });
  answer.reasoningState = [];
  keep(answer, item.close(cut));
}

function addItem(answer: AnswerState, item: JsonObject, port: Port): void {
  announce(port, { ...item, id: port.id });
  keep(answer, { ...item, id: port.id });
}

/** An item that shows nothing and carries state. */
function addState(answer: AnswerState, entries: readonly StateEntry[]): void {
  closeOpen(answer);
  const port = portFor(answer, 'reasoning');
  announce(port, { id: port.id, type: 'reasoning', summary: [] });
  keep(answer, { id: port.id, type: 'reasoning', summary: [], encrypted_content: packState(entries, answer.losses) });
}

/** Before a part that is no reasoning: its state joins the reasoning in front of it, or gets an item of its own. */
function settle(answer: AnswerState, entries: readonly StateEntry[]): void {
  if (answer.open?.kind === 'reasoning') {
    closeOpen(answer, answer.native ? [] : [...answer.waiting, ...entries]);
    answer.waiting = [];
  } else if (!answer.native && answer.waiting.length + entries.length > 0) {
    const all = [...answer.waiting, ...entries];
    answer.waiting = [];
    addState(answer, all);
  }
}

function openFor(answer: AnswerState, head: MessagePart): OpenMessage {
  settle(answer, []);
  if (answer.open?.kind === 'message' && sharesMessage(answer.open.head, head)) return answer.open;
  closeOpen(answer);
  const message = openMessage(portFor(answer, 'message', head.id), head, answer.printer);
  answer.open = message;
  return message;
}

function beginText(answer: AnswerState, ix: number, head: TextPart | RefusalPart, said?: () => string): Session {
  const early = head.state ?? [];
  let message: OpenMessage | undefined;
  settle(answer, early);
  const ensure = (): OpenMessage => {
    if (message !== undefined) return message;
    message = openFor(answer, head);
    answer.places.set(ix, { item: answer.items.length, content: message.begin(head, said) });
    answer.cited = { ix, message };
    answer.refused ||= head.kind === 'refusal';
    return message;
  };
  return {
    delta(event) {
      if (event.value !== '') ensure().delta(event.value);
    },
    state(entries) {
      if (answer.native || early.length > 0) return;
      if (message === undefined) settle(answer, entries);
      else answer.waiting.push(...entries);
    },
    end(part) {
      if (part.kind !== 'text' && part.kind !== 'refusal') return;
      if (part.text === '' && !answer.native && message === undefined) return;
      if (part.kind === 'text' && !answer.native) reportText(part, answer.losses);
      ensure().end(part);
      answer.ended.add(ix);
    },
  };
}

function beginReasoning(answer: AnswerState, head: ReasoningPart): Session {
  let item: OpenReasoning | undefined;
  let state = head.state ?? [];
  const ensure = (): OpenReasoning => {
    if (item !== undefined) return item;
    closeOpen(answer);
    item = openReasoning(portFor(answer, 'reasoning', head.id));
    answer.open = item;
    return item;
  };
  return {
    delta(event) {
      if (event.op === 'reasoning' || event.op === 'raw') ensure().delta(event.op, event.value, event.sub ?? 0);
    },
    state(entries) {
      state = entries;
    },
    end(part) {
      if (part.kind !== 'reasoning') return;
      const entries = part.state ?? state;
      const shows = part.text.length > 0 || (part.raw?.length ?? 0) > 0;
      if (!shows && !answer.native && item === undefined && entries.every((entry) => entry.kind === 'none')) return;
      const reasoning = ensure();
      reasoning.end(part);
      if (answer.native) {
        const { id: _id, type: _type, ...fields } = encodeItem(part, NATIVE) ?? {};
        reasoning.seal(fields);
        return;
      }
      answer.reasoningState = [...answer.waiting, ...entries];
      answer.waiting = [];
    },
  };
}

function beginCall(answer: AnswerState, ix: number, given: CallPart): Session {
  if (given.family !== undefined) return answer.native ? wholeItem(answer) : familyCall(answer, ix);
  const head =
    given.callId === '' && !answer.native
      ? { ...given, callId: mintAnswerCallId(answer.responseId, ix, given.name) }
      : given;
  const early = head.state ?? [];
  settle(answer, early);
  closeOpen(answer);
  const type = head.freeform === undefined ? 'function_call' : 'custom_tool_call';
  const item = openCall(portFor(answer, type, head.id), head, answer.printer);
  answer.open = item;
  return {
    delta: (event) => item.delta(event.value),
    state(entries) {
      if (!answer.native && early.length === 0) answer.waiting.push(...entries);
    },
    end(part) {
      if (part.kind === 'call') item.end(part);
      closeOpen(answer);
    },
  };
}

/** A call of a built-in tool of the client comes whole. */
function familyCall(answer: AnswerState, ix: number): Session {
  return {
    delta: () => {},
    state: () => {},
    end(part) {
      if (part.kind !== 'call') return;
      settle(answer, part.state ?? []);
      closeOpen(answer);
      const callId = part.callId === '' ? mintAnswerCallId(answer.responseId, ix, part.name) : part.callId;
      const item = encodeFamilyCall({ ...part, callId });
      if (item !== undefined) keep(answer, encodeOpenFamilyCall(portFor(answer, String(item.type)), item));
    },
  };
}

function beginHosted(answer: AnswerState, head: HostedCallPart): Session {
  if (!isShown(head.family)) {
    answer.lostCalls.add(head.callId);
    return lost(answer, head, 'hosted.call');
  }
  settle(answer, []);
  closeOpen(answer);
  const item = openHosted(portFor(answer, hostedType(head.family), head.id), head, containerId(answer.responseId));
  answer.open = item;
  return {
    delta: (event) => item.delta(event.value),
    state: () => {},
    end(part) {
      if (part.kind !== 'hostedCall') return;
      item.endCall(part);
      answer.asked = part;
      if (!answer.native) reportHosted(part, answer.losses);
      takeHostedState(answer, item, part);
      // An item of this dialect that is not finished has no second half.
      if (answer.native && part.state !== undefined) closeOpen(answer);
      else answer.awaited = part.callId;
    },
  };
}

function takeHostedState(answer: AnswerState, item: OpenHosted, part: HostedCallPart | HostedResultPart): void {
  if (!answer.native) {
    answer.waiting.push(...(part.state ?? []));
    return;
  }
  const node = encodeItem(part, NATIVE);
  if (node !== undefined) item.seal(node);
}

function beginResult(answer: AnswerState, head: HostedResultPart): Session {
  return {
    delta: () => {},
    state: () => {},
    end(part) {
      if (part.kind !== 'hostedResult') return;
      if (answer.open?.kind !== 'hosted' || answer.awaited !== head.callId) {
        if (!answer.lostCalls.has(head.callId))
          answer.losses.add(part.src?.ptr ?? '', 'hosted.output', 'dropped', 'its call is not in the answer');
        hold(answer, part);
        return;
      }
      answer.open.endResult(part);
      if (!answer.native) reportHosted(part, answer.losses, answer.asked);
      takeHostedState(answer, answer.open, part);
      closeOpen(answer);
    },
  };
}

function beginMedia(answer: AnswerState, head: MediaPart): Session {
  return {
    delta: () => {},
    state: () => {},
    end(part) {
      if (part.kind !== 'media') return;
      const ptr = part.src?.ptr ?? '';
      if (part.thought === true) {
        answer.losses.add(ptr, 'part.media', 'dropped', 'pictures of the thinking are not shown');
        hold(answer, part);
      } else if (part.class !== 'image' || part.data.from !== 'base64') {
        answer.losses.add(ptr, 'part.media', 'approximated', `the ${part.class} was left out`);
        addText(answer, {
          kind: 'text',
          text: `[${part.class} omitted: ${part.mime ?? 'unknown type'}]`,
          state: part.state,
        });
      } else {
        if (part.filename !== undefined)
          answer.losses.add(ptr, 'part.media.filename', 'dropped', 'a picture that was made has no name here');
        addImage(answer, head, part.data.base64, part.mime);
      }
    },
  };
}

function addImage(answer: AnswerState, head: MediaPart, base64: string, mime: string | undefined): void {
  settle(answer, head.state ?? []);
  closeOpen(answer);
  const port = portFor(answer, 'image_generation_call');
  const callId = port.id;
  const item = openHosted(port, { kind: 'hostedCall', callId, family: 'imageGen', input: {} }, '');
  item.endResult({ kind: 'hostedResult', callId, family: 'imageGen', output: { base64, mime } });
  keep(answer, item.close(false));
}

function addText(answer: AnswerState, part: TextPart | RefusalPart): void {
  beginText(answer, -1, part).end(part);
}

function lost(
  answer: AnswerState,
  head: Part,
  feature: 'hosted.call' | 'part.opaque' | 'part.handover' | 'part.approval' | 'part.compaction',
): Session {
  answer.losses.add(head.src?.ptr ?? '', feature, 'dropped', 'there is no item for it here');
  return { delta: () => {}, state: () => {}, end: (part) => hold(answer, part) };
}

/** Lets the state of a part that shows nothing wait for the next carrier. */
function hold(answer: AnswerState, part: Part): void {
  if (!answer.native) answer.waiting.push(...(part.state ?? []));
}

/** Items without deltas: of this dialect as they came, and another's compaction, whose state is carried. */
function wholeItem(answer: AnswerState): Session {
  return {
    delta: () => {},
    state: () => {},
    end(part) {
      if (answer.native && part.kind === 'opaque' && isMessagePart(part)) {
        openFor(answer, part).addRaw(part);
        return;
      }
      settle(answer, []);
      closeOpen(answer);
      const item = answer.native
        ? encodeItem(part, NATIVE)
        : { type: 'compaction', encrypted_content: packState(part.state ?? [], answer.losses) };
      if (item !== undefined)
        addItem(answer, item, portFor(answer, String(item.type), typeof item.id === 'string' ? item.id : part.id));
    },
  };
}

function begin(answer: AnswerState, ix: number, head: Part, said?: () => string): Session {
  const session = sessionFor(answer, ix, head, said);
  if (answer.native) return session;
  return {
    delta: session.delta,
    state: session.state,
    end(part) {
      dropForeign(part, DIALECT, answer.losses);
      session.end(part);
    },
  };
}

function sessionFor(answer: AnswerState, ix: number, head: Part, said: (() => string) | undefined): Session {
  switch (head.kind) {
    case 'text':
    case 'refusal':
      return beginText(answer, ix, head, said);
    case 'reasoning':
      return beginReasoning(answer, head);
    case 'call':
      return beginCall(answer, ix, head);
    case 'hostedCall':
      return beginHosted(answer, head);
    case 'hostedResult':
      return beginResult(answer, head);
    case 'media':
      return beginMedia(answer, head);
    case 'compaction':
      return wholeItem(answer);
    case 'approval':
      return answer.native ? wholeItem(answer) : lost(answer, head, 'part.approval');
    case 'handover':
      return lost(answer, head, 'part.handover');
    default:
      return answer.native ? wholeItem(answer) : lost(answer, head, 'part.opaque');
  }
}

/** A text that is closed cannot be cited by an event any more; the whole answer at the end still shows it. */
function citeLate(answer: AnswerState, { ix, citation }: Extract<StreamEvent, { type: 'part.citation' }>): void {
  const place = answer.places.get(ix);
  if (place !== undefined && place.item === answer.items.length && answer.open?.kind === 'message') {
    answer.open.citeClosed(place.content, citation);
    return;
  }
  const content: unknown = place === undefined ? undefined : Reflect.get(Object(answer.items[place.item]), 'content');
  const part: unknown = Array.isArray(content) ? content[place?.content ?? -1] : undefined;
  const text: unknown = Reflect.get(Object(part), 'text');
  const annotations: unknown = Reflect.get(Object(part), 'annotations');
  if (place === undefined || typeof text !== 'string' || !Array.isArray(annotations)) return;
  const known = answer.offsets.get(ix) ?? createOffsetIndex(text, 'codePoint');
  answer.offsets.set(ix, known);
  annotations.push(encodeAnnotation(citation, text.length, known));
  answer.changed.add(place.item);
}

/** Log probabilities that come when their text is closed stand in the item alone. */
function addTokens(answer: AnswerState, { ix, tokens }: Extract<StreamEvent, { type: 'part.logprobs' }>): void {
  const place = answer.places.get(ix);
  if (answer.native || place === undefined || !answer.ended.has(ix)) return;
  reportText({ kind: 'text', text: '', logprobs: tokens }, answer.losses);
  if (place.item === answer.items.length && answer.open?.kind === 'message') {
    answer.open.addTokens(place.content, tokens);
    return;
  }
  const content: unknown = Reflect.get(Object(answer.items[place.item]), 'content');
  const part: unknown = Array.isArray(content) ? content[place.content] : undefined;
  if (typeof part !== 'object' || part === null) return;
  Reflect.set(part, 'logprobs', encodeLogprobs(tokens));
  answer.changed.add(place.item);
}

/** The carrier of a reasoning item. That there is no state is said only when nothing else is in it. */
function carrierOf(entries: readonly StateEntry[], losses: Losses): string {
  const held = entries.filter((entry) => entry.kind !== 'none');
  if (held.length > 0) return packState(held, losses);
  return packState(entries.length > 0 ? entries : [NO_STATE]);
}
