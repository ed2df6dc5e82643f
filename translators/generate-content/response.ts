import { dropExtras } from '../adapt/losses.js';
import type { Part, RefusalPart, TextPart } from '../canonical/content.js';
import { TranslationError } from '../canonical/errors.js';
import type { JsonObject } from '../canonical/node.js';
import type { CanonicalResponse, Finish } from '../canonical/response.js';
import type { DecodeResponseContext, EncodeResponseContext } from '../dialect.js';
import { hashHex } from '../wire/hash.js';
import { isObject } from '../wire/json.js';
import { createAnswerPrinter, isClientCall, objectOr } from './answer-print.js';
import { check, checkObject } from './check.js';
import { decodeAnswerContent } from './contents.js';
import { decodeFailure } from './errors.js';
import { DERIVED, decodeCitations, derivedPairs, type PlacedText } from './grounding.js';
import { dealLogprobs, decodeLogprobs, encodeLogprobs, metadataBag } from './metadata.js';
import { encodePart } from './part-encode.js';
import { respell } from './spelling.js';
import { decodeBlock, decodeFinish, encodeBlock, encodeFinish, reportRefusals } from './stop.js';
import { decodeUsage, encodeUsage, reportUsage } from './usage.js';
import * as wire from './wire.js';

/** What a response keeps of its body, so that it can be printed as it came. */
interface Kept {
  readonly body: JsonObject;
  readonly candidate?: JsonObject;
  /** Keys of the content that nobody knows. */
  readonly content?: JsonObject;
}

/** Reads an answer. Throws the backend's own failure for an error body, `upstream` for a body that is none or that does not say why it ended. */
export function decodeResponse(body: unknown, context: DecodeResponseContext): CanonicalResponse {
  if (isObject(body) && isObject(body.error)) {
    const { kind, message, code } = decodeFailure(0, body, {});
    throw new TranslationError(kind, message, { dialect: 'generateContent', code });
  }
  try {
    return decodeAnswer(checkObject(body, ''), context);
  } catch (thrown) {
    throw asUpstream(thrown);
  }
}

/** Faults in what a backend sent are not its client's. */
export function asUpstream(thrown: unknown): TranslationError {
  const error = TranslationError.from(thrown);
  if (error.kind !== 'invalid_request') return error;
  return new TranslationError('upstream', `the backend sent a malformed answer: ${error.message}`, {
    dialect: 'generateContent',
    code: 'upstream_malformed',
    cause: error,
  });
}

/** The error for an answer that breaks off. */
export function incomplete(): TranslationError {
  return new TranslationError('upstream', 'the backend ended its answer without a finish reason', {
    dialect: 'generateContent',
    code: 'upstream_incomplete',
  });
}

function decodeAnswer(body: JsonObject, context: DecodeResponseContext): CanonicalResponse {
  const {
    candidates = [],
    promptFeedback,
    usageMetadata,
    modelVersion,
    responseId,
    createTime,
  } = check(wire.response, body, '');
  const usage = usageMetadata === undefined ? undefined : decodeUsage(usageMetadata);
  const tier = usageMetadata?.serviceTier;
  const createdAt = createTime === undefined ? undefined : secondsOf(createTime);
  const { candidates: _candidates, usageMetadata: keptUsage, ...rest } = body;
  const envelope = {
    source: 'generateContent',
    id: responseId ?? '',
    model: modelVersion ?? '',
    ...(createdAt !== undefined && { createdAt }),
    ...(usage !== undefined && { usage }),
    ...(typeof tier === 'string' && { tier }),
  };
  const keptBody = usage === undefined && keptUsage !== undefined ? { ...rest, usageMetadata: keptUsage } : rest;
  const first = candidates[0];
  if (first === undefined) {
    return {
      ...envelope,
      parts: [],
      finish: blockOf(promptFeedback),
      ext: metadataBag({ ...rest, promptFeedback: undefined, usageMetadata: keptUsage }, {}),
      src: { ptr: '', raw: { body: keptBody } satisfies Kept },
    };
  }
  const { finishReason, finishMessage } = check(wire.candidate, first, '/candidates/0');
  if (finishReason === undefined) throw incomplete();
  const marks: string[] = [];
  const content = decodeAnswerContent(first.content, '/candidates/0/content', marks, {
    losses: context.losses,
    domain: context.domain,
    answer: true,
  });
  const parts = withSources(withoutBlanks(content.parts, marks), first);
  const { content: _content, ...candidate } = first;
  return {
    ...envelope,
    parts,
    finish: decodeFinish(finishReason, parts.some(isClientCall), finishMessage),
    ...(candidates.length > 1 && { extraCandidates: candidates.slice(1) }),
    ext: metadataBag(body, first, content.rest),
    src: { ptr: '', shape: marks, raw: { body: keptBody, candidate, content: content.rest } satisfies Kept },
  };
}

