import {
  createLosses,
  type DialectId,
  dialects,
  type EncodedRequest,
  type EncodeRequestContext,
  type Losses,
  type ModelTarget,
  refuseLosses,
  type TokenCount,
  TranslationError,
} from '../../translators/index.js';
import { collectBody } from '../backend/index.js';
import {
  lossesOf,
  NO_ENDPOINT,
  openExchange,
  readCount,
  type TranslationContext,
  translatedAsk,
} from '../call/index.js';
import { Failure, randomHex } from '../ground/index.js';
import { type ClientCall, noteLosses, type Served, sendJson } from '../http/index.js';
import { type Counting, countingOf, createEstimate, vocabularyCount } from '../protocol/index.js';
import { exchangeHeaders } from './answer-head.js';
import type { AnsweredCall, Attempt, CallPlan, GenerationRequest } from './call-plan.js';
import { withMedia } from './inlining.js';
import { planRelay } from './relayed.js';
import { configuredProfile } from './restrictions.js';
import { lazyDecode, tryTargets } from './serve.js';
import type { ExchangeServices } from './services.js';
import { translatedHeaders } from './translated.js';
import { callerOf, TRANSPORT } from './transport.js';

const MAX_BYTES = 1024 * 1024;

/** Counts the tokens of a request: the backend does, or it is estimated (translation.md 8). */
export function serveCount(gateway: ExchangeServices, call: ClientCall, asked: GenerationRequest): Promise<Served> {
  // Whatever the body says: a count is no stream.
  const ask = { ...asked, stream: false };
  return tryTargets(gateway, call, ask, lazyDecode(call, ask, true), (attempt) => {
    const counted = (plan: CallPlan): CallPlan => ({
      ...plan,
      instead: (status, answered) => instead(attempt, plan, status, answered),
      async without(error) {
        const next = await plan.without(error);
        return next && counted(next);
      },
    });
    const { config } = attempt.backend;
    const counting = countingOf(config);
    return withMedia(attempt, (media) => {
      const plan =
        config.dialect === call.dialect ? planRelay(attempt, 'count', media) : translatedCount(attempt, media);
      if (counting === undefined) return counted({ ...plan, ...UNCOUNTED });
      return counted(counting.dialect === config.dialect ? plan : countedElsewhere(attempt, plan, counting, media));
    });
  });
}

function translatedCount(attempt: Attempt, media: EncodeRequestContext['media']): CallPlan {
  const { backend, call, policy, target } = attempt;
  const { dialect } = backend.config;
  const losses = lossesOf(attempt.decoded());
  const sent = encodeFor(attempt, dialect, configuredProfile(target), losses, media);
  if (policy.policy === 'strict') refuseLosses(losses.list, policy.allow, call.dialect);
  return {
    sent: { ...translatedAsk(backend.config, 'count', sent), headers: translatedHeaders(attempt, sent) },
    losses: losses.list,
    deliver: (answered) => deliverCount(attempt, answered, losses.list, dialect),
    without: () => undefined,
  };
}

/** The same by the route of another dialect at the host of the backend: what would be lost in that dialect is lost in no answer. */
function countedElsewhere(
  attempt: Attempt,
  plan: CallPlan,
  { dialect, choice, path }: Counting,
  media: EncodeRequestContext['media'],
): CallPlan {
  try {
    const profile = dialects[dialect].target(attempt.target.model, choice);
    const sent = encodeFor(attempt, dialect, profile, createLosses(), media);
    return {
      ...plan,
      sent: {
        method: 'POST',
        path: path({ model: sent.model, stream: false }),
        body: JSON.stringify(dialects[dialect].count.encodeRequest(sent)),
        headers: translatedHeaders(attempt, { ...sent, betas: [] }),
      },
      relaysErrors: false,
      deliver: (answered) => deliverCount(attempt, answered, plan.losses, dialect),
      without: () => undefined,
    };
  } catch (thrown) {
    if (thrown instanceof TranslationError) return { ...plan, ...UNCOUNTED };
    throw thrown;
  }
}

function encodeFor(
  attempt: Attempt,
  dialect: DialectId,
  profile: ModelTarget,
  losses: Losses,
  media: EncodeRequestContext['media'],
): EncodedRequest {
  const { ask, backend, call, gateway, policy, target } = attempt;
  const { omitMedia, seedUser } = gateway.config.translate;
  const context: TranslationContext = {
    caller: callerOf(call),
    host: backend.config,
    dialect,
    policy,
    request: ask,
    decoded: attempt.decoded(),
    model: target.model,
    stream: false,
    profile,
    losses,
    counting: true,
    nonce: randomHex(),
    depth: gateway.config.limits.jsonDepth,
    media,
  };
  return openExchange(context, { omitMedia, seedUser }).sent;
}

/** A count is small. */
const COUNTS: typeof TRANSPORT = {
  ...TRANSPORT,
  bytes: (_attempt, { answer, running }) => collectBody(answer, MAX_BYTES, running.abort),
};

async function deliverCount(
  attempt: Attempt,
  answered: AnsweredCall,
  losses: CallPlan['losses'],
  dialect: DialectId,
): Promise<void> {
  sendCount(attempt, answered, losses, await readCount(COUNTS, attempt, answered, dialect));
}

function sendCount(
  { call, target }: Attempt,
  { answer }: AnsweredCall,
  losses: CallPlan['losses'],
  count: TokenCount,
  estimated = false,
): void {
  noteLosses(call, losses);
  sendJson(call.response, 200, dialects[call.dialect].count.encodeResponse(count), {
    ...exchangeHeaders(call, target, answer.headers, losses),
    ...(estimated && { 'x-interlingua-estimate': 'true' }),
  });
}

/** What a service without an endpoint for it would answer: it is not asked. */
function unasked(): AnsweredCall {
  const answer: AnsweredCall['answer'] = {
    status: 404,
    headers: {},
    pipe: (sink) => sink.end(),
    pause: () => {},
    resume: () => {},
  };
  return { answer, running: { answer: Promise.resolve(answer), abort: () => {} } };
}

/** The way of a count through a backend that has no route for it. */
const UNCOUNTED = { local: true, send: async () => unasked() } as const;

/** The same of one that counts in another dialect than it would answer in: what is refused there may be none of its refusals here. */
const NOT_THERE = new Set([...NO_ENDPOINT, 400, 422]);

function instead(attempt: Attempt, plan: CallPlan, status: number, answered: AnsweredCall): Promise<void> | undefined {
  const { config } = attempt.backend;
  const native = config.countTokens === 'native';
  const elsewhere = countingOf(config)?.dialect !== config.dialect;
  if (!(elsewhere && !native ? NOT_THERE : NO_ENDPOINT).has(status)) return undefined;
  return native ? refuse(answered) : estimate(attempt, plan, answered);
}

async function refuse({ answer, running }: AnsweredCall): Promise<void> {
  await collectBody(answer, MAX_BYTES, running.abort);
  throw new Failure({ kind: 'not_found', message: 'the backend does not count tokens' });
}

async function estimate(attempt: Attempt, plan: CallPlan, answered: AnsweredCall): Promise<void> {
  await collectBody(answered.answer, MAX_BYTES, answered.running.abort);
  const input = await createEstimate(attempt.call, vocabularyCount)(attempt.decoded().request);
  sendCount(attempt, answered, plan.losses, { input }, true);
}
