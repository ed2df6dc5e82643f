import { dropForeign, packState } from '../../adapt/index.js';
import type { CallPart, Citation, Part, ReasoningPart, TextPart } from '../../canonical/content.js';
import type { Losses } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
import type { StateEntry } from '../../canonical/state.js';
import type { EncodeResponseContext } from '../../dialect.js';
import { isObject } from '../../wire/json.js';
import { changedNumber } from '../../wire/json-numbers.js';
import { encodePart } from '../content/encode.js';
import { createSources, type SourceCollector } from '../content/grounding.js';
import { reportThoughts, shownThoughts, signatureIn, withoutRepeats } from '../content/reasoning.js';
import { DIALECT } from '../nodes.js';
import { argumentsOf, callName, isBroken } from '../tools/calls.js';
import { DERIVED } from '../tools/hosted/decode.js';
import { createHostedReporter } from '../tools/hosted/report.js';

/** Prints the parts of an answer for a client, whole or as they stream (translation.md 4.3, 5.1). */
export interface AnswerWriter {
  /** What the parts so far say about sources, and the text that citations point into. */
  readonly sources: SourceCollector;
  /** The wire parts of a whole part; none for what is told elsewhere or not at all. */
  part(part: Part): JsonObject[];
  /** The signature for a part that goes out now: its own state and everything that waits. */
  signature(state: readonly StateEntry[] | undefined): string | undefined;
  /** Lets the state of a reasoning part wait for the next part. */
  hold(part: ReasoningPart): void;
  /** Lets entries wait that became known after their part went out. */
  defer(entries: readonly StateEntry[]): void;
  /** The carrier of what still waits when no part is left. */
  rest(): string | undefined;
}

/** The issuer of carriers that hold nothing but the word that there is no state. */
const NO_ISSUER = 'none';

/** A printer; `own` answers come from this dialect and are printed as they came. */
export function createAnswerWriter(own: boolean, context: EncodeResponseContext): AnswerWriter {
  const sources = createSources();
  const reporter = createHostedReporter(context.losses);
  let waiting: StateEntry[] = [];

  const signature = (state: readonly StateEntry[] | undefined): string | undefined => {
    const native = state?.find((entry) => entry.dialect === DIALECT);
    if (native !== undefined) return signatureIn(native);
    if (waiting.length === 0 && (state === undefined || state.length === 0)) return undefined;
    const entries = [...waiting, ...(state ?? [])];
    waiting = [];
    return packState(withoutRepeats(entries), context.losses);
  };

  const hold = (part: ReasoningPart): void => {
    const state = part.state ?? [];
    if (own || state.some((entry) => entry.dialect === DIALECT)) return;
    if (state.length > 0) waiting.push(...state);
    else waiting.push({ dialect: NO_ISSUER, domain: NO_ISSUER, kind: 'none', payload: '' });
  };

  const sign = (printed: JsonObject, part: Part): JsonObject => {
    const text = signature(part.state);
    return text === undefined ? printed : { ...printed, thoughtSignature: text };
  };

  const part = (given: Part): JsonObject[] => {
    if (given.src?.shape?.includes(DERIVED) === true) {
      if (given.kind === 'hostedCall' || given.kind === 'hostedResult') sources.hosted(given);
      return [];
    }
    if (own) {
      if (given.kind === 'text') sources.text(given);
      const printed = encodePart(given, true);
      return printed === undefined ? [] : [printed];
    }
    const ptr = given.src?.ptr ?? '';
    dropForeign(given, DIALECT, context.losses);
    switch (given.kind) {
      case 'text':
      case 'refusal':
        if (given.text === '' && given.state === undefined) return [];
        if (given.kind === 'text') {
          reportCitations(given.citations, ptr, context.losses);
          reportLogprobs(given, context.losses);
        }
        reportPhase(given, context.losses);
        sources.text({ text: given.text, citations: given.kind === 'text' ? given.citations : undefined });
        return [sign({ text: given.text }, given)];
      case 'reasoning': {
        const thoughts = shownThoughts(given).map((text) => ({ text, thought: true }));
        reportThoughts(given, context.losses);
        hold(given);
        return thoughts;
      }
      case 'call':
        return encodeCall(given, sign, context);
      case 'media': {
        const { state: _state, ...bare } = given;
        if (given.mime === undefined)
          context.losses.add(ptr, 'part.media.mime', 'approximated', 'its type is not known; it reads as a file');
        const printed = encodePart(bare, false);
        return printed === undefined ? [] : [sign(printed, given)];
      }
      case 'hostedCall':
      case 'hostedResult': {
        const place = given.kind === 'hostedCall' ? reporter.call(given) : reporter.result(given);
        if (place === 'metadata') sources.hosted(given);
        const printed = place === 'parts' ? encodeHosted(given) : undefined;
        const signed = printed === undefined ? [] : [sign(printed, { ...given, state: undefined })];
        if (given.state !== undefined) waiting.push(...given.state);
        return signed;
      }
      case 'opaque':
        if (given.dialect === DIALECT) return [given.raw];
        context.losses.add(ptr, 'part.opaque', 'dropped', `a ${given.type} part of the ${given.dialect} dialect`);
        return [];
      case 'handover':
        context.losses.add(ptr, 'handover', 'dropped', 'another model took over');
        return [];
      case 'approval':
        context.losses.add(ptr, 'part.approval', 'dropped', 'the client cannot be asked for consent');
        return [];
      case 'compaction':
        context.losses.add(ptr, 'part.compaction', 'dropped', 'the summary of another service');
        defer(given.state ?? []);
        return [];
      default:
        context.losses.add(ptr, 'part.opaque', 'dropped', `a ${given.kind} part has no form here`);
        return [];
    }
  };

  const defer = (entries: readonly StateEntry[]): void => {
    if (!own) waiting.push(...entries);
  };

  return {
    sources,
    part,
    signature,
    hold,
    defer,
    rest() {
      reporter.end();
      return waiting.length === 0 ? undefined : signature(undefined);
    },
  };
}