function blockOf(feedback: JsonObject | undefined): Finish {
  const read = wire.promptFeedback.safeParse(feedback ?? {});
  if (!read.success || read.data.blockReason === undefined) throw incomplete();
  return decodeBlock(read.data.blockReason, read.data.blockReasonMessage);
}

/** RFC 3339 to Unix seconds. */
export function secondsOf(time: string): number | undefined {
  const ms = Date.parse(time);
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000);
}

/** Empty texts without a signature say nothing; where they stood is only remembered (translation.md 2.5). */
function withoutBlanks(parts: readonly Part[], marks: string[]): Part[] {
  return parts.filter((part, index) => {
    const blank = part.kind === 'text' && part.text === '' && part.state === undefined && part.ext === undefined;
    if (blank) marks.push(`blank:${index}`);
    return !blank;
  });
}

/** Adds what the metadata of the candidate says: citations, log probabilities, searches and fetches. */
function withSources(parts: readonly Part[], candidate: JsonObject): Part[] {
  const texts: PlacedText[] = [];
  parts.forEach((part, ix) => {
    if (part.kind === 'text') texts.push({ ix, text: part.text });
  });
  const out = [...parts];
  for (const { ix, citation } of decodeCitations(candidate, texts)) {
    const part = out[ix];
    if (part?.kind === 'text') out[ix] = { ...part, citations: [...(part.citations ?? []), citation] };
  }
  if (candidate.logprobsResult !== undefined) {
    const dealt = dealLogprobs(
      decodeLogprobs(candidate.logprobsResult),
      texts.map(({ text }) => text),
    );
    texts.forEach(({ ix }, index) => {
      const part = out[ix];
      const logprobs = dealt[index] ?? [];
      if (part?.kind === 'text' && logprobs.length > 0) out[ix] = { ...part, logprobs };
    });
  }
  const pairs = derivedPairs(candidate, parts.some(isSearch));
  if (pairs.length > 0) out.splice(texts[0]?.ix ?? out.length, 0, ...pairs);
  return out;
}

function isSearch(part: Part): boolean {
  return part.kind === 'hostedCall' && part.family === 'webSearch';
}

/**
 * Prints an answer for a client. One that came from this dialect is printed as it came. Throws where the answer is a
 * failure that this dialect tells as an error (translation.md 5.2).
 */
export function encodeResponse(response: CanonicalResponse, context: EncodeResponseContext): JsonObject {
  return response.source === 'generateContent' ? encodeOwn(response) : encodeForeign(response, context);
}

function encodeOwn(response: CanonicalResponse): JsonObject {
  const kept = objectOr(response.src?.raw);
  const body = objectOr(kept.body);
  const { finish, usage } = response;
  const top: JsonObject = {
    ...body,
    ...(response.id !== '' && { responseId: response.id }),
    ...(response.model !== '' && { modelVersion: response.model }),
    ...(usage !== undefined && { usageMetadata: usage.src?.raw ?? encodeUsage(usage) }),
  };
  if (finish.kind === 'prompt_blocked') {
    return { ...top, promptFeedback: body.promptFeedback ?? encodeBlock(finish) };
  }
  const candidate = {
    ...(isObject(kept.candidate) ? kept.candidate : derivedMetadata(response)),
    ...encodeFinish(finish, NO_LOSSES),
  };
  const content = { role: 'model', parts: ownParts(response), ...objectOr(kept.content) };
  const printed = respell({ content }, response.src?.shape);
  return { candidates: [{ ...printed, ...candidate }, ...(response.extraCandidates ?? [])], ...top };
}

