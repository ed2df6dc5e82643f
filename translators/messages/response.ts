import { dropExtras } from '../adapt/losses.js';
import type { Part } from '../canonical/content.js';
import { TranslationError } from '../canonical/errors.js';
import type { Losses } from '../canonical/loss.js';
import type { JsonObject } from '../canonical/node.js';
import { isSubstance } from '../canonical/parts.js';
import type { CanonicalResponse, Usage } from '../canonical/response.js';
import type { DecodeResponseContext, EncodeResponseContext } from '../dialect.js';
import { isObject } from '../wire/json.js';
import { encodeForeignParts } from './answer.js';
import { decodeBlock, encodePart } from './content.js';
import { decodeError } from './errors.js';
import type { HostedCounts } from './hosted-report.js';
import { bagOf, DIALECT, hasShape, keep, keysOf, type Mutable, restore } from './nodes.js';
import { nodeState } from './reasoning.js';
import type { Scope } from './scope.js';
import { answerId, reportRefusal } from './shown.js';
import {
  decodeFinish,
  encodeForeignStop,
  encodeOwnStop,
  finishError,
  isCut,
  isPlainDetails,
  refusedWords,
} from './stop.js';
import { decodeUsage, encodeForeignUsage, encodeOwnUsage, reportTier, tierOf, usageExtras } from './usage.js';
import * as wire from './wire.js';

const RESPONSE = keysOf(wire.response);

/** A whole answer as the model. Throws TranslationError `upstream` for a body that is none, or has no end. */
export function decodeResponse(body: unknown, context: DecodeResponseContext): CanonicalResponse {
  if (isObject(body) && body.type === 'error') {
    const error = decodeError(200, body, {});
    throw new TranslationError(error.kind, error.message, { dialect: DIALECT, code: error.code });
  }
  const message = wire.response.safeParse(body).data;
  if (message === undefined || !isObject(body)) {
    throw new TranslationError('upstream', 'the backend did not answer with a message', {
      dialect: DIALECT,
      code: 'upstream_bad_body',
    });
  }
  const { stop_reason: reason } = message;
  if (typeof reason !== 'string') {
    throw new TranslationError('upstream', 'the answer of the backend has no end', {
      dialect: DIALECT,
      code: 'upstream_incomplete',
    });
  }
  const scope = answerScope(context);
  const decoded = message.content.map((node, index) => decodeAnswerBlock(node, `/content/${index}`, scope));
  const finish = decodeFinish(reason, message, holdsOf(decoded));
  const out: Mutable<CanonicalResponse> = {
    source: DIALECT,
    id: message.id ?? '',
    model: message.model ?? '',
    parts: settleParts(decoded, isCut(finish.kind), scope),
    finish,
    ...keep(body, RESPONSE, ''),
  };
  if (isObject(body.usage)) {
    out.usage = decodeUsage(body.usage, '/usage');
    const tier = tierOf(body.usage);
    if (tier !== undefined) out.tier = tier;
  }
  return keepDetails(out, message.stop_details);
}

/** What decoding an answer of a backend knows. */
export function answerScope({ losses, domain }: DecodeResponseContext): Scope {
  return { losses, domain, clientTools: new Map(), hostedCalls: new Map() };
}

/** One block of an answer. Faults in it are the backend's. */
export function decodeAnswerBlock(node: unknown, ptr: string, scope: Scope): Part {
  try {
    return decodeBlock(node, ptr, 'answer', scope);
  } catch (thrown) {
    const { message } = TranslationError.from(thrown);
    throw new TranslationError('upstream', `a block of the answer is malformed: ${message}`, {
      path: ptr,
      dialect: DIALECT,
      code: 'upstream_bad_body',
    });
  }
}

/** What an answer held before its end. */
export function holdsOf(parts: readonly Part[]): { readonly calls: boolean; readonly anything: boolean } {
  return {
    calls: parts.some((part) => part.kind === 'call'),
    anything: parts.some((part) => part.kind !== 'text' || part.text !== ''),
  };
}

/** Marks a last call that was cut, and gives hosted calls that got no result a state of their own. */
function settleParts(parts: readonly Part[], cut: boolean, scope: Scope): readonly Part[] {
  const open = scope.hostedCalls;
  const last = parts.at(-1);
  if ((open === undefined || open.size === 0) && !(cut && last?.kind === 'call')) return parts;
  return parts.map((part) => {
    if (part === last && cut && part.kind === 'call') return { ...part, truncated: true };
    const node = part.kind === 'hostedCall' ? open?.get(part.callId) : undefined;
    return node === undefined ? part : { ...part, state: [nodeState('hosted', [node], scope)] };
  });
}

