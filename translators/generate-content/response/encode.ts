import type { JsonObject } from '../../canonical/node.js';
import type { CanonicalResponse } from '../../canonical/response.js';
import type { EncodeResponseContext } from '../../dialect.js';
import { answerId, failureOf, isFailure, reportEnvelope } from '../answer/envelope.js';
import type { PartSink } from '../answer/parts.js';
import { createCandidateWriter } from '../answer/writer.js';
import { encodePart } from '../content/encode.js';
import { createSources } from '../content/grounding.js';
import { DIALECT, remembered } from '../nodes.js';
import { isDerived } from '../tools/hosted/derived.js';
import { addDerived } from '../tools/hosted/encode.js';
import { bagsOf, encodeLogprobs } from './metadata.js';
import { encodeBlock, encodeFinish } from './stop.js';
import { encodeUsage } from './usage.js';

/**
 * Encodes an answer for a client. One that came from this dialect is encoded as it came. Throws where the answer is a
 * failure that this dialect returns as an error (translation.md 5.2).
 */
export function encodeResponse(response: CanonicalResponse, context: EncodeResponseContext): JsonObject {
  return response.source === DIALECT ? encodeOwnResponse(response) : encodeForeign(response, context);
}

/** An answer of this dialect as it came, or as its service would have given it. */
export function encodeOwnResponse(response: CanonicalResponse): JsonObject {
  const form = remembered(response);
  if (form !== undefined) return { ...form };
  const { id, model, finish, usage, tier, extraCandidates = [] } = response;
  const bag = bagsOf(response.ext);
  const counts =
    usage && (remembered(usage) ?? { ...encodeUsage(usage), ...bag.usage, ...(tier && { serviceTier: tier }) });
  const top: JsonObject = {
    ...bag.body,
    ...(id !== '' && { responseId: id }),
    ...(model !== '' && { modelVersion: model }),
    ...(counts !== undefined && { usageMetadata: counts }),
  };
  if (finish.kind === 'prompt_blocked')
    return { ...top, promptFeedback: bag.body.promptFeedback ?? encodeBlock(finish) };
  const candidate = {
    content: { role: 'model', parts: ownParts(response), ...bag.content },
    index: 0,
    ...ownSources(response),
    ...bag.candidate,
    ...encodeFinish(finish, NO_LOSSES),
  };
  return { candidates: [candidate, ...extraCandidates], ...top };
}

/** For same-dialect values there is nothing to lose. */
const NO_LOSSES = { list: [], add() {} };

function ownParts(response: CanonicalResponse): JsonObject[] {
  const parts = response.parts.flatMap((part) => {
    const encoded = isDerived(part) ? undefined : encodePart(part, true);
    return encoded === undefined ? [] : [encoded];
  });
  return parts.length === 0 ? [{ text: '' }] : parts;
}

/** What citations, log probabilities and derived parts of an answer of this dialect say. */
function ownSources({ parts }: CanonicalResponse): JsonObject {
  const sources = createSources();
  for (const [ix, part] of parts.entries()) {
    if (part.kind === 'text') sources.text(ix, part.text, part.citations);
    else if (isDerived(part)) addDerived(part, sources);
  }
  const logprobsResult = encodeLogprobs(parts.filter((part) => part.kind === 'text'));
  return { ...sources.encode(), ...(logprobsResult !== undefined && { logprobsResult }) };
}

function encodeForeign(response: CanonicalResponse, context: EncodeResponseContext): JsonObject {
  const { finish, usage } = response;
  if (isFailure(finish)) throw failureOf(response);
  reportEnvelope(response, context.losses);
  const envelope = {
    ...(usage !== undefined && { usageMetadata: encodeUsage(usage) }),
    modelVersion: context.model ?? response.model,
    responseId: answerId(response.id, context.nonce),
  };
  if (finish.kind === 'prompt_blocked') return { promptFeedback: encodeBlock(finish), ...envelope };
  const list = createPartList();
  const writer = createCandidateWriter(false, list, context);
  writer.parts.whole(response.parts);
  const { signature, candidate } = writer.end(finish);
  if (signature !== undefined || list.parts.length === 0) list.text('', false, signature);
  return { candidates: [{ content: { role: 'model', parts: list.parts }, ...candidate, index: 0 }], ...envelope };
}

/** The parts of a whole answer. */
function createPartList(): PartSink & { readonly parts: readonly JsonObject[] } {
  const parts: JsonObject[] = [];
  return {
    parts,
    text(text, thought, thoughtSignature) {
      parts.push({
        text,
        ...(thought && { thought }),
        ...(thoughtSignature !== undefined && { thoughtSignature }),
      });
    },
    part: (node) => parts.push(node),
  };
}
