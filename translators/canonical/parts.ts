import type { Arguments, CallPart, Part, ResultPart, TextPart } from './content.js';
import type { Extensions, Source } from './node.js';
import type { Turn } from './request.js';

/** Whether a part of an answer is what the client asked for: words, calls and media. Thoughts and searches lead to it. */
export function isSubstance(part: Part): boolean {
  if (part.kind === 'text' || part.kind === 'refusal') return part.text !== '';
  if (part.kind === 'media') return part.thought !== true;
  return part.kind === 'call' || (part.kind === 'hostedResult' && part.family === 'imageGen');
}

/** Whether a tool of the service ran, for which there may be a fee beside its tokens. */
export function isPaid(part: Part): boolean {
  if (part.kind !== 'hostedCall' && part.kind !== 'hostedResult') return false;
  return part.family !== 'mcp' && part.family !== 'toolSearch';
}

/** A node while it is built. */
type Built<T> = { -readonly [K in keyof T]: T[K] };

// Nodes that there are many of are made here, with all their fields, also those that are undefined: whatever reads them meets one
// shape for a kind, from whichever dialect they came. More than four make each look several times as dear.

/** A text, of which the caller may set further fields. */
export function textPart(text: string, src: Source | undefined, ext?: Extensions): Built<TextPart> {
  return {
    kind: 'text',
    text,
    citations: undefined,
    logprobs: undefined,
    id: undefined,
    item: undefined,
    phase: undefined,
    state: undefined,
    carrier: undefined,
    ext,
    src,
    cache: undefined,
  };
}

/** A call, of which the caller may set further fields. */
export function callPart(
  callId: string,
  name: string,
  args: Arguments,
  src: Source | undefined,
  ext?: Extensions,
): Built<CallPart> {
  return {
    kind: 'call',
    callId,
    name,
    namespace: undefined,
    args,
    freeform: undefined,
    truncated: undefined,
    family: undefined,
    fixedName: undefined,
    id: undefined,
    item: undefined,
    phase: undefined,
    state: undefined,
    carrier: undefined,
    ext,
    src,
    cache: undefined,
  };
}

/** A result, of which the caller may set further fields. */
export function resultPart(
  callId: string,
  name: string | undefined,
  parts: ResultPart['parts'],
  src: Source | undefined,
  ext?: Extensions,
): Built<ResultPart> {
  return {
    kind: 'result',
    callId,
    name,
    namespace: undefined,
    parts,
    json: undefined,
    isError: undefined,
    custom: undefined,
    family: undefined,
    id: undefined,
    item: undefined,
    phase: undefined,
    state: undefined,
    carrier: undefined,
    ext,
    src,
    cache: undefined,
  };
}

/** A turn as it was read. */
export function readTurn(
  role: Turn['role'],
  authority: Turn['authority'],
  parts: readonly Part[],
  src: Source | undefined,
  ext?: Extensions,
): Turn {
  return { role, authority, parts, ext, src };
}

/** Gives a node what any part may carry beside its source. */
function carrying<P extends Built<Part>>(part: P, { id, item, phase, state, carrier, cache }: Part): P {
  part.id = id;
  part.item = item;
  part.phase = phase;
  part.state = state;
  part.carrier = carrier;
  part.cache = cache;
  return part;
}

/** A result as that of `call`: under its id and tool name, without a namespace, and of its kind, which not all sources tell. */
export function resultOf(part: ResultPart, call: CallPart): ResultPart {
  const result = resultPart(call.callId, call.name, part.parts, part.src, part.ext);
  result.json = part.json;
  result.isError = part.isError;
  result.custom = call.freeform === undefined ? undefined : true;
  result.family = part.family;
  return carrying(result, part);
}

/** A plain call with other arguments: no free text, of no built-in family. */
export function plainCall(part: CallPart, args: Arguments): CallPart {
  const call = callPart(part.callId, part.name, args, part.src, part.ext);
  call.namespace = part.namespace;
  call.truncated = part.truncated;
  return carrying(call, part);
}

/** Whether a part belongs to a phase that dialects without phases cannot tell: a final answer is what every text is there. */
export function hasPhase({ phase }: Part): boolean {
  return phase !== undefined && phase !== 'final_answer';
}
