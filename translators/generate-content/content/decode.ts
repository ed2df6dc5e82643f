import { callWords } from '../../adapt/index.js';
import type { HostedCallPart, HostedResultPart, Part } from '../../canonical/content.js';
import type { Extensions, JsonObject, Source } from '../../canonical/node.js';
import { callPart, resultPart, textPart } from '../../canonical/parts.js';
import { hasUnsafeInteger, isObject, type JsonObject as Json } from '../../wire/json.js';
import { sourceAt } from '../../wire/memory.js';
import {
  bagPlaces,
  check,
  checkObject,
  DIALECT,
  type Frame,
  fieldNames,
  fieldPtr,
  invalid,
  type Opened,
  open,
  put,
  type ReadContext,
  remember,
} from '../nodes.js';
import { createPartialArgs, isFurtherPiece, isInPieces, piecesOf } from '../tools/arguments.js';
import { decodeResult } from '../tools/calls.js';
import { decodeHistory, isRebuilt } from '../tools/client.js';
import { decodeCode, decodeCodeResult } from '../tools/hosted/code-execution.js';
import { decodeToolCall, decodeToolResponse } from '../tools/hosted/decode.js';
import * as wire from '../wire/index.js';
import { bagOf, decodeBlob, decodeFile, decodeView } from './media.js';
import { clientState, stateOf, thoughtState } from './reasoning.js';

const MEMBERS = [
  'text',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
  'toolCall',
  'toolResponse',
] as const;
type Member = (typeof MEMBERS)[number];

/** Fields next to the data that may stay in the bag. */
const BESIDE = ['videoMetadata', 'mediaResolution', 'mediaProcessing', 'partMetadata', 'speechMetadata'];
const PART = fieldNames(...MEMBERS, ...BESIDE, 'thought', 'thoughtSignature', 'audioTranscription');
const CALL = fieldNames('name', 'args', 'id', 'partialArgs', 'willContinue');
const MEMBER: Readonly<Record<string, Member | undefined>> = Object.assign(
  Object.create(null),
  Object.fromEntries(MEMBERS.map((member) => [member, member])),
);
/** What the printers write themselves; other known fields stay in the bag. */
const PRINTED: ReadonlySet<string> = new Set([...MEMBERS, 'thought', 'thoughtSignature']);
const VIEW: ReadonlySet<string> = new Set(['videoMetadata', 'mediaResolution']);

/** Reads one part. Throws `invalid_request` for known members of a wrong shape; unknown ones become `opaque`. */
export function decodePart(value: unknown, ptr: string, context: ReadContext): Part {
  const node = checkObject(value, ptr);
  if (typeof node.text === 'string' && onlyText(node)) return textPart(node.text, sourceAt(ptr));
  const opened = open(node, PART, ptr);
  const { functionCall } = opened.known;
  const part = decodeMember(node, opened, ptr, context);
  // A call in pieces is put together of several nodes.
  return isObject(functionCall) && isInPieces(functionCall) ? part : remember(part, node);
}

function decodeMember(node: JsonObject, opened: Opened, ptr: string, context: ReadContext): Part {
  const { known } = opened;
  const { thought, thoughtSignature } = known;
  if (!isModifier(thought, 'boolean') || !isModifier(thoughtSignature, 'string')) {
    check(wire.modifiers, known, ptr, opened.names);
  }
  const frame: Frame = {
    opened,
    ptr,
    thought: thought === true,
    signature: typeof thoughtSignature === 'string' ? thoughtSignature : undefined,
    context,
  };
  const member = memberOf(known, frame);
  switch (member) {
    case undefined:
      return decodeBare(node, frame);
    case 'text':
      return decodeText(textOf(known.text, frame), node, frame);
    case 'inlineData':
    case 'fileData':
      return decodeMedia(member, frame);
    case 'functionCall':
      return decodeCall(frame);
    case 'functionResponse': {
      const at = fieldPtr(opened, member, ptr);
      const { callId, name, parts, json, isError, bag } = decodeResult(checkObject(known.functionResponse, at), at);
      const { state, carrier } = stateOf(frame, undefined);
      const ext = extOf(frame, false, bag);
      const part = resultPart(callId, name, parts, srcOf(frame), ext);
      part.json = json;
      part.isError = isError;
      part.state = state;
      part.carrier = carrier;
      return part;
    }
    default:
      return decodeHosted(member, node, frame);
  }
}

function memberOf(known: JsonObject, frame: Frame): Member | undefined {
  let found: Member | undefined;
  for (const key in known) {
    const member = MEMBER[key];
    if (member === undefined || known[key] === undefined) continue;
    if (found !== undefined) {
      throw invalid(
        `a part holds one of "${found}" and "${member}", not both`,
        fieldPtr(frame.opened, member, frame.ptr),
      );
    }
    found = member;
  }
  return found;
}

/**
 * A part without a data member we know: one with nothing in it is an empty text, a lone signature a signed one, the rest is
 * kept as it is.
 */
function decodeBare(node: JsonObject, frame: Frame): Part {
  const { opened, signature, ptr } = frame;
  const isAlone = opened.rest === undefined && opened.known.audioTranscription === undefined;
  if ((signature !== undefined && isAlone) || Object.keys(node).length === 0) {
    return decodeText('', node, frame);
  }
  const type =
    Object.keys(opened.rest ?? {})[0] ?? (opened.known.audioTranscription === undefined ? '' : 'audioTranscription');
  return { kind: 'opaque', dialect: DIALECT, type, raw: node, src: { ptr } };
}

