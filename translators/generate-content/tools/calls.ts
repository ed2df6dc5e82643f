import { argumentsOf, parseArguments } from '../../adapt/index.js';
import type { CallPart, MediaPart, OpaquePart, Part, ResultPart, TextPart } from '../../canonical/content.js';
import type { JsonObject } from '../../canonical/node.js';
import { textPart } from '../../canonical/parts.js';
import type { EncodeResponseContext } from '../../dialect.js';
import { changedNumber } from '../../wire/json-numbers.js';
import { sourceAt } from '../../wire/memory.js';
import { itemPtr } from '../../wire/pointer.js';
import { bagOf, decodeBlob, decodeFile, encodeMedia } from '../content/media.js';
import { check, DIALECT, fieldNames, fieldPtr, open, remember, remembered } from '../nodes.js';
import * as wire from '../wire/index.js';

/** Whether the arguments are a text that holds no object. */
function isBroken({ freeform, args: { text, value } }: CallPart, maxDepth?: number): boolean {
  return freeform === undefined && value === undefined && text !== undefined && !parseArguments(text, maxDepth);
}

/** The name of a call; functions here stand in no namespaces (translation.md 2.7 rule 1). */
function callName({ name, namespace }: CallPart): string {
  return namespace === undefined ? name : `${namespace}__${name}`;
}

/** Encodes a call of another service as a part without its signature; undefined for one that was cut. */
export function encodeForeignCall(
  part: CallPart,
  { losses, maxEventDepth }: EncodeResponseContext,
): JsonObject | undefined {
  if (part.truncated === true) {
    losses.add(part, 'call.truncated', 'dropped', 'a call whose arguments are not complete');
    return undefined;
  }
  const args = argumentsOf(part, maxEventDepth);
  if (isBroken(part, maxEventDepth)) {
    losses.add(part, 'call.args', 'approximated', 'the arguments are no JSON object; sent as a text');
  } else {
    const change = part.args.text === undefined ? undefined : changedNumber(part.args.text);
    if (change !== undefined) losses.add(part, 'call.args', 'approximated', change);
  }
  if (part.namespace !== undefined) losses.add(part, 'call.name', 'moved', 'the namespace is moved into the name');
  const functionCall = { ...(part.callId !== '' && { id: part.callId }), name: callName(part), args };
  return { functionCall };
}

const RESULT = fieldNames('name', 'response', 'id', 'parts');
const RESULT_PART = fieldNames('inlineData', 'fileData');

/** Keys under which a text travels in a response object that holds nothing else ([G §2.4], hard case CALL-09). */
const WRAPPERS: ReadonlySet<string> = new Set(['output', 'result', 'error']);

/** What a result's response object says. */
interface Payload {
  readonly text?: string;
  readonly json?: JsonObject;
  readonly isError?: boolean;
}

/** Reads a `functionResponse`; `base` are the fields of the part around it. */
export function decodeResult(
  value: JsonObject,
  ptr: string,
): Pick<ResultPart, 'callId' | 'name' | 'parts' | 'json' | 'isError'> & { readonly bag?: JsonObject } {
  const opened = open(value, RESULT, ptr);
  const { name, response, id, parts } = check(wire.functionResponse, opened.known, ptr, opened.names);
  const payload: Payload = response === undefined ? {} : unwrap(response);
  const { text = '' } = payload;
  const read: (TextPart | MediaPart | OpaquePart)[] =
    text === '' ? [] : [textPart(text, sourceAt(fieldPtr(opened, 'response', ptr)))];
  if (parts !== undefined) {
    const at = fieldPtr(opened, 'parts', ptr);
    for (const [index, part] of parts.entries()) read.push(decodeResultPart(part, itemPtr(at, index)));
  }
  return {
    callId: id ?? '',
    name,
    parts: read,
    json: payload.json,
    isError: payload.isError === true ? true : undefined,
    bag: opened.rest && { functionResponse: opened.rest },
  };
}

/** A lone text under a known key is the result itself; anything else is a JSON result. */
function unwrap(response: JsonObject): Payload {
  let only: string | undefined;
  for (const key in response) {
    if (only !== undefined || !WRAPPERS.has(key)) return { json: response };
    only = key;
  }
  if (only === undefined) return { json: response };
  const value = response[only];
  const isError = only === 'error';
  if (typeof value === 'string') return { text: value, isError };
  return { json: response, isError };
}

function decodeResultPart(value: JsonObject, ptr: string): MediaPart | OpaquePart {
  const opened = open(value, RESULT_PART, ptr);
  const member = opened.known.inlineData !== undefined ? 'inlineData' : 'fileData';
  const inner = opened.known[member];
  if (!isStruct(inner)) {
    return { kind: 'opaque', dialect: DIALECT, type: 'functionResponsePart', raw: value, src: { ptr } };
  }
  const read = (member === 'inlineData' ? decodeBlob : decodeFile)(inner, fieldPtr(opened, member, ptr), member);
  const ext = bagOf(opened.rest, read.bag);
  return remember({ kind: 'media', ...read.fields, ...(ext !== undefined && { ext }), src: { ptr } }, value);
}

/** Encodes a result as a part with `functionResponse`, in camelCase. Foreign results have been fitted. */
export function encodeResult(part: ResultPart, own: boolean): JsonObject {
  const bag = own ? part.ext?.generateContent : undefined;
  const functionResponse: JsonObject = isStruct(bag?.functionResponse) ? { ...bag.functionResponse } : {};
  if (part.callId !== '') functionResponse.id = part.callId;
  if (part.name !== undefined) functionResponse.name = part.name;
  functionResponse.response = payloadOf(part, own);
  const media: unknown[] = [];
  for (const inner of part.parts) {
    if (inner.kind === 'media') media.push((own ? remembered(inner) : undefined) ?? encodeMedia(inner, own));
    else if (inner.kind === 'opaque') media.push(inner.raw);
  }
  if (media.length > 0) functionResponse.parts = media;
  return bag === undefined ? { functionResponse } : { ...bag, functionResponse };
}

function payloadOf(part: ResultPart, own: boolean): JsonObject {
  const failed = part.isError === true;
  if (part.json !== undefined) return failed && !own ? { error: JSON.stringify(part.json) } : part.json;
  return { [failed ? 'error' : 'output']: textOf(part.parts) };
}

/** The texts of a result, as one. */
export function textOf(parts: readonly Part[]): string {
  const only = parts.length === 1 ? parts[0] : undefined;
  if (only?.kind === 'text') return only.text;
  return parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');
}

function isStruct(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
