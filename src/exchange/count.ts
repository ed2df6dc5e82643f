import {
  createExchange,
  createLosses,
  dialects,
  type EncodeRequestContext,
  refuseLosses,
  type TokenCount,
} from '../../translators/index.js';
import { collectBody } from '../backend/index.js';
import type { BackendConfig } from '../config/index.js';
import { gatewayDialect } from '../dialects/index.js';
import { Failure, randomHex } from '../ground/index.js';
import { type ClientCall, noteLosses, sendJson } from '../http/index.js';
import {
  checkAnswerType,
  createEstimate,
  parseAnswer,
  pathOf,
  publisherBody,
  vocabularyCount,
} from '../protocol/index.js';
import { exchangeHeaders } from './answer-head.js';

import type { AnsweredCall, Ask, Attempt, CallPlan } from './call-plan.js';

import { withMedia } from './inlining.js';
import { configuredProfile } from './lessons.js';

import { planRelay } from './relayed.js';
import { lazyDecode, tryTargets } from './serve.js';
import type { ExchangeServices } from './services.js';
import { translatedHeaders } from './translated.js';

/** A count is small. */
const MAX_BYTES = 1024 * 1024;

/** Counts the tokens of a request: the backend does, or it is estimated (translation.md 8). */
export function serveCount(gateway: ExchangeServices, call: ClientCall, asked: Ask): Promise<void> {
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
    return withMedia(attempt, (media) => {
      if (config.dialect !== call.dialect) return counted(translatedCount(attempt, media));
      const plan = planRelay(attempt, 'count', media);
      return counted(counts(config) ? plan : { ...plan, ...UNCOUNTED });
    });
  });
}

function translatedCount(attempt: Attempt, media: EncodeRequestContext['media']): CallPlan {
  const { ask, backend, call, gateway, policy, target } = attempt;
  const { dialect, domain } = backend.config;
  const { request, body, losses: decodeLosses } = attempt.decoded();
  const losses = createLosses();
  for (const loss of decodeLosses) losses.add(loss.path, loss.feature, loss.kind, loss.detail);
  const { sent } = createExchange({
    client: dialects[call.dialect],
    backend: dialects[dialect],
    request: { ...request, model: target.model, stream: false },
    requestBody: body,
    requestedModel: ask.model,
    profile: configuredProfile(target),
    domain,
    losses,
    now: Math.floor(Date.now() / 1000),
    nonce: randomHex(),
    omitMedia: gateway.config.translate.omitMedia,
    seedUser: gateway.config.translate.seedUser,
    cache: 'off',
    strict: policy.policy === 'strict',
    maxEventDepth: gateway.config.limits.jsonDepth,
    media,
  });
  if (policy.policy === 'strict') refuseLosses(losses.list, policy.allow, call.dialect);
  return {
    sent: {
      method: 'POST',
      path: pathOf(backend.config, 'count', { model: sent.model, stream: false }),
      body: JSON.stringify(publisherBody(backend.config, 'count', dialects[dialect].count.encodeRequest(sent))),
      headers: translatedHeaders(attempt, sent),
    },
    ...(!counts(backend.config) && UNCOUNTED),
    losses: losses.list,
    async deliver({ answer, running }) {
      checkAnswerType(answer.headers, 'json');
      const counted = parseAnswer(await collectBody(answer, MAX_BYTES, running.abort), gateway.config.limits);
      sendCount(attempt, { answer, running }, losses.list, dialects[dialect].count.decodeResponse(counted));
    },
    without: () => undefined,
  };
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

/** Whether a backend has a route that counts. */
function counts({ dialect, lacks }: BackendConfig): boolean {
  const { counts: route } = gatewayDialect(dialect);
  return route !== false && !lacks.includes(route);
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

/** Answers of services that have no endpoint for counting. */
const NO_ENDPOINT = new Set([404, 405, 501]);

function instead(attempt: Attempt, plan: CallPlan, status: number, answered: AnsweredCall): Promise<void> | undefined {
  if (!NO_ENDPOINT.has(status)) return undefined;
  return attempt.backend.config.countTokens === 'native' ? refuse(answered) : estimate(attempt, plan, answered);
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
