import type { Arguments, CallPart, Part, ResultPart } from './content.js';
import type { Whole } from './node.js';

/** Whether a part of an answer is what the client asked for: words, calls and media. Thoughts and searches lead to it. */
export function isSubstance(part: Part): boolean {
  if (part.kind === 'text' || part.kind === 'refusal') return part.text !== '';
  if (part.kind === 'media') return part.thought !== true;
  return part.kind === 'call' || (part.kind === 'hostedResult' && part.family === 'imageGen');
}

// Literals in place of object spread: parts come out of three decoders in many shapes, for which spread takes a path
// about ten times slower.

/** A result as that of `call`: under its id and tool name, without a namespace, and of its kind, which not all sources tell. */
export function resultOf(part: ResultPart, call: CallPart): Whole<Omit<ResultPart, 'namespace'>> {
  return {
    kind: 'result',
    callId: call.callId,
    name: call.name,
    parts: part.parts,
    json: part.json,
    isError: part.isError,
    custom: call.freeform === undefined ? undefined : true,
    family: part.family,
    cache: part.cache,
    id: part.id,
    item: part.item,
    phase: part.phase,
    state: part.state,
    carrier: part.carrier,
    ext: part.ext,
    src: part.src,
  };
}

/** A plain call with other arguments: no free text, of no built-in family. */
export function plainCall(part: CallPart, args: Arguments): Whole<Omit<CallPart, 'freeform' | 'family' | 'fixedName'>> {
  return {
    kind: 'call',
    callId: part.callId,
    name: part.name,
    namespace: part.namespace,
    args,
    truncated: part.truncated,
    cache: part.cache,
    id: part.id,
    item: part.item,
    phase: part.phase,
    state: part.state,
    carrier: part.carrier,
    ext: part.ext,
    src: part.src,
  };
}

/** Whether a part belongs to a phase that dialects without phases cannot tell: a final answer is what every text is there. */
export function hasPhase({ phase }: Part): boolean {
  return phase !== undefined && phase !== 'final_answer';
}
