import type { Part } from '../../canonical/content.js';
import { TranslationError } from '../../canonical/errors.js';
import type { JsonObject } from '../../canonical/node.js';
import type { CanonicalResponse, Finish } from '../../canonical/response.js';
import type { DecodeResponseContext } from '../../dialect.js';
import { taken } from '../../wire/check.js';
import { isObject } from '../../wire/json.js';
import { decodeCitations, type PlacedText } from '../content/citations.js';
import { decodeAnswerContent } from '../content/turns.js';
import { decodeError } from '../edge/errors.js';
import { check, checkObject, DIALECT, remember } from '../nodes.js';
import { derivedPairs } from '../tools/hosted/decode.js';
import * as wire from '../wire/index.js';
import { dealLogprobs, decodeLogprobs, metadataBag } from './metadata.js';
import { decodeBlock, decodeFinish } from './stop.js';
import { decodeUsage } from './usage.js';

/** Reads an answer. Throws the backend's own failure for an error body, `upstream` for a body that is none or that does not say why it ended. */
export function decodeResponse(body: unknown, context: DecodeResponseContext): CanonicalResponse {
  if (isObject(body) && isObject(body.error)) {
    const { kind, message, code } = decodeError(0, body, {});
    throw new TranslationError(kind, message, { dialect: DIALECT, code });
  }
  try {
    const given = checkObject(body, '');
    return remember(decodeAnswer(given, context), given);
  } catch (thrown) {
    throw asUpstream(thrown);
  }
}

/** Faults in what a backend sent are not its client's. */
export function asUpstream(thrown: unknown): TranslationError {
  const error = TranslationError.from(thrown);
  if (error.kind !== 'invalid_request') return error;
  return new TranslationError('upstream', `the backend sent a malformed answer: ${error.message}`, {
    dialect: DIALECT,
    code: 'upstream_malformed',
    cause: error,
  });
}

/** The error for an answer that breaks off. */
export function incomplete(): TranslationError {
  return new TranslationError('upstream', 'the backend ended its answer without a finish reason', {
    dialect: DIALECT,
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
  const envelope = {
    source: DIALECT,
    id: responseId ?? '',
    model: modelVersion ?? '',
    ...(createdAt !== undefined && { createdAt }),
    ...(usage !== undefined && { usage }),
    ...(typeof tier === 'string' && { tier }),
  };
  const first = candidates[0];
  if (first === undefined) {
    return {
      ...envelope,
      parts: [],
      finish: blockOf(promptFeedback),
      ext: metadataBag({ ...body, promptFeedback: undefined }, {}),
      src: { ptr: '' },
    };
  }
  const { finishReason, finishMessage } = check(wire.candidate, first, '/candidates/0');
  if (finishReason === undefined) throw incomplete();
  const content = decodeAnswerContent(first.content, '/candidates/0/content', {
    losses: context.losses,
    domain: context.domain,
    answer: true,
  });
  const parts = withSources(
    content.parts.filter((part) => !isBlank(part)),
    first,
  );
  return {
    ...envelope,
    parts,
    finish: decodeFinish(finishReason, parts.some(isClientCall), finishMessage),
    ...(candidates.length > 1 && { extraCandidates: candidates.slice(1) }),
    ext: metadataBag(body, first, content.rest),
    src: { ptr: '' },
  };
}

function blockOf(feedback: JsonObject | undefined): Finish {
  const read = taken(wire.promptFeedback, feedback ?? {});
  if (read?.blockReason === undefined) throw incomplete();
  return decodeBlock(read.blockReason, read.blockReasonMessage);
}

/** RFC 3339 to Unix seconds. */
export function secondsOf(time: string): number | undefined {
  const ms = Date.parse(time);
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000);
}

/** Empty texts without a signature say nothing (translation.md 2.5). */
function isBlank(part: Part): boolean {
  return part.kind === 'text' && part.text === '' && part.state === undefined && part.ext === undefined;
}

/** Where a candidate says what its parts do not. */
const SOURCES = [
  'groundingMetadata',
  'citationMetadata',
  'urlContextMetadata',
  'urlRetrievalMetadata',
  'logprobsResult',
] as const;

/** Adds what the metadata of the candidate says: citations, log probabilities, searches and fetches. */
function withSources(parts: readonly Part[], candidate: JsonObject): readonly Part[] {
  if (!SOURCES.some((key) => candidate[key] !== undefined)) return parts;
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

/** Whether a part is a call that the client has to answer. */
function isClientCall(part: Part): boolean {
  return part.kind === 'call' && part.truncated !== true;
}

function isSearch(part: Part): boolean {
  return part.kind === 'hostedCall' && part.family === 'webSearch';
}