/** Details of a refusal that say more than the model has stay in the bag whole. */
function keepDetails(out: Mutable<CanonicalResponse>, details: JsonObject | null | undefined): CanonicalResponse {
  if (details === null || details === undefined) return out;
  if (isPlainDetails(details)) return { ...out, src: { ptr: '', shape: [...(out.src?.shape ?? []), 'details'] } };
  return { ...out, ext: { [DIALECT]: { ...bagOf(out), stop_details: details } } };
}

/** A whole answer for a client of this dialect. Throws TranslationError for ends that are failures here. */
export function encodeResponse(response: CanonicalResponse, context: EncodeResponseContext): JsonObject {
  return response.source === DIALECT ? encodeOwn(response) : encodeForeign(response, context);
}

function encodeOwn(response: CanonicalResponse): JsonObject {
  const out: JsonObject = {
    id: response.id,
    type: 'message',
    role: 'assistant',
    model: response.model,
    content: response.parts.map((part) => encodePart(part, true)),
    ...encodeOwnStop(response.finish, hasShape(response, 'details')),
  };
  if (response.usage !== undefined) out.usage = encodeOwnUsage(response.usage, response.tier);
  return restore(out, response);
}

function encodeForeign(response: CanonicalResponse, context: EncodeResponseContext): JsonObject {
  const { losses } = context;
  if (response.finish.kind === 'failed') throw finishError(response.finish, response.error);
  const stop = encodeForeignStop(
    response.finish,
    { refused: refusedWords(response.parts), answered: response.parts.some(isSubstance) },
    losses,
  );
  if (stop.stop_reason !== 'refusal')
    for (const part of response.parts)
      if (part.kind === 'refusal' && part.text !== '') reportRefusal(part.src?.ptr ?? '', losses);
  const answered = response.finish.kind === 'prompt_blocked' ? { ...response, parts: [] } : response;
  const { content, shown } = encodeForeignParts(answered, stop, context);
  const counts = response.usage ?? {};
  const usage = { ...countForClient(counts, shown, losses), ...usageExtras(counts, response.tier) };
  reportTier(response.tier, response.tier, losses);
  dropExtras(response, DIALECT, losses);
  if ((response.extraCandidates?.length ?? 0) > 0) {
    losses.add('', 'candidates', 'dropped', 'an answer here is one message');
  }
  return {
    id: answerId(response.id, context.nonce),
    type: 'message',
    role: 'assistant',
    model: context.model ?? response.model,
    content,
    ...stop,
    ...NO_EXTRAS,
    usage,
  };
}

/** What only services of this dialect have to say beside an answer. Clients' types want the keys. */
export const NO_EXTRAS: JsonObject = { container: null, diagnostics: null };

/**
 * Counts of another service for a client, without what {@link usageExtras} adds. A counter that is required and unknown reads as 0 (translation.md 5.3); hosted
 * calls that the backend did not count are those that were `shown`.
 */
export function countForClient(usage: Usage, shown: HostedCounts, losses: Losses): JsonObject {
  const { node, exact } = encodeForeignUsage({ ...usage, hosted: hostedOf(usage, shown, losses) });
  if (!exact) losses.add('', 'usage', 'approximated', 'cached tokens exceed the input; the rest reads as none');
  if ((usage.toolInput ?? 0) > 0)
    losses.add('', 'usage', 'approximated', 'the input that results of tools made up is not told apart');
  if (usage.input === undefined) losses.add('', 'usage.input', 'invented', 'the backend did not count; it reads as 0');
  if (usage.output === undefined)
    losses.add('', 'usage.output', 'invented', 'the backend did not count; it reads as 0');
  return node;
}

function hostedOf({ hosted }: Usage, shown: HostedCounts, losses: Losses): Usage['hosted'] {
  const searches = hosted?.webSearch === undefined && shown.webSearch > 0;
  const fetches = hosted?.webFetch === undefined && shown.webFetch > 0;
  if (!searches && !fetches) return hosted;
  losses.add('', 'usage', 'invented', 'the backend did not count its hosted calls; those that are shown are counted');
  return { ...hosted, ...(searches && { webSearch: shown.webSearch }), ...(fetches && { webFetch: shown.webFetch }) };
}