function encodeCall(
  part: CallPart,
  sign: (printed: JsonObject, part: Part) => JsonObject,
  { losses, maxEventDepth }: EncodeResponseContext,
): JsonObject[] {
  const ptr = part.src?.ptr ?? '';
  if (part.truncated === true) {
    losses.add(ptr, 'call.truncated', 'dropped', 'a call whose arguments are not complete');
    return [];
  }
  const args = argumentsOf(part, maxEventDepth);
  if (isBroken(part, maxEventDepth)) {
    losses.add(ptr, 'call.args', 'approximated', 'the arguments are no JSON object; sent as a text');
  } else {
    const change = part.args.text === undefined ? undefined : changedNumber(part.args.text);
    if (change !== undefined) losses.add(ptr, 'call.args', 'approximated', change);
  }
  if (part.namespace !== undefined) losses.add(ptr, 'call.name', 'moved', 'the namespace is moved into the name');
  const functionCall = { ...(part.callId !== '' && { id: part.callId }), name: callName(part), args };
  return [sign({ functionCall }, part)];
}

/** A hosted part that this dialect shows among the parts: runs of code, and pictures that were made. */
function encodeHosted(part: Extract<Part, { kind: 'hostedCall' | 'hostedResult' }>): JsonObject | undefined {
  if (part.family === 'codeExec') return encodePart({ ...part, state: undefined }, false);
  if (part.family !== 'imageGen' || part.kind !== 'hostedResult') return undefined;
  const { base64, mime } = part.output;
  if (typeof base64 !== 'string' || base64 === '') return undefined;
  return { inlineData: { mimeType: typeof mime === 'string' ? mime : 'image/png', data: base64 } };
}

/** Reports what a source says about its place or words that has no field here; once per text. */
export function reportCitations(citations: readonly Citation[] | undefined, path: string, losses: Losses): void {
  const poorer = citations?.some(
    (citation) =>
      (citation.citedText !== undefined && citation.url !== undefined) ||
      citation.fileId !== undefined ||
      citation.score !== undefined ||
      citation.doc !== undefined ||
      citation.ext !== undefined ||
      (citation.span !== undefined && citation.span.start >= citation.span.end),
  );
  if (poorer === true) {
    losses.add(path, 'part.citation', 'approximated', 'only the address, the title and the covered text are sent');
  }
}

/** Reports bytes of tokens that are not those of their text: texts alone are told here (translation.md 5.6). */
export function reportLogprobs({ logprobs, src }: TextPart, losses: Losses): void {
  const odd = (token: { readonly token: string; readonly bytes?: readonly number[] }): boolean =>
    token.bytes !== undefined && token.bytes.join() !== new TextEncoder().encode(token.token).join();
  if (logprobs?.some((token) => odd(token) || token.top.some(odd)) === true)
    losses.add(src?.ptr ?? '', 'logprobs', 'approximated', 'the bytes of tokens are not sent');
}

/** Reports the phase of a message, which texts here do not have. */
export function reportPhase({ phase, src }: Part, losses: Losses): void {
  if (phase !== undefined) losses.add(src?.ptr ?? '', 'part.phase', 'dropped', 'texts have no phase');
}

/** Whether a part is a call that the client has to answer. */
export function isClientCall(part: Part): boolean {
  return part.kind === 'call' && part.truncated !== true;
}

/** An object, or an empty one. */
export function objectOr(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
