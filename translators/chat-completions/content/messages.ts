import type { MediaPart, Part, TextPart } from '../../canonical/content.js';
import { type JsonObject, ptrOf } from '../../canonical/node.js';
import { readTurn } from '../../canonical/parts.js';
import type { Instruction, Turn } from '../../canonical/request.js';
import { readCarrierHeader } from '../../wire/carrier.js';
import { isObject } from '../../wire/json.js';
import { added, joined } from '../../wire/list.js';
import { itemPtr } from '../../wire/pointer.js';
import type { Infer } from '../../wire/schema.js';
import {
  bagOf,
  check,
  DIALECT,
  type Kept,
  Keys,
  keep,
  keysOf,
  put,
  rawOf,
  remember,
  remembered,
  restore,
  type Scope,
  withExtra,
} from '../nodes.js';
import {
  decodeCall,
  decodeFunctionCall,
  encodeCall,
  encodeFunctionCall,
  encodeOwnResult,
  isToldTwice,
} from '../tools/calls.js';
import * as wire from '../wire/index.js';
import { decodeAnnotations, encodeOwnAnnotations } from './citations.js';
import { bareText, decodeContent, decodeContentPart } from './decode.js';
import { encodePart } from './encode.js';
import {
  decodeReasoningKeys,
  encodeOwnReasoning,
  isThinkingChunk,
  type MessageReasoning,
  NO_REASONING,
  REASONING_KEYS,
  type ReasoningKeys,
  withoutCallState,
} from './reasoning.js';
import { encodeOwnCallState } from './state.js';

/** `name` names one of several speakers of a role; the model has no field for that. */
const MESSAGE = new Keys(['role', 'content']);
const ASSISTANT = new Keys(
  [...keysOf(wire.assistantMessage), ...REASONING_KEYS].filter((key) => key !== 'name' && key !== 'annotations'),
);

/** The same of messages whose annotations are the citations of a text. */
const CITING = new Keys([...ASSISTANT, 'annotations']);

/** A message of the system, of a developer or of a user [H §3.1]. */
export function decodeMessage(node: JsonObject, role: 'system' | 'developer' | 'user', ptr: string): Turn {
  const { content } = check(wire.message, node, ptr);
  const parts = decodeContent(content, `${ptr}/content`);
  const { ext, src } = keep(node, MESSAGE, ptr);
  const turn =
    role === 'user' ? readTurn(role, undefined, parts, src, ext) : readTurn('instruction', role, parts, src, ext);
  return remember(turn, node);
}

/** An instruction turn as a leading instruction; undefined when it holds what none may. */
export function asInstruction(turn: Turn): Instruction | undefined {
  const parts = turn.parts.filter(
    (part): part is TextPart | MediaPart => part.kind === 'text' || part.kind === 'media',
  );
  if (parts.length < turn.parts.length) return undefined;
  const instruction: Instruction = { authority: turn.authority ?? 'system', parts, ext: turn.ext, src: turn.src };
  const form = remembered(turn);
  return form === undefined ? instruction : remember(instruction, form);
}

/** A message of the assistant: its reasoning, what it said, what it declined, what it showed, and its calls, in this order. */
export function decodeAssistant(node: JsonObject, ptr: string, scope: Scope): Turn {
  const message = check(wire.assistantMessage, node, ptr);
  const { front, calls } = decodeReasoningKeys(node, ptr, scope);
  const said = decodeSaid(message, ptr);
  const cited = decodeCited(said, message.annotations, `${ptr}/annotations`);
  const images = message.images?.map((image, index) => decodeContentPart(image, `${ptr}/images/${index}`)) ?? [];
  // A picture was shown in place of the call that a carrier may hold, and gives way to it from in front of it.
  const carried = front.some(
    ({ carrier }) => carrier !== undefined && readCarrierHeader(carrier)?.kinds.includes('hosted') === true,
  );
  const words = cited ?? said;
  const isBare = front.length + images.length === 0;
  const shown = isBare ? words : carried ? [...images, ...front, ...words] : [...front, ...words, ...images];
  const called = decodeCalls(message, calls, ptr);
  const parts = called === undefined ? shown : joined(shown, called);
  const { ext, src } = withServerKeys(keep(node, cited === undefined ? ASSISTANT : CITING, ptr), node);
  return remember(readTurn('assistant', undefined, parts, src, ext), node);
}

