import { argumentsOf, legalCallId, mintAnswerCallId, parseArguments, rawArguments } from '../../adapt/index.js';
import type { CallPart, Part, ResultPart } from '../../canonical/content.js';
import type { Losses } from '../../canonical/loss.js';
import { type JsonObject, ptrOf } from '../../canonical/node.js';
import { callPart, resultPart, textPart } from '../../canonical/parts.js';
import type { ClientFamily } from '../../canonical/tools.js';
import type { EncodeResponseContext } from '../../context.js';
import { hasUnsafeInteger, isObject, type Json } from '../../wire/json.js';
import { changedNumber } from '../../wire/json-numbers.js';
import { sourceAt } from '../../wire/memory.js';
import { itemPtr } from '../../wire/pointer.js';
import type { DecodeNested } from '../content/media.js';
import { bagOf, check, DIRECT, keep, keysOf, opaque, remembered, type Scope } from '../nodes.js';
import * as wire from '../wire/index.js';
import { CALL_IDS } from '../wire/index.js';
import { decodeComputer } from './computer.js';

const TOOL_USE = keysOf(wire.toolUse);
const TOOL_RESULT = keysOf(wire.toolResult);

/** A call the client must answer. `text` is the source text of the input where the wire had one (streams). */
export function decodeToolUse(node: JsonObject, ptr: string, scope: Scope, text?: string): CallPart {
  const block = check(wire.toolUse, node, ptr);
  if (scope.hostedCalls === undefined && !CALL_IDS.pattern.test(block.id))
    check(wire.givenCallId, block.id, `${ptr}/id`);
  const { ext, src, cache } = keep(node, TOOL_USE, ptr);
  const toolset = toolsetFamily(node.toolset_name);
  const family = toolset ?? scope.clientTools.get(block.name);
  const args = text === undefined ? { value: block.input } : { text, value: block.input };
  const part = callPart(block.id, block.name, args, src, ext);
  part.family = family;
  part.cache = cache;
  // Answers are read before the tools of the client are known.
  if (family === 'computer' && scope.hostedCalls === undefined) {
    const input = toolset === undefined ? block.input : { ...block.input, action: block.name };
    part.args = { value: { ...decodeComputer(input) } };
    part.src = { ptr, ...part.src, raw: block.input };
  }
  // An object has no source text behind it (translation.md 1).
  if (text === undefined && hasUnsafeInteger(block.input as Json)) {
    scope.losses.add(`${ptr}/input`, 'call.args', 'approximated', 'an integer beyond 2^53 may have lost digits');
  }
  return part;
}

function toolsetFamily(name: unknown): ClientFamily | undefined {
  if (typeof name !== 'string') return undefined;
  if (name.startsWith('computer')) return 'computer';
  return name.startsWith('browser') ? 'browser' : undefined;
}

/** A call as it came. */
export function encodeOwnToolUse(part: CallPart): JsonObject {
  const raw = part.family === 'computer' && isObject(part.src?.raw) ? part.src.raw : undefined;
  const input = raw ?? argumentsOf(part);
  return { type: 'tool_use', id: part.callId, name: part.name, input };
}

/** The client's answer to a call. */
export function decodeToolResult(node: JsonObject, ptr: string, nested: DecodeNested): ResultPart {
  const block = check(wire.toolResult, node, ptr);
  const { content } = block;
  const { ext, src, cache } = keep(node, TOOL_RESULT, ptr);
  const parts = decodeResultContent(content ?? [], `${ptr}/content`, nested);
  const part = resultPart(block.tool_use_id, undefined, parts, src, ext);
  part.isError = block.is_error ?? undefined;
  part.cache = cache;
  return part;
}

function decodeResultContent(
  content: string | readonly unknown[],
  ptr: string,
  nested: DecodeNested,
): ResultPart['parts'] {
  if (typeof content === 'string') return [textPart(content, sourceAt(ptr))];
  return content.map((child, index) => asResultPart(nested(child, itemPtr(ptr, index)), child));
}

