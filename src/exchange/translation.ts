import {
  type CanonicalRequest,
  dialects,
  type EncodedRequest,
  type Exchange,
  type HostRestorer,
  type Losses,
} from '../../translators/index.js';
import type { AnswerHeaders, BackendAsk } from '../backend/index.js';
import { type TranslationContext, translatedAsk } from '../call/index.js';
import { timedNonce } from '../ground/index.js';
import { betaHeaders } from '../protocol/index.js';
import { type AnsweredCall, type Attempt, clientCredential, type Planned } from './attempt.js';
import { callWithRetry } from './call-with-retry.js';
import type { Keeping } from './inlining.js';
import { failureOf } from './refusal.js';
import { noteRestriction } from './restrictions.js';
import type { Revision } from './revision.js';
import { callerOf } from './transport.js';

/** A request that is translated for its backend. */
export interface TranslatedPlan extends Planned {
  readonly kind: 'translated';
  readonly exchange: Exchange;
  readonly losses: Losses;
  /** Takes pictures that the client is shown as links. */
  readonly keeping: Keeping;
  /** The client's own request in its place, where the backend speaks its dialect and only the answer is folded. */
  readonly own: OwnWords | undefined;
  readonly revision: Revision;
  /** What was encoded. */
  readonly request: CanonicalRequest;
}

/** A client's own request, asking for a stream. */
export interface OwnWords extends Pick<BackendAsk, 'body' | 'headers'> {
  /** Gives the answer back what the host could not take. */
  readonly restore: HostRestorer | undefined;
}

/** Headers of a translated call: the features its body needs, and the caller's own credential where that is sent on. */
export function translatedHeaders({ backend, call }: Attempt, { betas }: EncodedRequest): AnswerHeaders {
  const { config } = backend;
  return { ...betaHeaders(config, betas), ...(config.auth === 'client' && clientCredential(call, config.dialect)) };
}

/** The call that asks for `sent`, whose body may have been printed already. */
export function askFor(attempt: Attempt, sent: EncodedRequest, printed?: BackendAsk['body']): BackendAsk {
  const { config } = attempt.backend;
  const ask = translatedAsk(config, dialects[config.dialect], 'create', sent, printed);
  // Bytes are what leaves: a text would be held beside them until the answer is there.
  const body = typeof ask.body === 'string' ? Buffer.from(ask.body) : ask.body;
  return { ...ask, body, headers: translatedHeaders(attempt, sent) };
}

/** Asks for what comes after a pause, or once more. Rejects unless that succeeds. */
export async function callAgain({ attempt }: TranslatedPlan, sent: EncodedRequest): Promise<AnsweredCall> {
  const next = await callWithRetry(attempt, askFor(attempt, sent));
  if (next.answer.status !== 200) throw await failureOf(attempt, next);
  return next;
}

/** The client gets an answer, so that it was right to ask as was asked: what an earlier refusal revealed is stored. */
export function noteLearned({ attempt, revision: { learned } }: TranslatedPlan): void {
  if (learned?.lasts === true) noteRestriction(attempt, learned.restriction);
}

/** What is known of the translation of a request, beside what its kind says. */
export function contextOf(
  { ask, backend, call, decoded, gateway, policy, target }: Attempt,
  more: Omit<
    TranslationContext,
    'caller' | 'client' | 'host' | 'policy' | 'request' | 'decoded' | 'model' | 'nonce' | 'depth'
  >,
): TranslationContext {
  return {
    caller: callerOf(call),
    client: dialects[call.dialect],
    host: backend.config,
    policy,
    request: ask,
    decoded: decoded(),
    model: target.model,
    nonce: timedNonce(),
    depth: gateway.config.limits.jsonDepth,
    ...more,
  };
}
