import { type CanonicalError, type DialectId, dialects, type TokenCount } from '../../translators/index.js';
import { collectBody } from '../backend/index.js';
import { NO_ENDPOINT, readCount } from '../call/index.js';
import { Failure } from '../ground/index.js';
import { noteLosses, sendJson } from '../http/index.js';
import { countingOf, createEstimate, vocabularyCount } from '../protocol/index.js';
import { exchangeHeaders } from './answer-head.js';
import type { AnsweredCall, Planned } from './attempt.js';
import { type RelayedPlan, reviseRelayed } from './relay-plan.js';
import { deliverRelayed } from './relayed.js';
import { TRANSPORT } from './transport.js';

/** How the tokens of a request are counted by a target, or estimated for it. */
export interface CountedPlan extends Planned {
  readonly kind: 'counted';
  /** The count is that of a relayed request, or of one that another dialect's route counts. */
  readonly by: RelayedPlan | DialectId;
}

const MAX_BYTES = 1024 * 1024;

/** A count is small. */
const COUNTS: typeof TRANSPORT = {
  ...TRANSPORT,
  bytes: (_attempt, { answer, running }) => collectBody(answer, MAX_BYTES, running.abort),
};

/** Brings a count to the client. */
export async function deliverCounted(plan: CountedPlan, answered: AnsweredCall): Promise<void> {
  const { by, attempt } = plan;
  if (typeof by === 'object') return deliverRelayed(by, answered);
  sendCount(plan, answered, await readCount(COUNTS, attempt, answered, dialects[by]));
}

/** The same request without what its host refused; where it is relayed. */
export async function reviseCounted(plan: CountedPlan, error: CanonicalError): Promise<CountedPlan | undefined> {
  const revised = typeof plan.by === 'object' ? await reviseRelayed(plan.by, error) : undefined;
  return revised && countedBy(revised);
}

/** The count of a relayed request. */
export function countedBy(by: RelayedPlan): CountedPlan {
  return { kind: 'counted', by, attempt: by.attempt, sent: by.sent, losses: by.losses, media: by.media };
}

function sendCount(
  { attempt: { call, target }, losses: { list } }: CountedPlan,
  { answer }: AnsweredCall,
  count: TokenCount,
  estimated = false,
): void {
  noteLosses(call, list);
  sendJson(call.response, 200, dialects[call.dialect].count.encodeResponse(count), {
    ...exchangeHeaders(call, target, answer.headers, list),
    ...(estimated && { 'x-interlingua-estimate': 'true' }),
  });
}

/** What a service without an endpoint for it would answer: it is not asked. */
export async function unasked(): Promise<AnsweredCall> {
  const answer: AnsweredCall['answer'] = {
    status: 404,
    headers: {},
    pipe: (sink) => sink.end(),
    pause: () => {},
    resume: () => {},
  };
  return { answer, running: { answer: Promise.resolve(answer), abort: () => {} } };
}

/** The same of one that counts in another dialect than it would answer in: what is refused there may be none of its refusals here. */
const NOT_THERE = new Set([...NO_ENDPOINT, 400, 422]);

/** The estimate in the place of a count that the backend does not give. */
export function answerInstead(plan: CountedPlan, answered: AnsweredCall): Promise<void> | undefined {
  const { config } = plan.attempt.backend;
  const native = config.countTokens === 'native';
  const elsewhere = countingOf(config)?.dialect !== config.dialect;
  if (!(elsewhere && !native ? NOT_THERE : NO_ENDPOINT).has(answered.answer.status)) return undefined;
  return native ? refuse(answered) : estimate(plan, answered);
}

async function refuse({ answer, running }: AnsweredCall): Promise<void> {
  await collectBody(answer, MAX_BYTES, running.abort);
  throw new Failure({ kind: 'not_found', message: 'the backend does not count tokens' });
}

async function estimate(plan: CountedPlan, answered: AnsweredCall): Promise<void> {
  const { call, decoded } = plan.attempt;
  await collectBody(answered.answer, MAX_BYTES, answered.running.abort);
  const input = await createEstimate(call, vocabularyCount)(decoded().request);
  sendCount(plan, answered, { input }, true);
}