/** The calls of a message, with the reasoning that belongs to them; undefined where there are none. */
function decodeCalls(
  message: Infer<typeof wire.assistantMessage>,
  reasoning: MessageReasoning['calls'],
  ptr: string,
): Part[] | undefined {
  let parts: Part[] | undefined;
  const calls = message.tool_calls ?? [];
  for (let index = 0; index < calls.length; index += 1) {
    const call = calls[index];
    if (call === undefined) continue;
    const own = reasoning.get(index);
    if (own?.before !== undefined) parts = added(parts, own.before);
    const bare = withoutCallState(call);
    const part = decodeCall(bare, `${ptr}/tool_calls/${index}`);
    parts = added(parts, own === undefined && bare === call ? part : remember({ ...part, ...own?.fields }, call));
  }
  const { function_call: given } = message;
  const older = given && !isToldTwice(given, message.tool_calls) ? given : undefined;
  const legacy = older && decodeFunctionCall(older, `${ptr}/function_call`);
  return legacy ? added(parts, legacy) : parts;
}

/**
 * Keeps what says nothing to anyone but the server: empty reasoning, of which some demand the key [H §8.1], and the mark of
 * a message that goes on.
 */
function withServerKeys(kept: Kept, node: JsonObject): Kept {
  let raw: JsonObject | undefined;
  for (const key in node) {
    if (key !== 'prefix' && !(REASONING_KEYS.has(key) && node[key] === '')) continue;
    raw ??= {};
    raw[key] = node[key];
  }
  return raw === undefined ? kept : { ...kept, src: { ...kept.src, raw } };
}

/** The one text of a message with the sources that a client repeats; undefined where they do not all fit it. */
function decodeCited(said: readonly Part[], annotations: readonly unknown[] | null | undefined, ptr: string) {
  if (!annotations || annotations.length === 0) return said;
  const texts = said.filter((part) => part.kind === 'text');
  const [text] = texts;
  if (text === undefined || texts.length > 1) return undefined;
  const { citations, whole } = decodeAnnotations(annotations, text.text, ptr);
  return whole ? said.map((part) => (part === text ? { ...text, citations } : part)) : undefined;
}

/** The words of a message. Of sound that was spoken its words remain. */
function decodeSaid({ content, refusal, audio }: Infer<typeof wire.assistantMessage>, ptr: string): Part[] {
  const at = `${ptr}/content`;
  const parts: Part[] = typeof content === 'string' ? decodeContent(content, at) : [];
  if (Array.isArray(content)) {
    for (const [index, chunk] of content.entries()) {
      if (!isThinkingChunk(chunk)) parts.push(decodeContentPart(chunk, itemPtr(at, index)));
    }
  }
  if (audio) parts.push(decodeSpoken(audio, `${ptr}/audio`));
  if (typeof refusal === 'string' && refusal !== '') {
    parts.push({ kind: 'refusal', text: refusal, src: { ptr: `${ptr}/refusal` } });
  }
  return parts;
}

/** Earlier speech of the model: the service keeps it under an id; some clients repeat its words. */
function decodeSpoken(audio: JsonObject, ptr: string): Part {
  const { id, transcript } = audio;
  if (typeof transcript === 'string' && transcript !== '') {
    return { ...bareText(transcript, ptr), ...withExtra({ src: { ptr, at: { 'ext.audio': ptr } } }, 'audio', audio) };
  }
  const data = { from: 'file', id: typeof id === 'string' ? id : '', vendor: DIALECT } as const;
  return { kind: 'media', class: 'audio', data, src: { ptr } };
}

