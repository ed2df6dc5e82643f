import type { Arguments, CallPart, MediaPart, OpaquePart, Part, ResultPart, TextPart } from '../canonical/content.js';
import type { JsonObject } from '../canonical/node.js';
import { bareText, decodeContentPart, encodeInputPart } from './content.js';
import { check, complete, keysOf, origin, type Printer, type Reader, spelled, withExtra } from './nodes.js';
import * as wire from './wire.js';

const FUNCTION_CALL = keysOf(wire.functionCall);
const CUSTOM_CALL = keysOf(wire.customToolCall);
const TOOL_USE = keysOf(wire.toolUse);
const CALL_OUTPUT = keysOf(wire.callOutput);

/** How a status is kept: `completed` says nothing, anything else stays in the bag (translation.md 0.8). */
export const COMPLETED = 'status:completed';

/** Puts a status that is neither absent nor `completed` in the bag. */
function withStatus<P extends Part>(part: P, status: string | null | undefined): P {
  if (status === undefined || status === null || status === 'completed') return part;
  return withExtra(part, 'status', status);
}

/** Spelling words of an item's status. */
export function statusWords(status: string | null | undefined, ...more: string[]): readonly string[] {
  return status === 'completed' ? [...more, COMPLETED] : more;
}

/** `function_call` [R §2.5, §4.2]. */
export function decodeFunctionCall(node: JsonObject, ptr: string, item: number, reader: Reader): CallPart {
  const call = check(wire.functionCall, node, ptr, reader);
  const words = call.status === 'completed' ? [COMPLETED] : [];
  if (call.call_id === '') words.push('call_id:');
  if (call.arguments === '') words.push('arguments:');
  const direct = call.caller?.type === 'direct' && Object.keys(call.caller).length === 1;
  if (direct) words.push('caller:direct');
  const { ext, src } = origin(node, FUNCTION_CALL, ptr, words);
  const part: CallPart = {
    kind: 'call',
    callId: call.call_id ?? '',
    name: call.name,
    namespace: call.namespace ?? undefined,
    args: decodeArguments(call.arguments),
    truncated: call.status === 'incomplete' ? true : undefined,
    id: call.id ?? undefined,
    item,
    ext,
    src,
  };
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
    ...origin(node, CUSTOM_CALL, ptr, statusWords(call.status, ...callIdWord(node))),
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
    ...origin(node, TOOL_USE, ptr, call.input === undefined ? ['tool_use', 'no:input'] : ['tool_use']),
  };
}

/** Any call of a client's tool that is no built-in family. */
export function encodeCall(part: CallPart, printer: Printer): JsonObject {
  if (spelled(printer, part, 'tool_use')) {
    const input = spelled(printer, part, 'no:input') ? {} : { input: part.args.value };
    return complete({ type: 'tool_use', id: part.callId, name: part.name, ...input }, part, printer);
  }
  const fields: JsonObject = { type: part.freeform === undefined ? 'function_call' : 'custom_tool_call' };
  if (printer.native && part.id !== undefined) fields.id = part.id;
  if (part.callId !== '' || !printer.native || spelled(printer, part, 'call_id:')) fields.call_id = part.callId;
  fields.name = part.name;
  if (part.namespace !== undefined) fields.namespace = part.namespace;
  if (part.freeform !== undefined) fields.input = part.freeform;
  else if (spelled(printer, part, 'arguments:')) fields.arguments = '';
  else if (!printer.native || part.args.text !== undefined) fields.arguments = argumentsText(part.args);
  if (part.truncated === true) fields.status = 'incomplete';
  else if (spelled(printer, part, COMPLETED)) fields.status = 'completed';
  if (spelled(printer, part, 'caller:direct')) fields.caller = { type: 'direct' };
  return complete(fields, part, printer);
}

/** `function_call_output`, `custom_tool_call_output` [R §2.5]. */
export function decodeCallOutput(node: JsonObject, ptr: string, item: number, reader: Reader): ResultPart {
  const result = check(wire.callOutput, node, ptr, reader);
  const words = typeof result.output === 'string' ? ['string'] : [];
  if (result.call_id === '') words.push('call_id:');
  if (result.status === 'completed') words.push(COMPLETED);
  const { ext, src } = origin(node, CALL_OUTPUT, ptr, words);
  const part: ResultPart = {
    kind: 'result',
    callId: result.call_id ?? '',
    name: result.name ?? undefined,
    namespace: result.namespace ?? undefined,
    parts: decodeOutput(result.output, `${ptr}/output`, reader),
    custom: node.type === 'custom_tool_call_output' ? true : undefined,
    id: result.id ?? undefined,
    item,
    ext,
    src,
  };
  return withStatus(part, result.status);
}

