import { legalCallId, mintTailedCallId, pictureLink } from '../../adapt/index.js';
import type { CallPart, Citation, MediaPart, Part, TextPart } from '../../canonical/content.js';
import type { Feature, Losses } from '../../canonical/loss.js';
import { type JsonObject, ptrOf } from '../../canonical/node.js';
import type { CanonicalRequest } from '../../canonical/request.js';
import type { EncodeResponseContext } from '../../dialect.js';
import { isObject, lookUp, parseJson } from '../../wire/json.js';
import type { Written } from '../../wire/written.js';
import { type Carriers, encodeOwnCallState } from '../content/state.js';
import { bagOf } from '../nodes.js';
import { HOSTED_LOSSES } from '../tools/hosted/encode.js';

/** Takes what an answer is made of: the deltas of a stream, or the members of a whole message. */
export interface MessageSink {
  /** Whether what was written is with the client already. */
  readonly streams: boolean;
  /** Adds to a text of the message: its content, its refusal, or its thoughts under one of their keys. */
  text(key: string, value: string): void;
  /** A call without its arguments; those of the one before are whole. */
  openCall(call: CallHead): void;
  /** Adds to the arguments of the open call. */
  addArguments(value: string): void;
  /** Members that come once and whole. */
  put(members: JsonObject): void;
  /** Log probabilities of a text or a refusal. */
  tokens(key: 'content' | 'refusal', list: readonly JsonObject[]): void;
}

/** How a call begins. */
export interface CallHead {
  readonly id: string;
  readonly name: string;
  /** Its input is free text. */
  readonly custom: boolean;
  readonly extra: JsonObject;
  /** The form of before there were several calls [H §4.5]. */
  readonly legacy: boolean;
}

/** A call as a member of a message, with its arguments so far. */
export function headNode({ id, name, custom, extra }: CallHead, text: string): JsonObject {
  return custom
    ? { id, type: 'custom', custom: { name, input: text }, ...extra }
    : { id, type: 'function', function: { name, arguments: text }, ...extra };
}

/** A part on its way. */
export interface Writing {
  readonly ix: number;
  readonly head: Part;
  readonly text: Written;
  opened: boolean;
  held: boolean;
  /** Which of the two texts of a thought is shown: the one that comes first. */
  channel: 'reasoning' | 'raw' | undefined;
  paragraph: number;
}

/** A text that was written, and how many code points of content stand in front of it. */
interface CitedText {
  readonly part: TextPart;
  readonly base: number;
  readonly citations: Citation[];
}

/** A call, the text of its arguments, and its place among the calls, from 1. */
interface WrittenCall {
  readonly part: CallPart;
  readonly text: string;
  readonly place: number;
}

/** What is known of an answer between its parts. */
export interface WriterState {
  /** The answer is one of this dialect. */
  readonly own: boolean;
  readonly sink: MessageSink;
  readonly context: EncodeResponseContext;
  readonly losses: Losses;
  readonly carriers: Carriers;
  readonly ids: AnswerIds;
  /** The client knows one call only [H §4.5]. */
  readonly legacy: boolean;
  current: Writing | undefined;
  /** Pictures, which come in one list: of several lists clients keep the last [H §7.4]. */
  readonly pictures: JsonObject[];
  /** Calls for pictures that have not come. */
  readonly drawing: Map<string, Part>;
  readonly texts: Map<number, CitedText>;
  calls: number;
  /** The calls of another service: whether the client takes them for whole is known at the end. */
  readonly written: WrittenCall[];
  /** Code points of content so far. */
  length: number;
  refused: boolean;
  /** The client has something to read. */
  said: boolean;
  thought: boolean;
  /** A text stood behind a call. */
  moved: boolean;
}

/** Between what the source has apart and one text holds here. */
export const PARAGRAPH = '\n\n';

/** Lets the state of a part wait for its carrier, once. */
export function hold(state: WriterState, writing: Writing, entries: Part['state']): void {
  if (state.own || writing.held || entries === undefined) return;
  writing.held = true;
  if (state.context.asIssuer === true) issue(state.sink, entries);
  else state.carriers.hold(entries);
}

