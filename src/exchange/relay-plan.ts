import { type CanonicalError, TranslationError } from '../../translators/index.js';
import type { RelayedCall } from '../call/index.js';
import { Failure } from '../ground/index.js';
import type { Attempt, Media, Planned } from './attempt.js';
import { callOf } from './host.js';
import { withMedia } from './inlining.js';
import { type RelayRestrictions, restrictionsAfter, UNRESTRICTED } from './relayed-restrictions.js';
import { noteRestriction, relayedCap } from './restrictions.js';

/** A request that goes to a backend of the client's own dialect. */
export interface RelayedPlan extends Planned, Omit<RelayedCall, 'sent'> {
  readonly kind: 'relayed';
  readonly sent: RelayedCall['sent'];
  readonly operation: 'create' | 'count';
  readonly restrictions: RelayRestrictions;
}

/**
 * The way through a backend of the client's own dialect: nothing is decoded. In the request the model's name and the
 * credentials change, in the answer nothing (http.md#same-dialect), but for what the host lacks of the dialect (hosts.md#presets).
 * `media` = pictures that were fetched for it.
 */
export function planRelay(
  attempt: Attempt,
  operation: 'create' | 'count',
  media?: Media,
  restrictions: RelayRestrictions = UNRESTRICTED,
): RelayedPlan {
  const mostOutput = operation === 'create' ? relayedCap(attempt, restrictions.cap) : undefined;
  const call = callOf(attempt, { operation, media, mostOutput, learned: restrictions.unsupported });
  return { kind: 'relayed', attempt, operation, media, restrictions, ...call };
}

/** What earlier refusals revealed is stored: the host takes the request without it. */
export function noteLearned({ attempt, restrictions: { cap, unsupported } }: RelayedPlan): void {
  if (cap !== undefined) noteRestriction(attempt, { kind: 'cap', tokens: cap });
  if (unsupported.length > 0) noteRestriction(attempt, { kind: 'unsupported', unsupported });
}

/**
 * The same without what the host refused: the conversation that it does not know any more, or a member that it may not support, by the
 * first restriction that changes what was sent. undefined where none does, and where the member cannot be done without.
 */
export async function reviseRelayed(plan: RelayedPlan, error: CanonicalError): Promise<RelayedPlan | undefined> {
  const { attempt, operation, media, restrictions, sent } = plan;
  const { ask, target } = attempt;
  if (error.code === 'previous_response_not_found') {
    const { conversation } = ask;
    if (conversation?.rebuild(target) !== true) return undefined;
    const whole = { ...attempt, ask: conversation.askOf(target, ask), storage: conversation.storageOf(target) };
    return planRelay(whole, operation, media, restrictions);
  }
  for (const learned of restrictionsAfter(plan, error)) {
    try {
      const next = await withMedia(
        attempt,
        (found) => planRelay(attempt, operation, found, learned),
        learned.unsupported,
      );
      if (!isSame(next.sent.body, sent.body)) return next;
    } catch (thrown) {
      // What the host said tells the client more than that it cannot be mended.
      if (!(thrown instanceof TranslationError) && !(thrown instanceof Failure)) throw thrown;
    }
  }
  return undefined;
}

function isSame(body: string | Uint8Array, other: string | Uint8Array): boolean {
  return body === other || Buffer.from(body).equals(Buffer.from(other));
}
