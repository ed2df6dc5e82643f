import type { Part } from '../../canonical/content.js';
import { TranslationError } from '../../canonical/errors.js';
import type { JsonObject } from '../../canonical/node.js';
import type { CanonicalResponse } from '../../canonical/response.js';
import type { DecodeResponseContext } from '../../dialect.js';
import { taken } from '../../wire/check.js';
import { isObject } from '../../wire/json.js';
import { decodeBlock } from '../content/decode.js';
import { nodeState } from '../content/reasoning.js';
import { decodeError } from '../edge/errors.js';
import { DIALECT, type Kept, keep, keysOf, type Mutable, remember, type Scope, withExtra } from '../nodes.js';
import * as wire from '../wire/index.js';
import { decodeFinish, isCut, isPlainDetails } from './stop.js';
import { decodeUsage, tierOf } from './usage.js';

const RESPONSE = keysOf(wire.response);

/** A whole answer as the model. Throws TranslationError `upstream` for a body that is none, or has no end. */
export function decodeResponse(body: unknown, context: DecodeResponseContext): CanonicalResponse {
  if (isObject(body) && body.type === 'error') {
    const error = decodeError(200, body, {});
    throw new TranslationError(error.kind, error.message, { dialect: DIALECT, code: error.code });
  }
  const message = taken(wire.response, body);
  if (message === undefined || !isObject(body)) {
    throw new TranslationError('upstream', 'the backend returned no message', {
      dialect: DIALECT,
      code: 'upstream_bad_body',
    });
  }
  const { stop_reason: reason } = message;
  if (typeof reason !== 'string') {
    throw new TranslationError('upstream', 'the answer of the backend has no finish reason', {
      dialect: DIALECT,
      code: 'upstream_incomplete',
    });
  }
  const scope = answerScope(context);
  const decoded = (message.content ?? []).map((node, index) => decodeAnswerBlock(node, `/content/${index}`, scope));
  const finish = decodeFinish(reason, message, holdsOf(decoded));
  const out: Mutable<CanonicalResponse> = {
    source: DIALECT,
    id: message.id ?? '',
    model: message.model ?? '',
    parts: settleParts(decoded, isCut(finish.kind), scope),
    finish,
    ...keepDetails(keep(body, RESPONSE, ''), message.stop_details),
  };
  if (isObject(body.usage)) {
    out.usage = remember(decodeUsage(body.usage, '/usage'), body.usage);
    const tier = tierOf(body.usage);
    if (tier !== undefined) out.tier = tier;
  }
  return remember(out, body);
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

/** Details of a refusal that hold more than the model has fields for stay in the bag whole. */
function keepDetails(kept: Kept, details: JsonObject | null | undefined): Kept {
  const isPlain = details === null || details === undefined || isPlainDetails(details);
  return isPlain ? kept : withExtra(kept, 'stop_details', details);
}
