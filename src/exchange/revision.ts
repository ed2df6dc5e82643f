import type { CanonicalError, CanonicalRequest, EncodedRequest } from '../../translators/index.js';
import type { Restriction } from '../backend/index.js';
import { createEstimate, vocabularyCount } from '../protocol/index.js';
import type { Attempt } from './attempt.js';

import { type LearnedRestriction, learnedProfile, restrictionsIn, restrictionsOf } from './restrictions.js';
import { shareIn, type Truncated, withoutOldest } from './truncated.js';

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
  /** The window that the request was fitted to before the call. */
  readonly window?: Restriction;
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
}

/** The restrictions that a refusal may reveal, once for a request: the first that changes what is sent is tried. */
export async function learnedFrom(refused: Refused, error: CanonicalError): Promise<readonly Revision[]> {
  const { attempt, revision, request, sent } = refused;
  if (revision.learned !== undefined) return [];
  const estimate = () => createEstimate(attempt.call, vocabularyCount)(request);
  const { thinking } = learnedProfile(attempt.target, restrictionsOf(attempt), undefined);
  const restrictions = await restrictionsIn(attempt.backend.config, sent, error, { thinking, estimate });
  return restrictions.map((learned) => {
    const { restriction } = learned;
    return {
      ...revision,
      learned,
      estimated: restriction.kind === 'window' ? restriction.estimated : revision.estimated,
    };
  });
}

/** How often a request that is too long is made shorter: what services count is known to them alone. */
const MOST_TIMES = 3;

/** How a request that was refused may be served although nothing was learned; undefined when there is no way. */
export async function reviseFor(refused: Refused, error: CanonicalError): Promise<Revision | undefined> {
  const { attempt, revision, request } = refused;
  const asked = attempt.decoded().request;
  const { times = 0, withholdsState = false, repeated = false } = revision;
  if (error.kind === 'context_length' && asked.truncate === true && times < MOST_TIMES) {
    const truncated = await shorter(attempt, request, asked, error);
    return truncated && { ...revision, truncated, times: times + 1, estimated: undefined };
  }
  // State that its own issuer refuses would make the conversation end here (translation.md 4.5).
  if (!withholdsState && refusesState(error) && holdsState(request)) return { ...revision, withholdsState: true };
  return isPassing(error) && !repeated ? { ...revision, repeated: true } : undefined;
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
  const next = await withoutOldest(request, shareIn(error.message), createEstimate(call, vocabularyCount));
  return next && { ...next, dropped: asked.turns.length - next.request.turns.length };
}

/** Whether a backend refuses opaque state that it is taken to have issued: it rotated its keys, or the client changed it. */
function refusesState(error: CanonicalError): boolean {
  return (
    error.kind === 'invalid_request' &&
    /signature|encrypted[ _]content|reasoning[ _](?:content|details)/i.test(`${error.path ?? ''} ${error.message}`)
  );
}

/** Whether a request holds opaque state of anybody. */
function holdsState({ turns }: CanonicalRequest): boolean {
  return turns.some(({ parts }) => parts.some(({ carrier, state }) => carrier !== undefined || state !== undefined));
}