/** A turn of this dialect as the messages that it came as: results are messages of their own. */
export function encodeOwnTurn(turn: Turn): JsonObject[] {
  const form = remembered(turn);
  if (form !== undefined) return [form];
  if (turn.role === 'assistant') return [encodeOwnAssistant(turn)];
  const messages: JsonObject[] = [];
  const rest: Part[] = [];
  for (const part of turn.parts) {
    if (part.kind === 'result') messages.push(encodeOwnResult(part));
    else rest.push(part);
  }
  if (rest.length === 0 && messages.length > 0) return messages;
  const role = turn.role === 'user' ? 'user' : (turn.authority ?? 'developer');
  return [...messages, restore({ role, content: encodeOwnContent(rest) }, turn)];
}

/** A leading instruction of this dialect as the message that it came as. */
export function encodeOwnInstruction(instruction: Instruction): JsonObject {
  const content = encodeOwnContent(instruction.parts);
  return remembered(instruction) ?? restore({ role: instruction.authority, content }, instruction);
}

/** Content of which nothing is known but one text came as a string, or might have. */
function encodeOwnContent(parts: readonly Part[]): string | JsonObject[] {
  const [only, ...others] = parts;
  if (only === undefined) return '';
  const isBare = only.kind === 'text' && (only.cache ?? bagOf(only) ?? remembered(only)) === undefined;
  return isBare && others.length === 0 ? only.text : parts.map((part) => encodePart(part));
}

/** Speech with its words as they are now. */
function encodeSpoken(part: Part): JsonObject {
  const audio = bagOf(part)?.audio;
  if (isObject(audio)) return part.kind === 'text' ? { ...audio, transcript: part.text } : audio;
  return { id: part.kind === 'media' && part.data.from === 'file' ? part.data.id : '' };
}

function encodeOwnAssistant(turn: Turn): JsonObject {
  const said: Part[] = [];
  const images: JsonObject[] = [];
  const calls: JsonObject[] = [];
  const out: JsonObject = { role: 'assistant', content: null };
  for (const part of turn.parts) {
    const place = ptrOf(part);
    if (part.kind === 'call' && part.callId === '' && place.endsWith('/function_call')) {
      out.function_call = encodeFunctionCall(part);
    } else if (part.kind === 'call') {
      calls.push({ ...encodeCall(part, true), ...encodeOwnCallState(part) });
    } else if (place.endsWith('/audio')) {
      out.audio = encodeSpoken(part);
    } else if (part.kind === 'refusal' && place.endsWith('/refusal')) {
      out.refusal = part.text;
    } else if (part.kind === 'media' && /\/images\/\d+$/.test(place)) {
      images.push(encodePart(part));
    } else if (isSaid(part)) {
      if (part.kind === 'text') Object.assign(out, annotationsOf(part));
      said.push(part);
    }
  }
  if (said.length > 0) out.content = encodeOwnContent(said);
  if (images.length > 0) out.images = images;
  if (calls.length > 0) out.tool_calls = calls;
  return restore({ ...rawOf(turn), ...withReasoning(out, encodeOwnReasoning(turn.parts)) }, turn);
}

function annotationsOf(text: TextPart): JsonObject {
  const { citations = [] } = text;
  return citations.length === 0 ? {} : { annotations: encodeOwnAnnotations(text, citations, 0) };
}

/** Whether a part stands in the content; reasoning, and state that was put back, does not. */
function isSaid(part: Part): boolean {
  return part.kind !== 'reasoning' && !(part.kind === 'opaque' && part.restored !== undefined);
}

/** A message of the assistant with the reasoning that its server wants back (translation.md 4.4). */
export function withReasoning(message: JsonObject, reasoning: ReasoningKeys): JsonObject {
  if (reasoning === NO_REASONING) return message;
  const { keys, inline, chunks } = reasoning;
  const out = { ...message };
  const { content } = message;
  if (inline !== '' && !Array.isArray(content)) out.content = `${inline}${typeof content === 'string' ? content : ''}`;
  if (chunks.length > 0) {
    const text = typeof content === 'string' && content !== '' ? [{ type: 'text', text: content }] : [];
    out.content = [...chunks, ...(Array.isArray(content) ? content : text)];
  }
  for (const key of Object.keys(keys)) put(out, key, keys[key]);
  return out;
}