function asResultPart(part: Part, node: unknown): ResultPart['parts'][number] {
  switch (part.kind) {
    case 'text':
    case 'media':
    case 'textdoc':
    case 'searchResult':
    case 'opaque':
      return part;
    default:
      return opaque(node as JsonObject, ptrOf(part));
  }
}

/** A result; `encode` gives the wire form of one of its parts. */
export function encodeResult(
  part: ResultPart,
  own: boolean,
  encode: (part: Part, own: boolean) => JsonObject,
): JsonObject {
  const out: JsonObject = { type: 'tool_result', tool_use_id: part.callId };
  const only = part.parts.length === 1 ? part.parts[0] : undefined;
  const isPlain = only?.kind === 'text' && only.cache === undefined && bagOf(only) === undefined;
  if (isPlain && !(own && (only.citations !== undefined || remembered(only) !== undefined))) out.content = only.text;
  else if (part.parts.length > 0) out.content = part.parts.map((child) => encode(child, own));
  if (part.isError !== undefined) out.is_error = part.isError;
  return out;
}

/** The block of a call; `ordinal` counts the parts of the answer. Arguments that are no object are wrapped whole. */
export function encodeForeignToolUse(
  part: CallPart,
  ordinal: number,
  responseId: string,
  { losses, maxEventDepth }: EncodeResponseContext,
): JsonObject {
  const id = callId(part, ordinal, responseId, losses);
  return { type: 'tool_use', id, name: callName(part), input: inputOf(part, losses, maxEventDepth), caller: DIRECT };
}

/** The name of a call; tools here have no namespaces (translation.md 2.7 rule 1). */
export function callName({ name, namespace }: CallPart): string {
  return namespace === undefined ? name : `${namespace}__${name}`;
}

/** Reports a namespace that became part of the name. */
export function reportName(part: CallPart, losses: Losses): void {
  if (part.namespace !== undefined) losses.add(part, 'call.name', 'moved', 'the namespace is moved into the name');
}

/** Reports a call that was cut where its client takes it for whole: only a last call can be cut here. */
export function reportCut(part: CallPart, losses: Losses): void {
  if (part.truncated === true) losses.add(part, 'call.truncated', 'approximated', 'the call is reported as complete');
}

/**
 * The id of a call; one that the backend gave none gets one (translation.md 2.7 rule 5), and one that this dialect could
 * not send back ([M §2.3]) another.
 */
export function callId(part: CallPart, ordinal: number, responseId: string, losses: Losses): string {
  if (part.callId === '') return mintAnswerCallId(responseId, ordinal, part.name);
  const id = legalCallId(part.callId, CALL_IDS);
  if (id !== part.callId) losses.add(part, 'call.id', 'approximated', 'the id is not valid in the target');
  return id;
}

function inputOf(part: CallPart, losses: Losses, maxDepth: number | undefined): JsonObject {
  if (part.freeform !== undefined) return { input: part.freeform };
  const { text } = part.args;
  if (text === undefined) return part.args.value ?? {};
  const value = parseArguments(text, maxDepth);
  if (value !== undefined) {
    const change = changedNumber(text);
    if (change !== undefined) losses.add(part, 'call.args', 'approximated', change);
    return value;
  }
  losses.add(part, 'call.args', 'approximated', 'the arguments are not a JSON object; sent as text under one key');
  return rawArguments(text);
}

/** Reports the arguments of a streamed call that are no object: they were sent piece by piece, as they came. */
export function reportArguments(part: CallPart, { losses, maxEventDepth }: EncodeResponseContext): void {
  const { args } = part;
  if (args.text === undefined || args.value !== undefined) return;
  if (parseArguments(args.text, maxEventDepth) !== undefined) return;
  losses.add(part, 'call.args', 'approximated', 'the arguments are not a JSON object; sent unchanged');
}

/** The argument text of a call that came whole: `''` when it has none. */
export function argumentText(part: CallPart): string {
  if (part.freeform !== undefined) return JSON.stringify({ input: part.freeform });
  const text = part.args.text ?? JSON.stringify(part.args.value ?? {});
  return text === '{}' ? '' : text;
}
