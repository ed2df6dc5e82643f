import type { Answer, Writing } from '../../answer/writer.js';
import type { CallPart, Citation, HostedCallPart, Part, TextPart } from '../../canonical/content.js';
import type { JsonObject } from '../../canonical/node.js';
import type { EncodeResponseContext } from '../../dialect.js';
import { isObject, parseJson } from '../../wire/json.js';
import type { Carriers } from '../content/state.js';
import type { AnswerIds } from './ids.js';

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
export interface MessageAnswer extends Answer {
  readonly sink: MessageSink;
  readonly context: EncodeResponseContext;
  readonly carriers: Carriers;
  readonly ids: AnswerIds;
  /** The client knows one call only [H §4.5]. */
  readonly legacy: boolean;
  /** Pictures, which come in one list: of several lists clients keep the last [H §7.4]. */
  readonly pictures: JsonObject[];
  /** Calls for pictures that have not come. */
  readonly drawing: Map<string, HostedCallPart>;
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

/** Lets the state of a part wait for its carrier, once. */
export function hold(answer: MessageAnswer, writing: Writing, entries: Part['state']): void {
  if (answer.own || writing.held || entries === undefined) return;
  writing.held = true;
  if (answer.context.asIssuer === true) issue(answer.sink, entries);
  else answer.carriers.hold(entries);
}

/** A service gives its own state to its own clients as it is. */
function issue(sink: MessageSink, entries: NonNullable<Part['state']>): void {
  for (const { payload } of entries) {
    const parsed = parseJson(payload);
    if (parsed.ok && isObject(parsed.value)) sink.put(parsed.value);
  }
}
