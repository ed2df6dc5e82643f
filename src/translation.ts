import type { EncodedRequest, Exchange, Losses, Usage } from '../translators/index.js';
import type { BackendAsk } from './backend.js';
import type { ClientCall } from './client-call.js';
import type { Attempt } from './passage.js';

/** What both the plain and the streamed delivery of a translated answer know. */
export interface Translation {
  readonly attempt: Attempt;
  readonly exchange: Exchange;
  readonly losses: Losses;
  /** The call that asks for `sent`. */
  askFor(sent: EncodedRequest): BackendAsk;
}

/** What the log will say about a translated answer. */
export function noteAnswer(
  call: ClientCall,
  model: string | undefined,
  usage: Usage | undefined,
  losses: Losses,
): void {
  const { facts } = call.record;
  if (facts === undefined) return;
  facts.answeredBy = model;
  facts.inputTokens = usage?.input;
  facts.outputTokens = usage?.output;
  facts.losses = losses.list.length;
  if (losses.list.length > 0) {
    facts.lost = [...new Set(losses.list.map(({ feature }) => feature))].slice(0, 20).join(' ');
  }
}
