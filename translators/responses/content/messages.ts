import type { MediaPart, OpaquePart, Part, RefusalPart, TextPart } from '../../canonical/content.js';
import type { JsonObject, Source } from '../../canonical/node.js';
import type { Instruction, Turn } from '../../canonical/request.js';
import {
  bagOf,
  check,
  complete,
  keysOf,
  MESSAGE_KEYS,
  origin,
  type Printer,
  type Reader,
  spelled,
  withExtra,
} from '../nodes.js';
import { COMPLETED, statusWords } from '../tools/calls.js';
import * as wire from '../wire/index.js';
import { bareText, type ContentPart, decodeContentPart, type MessageFields } from './decode.js';
import { encodeInputPart, encodeOutputPart } from './encode.js';

const MESSAGE = keysOf(wire.message);

/** Parts that stand inside an assistant's message. */
export type MessagePart = TextPart | RefusalPart | OpaquePart;

/** Whether a part of an assistant's turn stands inside a message; opaque items stand for themselves. */
export function isMessagePart(part: Part): part is MessagePart {
  if (part.kind === 'opaque') return part.src?.shape?.includes('part') === true;
  return part.kind === 'text' || part.kind === 'refusal';
}

/** The parts of a message's content. A bare string is one text. */
function decodeContent(
  content: string | readonly JsonObject[],
  ptr: string,
  reader: Reader,
  shared?: MessageFields,
): readonly ContentPart[] {
  if (typeof content === 'string') return [bareText(content, ptr, shared)];
  return content.map((node, index) => decodeContentPart(node, `${ptr}/${index}`, reader, shared));
}

const PLAIN_WORDS: readonly string[] = [];
const COMPLETED_WORDS: readonly string[] = [COMPLETED];

function messageWords(message: wire.Message): readonly string[] {
  const bare = message.type === undefined;
  const string = typeof message.content === 'string';
  if (!bare && !string) return message.status === 'completed' ? COMPLETED_WORDS : PLAIN_WORDS;
  const words = bare ? ['bare'] : [];
  if (string) words.push('string');
  return statusWords(message.status, ...words);
}

/** A message of a user, or an instruction [R §2.5]. */
export function decodeInputMessage(node: JsonObject, ptr: string, reader: Reader): Turn {
  const message = check(wire.message, node, ptr, reader);
  const id = message.id ?? undefined;
  const parts = decodeContent(message.content, `${ptr}/content`, reader, id === undefined ? undefined : { id });
  const { ext, src } = origin(node, MESSAGE, ptr, messageWords(message));
  const isInstruction = message.role === 'system' || message.role === 'developer';
  let turn: Turn = isInstruction
    ? { role: 'instruction', authority: message.role === 'system' ? 'system' : 'developer', parts, ext, src }
    : { role: 'user', parts, ext, src };
  if (message.status && message.status !== 'completed') turn = withExtra(turn, 'status', message.status);
  if (message.phase) turn = withExtra(turn, 'phase', message.phase);
  return id !== undefined && parts.length === 0 ? withExtra(turn, 'id', id) : turn;
}

/** An instruction turn as a leading instruction, or undefined when it holds what none may. */
export function asInstruction(turn: Turn, words: readonly string[]): Instruction | undefined {
  const parts: (TextPart | MediaPart)[] = [];
  for (const part of turn.parts) {
    if (part.kind !== 'text' && part.kind !== 'media') return undefined;
    parts.push(part);
  }
  const src = { ptr: turn.src?.ptr ?? '', shape: [...(turn.src?.shape ?? []), ...words] };
  return { authority: turn.authority ?? 'system', parts, ext: turn.ext, src };
}

/** A message item for a turn that is not an assistant's. */
export function encodeInputMessage(
  node: Turn | Instruction,
  role: 'user' | 'system' | 'developer',
  parts: readonly Part[],
  printer: Printer,
): JsonObject {
  const fields: JsonObject = spelled(printer, node, 'bare') ? {} : { type: 'message' };
  const first = parts[0];
  if (printer.native && first?.id !== undefined) fields.id = first.id;
  fields.role = role;
  if (parts.length === 1 && first?.kind === 'text' && spelled(printer, node, 'string')) fields.content = first.text;
  else fields.content = parts.map((part) => encodeInputPart(part, printer));
  if (spelled(printer, node, COMPLETED)) fields.status = 'completed';
  return complete(fields, node, printer);
}