function callIdWord(node: JsonObject): string[] {
  return node.call_id === '' ? ['call_id:'] : [];
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
  if (!printer.native || part.callId !== '' || spelled(printer, part, 'call_id:')) fields.call_id = part.callId;
  if (printer.native && part.name !== undefined) fields.name = part.name;
  if (printer.native && part.namespace !== undefined) fields.namespace = part.namespace;
  fields.output = encodeOutput(part, printer);
  if (spelled(printer, part, COMPLETED)) fields.status = 'completed';
  return complete(fields, part, printer);
}

/** A text of its own stands as a string; several parts, or media, as a list. */
function encodeOutput(part: ResultPart, printer: Printer): string | JsonObject[] {
  const [first, ...rest] = part.parts;
  const single = rest.length === 0 && (first === undefined || first.kind === 'text');
  if (printer.native ? spelled(printer, part, 'string') : single) {
    return part.parts.map((content) => (content.kind === 'text' ? content.text : '')).join('');
  }
  return part.parts.map((content) => encodeInputPart(content, printer));
}

/** How one built-in family of client tools stands on the wire. */
interface FamilyCall {
  readonly family: NonNullable<CallPart['family']>;
  readonly name: string;
  /** The key that holds the action. */
  readonly key: string;
}

const FAMILY_CALLS: Readonly<Record<string, FamilyCall>> = {
  computer_call: { family: 'computer', name: 'computer', key: 'action' },
  local_shell_call: { family: 'localShell', name: 'local_shell', key: 'action' },
  shell_call: { family: 'shell', name: 'shell', key: 'action' },
  apply_patch_call: { family: 'patch', name: 'apply_patch', key: 'operation' },
};

const FAMILY_SCHEMAS = {
  computer_call: wire.computerCall,
  local_shell_call: wire.localShellCall,
  shell_call: wire.shellCall,
  apply_patch_call: wire.applyPatchCall,
  computer_call_output: wire.computerCallOutput,
  local_shell_call_output: wire.localShellCallOutput,
  shell_call_output: wire.shellCallOutput,
  apply_patch_call_output: wire.applyPatchCallOutput,
} as const;

/** Types of the calls of built-in client tools, and of their outputs. */
export type FamilyItem = keyof typeof FAMILY_SCHEMAS;

/** Whether an item is a call, or an output, of a built-in client tool. */
export function isFamilyItem(type: unknown): type is FamilyItem {
  return typeof type === 'string' && Object.hasOwn(FAMILY_SCHEMAS, type);
}

const FAMILY_KEYS = new Set(['type', 'id', 'call_id', 'status', 'action', 'actions', 'operation', 'output']);

/** A call of a built-in client tool; its action is the arguments. */
export function decodeFamilyCall(node: JsonObject, ptr: string, item: number, reader: Reader): CallPart | undefined {
  const type = node.type;
  if (!isFamilyItem(type)) return undefined;
  const family = FAMILY_CALLS[type];
  if (family === undefined) return undefined;
  const call = check<{ id?: string | null; call_id?: string | null; status?: string | null }>(
    FAMILY_SCHEMAS[type],
    node,
    ptr,
    reader,
  );
  const batched = type === 'computer_call' && Array.isArray(node.actions);
  const action = node[family.key];
  const part: CallPart = {
    kind: 'call',
    family: family.family,
    name: family.name,
    callId: call.call_id ?? call.id ?? '',
    args: { value: batched ? { actions: node.actions } : isRecord(action) ? action : {} },
    id: call.id ?? undefined,
    item,
    ...origin(
      node,
      FAMILY_KEYS,
      ptr,
      statusWords(call.status, type, ...(batched ? ['actions'] : []), ...present(node, 'call_id')),
    ),
  };
  const whole = batched && isRecord(action) ? withExtra(part, 'action', action) : part;
  return withStatus(whole, call.status);
}

function present(node: JsonObject, key: string): string[] {
  return typeof node[key] === 'string' ? [`has:${key}`] : [];
}

