import { argumentsOf } from '../../adapt/index.js';
import type { CallPart, Part } from '../../canonical/content.js';
import type { JsonObject } from '../../canonical/node.js';
import { isObject } from '../../wire/json.js';
import { remembered } from '../nodes.js';
import { encodeResult } from '../tools/calls.js';
import { encodeCode, encodeCodeResult } from '../tools/hosted/code-execution.js';
import { encodeMedia } from './media.js';
import { signatureOf } from './reasoning.js';

/**
 * Encodes one part, with the signature it holds. `own` parts came from this dialect and are encoded as they came; others
 * have been fitted. undefined for what this dialect has no part for.
 */
export function encodePart(part: Part, own: boolean): JsonObject | undefined {
  const form = own ? remembered(part) : undefined;
  if (form !== undefined) return form;
  switch (part.kind) {
    case 'text':
      if (part.ext === undefined && part.state === undefined) {
        return part.carrier === undefined ? { text: part.text } : { text: part.text, thoughtSignature: part.carrier };
      }
      return withSignature({ ...bagOf(part, own), text: part.text }, part);
    case 'refusal':
      return { text: part.text };
    case 'reasoning':
      return withSignature({ ...bagOf(part, own), text: part.text.join(''), thought: true }, part);
    case 'media':
      return withSignature(encodeMedia(part, own), part);
    case 'call':
      return encodeCall(part, own);
    case 'result':
      return withSignature(encodeResult(part, own), part);
    case 'hostedCall':
      if (own && isObject(part.src?.raw)) return part.src.raw;
      return part.family === 'codeExec' ? withSignature(encodeCode(part), part) : undefined;
    case 'hostedResult':
      if (own && isObject(part.src?.raw)) return part.src.raw;
      return part.family === 'codeExec' ? withSignature(encodeCodeResult(part), part) : undefined;
    case 'opaque':
      return part.raw;
    case 'textdoc':
    case 'searchResult':
    case 'ref':
    case 'compaction':
    case 'approval':
    case 'toolChange':
    case 'handover':
      return undefined;
    default:
      return part satisfies never;
  }
}

function encodeCall(part: CallPart, own: boolean): JsonObject {
  const bag = bagOf(part, own);
  const raw = own && part.family === 'computer' && isObject(part.src?.raw) ? part.src.raw : undefined;
  const args = raw ?? argumentsOf(part);
  const functionCall: JsonObject = isObject(bag.functionCall) ? { ...bag.functionCall } : {};
  if (part.callId !== '') functionCall.id = part.callId;
  functionCall.name = part.name;
  if (own || !isEmpty(args)) functionCall.args = args;
  return withSignature(bag === NO_BAG ? { functionCall } : { ...bag, functionCall }, part);
}

function isEmpty(object: JsonObject): boolean {
  for (const _key in object) return false;
  return true;
}

function withSignature(wire: JsonObject, part: Part): JsonObject {
  const signature = signatureOf(part);
  if (signature !== undefined) wire.thoughtSignature = signature;
  return wire;
}

const NO_BAG: Readonly<JsonObject> = {};

function bagOf(part: Part, own: boolean): Readonly<JsonObject> {
  return (own && part.ext?.generateContent) || NO_BAG;
}