/** For same-dialect values there is nothing to lose. */
const NO_LOSSES = { list: [], add() {} };

function ownParts(response: CanonicalResponse): JsonObject[] {
  const parts: JsonObject[] = [];
  for (const part of response.parts) {
    const printed = part.src?.shape?.includes(DERIVED) === true ? undefined : encodePart(part, true);
    if (printed !== undefined) parts.push(printed);
  }
  for (const mark of response.src?.shape ?? []) {
    if (mark.startsWith('blank:')) parts.splice(Number(mark.slice('blank:'.length)), 0, { text: '' });
  }
  return parts.length === 0 ? [{ text: '' }] : parts;
}

/** Metadata for an answer that was folded from a stream: what citations and derived parts say, and its own bag. */
function derivedMetadata(response: CanonicalResponse): JsonObject {
  const printer = createAnswerPrinter(true, { losses: NO_LOSSES, now: 0, nonce: '' });
  for (const part of response.parts) printer.part(part);
  const { continuationToken } = response.ext?.generateContent ?? {};
  return { index: 0, ...printer.sources.print(), ...(continuationToken !== undefined && { continuationToken }) };
}

function encodeForeign(response: CanonicalResponse, context: EncodeResponseContext): JsonObject {
  const { losses } = context;
  const { finish, usage } = response;
  const path = response.src?.ptr ?? '';
  if (finish.kind === 'failed' || finish.kind === 'cancelled') throw failureOf(response);
  dropExtras(response, 'generateContent', losses);
  reportEnvelope(response, path, losses);
  const envelope = {
    ...(usage !== undefined && { usageMetadata: encodeUsage(usage, losses) }),
    modelVersion: context.model ?? response.model,
    responseId: answerId(response.id, context.nonce),
  };
  if (finish.kind === 'prompt_blocked') return { promptFeedback: encodeBlock(finish), ...envelope };
  const printer = createAnswerPrinter(false, context);
  const parts = response.parts.flatMap((part) => printer.part(part));
  const refusals = response.parts
    .filter((part) => part.kind === 'refusal' && part.text !== '')
    .map((part) => part.src?.ptr ?? '');
  reportRefusals(refusals, finish, losses);
  const rest = printer.rest();
  if (rest !== undefined) parts.push({ text: '', thoughtSignature: rest });
  if (parts.length === 0) parts.push({ text: '' });
  const logprobs = encodeLogprobs(response.parts.filter(isVisible), losses);
  const candidate = {
    content: { role: 'model', parts },
    ...encodeFinish(finish, losses),
    index: 0,
    ...printer.sources.print(),
    ...(logprobs !== undefined && { logprobsResult: logprobs }),
  };
  return { candidates: [candidate], ...envelope };
}

function isVisible(part: Part): part is TextPart | RefusalPart {
  return part.kind === 'text' || part.kind === 'refusal';
}

/** Reports fields of the envelope that this dialect does not have. */
function reportEnvelope(response: CanonicalResponse, path: string, losses: EncodeResponseContext['losses']): void {
  if (response.tier !== undefined) losses.add(path, 'tier', 'dropped', 'the tier belongs to another service');
  if (response.extraCandidates !== undefined)
    losses.add(path, 'candidates', 'dropped', 'only the first answer is told');
  if (response.usage !== undefined) reportUsage(response.usage, losses);
}

/** The failure that an answer stands for. */
export function failureOf(response: Pick<CanonicalResponse, 'finish' | 'error'>): TranslationError {
  const { error, finish } = response;
  if (finish.kind === 'cancelled') {
    return new TranslationError('cancelled', 'the answer was cancelled', { dialect: 'generateContent' });
  }
  return new TranslationError(error?.kind ?? 'internal', error?.message ?? 'the backend failed', {
    dialect: 'generateContent',
    ...(error?.code !== undefined && { code: error.code }),
  });
}

/** The id of an answer as clients of this dialect see it (translation.md 5.4). */
export function answerId(id: string, nonce: string): string {
  return hashHex(`${id}\n${nonce}`, 32);
}
