import type { MediaPart, OpaquePart, Part, RefusalPart, TextPart } from '../../canonical/content.js';
import { type JsonObject, ptrOf } from '../../canonical/node.js';
import { readTurn } from '../../canonical/parts.js';
import type { Instruction, Turn } from '../../canonical/request.js';
import { itemPtr } from '../../wire/pointer.js';
import {
  bagOf,
  check,
  complete,
  keysOf,
  MESSAGE_KEYS,
  origin,
  type Printer,
  type Reader,
  remember,
  rememberAll,
  remembered,
  rememberedAll,
  withExtra,
} from '../nodes.js';
import * as wire from '../wire/index.js';
import { bareText, type ContentPart, decodeContentPart, type MessageFields } from './decode.js';
import { encodeInputPart, encodeOutputPart } from './encode.js';

const MESSAGE = keysOf(wire.message);

/** Parts that stand inside an assistant's message. */
export type MessagePart = TextPart | RefusalPart | OpaquePart;

/** Whether a part of an assistant's turn stands inside a message; opaque items stand for themselves. */
export function isMessagePart(part: Part): part is MessagePart {
  if (part.kind === 'opaque') return part.inMessage === true;
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
  return content.map((node, index) => decodeContentPart(node, itemPtr(ptr, index), reader, shared));
}

/** A message of a user, or an instruction [R §2.5]. */
export function decodeInputMessage(node: JsonObject, ptr: string, reader: Reader): Turn {
  const message = check(wire.message, node, ptr, reader);
  const id = message.id ?? undefined;
  const parts = decodeContent(message.content, `${ptr}/content`, reader, id === undefined ? undefined : { id });
  const { ext, src } = origin(node, MESSAGE, ptr);
  const isInstruction = message.role === 'system' || message.role === 'developer';
  let turn = isInstruction
    ? readTurn('instruction', message.role === 'system' ? 'system' : 'developer', parts, src, ext)
    : readTurn('user', undefined, parts, src, ext);
  if (message.status && message.status !== 'completed') turn = withExtra(turn, 'status', message.status);
  if (message.phase) turn = withExtra(turn, 'phase', message.phase);
  return remember(id !== undefined && parts.length === 0 ? withExtra(turn, 'id', id) : turn, node);
}

/** An instruction turn as a leading instruction, or undefined when it holds what none may. */
export function asInstruction(turn: Turn): Instruction | undefined {
  const parts: (TextPart | MediaPart)[] = [];
  for (const part of turn.parts) {
    if (part.kind !== 'text' && part.kind !== 'media') return undefined;
    parts.push(part);
  }
  const instruction: Instruction = { authority: turn.authority ?? 'system', parts, ext: turn.ext, src: turn.src };
  const form = remembered(turn);
  return form === undefined ? instruction : remember(instruction, form);
}

/** A message item for a turn that is not an assistant's. */
export function encodeInputMessage(
  node: Turn | Instruction,
  role: 'user' | 'system' | 'developer',
  parts: readonly Part[],
  printer: Printer,
): JsonObject {
  const form = printer.native ? remembered(node) : undefined;
  if (form !== undefined) return form;
  const fields: JsonObject = { type: 'message' };
  const first = parts[0];
  if (printer.native && first?.id !== undefined) fields.id = first.id;
  fields.role = role;
  fields.content = parts.map((part) => encodeInputPart(part, printer));
  return complete(fields, node);
}

/** The parts of an assistant's message. What the message itself says rides on the first. */
export function decodeAssistantMessage(node: JsonObject, ptr: string, item: number, reader: Reader): readonly Part[] {
  const message = check(wire.message, node, ptr, reader);
  const shared = { id: message.id ?? undefined, item, phase: message.phase ?? undefined };
  const decoded = decodeContent(message.content, `${ptr}/content`, reader, shared);
  const content = message.phase ? decoded.map((part) => withPhasePlace(part, `${ptr}/phase`)) : decoded;
  const { ext } = origin(node, MESSAGE, ptr);
  const state = message.status && message.status !== 'completed' ? { status: message.status } : undefined;
  const extra = ext === undefined ? state : { ...ext.responses, ...state };
  if (extra === undefined && content.length > 0) return rememberAll(content, node);
  const [first = bareText('', ptr, shared), ...rest] = content;
  return rememberAll([extra === undefined ? first : withExtra(first, MESSAGE_KEYS, extra), ...rest], node);
}

function withPhasePlace(part: ContentPart, phase: string): ContentPart {
  return { ...part, src: { ...part.src, ptr: ptrOf(part), at: { phase } } };
}

/** Whether two neighbours stand in one message. */
export function sharesMessage(a: Part, b: Part): boolean {
  return a.item === b.item && a.id === b.id && a.phase === b.phase;
}

/** One assistant message with these parts. */
export function encodeAssistantMessage(parts: readonly MessagePart[], printer: Printer): JsonObject {
  const first = parts[0];
  if (first === undefined) return { type: 'message', role: 'assistant', status: 'completed', content: [] };
  const form = printer.native ? rememberedAll(parts) : undefined;
  if (form !== undefined) return form;
  const fields: JsonObject = { type: 'message' };
  if (printer.native && first.id !== undefined) fields.id = first.id;
  fields.role = 'assistant';
  fields.status = 'completed';
  fields.content = parts.map((part) => encodeOutputPart(part, printer));
  if (first.phase !== undefined) fields.phase = first.phase;
  if (!printer.native) return fields;
  const extra = bagOf(first)?.[MESSAGE_KEYS];
  return typeof extra === 'object' && extra !== null ? { ...fields, ...extra } : fields;
}
