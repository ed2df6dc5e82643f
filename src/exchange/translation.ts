import type { EncodedRequest, Exchange, Losses } from '../../translators/index.js';
import type { BackendAsk } from '../backend/index.js';
import type { AnsweredCall, Attempt } from './call-plan.js';
import type { Keeping } from './inlining.js';

/** What both the plain and the streamed delivery of a translated answer know. */
export interface Translation {
  readonly attempt: Attempt;
  readonly exchange: Exchange;
  readonly losses: Losses;
  /** Takes pictures that the client is shown as links. */
  readonly keeping: Keeping;
  /** The client gets an answer, so that it was right to ask as was asked. */
  answered(): void;
  /** The call that asks for `sent`, whose body may have been printed already. */
  askFor(sent: EncodedRequest, body?: BackendAsk['body']): BackendAsk;
}

/** Asks for what comes after a pause, or once more. Rejects unless that succeeds. */
export async function callAgain({ attempt, askFor }: Translation, sent: EncodedRequest): Promise<AnsweredCall> {
  const next = await attempt.callWithRetry(askFor(sent));
  if (next.answer.status !== 200) throw await attempt.refusal(next);
  return next;
}
