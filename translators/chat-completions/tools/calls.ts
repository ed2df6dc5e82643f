import type { Arguments, CallPart, ResultPart } from '../../canonical/content.js';
import type { JsonObject } from '../../canonical/node.js';
import { callPart, resultPart, textPart } from '../../canonical/parts.js';
import { isBlank } from '../../wire/blank.js';
import { isObject } from '../../wire/json.js';
import { createJsonScanner } from '../../wire/json-scan.js';
import { decodeContent, isResultPart } from '../content/decode.js';
import { encodePart } from '../content/encode.js';
import {
  bagOf,
  check,
  finish,
  keep,
  keepInner,
  keepUntyped,
  keysOf,
  remember,
  remembered,
  restore,
  typeOf,
} from '../nodes.js';
import * as wire from '../wire/index.js';

const CALL = keysOf(wire.call);
const FUNCTION = keysOf(wire.functionCall);
const CUSTOM = keysOf(wire.customCall);
const TOOL_MESSAGE = keysOf(wire.toolMessage);

/** A call of an assistant's message [H §4.4]. Some servers give both members, of which one is empty [H §4.1]. */
export function decodeCall(node: JsonObject, ptr: string): CallPart {
  const call = check(wire.call, node, ptr);
  const callId = call.id ?? '';
  const kept = keep(node, CALL, ptr);
  if (call.custom && (call.type === 'custom' || !call.function)) {
    const { name, input } = check(wire.customCall, call.custom, `${ptr}/custom`);
    const inner = keepInner(kept, 'custom', call.custom, CUSTOM, ptr);
    return remember({ kind: 'call', callId, name, args: { value: {} }, freeform: input ?? '', ...inner }, node);
  }
  const { name, arguments: given } = check(wire.functionCall, call.function ?? {}, `${ptr}/function`);
  const inner = keepInner(kept, 'function', call.function, FUNCTION, ptr);
  const args = decodeArguments(given);
  const { ext, src, cache } = keepUntyped(inner, call.type);
  const part = callPart(callId, name, args, src, ext);
  part.cache = cache;
  return remember(part, node);
}

/** The one call of a message in the older form, which has no id; one without a name is none [H §4.5]. */
export function decodeFunctionCall(node: JsonObject, ptr: string): CallPart | undefined {
  if (node.name === '' || node.name === undefined || node.name === null) return undefined;
  const { name, arguments: given } = check(wire.functionCall, node, ptr);
  return { kind: 'call', callId: '', name, args: decodeArguments(given), ...keep(node, FUNCTION, ptr) };
}

/** Whether a call in the older form says once more what an entry of `tool_calls` says; fragments of calls are compared as they come. */
export function isToldTwice({ name, arguments: given }: JsonObject, calls: unknown): boolean {
  if (!Array.isArray(calls)) return false;
  return calls.some(
    (call) =>
      isObject(call) && isObject(call.function) && call.function.name === name && call.function.arguments === given,
  );
}

/** Arguments as the model wrote them; servers without any say so in many ways (translation.md 2.5). */
function decodeArguments(given: string | JsonObject | null | undefined): Arguments {
  if (typeof given === 'object') return { value: given ?? {} };
  return given === undefined || isBlank(given) ? { value: {} } : { text: given };
}

/** The text of a call's arguments; at least `{}` (translation.md 2.5). */
function argumentText({ args }: CallPart): string {
  return args.text ?? JSON.stringify(args.value ?? {});
}

/** A call as an entry of `tool_calls`. */
export function encodeCall(part: CallPart, own: boolean): JsonObject {
  const form = own ? remembered(part) : undefined;
  if (form !== undefined) return form;
  const { callId: id, name, freeform } = part;
  if (freeform !== undefined) return finish({ id, type: 'custom', custom: { name, input: freeform } }, part, own);
  return finish({ id, ...typeOf(part, 'function'), function: { name, arguments: argumentText(part) } }, part, own);
}

/** A call as the `function_call` of the older form. */
export function encodeFunctionCall(part: CallPart): JsonObject {
  return restore({ name: part.name, arguments: argumentText(part) }, part);
}

/** The answer to a call: a message of role `tool`, or `function` in the older form, which names the function alone. */
export function decodeToolMessage(node: JsonObject, ptr: string): ResultPart {
  const { tool_call_id: id, name, content } = check(wire.toolMessage, node, ptr);
  const read = decodeContent(content, `${ptr}/content`);
  const parts = read.every(isResultPart)
    ? read
    : read.map((part) => (isResultPart(part) ? part : textPart(part.text, part.src)));
  const { ext, src, cache } = keep(node, TOOL_MESSAGE, ptr);
  const part = resultPart(id ?? '', name ?? undefined, parts, src, ext);
  part.cache = cache;
  return remember(part, node);
}

/** The message that a result of this dialect came as; in the older form where it has no id. */
export function encodeOwnResult(part: ResultPart): JsonObject {
  const form = remembered(part);
  if (form !== undefined) return form;
  const out: JsonObject =
    part.callId === '' ? { role: 'function', name: part.name } : { role: 'tool', tool_call_id: part.callId };
  if (part.callId !== '' && part.name !== undefined) out.name = part.name;
  const [only, ...others] = part.parts;
  const isBare = others.length === 0 && only?.kind === 'text' && (remembered(only) ?? bagOf(only)) === undefined;
  out.content = isBare ? only.text : only === undefined ? '' : part.parts.map((child) => encodePart(child));
  return restore(out, part);
}

/** Whether a call of an answer that was cut came whole: the brackets of its arguments are closed, or others follow it. */
export function isWhole(custom: boolean, complete: boolean, blank: boolean, last: boolean): boolean {
  return custom ? !last : complete || (blank && !last);
}

/** Whether a client that is told that the answer was cut takes a call for whole, by the text of its arguments. */
export function readsWhole(custom: boolean, text: string, last: boolean): boolean {
  return isWhole(custom, createJsonScanner().scan(text, 0) !== -1, isBlank(text), last);
}