function decodeText(text: string, node: JsonObject, frame: Frame): Part {
  if (frame.thought) {
    const { state, carrier } = thoughtState(node, frame);
    return { kind: 'reasoning', text: [text], state, carrier, ext: extOf(frame, false), src: srcOf(frame) };
  }
  const h = frame.context.answer && text !== '' ? text : undefined;
  const { state, carrier } = stateOf(frame, text === '' ? 'empty' : 'text', h);
  const part = textPart(text, srcOf(frame), extOf(frame, false));
  part.state = state;
  part.carrier = carrier;
  return part;
}

/** Checked by hand first: most parts are texts, and a schema costs more than all the rest of reading one. */
function textOf(text: unknown, { opened, ptr }: Frame): string {
  return typeof text === 'string' ? text : check(wire.text, text, fieldPtr(opened, 'text', ptr));
}

function isModifier(value: unknown, type: 'boolean' | 'string'): boolean {
  return value === undefined || typeof value === type;
}

function onlyText(node: JsonObject): boolean {
  for (const key in node) if (key !== 'text') return false;
  return true;
}

function decodeMedia(member: 'inlineData' | 'fileData', frame: Frame): Part {
  const { opened, ptr } = frame;
  const at = fieldPtr(opened, member, ptr);
  const value = checkObject(opened.known[member], at);
  const read = (member === 'inlineData' ? decodeBlob : decodeFile)(value, at, member);
  const view = decodeView(opened, ptr);
  return {
    kind: 'media',
    ...read.fields,
    ...view.fields,
    ...(frame.thought && { thought: true }),
    ...stateOf(frame, 'image'),
    ext: extOf(frame, true, read.bag, view.bag),
    src: srcOf(frame),
  };
}

/** A call; a further piece of its arguments is an empty text, whose piece pairs.ts adds to the call. */
function decodeCall(frame: Frame): Part {
  const { opened, ptr, context } = frame;
  const at = fieldPtr(opened, 'functionCall', ptr);
  const node = checkObject(opened.known.functionCall, at);
  const inner = open(node, CALL, at);
  if (isFurtherPiece(node)) {
    const { state, carrier } = stateOf(frame, 'empty');
    return { kind: 'text', text: '', state, carrier, ext: extOf(frame, false), src: srcOf(frame) };
  }
  const { name, args: given, id } = check(wire.functionCall, inner.known, at, inner.names);
  if (name === '') throw invalid('name: a call names its function', fieldPtr(inner, 'name', at));
  const args = isInPieces(node) ? assembled(node, given) : given;
  if (args !== undefined && hasUnsafeInteger(args as Json)) {
    context.losses.add(at, 'call.args', 'approximated', 'an integer beyond 2^53 may have lost digits');
  }
  const value = args ?? {};
  const words = context.answer ? (isRebuilt(name) ? callWords(name, value) : name) : undefined;
  const { state, carrier } = stateOf(frame, 'call', words);
  const further = inner.rest && { functionCall: inner.rest };
  const ext = extOf(frame, false, further, frame.thought ? { thought: true } : undefined);
  const src = srcOf(frame);
  const callId = id ?? '';
  const action = context.functions?.has(name) === false ? decodeHistory(name, value) : undefined;
  const part = callPart(callId, name, { value }, src, ext);
  part.state = state;
  part.carrier = carrier;
  if (action !== undefined) {
    part.family = 'computer';
    part.args = { value: { ...action } };
    part.src = { ...src, raw: value };
  }
  return part;
}

function assembled(call: JsonObject, begun: JsonObject | undefined): JsonObject {
  const partial = createPartialArgs(begun);
  partial.add(piecesOf(call));
  return partial.value;
}

function decodeHosted(
  member: 'executableCode' | 'codeExecutionResult' | 'toolCall' | 'toolResponse',
  node: JsonObject,
  frame: Frame,
): HostedCallPart | HostedResultPart {
  const at = fieldPtr(frame.opened, member, frame.ptr);
  const value = checkObject(frame.opened.known[member], at);
  const src = { ptr: frame.ptr, raw: node };
  const rest = { ...clientState(node, frame), src };
  switch (member) {
    case 'executableCode':
      return { kind: 'hostedCall', ...decodeCode(value, at), ...rest };
    case 'codeExecutionResult':
      return { kind: 'hostedResult', ...decodeCodeResult(value, at), ...rest };
    case 'toolCall':
      return { kind: 'hostedCall', ...decodeToolCall(value, at), ...rest };
    case 'toolResponse':
      return { kind: 'hostedResult', ...decodeToolResponse(value, at), ...rest };
  }
}

/** What nothing else holds: `viewed` says that the modifiers of media were read. */
function extOf(
  { opened: { known, rest } }: Frame,
  viewed: boolean,
  bag?: JsonObject,
  further?: JsonObject,
): Extensions | undefined {
  let kept: JsonObject | undefined;
  for (const key in known) {
    if (PRINTED.has(key) || (viewed && VIEW.has(key) && isObject(known[key]))) continue;
    kept ??= {};
    put(kept, key, known[key]);
  }
  return kept === undefined && (rest ?? bag ?? further) === undefined ? undefined : bagOf(rest, kept, bag, further);
}

function srcOf({ opened, ptr }: Frame): Source {
  return opened.names === undefined ? sourceAt(ptr) : { ptr, ...bagPlaces(opened, ptr, BESIDE) };
}