/** A service gives its own state to its own clients as it is. */
function issue(sink: MessageSink, entries: NonNullable<Part['state']>): void {
  for (const { payload } of entries) {
    const parsed = parseJson(payload);
    if (parsed.ok && isObject(parsed.value)) sink.put(parsed.value);
  }
}

export function writeArguments(state: WriterState, writing: Writing, call: CallPart, value: string): void {
  if (!writing.opened) openCall(state, writing, call);
  writing.text.add(value);
  if (!isLeftOut(state)) state.sink.addArguments(value);
}

/** Whether the call that is open is one too many. */
function isLeftOut({ legacy, calls }: WriterState): boolean {
  return legacy && calls > 1;
}

function openCall(state: WriterState, writing: Writing, call: CallPart): void {
  writing.opened = true;
  state.calls += 1;
  if (isLeftOut(state)) {
    state.losses.add(ptrOf(call), 'toolChoice.parallel', 'dropped', 'the client knows one call only');
    return;
  }
  const id = state.own ? call.callId : state.ids.next(call, writing.ix);
  const carrier = state.own ? undefined : state.carriers.forCall(id);
  const extra = state.own ? { ...encodeOwnCallState(call), ...bagOf(call) } : carrierOf(carrier?.extra);
  const custom = call.freeform !== undefined;
  const name = state.own ? call.name : callName(call, state.losses);
  state.sink.openCall({ id, name, custom, extra, legacy: state.legacy });
  if (carrier !== undefined) state.sink.put({ reasoning_details: [carrier.entry] });
}

function carrierOf(extra: JsonObject | undefined): JsonObject {
  return extra === undefined ? {} : { extra_content: extra };
}

/** What is still to be written of a text of which the beginning was. */
export function remainder(whole: string, text: Written): string {
  const written = text.read();
  return whole.startsWith(written) ? whole.slice(written.length) : '';
}

/** Writes what its end adds to a call. */
export function finishCall(state: WriterState, writing: Writing, part: CallPart): void {
  if (!writing.opened) {
    hold(state, writing, part.state);
    openCall(state, writing, part);
  }
  const text = argumentText(part);
  const rest = remainder(text, writing.text);
  if (!isLeftOut(state)) state.sink.addArguments(rest);
  if (!state.own) {
    if (!isLeftOut(state)) state.written.push({ part, text, place: state.calls });
    // The client has no built-in tools: whatever the service called, it is told of a function.
    if (part.family !== undefined)
      state.losses.add(ptrOf(part), 'call.family', 'approximated', `${part.family} call: sent as a function call`);
  }
  if (writing.held || part.state === undefined) return;
  // State that shows behind its call goes with it all the same.
  hold(state, writing, part.state);
  const late = state.own ? undefined : state.carriers.forCall(state.ids.last);
  if (late !== undefined) state.sink.put({ reasoning_details: [late.entry] });
}

/** The arguments of a call as text: an empty object where there are none, unless the call was cut. */
function argumentText({ freeform, args, truncated }: CallPart): string {
  if (freeform !== undefined) return freeform;
  const isEmpty = args.text === undefined && Object.keys(args.value ?? {}).length === 0;
  return isEmpty && truncated === true ? '' : (args.text ?? JSON.stringify(args.value ?? {}));
}

