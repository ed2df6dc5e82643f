import { dropExtras } from '../../adapt/index.js';
import type { Part, RefusalPart, TextPart } from '../../canonical/content.js';
import { TranslationError } from '../../canonical/errors.js';
import type { JsonObject } from '../../canonical/node.js';
import type { CanonicalResponse } from '../../canonical/response.js';
import type { EncodeResponseContext } from '../../dialect.js';
import { hashHex } from '../../wire/hash.js';
import { isObject } from '../../wire/json.js';
import { encodePart } from '../content/encode.js';
import { DIALECT, respell } from '../nodes.js';
import { createAnswerWriter, objectOr } from '../stream/writer.js';
import { DERIVED } from '../tools/hosted/decode.js';
import { encodeLogprobs } from './metadata.js';
import { encodeBlock, encodeFinish, reportRefusals } from './stop.js';
import { encodeUsage, reportUsage } from './usage.js';

/**
 * Prints an answer for a client. One that came from this dialect is printed as it came. Throws where the answer is a
 * failure that this dialect tells as an error (translation.md 5.2).
 */
export function encodeResponse(response: CanonicalResponse, context: EncodeResponseContext): JsonObject {
  return response.source === DIALECT ? encodeOwn(response) : encodeForeign(response, context);
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
  const printer = createAnswerWriter(true, { losses: NO_LOSSES, now: 0, nonce: '' });
  for (const part of response.parts) printer.part(part);
  const { continuationToken } = response.ext?.generateContent ?? {};
  return { index: 0, ...printer.sources.print(), ...(continuationToken !== undefined && { continuationToken }) };
}

function encodeForeign(response: CanonicalResponse, context: EncodeResponseContext): JsonObject {
  const { losses } = context;
  const { finish, usage } = response;
  const path = response.src?.ptr ?? '';
  if (finish.kind === 'failed' || finish.kind === 'cancelled') throw failureOf(response);
  dropExtras(response, DIALECT, losses);
  reportEnvelope(response, path, losses);
  const envelope = {
    ...(usage !== undefined && { usageMetadata: encodeUsage(usage, losses) }),
    modelVersion: context.model ?? response.model,
    responseId: answerId(response.id, context.nonce),
  };
  if (finish.kind === 'prompt_blocked') return { promptFeedback: encodeBlock(finish), ...envelope };
  const printer = createAnswerWriter(false, context);
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
    losses.add(path, 'candidates', 'dropped', 'only the first candidate is returned');
  if (response.usage !== undefined) reportUsage(response.usage, losses);
}

/** The failure that an answer stands for. */
export function failureOf(response: Pick<CanonicalResponse, 'finish' | 'error'>): TranslationError {
  const { error, finish } = response;
  if (finish.kind === 'cancelled') {
    return new TranslationError('cancelled', 'the answer was cancelled', { dialect: DIALECT });
  }
  return new TranslationError(error?.kind ?? 'internal', error?.message ?? 'the backend failed', {
    dialect: DIALECT,
    ...(error?.code !== undefined && { code: error.code }),
  });
}

/** The id of an answer as clients of this dialect see it (translation.md 5.4). */
export function answerId(id: string, nonce: string): string {
  return hashHex(`${id}\n${nonce}`, 32);
}