/** The parts of an assistant's message. What the message itself says rides on the first. */
export function decodeAssistantMessage(node: JsonObject, ptr: string, item: number, reader: Reader): readonly Part[] {
  const message = check(wire.message, node, ptr, reader);
  const shared = { id: message.id ?? undefined, item, phase: message.phase ?? undefined };
  const decoded = decodeContent(message.content, `${ptr}/content`, reader, shared);
  const content = message.phase ? decoded.map((part) => withPhasePlace(part, `${ptr}/phase`)) : decoded;
  const { ext, src } = origin(node, MESSAGE, ptr, messageWords(message));
  const state = message.status && message.status !== 'completed' ? { status: message.status } : undefined;
  const extra = ext === undefined ? state : { ...ext.responses, ...state };
  if (src.shape === undefined && extra === undefined && content.length > 0) return content;
  const [first, ...rest] =
    content.length > 0 ? content : [{ ...bareText('', `${ptr}/content`, shared), src: { ptr, shape: ['item:empty'] } }];
  if (first === undefined) return [];
  const head = withMessageWords(first, src.shape ?? PLAIN_WORDS);
  return [extra === undefined ? head : withExtra(head, MESSAGE_KEYS, extra), ...rest];
}

function withPhasePlace(part: ContentPart, phase: string): ContentPart {
  return { ...part, src: { ...part.src, ptr: part.src?.ptr ?? '', at: { phase } } };
}

/** The part with the spelling of its message; texts, which nearly all are, are copied without spreading. */
function withMessageWords(part: ContentPart, words: readonly string[]): ContentPart {
  if (words.length === 0) return part;
  const shape = [...(part.src?.shape ?? PLAIN_WORDS), ...words.map((word) => MESSAGE_WORDS[word] ?? `item:${word}`)];
  const at = part.src?.at;
  const src: Source = at === undefined ? { ptr: part.src?.ptr ?? '', shape } : { ptr: part.src?.ptr ?? '', shape, at };
  if (part.kind !== 'text' || part.cache !== undefined) return { ...part, src };
  const { text, citations, logprobs, id, item, phase, ext } = part;
  return { kind: 'text', text, citations, logprobs, id, item, phase, ext, src };
}

/** Made once: nearly every message needs one of them. */
const MESSAGE_WORDS: Readonly<Record<string, string>> = {
  bare: 'item:bare',
  string: 'item:string',
  [COMPLETED]: `item:${COMPLETED}`,
};

/** Whether two neighbours stand in one message. */
export function sharesMessage(a: Part, b: Part): boolean {
  return a.item === b.item && a.id === b.id && a.phase === b.phase;
}

/** One assistant message with these parts. */
export function encodeAssistantMessage(parts: readonly MessagePart[], printer: Printer): JsonObject {
  const first = parts[0];
  if (first === undefined) return { type: 'message', role: 'assistant', status: 'completed', content: [] };
  const fields: JsonObject = spelled(printer, first, 'item:bare') ? {} : { type: 'message' };
  if (printer.native && first.id !== undefined) fields.id = first.id;
  fields.role = 'assistant';
  if (!printer.native || spelled(printer, first, `item:${COMPLETED}`)) fields.status = 'completed';
  if (spelled(printer, first, 'item:empty')) fields.content = [];
  else if (spelled(printer, first, 'item:string') && first.kind === 'text') fields.content = first.text;
  else fields.content = parts.map((part) => encodeOutputPart(part, printer));
  if (first.phase !== undefined) fields.phase = first.phase;
  if (!printer.native) return fields;
  for (const word of first.src?.shape ?? []) if (word.startsWith('item:null:')) fields[word.slice(10)] = null;
  const extra = bagOf(first)?.[MESSAGE_KEYS];
  return typeof extra === 'object' && extra !== null ? { ...fields, ...extra } : fields;
}
