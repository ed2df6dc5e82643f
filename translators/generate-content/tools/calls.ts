import type { CallPart, MediaPart, OpaquePart, Part, ResultPart, TextPart } from '../../canonical/content.js';
import type { JsonObject } from '../../canonical/node.js';
import { isObject, parseJson } from '../../wire/json.js';
import { bagOf, decodeBlob, decodeFile, encodeMedia } from '../content/media.js';
import { check, DIALECT, fieldNames, fieldPtr, open, respell } from '../nodes.js';
import * as wire from '../wire/index.js';

/** Whether the arguments are a text that holds no object. */
export function isBroken({ freeform, args: { text, value } }: CallPart, maxDepth?: number): boolean {
  if (freeform !== undefined || value !== undefined || text === undefined || text.trim() === '') return false;
  const parsed = parseJson(text, maxDepth);
  return !parsed.ok || (parsed.value !== null && !isObject(parsed.value));
}

/** The name of a call; functions here stand in no namespaces (translation.md 2.7 rule 1). */
export function callName({ name, namespace }: CallPart): string {
  return namespace === undefined ? name : `${namespace}__${name}`;
}

/** The arguments as an object; what is no object travels under a key that a tool's own check will refuse (CALL-14). */
export function argumentsOf(part: CallPart, maxDepth?: number): JsonObject {
  if (part.freeform !== undefined) return { input: part.freeform };
  if (part.args.value !== undefined) return part.args.value;
  const text = part.args.text ?? '';
  if (text.trim() === '') return {};
  const parsed = parseJson(text, maxDepth);
  if (parsed.ok && parsed.value === null) return {};
  return parsed.ok && isObject(parsed.value) ? parsed.value : { _raw_arguments: text };
}

const RESULT = fieldNames('name', 'response', 'id', 'parts');
const RESULT_PART = fieldNames('inlineData', 'fileData');

/** Keys under which a text travels in a response object that holds nothing else ([G §2.4], hard case CALL-09). */
const WRAPPERS = ['output', 'result', 'error'] as const;

/** What a result's response object says. */
interface Payload {
  readonly text?: string;
  readonly json?: JsonObject;
  readonly isError?: boolean;
  readonly wrapper?: string;
}

/** Reads a `functionResponse`; `base` are the fields of the part around it. */
export function decodeResult(
  value: JsonObject,
  ptr: string,
  marks: string[],
): Pick<ResultPart, 'callId' | 'name' | 'parts' | 'json' | 'isError'> & { readonly bag?: JsonObject } {
  const opened = open(value, RESULT, ptr, 'functionResponse.', marks);
  const { name, response, id, parts } = check(wire.functionResponse, opened.known, ptr, opened.names);
  const payload = response === undefined ? {} : unwrap(response);
  if (response === undefined) marks.push('absent:functionResponse.response');
  if (payload.wrapper !== undefined && payload.wrapper !== 'output' && payload.wrapper !== 'error') {
    marks.push(`wrap:${payload.wrapper}`);
  }
  if (id === '') marks.push('as:functionResponse.id=""');
  if (parts !== undefined && parts.length === 0) marks.push('as:functionResponse.parts=[]');
  const read: (TextPart | MediaPart | OpaquePart)[] = [];
  if (payload.text !== undefined && payload.text !== '') {
    read.push({ kind: 'text', text: payload.text, src: { ptr: fieldPtr(opened, 'response', ptr) } });
  }
  const at = fieldPtr(opened, 'parts', ptr);
  parts?.forEach((part, index) => {
    read.push(decodeResultPart(part, `${at}/${index}`));
  });
  return {
    callId: id ?? '',
    ...(name !== undefined && { name }),
    parts: read,
    ...(payload.json !== undefined && { json: payload.json }),
    ...(payload.isError === true && { isError: true }),
    ...(opened.rest !== undefined && { bag: { functionResponse: opened.rest } }),
  };
}

/** A lone text under a known key is the result itself; anything else is a JSON result. */
function unwrap(response: JsonObject): Payload {
  const keys = Object.keys(response);
  const wrapper = keys.length === 1 ? WRAPPERS.find((key) => key === keys[0]) : undefined;
  if (wrapper === undefined) return { json: response };
  const value = response[wrapper];
  const isError = wrapper === 'error';
  if (typeof value === 'string') return { text: value, wrapper, isError };
  return { json: response, isError };
}

function decodeResultPart(value: JsonObject, ptr: string): MediaPart | OpaquePart {
  const marks: string[] = [];
  const opened = open(value, RESULT_PART, ptr, '', marks);
  const member = opened.known.inlineData !== undefined ? 'inlineData' : 'fileData';
  const inner = opened.known[member];
  if (!isStruct(inner)) {
    return { kind: 'opaque', dialect: DIALECT, type: 'functionResponsePart', raw: value, src: { ptr } };
  }
  const read = (member === 'inlineData' ? decodeBlob : decodeFile)(inner, fieldPtr(opened, member, ptr), member, marks);
  const ext = bagOf(opened.rest, read.bag);
  return {
    kind: 'media',
    ...read.fields,
    ...(ext !== undefined && { ext }),
    src: { ptr, ...(marks.length > 0 && { shape: marks }), ...(read.raw !== undefined && { raw: read.raw }) },
  };
}

/** Prints a result as a part with `functionResponse`, in camelCase. Foreign results have been fitted. */
export function encodeResult(part: ResultPart, own: boolean): JsonObject {
  const bag = own ? part.ext?.generateContent : undefined;
  const functionResponse: JsonObject = isStruct(bag?.functionResponse) ? { ...bag.functionResponse } : {};
  if (part.callId !== '') functionResponse.id = part.callId;
  if (part.name !== undefined) functionResponse.name = part.name;
  functionResponse.response = payloadOf(part, own);
  const media = part.parts.flatMap((inner) =>
    inner.kind === 'media' ? [encodeResultMedia(inner, own)] : inner.kind === 'opaque' ? [inner.raw] : [],
  );
  if (media.length > 0) functionResponse.parts = media;
  return bag === undefined ? { functionResponse } : { ...bag, functionResponse };
}

function encodeResultMedia(part: MediaPart, own: boolean): JsonObject {
  const printed = encodeMedia(part, own);
  return own ? respell(printed, part.src?.shape) : printed;
}

function payloadOf(part: ResultPart, own: boolean): JsonObject {
  const failed = part.isError === true;
  if (part.json !== undefined) return failed && !own ? { error: JSON.stringify(part.json) } : part.json;
  const text = textOf(part.parts);
  if (failed) return { error: text };
  const wrapper = own ? part.src?.shape?.find((mark) => mark.startsWith('wrap:'))?.slice('wrap:'.length) : undefined;
  return { [wrapper ?? 'output']: text };
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
