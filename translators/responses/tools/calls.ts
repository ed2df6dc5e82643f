import type { Arguments, CallPart, Part, ResultPart, TextPart } from '../../canonical/content.js';
import type { JsonObject } from '../../canonical/node.js';
import { callPart, resultPart } from '../../canonical/parts.js';
import { isObject } from '../../wire/json.js';
import { bareText, decodeContentPart } from '../content/decode.js';
import { encodeInputPart } from '../content/encode.js';
import { bagOf, check, complete, keysOf, origin, type Printer, type Reader, remembered, withExtra } from '../nodes.js';
import * as wire from '../wire/index.js';

const FUNCTION_CALL = keysOf(wire.functionCall);
const CUSTOM_CALL = keysOf(wire.customToolCall);
const TOOL_USE = keysOf(wire.toolUse);
const CALL_OUTPUT = keysOf(wire.callOutput);

/** Puts a status that says something in the bag; `completed` says nothing (translation.md 0.8). */
function withStatus<P extends Part>(part: P, status: string | null | undefined): P {
  if (status === undefined || status === null || status === 'completed') return part;
  return withExtra(part, 'status', status);
}

/** `function_call` [R §2.5, §4.2]. */
export function decodeFunctionCall(node: JsonObject, ptr: string, item: number, reader: Reader): CallPart {
  const call = check(wire.functionCall, node, ptr, reader);
  const direct = call.caller?.type === 'direct' && Object.keys(call.caller).length === 1;
  const { ext, src } = origin(node, FUNCTION_CALL, ptr);
  const part = callPart(call.call_id ?? '', call.name, decodeArguments(call.arguments), src, ext);
  part.namespace = call.namespace ?? undefined;
  part.truncated = call.status === 'incomplete' ? true : undefined;
  part.id = call.id ?? undefined;
  part.item = item;
  const stated = part.truncated === true ? part : withStatus(part, call.status);
  return call.caller && !direct ? withExtra(stated, 'caller', call.caller) : stated;
}

function decodeArguments(text: string | null | undefined): Arguments {
  return text === undefined || text === null || text === '' ? { value: {} } : { text };
}

/** The text of a call's arguments; at least `{}` [R §8 rule 7]. */
export function argumentsText(args: Arguments): string {
  return args.text ?? JSON.stringify(args.value ?? {});
}

/** `custom_tool_call` [R §2.5]. */
export function decodeCustomCall(node: JsonObject, ptr: string, item: number, reader: Reader): CallPart {
  const call = check(wire.customToolCall, node, ptr, reader);
  const part: CallPart = {
    kind: 'call',
    callId: call.call_id ?? '',
    name: call.name,
    namespace: call.namespace ?? undefined,
    args: { value: {} },
    freeform: call.input,
    truncated: call.status === 'incomplete' ? true : undefined,
    id: call.id ?? undefined,
    item,
    ...origin(node, CUSTOM_CALL, ptr),
  };
  return part.truncated === true ? part : withStatus(part, call.status);
}

/** `tool_use`, which the base specification lists; it is never written for others [R §7 row 12]. */
export function decodeToolUse(node: JsonObject, ptr: string, item: number, reader: Reader): CallPart {
  const call = check(wire.toolUse, node, ptr, reader);
  return {
    kind: 'call',
    callId: call.id,
    name: call.name,
    args: { value: call.input ?? {} },
    item,
    ...origin(node, TOOL_USE, ptr),
  };
}

/** Any call of a client's tool that is no built-in family. */
export function encodeCall(part: CallPart, printer: Printer): JsonObject {
  const fields: JsonObject = { type: part.freeform === undefined ? 'function_call' : 'custom_tool_call' };
  if (printer.native && part.id !== undefined) fields.id = part.id;
  if (part.callId !== '' || !printer.native) fields.call_id = part.callId;
  fields.name = part.name;
  if (part.namespace !== undefined) fields.namespace = part.namespace;
  if (part.freeform !== undefined) fields.input = part.freeform;
  else fields.arguments = argumentsText(part.args);
  if (part.truncated === true) fields.status = 'incomplete';
  return complete(fields, part);
}

/** `function_call_output`, `custom_tool_call_output` [R §2.5]. */
export function decodeCallOutput(node: JsonObject, ptr: string, item: number, reader: Reader): ResultPart {
  const result = check(wire.callOutput, node, ptr, reader);
  const { ext, src } = origin(node, CALL_OUTPUT, ptr);
  const parts = decodeOutput(result.output, `${ptr}/output`, reader);
  const part = resultPart(result.call_id ?? '', result.name ?? undefined, parts, src, ext);
  part.namespace = result.namespace ?? undefined;
  part.custom = node.type === 'custom_tool_call_output' ? true : undefined;
  part.id = result.id ?? undefined;
  part.item = item;
  return withStatus(part, result.status);
}

type ResultContent = ResultPart['parts'][number];

function decodeOutput(output: string | readonly JsonObject[], ptr: string, reader: Reader): readonly ResultContent[] {
  if (typeof output === 'string') return output === '' ? [] : [bareText(output, ptr)];
  return output.map((node, index) => asContent(decodeContentPart(node, `${ptr}/${index}`, reader)));
}

function asContent(part: Part): ResultContent {
  if (part.kind === 'text' || part.kind === 'media' || part.kind === 'opaque') return part;
  const text: TextPart = { kind: 'text', text: 'text' in part && typeof part.text === 'string' ? part.text : '' };
  return { ...text, src: part.src };
}

/** Any result of a client's tool that is no built-in family. */
export function encodeCallOutput(part: ResultPart, printer: Printer): JsonObject {
  const fields: JsonObject = { type: part.custom === true ? 'custom_tool_call_output' : 'function_call_output' };
  if (printer.native && part.id !== undefined) fields.id = part.id;
  if (!printer.native || part.callId !== '') fields.call_id = part.callId;
  if (printer.native && part.name !== undefined) fields.name = part.name;
  if (printer.native && part.namespace !== undefined) fields.namespace = part.namespace;
  fields.output = encodeOutput(part, printer);
  return complete(fields, part);
}

/** A single text is a string; several parts, or media, are a list. */
function encodeOutput(part: ResultPart, printer: Printer): string | JsonObject[] {
  const [first, ...rest] = part.parts;
  if (first === undefined) return '';
  if (rest.length === 0 && first.kind === 'text' && !(printer.native && isNode(first))) return first.text;
  return part.parts.map((content) => encodeInputPart(content, printer));
}

/** Whether a text came as a node, or says more than its words. */
function isNode(part: TextPart): boolean {
  return (part.cache ?? bagOf(part) ?? remembered(part)) !== undefined;
}

/** Whether a shell call runs in a container of the service: then nobody has to answer it. */
export function runsRemotely(node: JsonObject): boolean {
  const environment = node.environment;
  return isObject(environment) && environment.type !== 'local';
}
