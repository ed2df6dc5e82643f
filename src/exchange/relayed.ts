import { dialects, restoreAnswer } from '../../translators/index.js';
import { collectBody } from '../backend/index.js';
import { Failure, MB } from '../ground/index.js';
import { noteAnswer, takeTurn } from '../http/index.js';
import { checkAnswerType, errorInAnswer, parseAnswer } from '../protocol/index.js';
import { containsSecretOf, leakOf, withoutSecretsInErrors } from './answer-guard.js';
import { exchangeHeaders, relayedType } from './answer-head.js';
import type { AnsweredCall } from './attempt.js';
import { reportInAnswer } from './refusal.js';
import { noteLearned, type RelayedPlan } from './relay-plan.js';
import { relayStream } from './relayed-stream.js';
import { sendAnswer } from './whole-answer.js';

/** Brings the answer to the client as it came. */
export function deliverRelayed(plan: RelayedPlan, answered: AnsweredCall): Promise<void> {
  if (plan.attempt.ask.stream) return relayStream(plan, answered);
  // Only now it is known to have been right.
  noteLearned(plan);
  return relayWhole(plan, answered);
}

async function relayWhole(
  { attempt, losses: { list: losses }, restore }: RelayedPlan,
  { answer, running }: AnsweredCall,
): Promise<void> {
  const { gateway, call, target } = attempt;
  const { limits } = gateway.config;
  checkAnswerType(answer.headers, 'json');
  const bytes = await collectBody(answer, limits.eventMb * MB, running.abort);
  const turn = takeTurn(gateway, call, bytes.length);
  if (turn !== undefined) await turn;
  const parsed = parseAnswer(bytes, limits);
  const failed = errorInAnswer(attempt.backend.config, dialects[target.backend.dialect], parsed);
  if (failed !== undefined) {
    const reported = reportInAnswer(gateway, target.backend, failed);
    throw new Failure(reported, { headers: exchangeHeaders(call, target, answer.headers, losses) });
  }
  noteAnswer(call, dialects[target.backend.dialect].relayedFacts.read([parsed]));
  const { storage } = attempt;
  const shown = withoutSecretsInErrors(bytes, gateway.redact);
  if (containsSecretOf(target.backend, shown, shown === bytes ? parsed : undefined))
    throw leakOf(attempt, exchangeHeaders(call, target, answer.headers, losses));
  const own = restore === undefined ? shown : restoreAnswer(textOf(shown), restore, limits.jsonDepth);
  const { status, headers: received } = answer;
  const head = {
    call,
    target,
    status,
    type: relayedType(target.backend, received, 'application/json'),
    received,
    losses,
  };
  sendAnswer(head, storage === undefined ? own : storage.text(typeof own === 'string' ? own : textOf(own)));
}

const UTF8 = new TextDecoder();

/** The text of an answer, without a mark of its byte order. */
function textOf(bytes: Uint8Array): string {
  return UTF8.decode(bytes);
}