/** Pictures are shown: by a link where the host keeps them, else in the form of a router [H §3.3]. Other media is named. */
export function showMedia(state: WriterState, part: MediaPart): void {
  const { context } = state;
  const { losses } = context;
  const path = ptrOf(part);
  const { data, mime } = part;
  if (state.own && part.class === 'audio') {
    const raw = isObject(part.src?.raw) ? part.src.raw : {};
    const sound = data.from === 'base64' ? { data: data.base64 } : {};
    state.sink.put({ audio: { ...raw, ...sound, ...(part.context !== undefined && { transcript: part.context }) } });
  } else if (part.thought === true) {
    losses.add(path, 'part.media', 'dropped', 'pictures of the thinking are not shown');
  } else if (part.class !== 'image' || data.from === 'file') {
    losses.add(path, 'part.media', 'approximated', `the ${part.class} was left out`);
    addNote(state, `[${part.class} omitted: ${mime ?? 'unknown type'}]`);
  } else {
    const type = mime ?? 'image/png';
    const kept = data.from === 'base64' && !state.own ? context.keepPicture?.(type, data.base64) : undefined;
    if (kept !== undefined) addNote(state, pictureLink(kept));
    else {
      const url = data.from === 'base64' ? `data:${type};base64,${data.base64}` : data.url;
      state.pictures.push({ type: 'image_url', image_url: { url } });
      state.said = true;
    }
    if (!state.own) losses.add(path, 'part.media', 'approximated', 'few clients look for pictures in an answer');
  }
}

/** Text that no part of the answer is. */
function addNote(state: WriterState, text: string): void {
  state.sink.text('content', state.length > 0 ? PARAGRAPH + text : text);
  state.length += text.length + (state.length > 0 ? PARAGRAPH.length : 0);
  state.said = true;
}

/** The ids under which a client of this dialect knows the calls of one answer. */
export interface AnswerIds {
  /** The id of the next call; `ordinal` counts the parts of the answer. */
  next(call: CallPart, ordinal: number): string;
  /** The one that was given last. */
  readonly last: string;
}

/** Ids that the vendor's clients take [H §3.4]. */
const LEGAL = { pattern: /^[A-Za-z0-9_-]{1,40}$/ };

/**
 * Ids for the answer that its service calls `responseId`: those of the backend where they are legal and new to the
 * conversation. Some models number their calls from 0 in every answer, and clients take state of the second for a repetition
 * of the first (translation.md 2.7).
 */
export function createAnswerIds(responseId: string, { request, losses }: EncodeResponseContext): AnswerIds {
  const known = callsOf(request);
  let last = '';
  return {
    next({ callId, name, src }, ordinal) {
      const legal = callId === '' ? '' : legalCallId(callId, LEGAL);
      if (legal === '' || known.has(legal)) {
        last = mintTailedCallId(responseId, ordinal, name);
        if (legal !== '')
          losses.add(src?.ptr ?? '', 'call.id', 'approximated', 'the conversation has a call of this id');
      } else {
        last = legal;
        if (legal !== callId) losses.add(src?.ptr ?? '', 'call.id', 'approximated', 'the id is not legal here');
      }
      known.add(last);
      return last;
    },
    get last() {
      return last;
    },
  };
}

function callsOf(request: CanonicalRequest | undefined): Set<string> {
  const ids = new Set<string>();
  for (const { parts } of request?.turns ?? [])
    for (const part of parts) if (part.kind === 'call') ids.add(part.callId);
  return ids;
}

/** The name of a call; tools here have no namespaces (translation.md 2.7 rule 1). */
function callName({ name, namespace, src }: CallPart, losses: Losses): string {
  if (namespace === undefined) return name;
  losses.add(src?.ptr ?? '', 'call.name', 'moved', 'the namespace is moved into the name');
  return `${namespace}__${name}`;
}

/** Parts for which clients have no place, with what is said of them; others are known to their own dialect only. */
const LOST: Readonly<Record<string, readonly [Feature, string]>> = {
  ...HOSTED_LOSSES,
  compaction: ['part.compaction', 'the summary of another service'],
  approval: ['part.approval', 'clients of this dialect are not asked for consent'],
  handover: ['part.handover', 'only its own dialect knows it'],
};

/** Reports a part that has no form for clients of this dialect. */
export function reportLost(part: Part, losses: Losses): void {
  const [feature, detail] = lookUp(LOST, part.kind) ?? ['part.opaque', 'only its own dialect knows it'];
  losses.add(ptrOf(part), feature, 'dropped', detail);
}