function isRecord(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The type word under which a call or result of a built-in family came, when it came from this dialect. */
export function familyType(part: CallPart | ResultPart, printer: Printer): FamilyItem | undefined {
  if (!printer.native || part.family === undefined) return undefined;
  return part.src?.shape?.find(isFamilyItem);
}

/** A call of a built-in family, as it came. */
export function encodeFamilyCall(part: CallPart, type: FamilyItem, printer: Printer): JsonObject {
  const fields: JsonObject = { type };
  const key = FAMILY_CALLS[type]?.key ?? 'action';
  if (part.id !== undefined) fields.id = part.id;
  if (spelled(printer, part, 'has:call_id')) fields.call_id = part.callId;
  if (spelled(printer, part, 'actions')) fields.actions = part.args.value?.actions;
  else if (type !== 'computer_call' || Object.keys(part.args.value ?? {}).length > 0) fields[key] = part.args.value;
  if (spelled(printer, part, COMPLETED)) fields.status = 'completed';
  return complete(fields, part, printer);
}

/** The client's answer to a call of a built-in tool. `callId` is the id of that call. */
export function decodeFamilyOutput(
  node: JsonObject,
  type: FamilyItem,
  ptr: string,
  item: number,
  callId: string,
  reader: Reader,
): ResultPart {
  const result = check<{ id?: string | null; status?: string | null }>(FAMILY_SCHEMAS[type], node, ptr, reader);
  const words = statusWords(result.status, type, ...present(node, 'call_id'));
  const part: ResultPart = {
    kind: 'result',
    callId,
    parts: [],
    id: result.id ?? undefined,
    item,
    ...origin(node, FAMILY_KEYS, ptr, words),
  };
  if (type === 'shell_call_output')
    return withStatus({ ...part, family: 'shell', json: { output: node.output } }, result.status);
  if (type === 'computer_call_output') return withStatus(screenshot(part, node.output), result.status);
  const output = node.output;
  const text: TextPart[] =
    typeof output === 'string' ? [{ kind: 'text', text: output, src: { ptr: `${ptr}/output` } }] : [];
  if (type === 'local_shell_call_output')
    return withStatus({ ...part, family: 'localShell', parts: text }, result.status);
  const patch: ResultPart = { ...part, family: 'patch', parts: text };
  if (result.status !== 'failed') return withStatus(patch, result.status);
  return { ...patch, isError: true };
}

/** The picture shows what the raw node, kept for printing, says. */
function screenshot(part: ResultPart, output: unknown): ResultPart {
  const shot = isRecord(output) ? output : {};
  const ptr = `${part.src?.ptr ?? ''}/output`;
  const raw: OpaquePart = {
    kind: 'opaque',
    dialect: 'responses',
    type: 'computer_screenshot',
    raw: shot,
    src: { ptr },
  };
  const picture = screenshotMedia(shot, ptr);
  return { ...part, family: 'computer', parts: picture === undefined ? [raw] : [picture] };
}

function screenshotMedia(shot: JsonObject, ptr: string): MediaPart | undefined {
  const known = Object.keys(shot).every((key) => key === 'type' || key === 'image_url' || key === 'file_id');
  const single = typeof shot.image_url === 'string' ? shot.file_id === undefined : typeof shot.file_id === 'string';
  if (!known || !single || shot.type !== 'computer_screenshot') return undefined;
  const part = decodeContentPart({ ...shot, type: 'input_image' }, ptr, {
    fault: 'invalid_request',
    domain: '',
    carriers: false,
  });
  return part.kind === 'media' ? part : undefined;
}

/** An answer to a call of a built-in tool, as it came. */
export function encodeFamilyOutput(part: ResultPart, type: FamilyItem, printer: Printer): JsonObject {
  const fields: JsonObject = { type };
  if (part.id !== undefined) fields.id = part.id;
  if (spelled(printer, part, 'has:call_id')) fields.call_id = part.callId;
  const first = part.parts[0];
  if (type === 'shell_call_output') fields.output = part.json?.output;
  else if (type === 'computer_call_output') fields.output = first === undefined ? {} : encodeScreenshot(first, printer);
  else if (first?.kind === 'text') fields.output = first.text;
  if (part.isError === true) fields.status = 'failed';
  else if (spelled(printer, part, COMPLETED)) fields.status = 'completed';
  return complete(fields, part, printer);
}

function encodeScreenshot(part: ResultContent, printer: Printer): JsonObject {
  return part.kind === 'opaque' ? part.raw : { ...encodeInputPart(part, printer), type: 'computer_screenshot' };
}

/** Whether a shell call runs in a container of the service: then nobody has to answer it. */
export function runsRemotely(node: JsonObject): boolean {
  const environment = node.environment;
  return isRecord(environment) && environment.type !== 'local';
}
