import type { JsonObject } from '../../canonical/node.js';
import type { WithholdContext } from '../../dialect.js';
import { isCarrier, isWithheld, stateMark } from '../../wire/carrier.js';
import { isObject } from '../../wire/json.js';
import { STAND_IN } from '../content/reasoning.js';

/** What a body holds in which something may have to be withheld. Calls of other services begin with these words. */
export const foreignMark = stateMark('"toolu_', '"call_');

/** How the ids of calls of other services begin. */
const FOREIGN_CALL = /^(?:toolu|call)_/;

/**
 * Takes state that other backends issued out of a body that goes to a backend of this dialect as it is: the signatures
 * it rides in, the parts that hold nothing else, and the thoughts it shows. A call that loses its signature, or that another
 * service made without one, gets the stand-in where the model demands one (translation.md 4.5).
 */
export function withholdState(body: JsonObject, context: WithholdContext): JsonObject {
  const { losses, target } = context;
  if (!Array.isArray(body.contents)) return {};
  let changed = false;
  const contents = body.contents.map((content: unknown, index) => {
    if (!isObject(content) || !Array.isArray(content.parts)) return content;
    const isForeign = (part: unknown): boolean => isWithheld(signatureOf(part), context);
    const holds = content.parts.some(isForeign);
    const unsigned = target.signatures === 'required' && lacksSignature(content.parts);
    if (!holds && !unsigned) return content;
    changed = true;
    const path = `/contents/${index}`;
    if (holds) losses.add(path, 'reasoning.state', 'dropped', 'another backend issued it');
    if (unsigned) losses.add(path, 'reasoning.state', 'invented', 'a substitute for the signature of the call');
    const shown = holds ? content.parts.filter((part) => !isShownThought(part)) : content.parts;
    const parts = shown.flatMap((part) => (isForeign(part) ? bare(part) : [part]));
    if (target.signatures === 'required') signFirstCall(parts);
    return { ...content, parts };
  });
  if (!changed) return {};
  return {
    contents: contents.filter(
      (content) => !isObject(content) || !Array.isArray(content.parts) || content.parts.length > 0,
    ),
  };
}

function signatureOf(part: unknown): string | undefined {
  if (!isObject(part)) return undefined;
  const signature = part.thoughtSignature ?? part.thought_signature;
  return typeof signature === 'string' ? signature : undefined;
}

/** Thoughts of another model: shown, but never signed by this service. */
function isShownThought(part: unknown): boolean {
  return isObject(part) && part.thought === true && !isOwnSignature(signatureOf(part));
}

function isOwnSignature(signature: string | undefined): boolean {
  return signature !== undefined && !isCarrier(signature);
}

/** A part without its signature; none when it held nothing else. */
function bare(part: unknown): unknown[] {
  if (!isObject(part)) return [part];
  const { thoughtSignature: _camel, thought_signature: _snake, ...rest } = part;
  const empty = Object.keys(rest).length === 0 || (rest.text === '' && Object.keys(rest).length === 1);
  return empty ? [] : [rest];
}

/** Whether the first call of a step was made by another service, which signs nothing, and would be refused for it. */
function lacksSignature(parts: readonly unknown[]): boolean {
  const first = parts.find(isCall);
  if (!isObject(first) || signatureOf(first) !== undefined) return false;
  const call = first.functionCall ?? first.function_call;
  return isObject(call) && typeof call.id === 'string' && FOREIGN_CALL.test(call.id);
}

function isCall(part: unknown): boolean {
  return isObject(part) && ('functionCall' in part || 'function_call' in part);
}

function signFirstCall(parts: unknown[]): void {
  const place = parts.findIndex(isCall);
  const call = parts[place];
  if (isObject(call) && signatureOf(call) === undefined) parts[place] = { ...call, thoughtSignature: STAND_IN };
}
