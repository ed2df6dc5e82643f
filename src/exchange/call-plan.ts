import type { CanonicalError } from '../../translators/index.js';
import type { AnsweredCall, Planned } from './attempt.js';
import { callWithRetry } from './call-with-retry.js';
import { answerInstead, type CountedPlan, deliverCounted, reviseCounted, unasked } from './counted.js';
import { type RelayedPlan, reviseRelayed } from './relay-plan.js';
import { deliverRelayed } from './relayed.js';
import { deliverTranslated, reviseTranslated } from './translated.js';
import type { TranslatedPlan } from './translation.js';

/** How one target serves an ask: what is sent, and what the steps below need to know of it. */
export type CallPlan = RelayedPlan | TranslatedPlan | CountedPlan | OwnPlan;

/** The plan of a room above, which brings its steps. It is not revised. */
export interface OwnPlan extends Planned {
  readonly kind: 'own';
  /** Calls the backend in another way than once with `sent`. */
  send?(): Promise<AnsweredCall>;
  /** Brings a successful answer to the client. Rejects while nothing was sent yet with what to tell the client. */
  deliver(answered: AnsweredCall): Promise<void>;
  /** What is answered in the place of a refusal with this status, where there is something. */
  instead?(status: number, answered: AnsweredCall): Promise<void> | undefined;
}

/** Calls the backend. */
export function sendPlan(plan: CallPlan): Promise<AnsweredCall> {
  if (plan.local === true) return unasked();
  return plan.kind === 'own' && plan.send !== undefined ? plan.send() : callWithRetry(plan.attempt, plan.sent);
}

/** Brings a successful answer to the client. Rejects while nothing was sent yet with what to tell the client. */
export function deliverPlan(plan: CallPlan, answered: AnsweredCall): Promise<void> {
  switch (plan.kind) {
    case 'relayed':
      return deliverRelayed(plan, answered);
    case 'translated':
      return deliverTranslated(plan, answered);
    case 'counted':
      return deliverCounted(plan, answered);
    case 'own':
      return plan.deliver(answered);
  }
}

/** What is answered in the place of a refusal, where there is something. */
export function insteadOf(plan: CallPlan, answered: AnsweredCall): Promise<void> | undefined {
  if (plan.kind === 'counted') return answerInstead(plan, answered);
  return plan.kind === 'own' ? plan.instead?.(answered.answer.status, answered) : undefined;
}

/** The same without what the backend refused: a field on which the answer does not hang, state, turns that are too many. */
export function revisePlan(plan: CallPlan, error: CanonicalError): Promise<CallPlan | undefined> | undefined {
  switch (plan.kind) {
    case 'relayed':
      return reviseRelayed(plan, error);
    case 'translated':
      return reviseTranslated(plan, error);
    case 'counted':
      return reviseCounted(plan, error);
    case 'own':
      return undefined;
  }
}
