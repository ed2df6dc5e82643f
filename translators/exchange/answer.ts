import { cutResponse, unwrapCalls } from '../adapt/index.js';
import { TranslationError } from '../canonical/errors.js';
import { addUsage, createFold } from '../canonical/fold.js';
import type { JsonObject } from '../canonical/node.js';
import { isPaid, isSubstance } from '../canonical/parts.js';
import type { CanonicalResponse } from '../canonical/response.js';
import { decodeContext, encodeContext, failureOf, INCOMPLETE, MAX_HOPS, type Parts } from './parts.js';
import type { Answer, Collector } from './types.js';

function translateAnswer(parts: Parts, decoded: CanonicalResponse): Answer {
  const { client, options, stops, restorer, clientTools, thoughts, unwraps } = parts;
  // What ends at a stop string has ended well, whatever came after it.
  let response = stops === undefined ? decoded : cutResponse(decoded, stops);
  const failure = failureOf(response.finish, client, response.parts.some(isSubstance));
  if (failure !== undefined) {
    const error = decoded.error ?? failure;
    throw new TranslationError(error.kind, error.message, { code: error.code, cause: decoded.finish });
  }
  if (thoughts !== undefined) response = thoughts.response(response);
  if (unwraps) response = unwrapCalls(response, options.losses);
  if (clientTools !== undefined) response = clientTools.response(response);
  if (restorer !== undefined) response = restorer.response(response);
  return {
    body: client.encodeResponse(response, encodeContext(options)),
    id: response.id,
    model: response.model,
    finish: response.finish,
    usage: response.usage,
    ...(decoded.tier !== undefined && { tier: decoded.tier }),
    ...(decoded.parts.some(isPaid) && { fees: true }),
  };
}

/** Whole answers, hop by hop: what a paused answer brought is in front of what came after it. */
export function createAnswers(parts: Parts): (body: unknown) => Answer {
  let earlier: CanonicalResponse | undefined;
  let sent = parts.sent;
  let hops = 0;
  return (body) => {
    const decoded = parts.backend.decodeResponse(body, decodeContext(parts));
    const whole = earlier === undefined ? decoded : joined(earlier, decoded);
    const answer = translateAnswer(parts, whole);
    const { pauses } = parts.backend;
    if (answer.finish.kind !== 'pause' || pauses === undefined || sent === undefined || hops >= MAX_HOPS) return answer;
    hops += 1;
    earlier = whole;
    sent = pauses.resume(sent, body as JsonObject);
    return { ...answer, resume: sent };
  };
}

/** Two hops of one answer: parts appended, tokens added. */
function joined(first: CanonicalResponse, second: CanonicalResponse): CanonicalResponse {
  return {
    ...second,
    id: first.id,
    parts: [...first.parts, ...second.parts],
    usage: addUsage(first.usage, second.usage),
  };
}

/** Folds a streamed answer and translates it whole. */
export function createCollector(parts: Parts): Collector {
  const fold = createFold(parts.backend.id);
  const decoder = parts.backend.createStreamDecoder(decodeContext(parts), fold.sink);
  return {
    push: (chunk) => decoder.push(chunk),
    end() {
      decoder.end();
      if (fold.response !== undefined) return translateAnswer(parts, fold.response);
      const error = fold.error ?? INCOMPLETE;
      throw new TranslationError(error.kind, error.message, { code: error.code });
    },
  };
}
