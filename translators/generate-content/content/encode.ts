import type { CallPart, Part } from '../../canonical/content.js';
import type { JsonObject } from '../../canonical/node.js';
import { isObject } from '../../wire/json.js';
import { respell } from '../nodes.js';
import { argumentsOf, encodeResult } from '../tools/calls.js';
import { encodeCode, encodeCodeResult } from '../tools/hosted/encode.js';
import { encodeMedia } from './media.js';
import { signatureOf } from './reasoning.js';

/**
 * Prints one part, with the signature it holds. `own` parts came from this dialect and are printed as they came; others
 * have been fitted. undefined for what this dialect has no part for.
 */
export function encodePart(part: Part, own: boolean): JsonObject | undefined {
  switch (part.kind) {
    case 'text':
      if (part.ext === undefined && part.state === undefined && (!own || part.src?.shape === undefined)) {
        return part.carrier === undefined ? { text: part.text } : { text: part.text, thoughtSignature: part.carrier };
      }
      return finish({ ...bagOf(part, own), text: part.text }, part, own);
    case 'refusal':
      return { text: part.text };
    case 'reasoning':
      return finish({ ...bagOf(part, own), text: part.text.join(''), thought: true }, part, own);
    case 'media':
      return finish(encodeMedia(part, own), part, own);
    case 'call':
      return encodeCall(part, own);
    case 'result':
      return finish(encodeResult(part, own), part, own);
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
  return finish({ ...bag, functionCall }, part, own);
}

function isEmpty(object: JsonObject): boolean {
  for (const _key in object) return false;
  return true;
}

function finish(wire: JsonObject, part: Part, own: boolean): JsonObject {
  const signed = withSignature(wire, part);
  return own ? respell(signed, part.src?.shape) : signed;
}

function withSignature(wire: JsonObject, part: Part): JsonObject {
  const signature = signatureOf(part);
  if (signature !== undefined) wire.thoughtSignature = signature;
  return wire;
}

function bagOf(part: Part, own: boolean): JsonObject {
  return (own && part.ext?.generateContent) || {};
}
