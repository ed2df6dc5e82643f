import type { CallPart, Part } from '../canonical/content.js';
import type { JsonObject } from '../canonical/node.js';
import type { StateEntry } from '../canonical/state.js';
import { isObject, parseJson } from '../wire/json.js';
import { encodeCode, encodeCodeResult } from './hosted.js';
import { encodeMedia } from './media.js';
import { encodeResult } from './results.js';
import { respell } from './spelling.js';

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
    default:
      return undefined;
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

/** Whether the arguments are a text that holds no object. */
export function isBroken({ freeform, args: { text, value } }: CallPart): boolean {
  if (freeform !== undefined || value !== undefined || text === undefined || text.trim() === '') return false;
  const parsed = parseJson(text);
  return !parsed.ok || (parsed.value !== null && !isObject(parsed.value));
}

/** The name of a call; functions here stand in no namespaces (translation.md 2.7 rule 1). */
export function callName({ name, namespace }: CallPart): string {
  return namespace === undefined ? name : `${namespace}__${name}`;
}

function isEmpty(object: JsonObject): boolean {
  for (const _key in object) return false;
  return true;
}

/** The arguments as an object; what is no object travels under a key that a tool's own check will refuse (CALL-14). */
export function argumentsOf(part: CallPart): JsonObject {
  if (part.freeform !== undefined) return { input: part.freeform };
  if (part.args.value !== undefined) return part.args.value;
  const text = part.args.text ?? '';
  if (text.trim() === '') return {};
  const parsed = parseJson(text);
  if (parsed.ok && parsed.value === null) return {};
  return parsed.ok && isObject(parsed.value) ? parsed.value : { _raw_arguments: text };
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

/** The signature that a part carries as its issuer, or a gateway before us, wrote it. */
export function signatureOf(part: Part): string | undefined {
  if (part.carrier !== undefined) return part.carrier;
  const entry = part.state?.find((candidate) => candidate.dialect === 'generateContent');
  return entry === undefined ? undefined : signatureIn(entry);
}

/** The bare signature of an entry: itself, or the one in the node the entry holds. */
export function signatureIn(entry: StateEntry): string | undefined {
  if (entry.kind === 'signature' || (entry.kind === 'none' && entry.payload !== '')) return entry.payload;
  if (entry.kind !== 'reasoning') return undefined;
  const parsed = parseJson(entry.payload);
  const node = parsed.ok && isObject(parsed.value) ? parsed.value : {};
  const signature = node.thoughtSignature ?? node.thought_signature;
  return typeof signature === 'string' ? signature : undefined;
}

function bagOf(part: Part, own: boolean): JsonObject {
  return (own && part.ext?.generateContent) || {};
}
