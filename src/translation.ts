import type { EncodedRequest, Exchange, Loss, Losses, Usage } from '../translators/index.js';
import type { BackendAsk } from './backend.js';
import type { ClientCall } from './client-call.js';
import type { Keeping } from './media/conversation.js';
import type { Attempt } from './passage.js';

/** What both the plain and the streamed delivery of a translated answer know. */
export interface Translation {
  readonly attempt: Attempt;
  readonly exchange: Exchange;
  readonly losses: Losses;
  /** Takes pictures that the client is shown as links. */
  readonly keeping: Keeping;
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
  noteLosses(call, losses.list);
}

/** What the log will say about losses: how many, and the first features, in at most so many characters. */
export function noteLosses({ record: { facts } }: ClientCall, losses: readonly Loss[]): void {
  if (facts === undefined) return;
  facts.losses = losses.length;
  if (losses.length === 0) return;
  facts.lost = [...new Set(losses.map(({ feature }) => feature))].slice(0, 20).join(' ').slice(0, LOST_CHARACTERS);
}

const LOST_CHARACTERS = 1000;
