import type { CanonicalError, CanonicalRequest, EncodedRequest } from '../../translators/index.js';
import { createEstimate, vocabularyCount } from '../protocol/index.js';
import type { Attempt, CallPlan } from './call-plan.js';

import { holdsState, refusesState } from './foreign-state.js';
import { type LearnedRestriction, learnedProfile, restrictionsIn, restrictionsOf } from './restrictions.js';
import { type Truncated, withoutOldest } from './truncated.js';

/** How a request differs from the client's own, since its backend refused that. */
export interface Revision {
  /** No opaque state goes along. */
  readonly withholdsState?: boolean;
  readonly truncated?: Truncated;
  /** How often turns were left out. */
  readonly times?: number;
  /** The same request is sent for the second time. */
  readonly repeated?: boolean;
  /** What the refusal revealed: it is retried once. */
  readonly learned?: LearnedRestriction;
  /** Estimated tokens of the request, where its cap hangs on them. */
  readonly estimated?: number;
}

/** A request that was refused. */
export interface Refused {
  readonly attempt: Attempt;
  readonly revision: Revision;
  /** What was encoded, and what was sent of it. */
  readonly request: CanonicalRequest;
  readonly sent: EncodedRequest;
  /** The way of another revision. Throws the client's error where strict refuses it. */
  again(revision: Revision): { readonly plan: CallPlan; readonly sent: EncodedRequest };
}

/** How often a request that is too long is made shorter: what services count is known to them alone. */
const MOST_TIMES = 3;

/** The way of a request that may be served although it was refused as it was; undefined when there is none. */
export async function reviseFor(refused: Refused, error: CanonicalError): Promise<CallPlan | undefined> {
  const { attempt, revision, request, again } = refused;
  const asked = attempt.decoded().request;
  const { times = 0, withholdsState = false, repeated = false } = revision;
  const next = await planAfterRestriction(refused, error);
  if (next !== undefined) return next;
  if (error.kind === 'context_length' && asked.truncate === true && times < MOST_TIMES) {
    const truncated = await shorter(attempt, request, asked, error);
    return truncated && again({ ...revision, truncated, times: times + 1, estimated: undefined }).plan;
  }
  // State that its own issuer refuses would make the conversation end here (translation.md 4.5).
  if (!withholdsState && refusesState(error) && holdsState(request))
    return again({ ...revision, withholdsState: true }).plan;
  return isPassing(error) && !repeated ? again({ ...revision, repeated: true }).plan : undefined;
}

/** The first restriction that changes what is sent, once for a request. */
async function planAfterRestriction(refused: Refused, error: CanonicalError): Promise<CallPlan | undefined> {
  const { attempt, revision, request, sent, again } = refused;
  if (revision.learned !== undefined) return undefined;
  const estimate = () => createEstimate(attempt.call, vocabularyCount)(request);
  const before = JSON.stringify(sent.body);
  const { thinking } = learnedProfile(attempt.target, restrictionsOf(attempt), undefined);
  for (const learned of await restrictionsIn(attempt.backend.config, sent, error, { thinking, estimate })) {
    const { restriction } = learned;
    const estimated = restriction.kind === 'window' ? restriction.estimated : revision.estimated;
    const next = again({ ...revision, learned, estimated });
    if (JSON.stringify(next.sent.body) !== before) return next.plan;
  }
  return undefined;
}

/** Whether a refusal is a failure of the model, which wrote a call that its service could not read. */
function isPassing({ kind, retry }: CanonicalError): boolean {
  return kind === 'internal' && retry === true;
}

/** Leaves out more of the oldest turns, and says how many that are in all. */
async function shorter(
  { call }: Attempt,
  request: CanonicalRequest,
  asked: CanonicalRequest,
  error: CanonicalError,
): Promise<Truncated | undefined> {
  const next = await withoutOldest(request, error, createEstimate(call, vocabularyCount));
  return next && { ...next, dropped: asked.turns.length - next.request.turns.length };
}
