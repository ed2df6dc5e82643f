import {
  type Answer,
  createExchange,
  createLosses,
  dialects,
  type Exchange,
  type Loss,
  type Losses,
  refuseLosses,
} from '../../translators/index.js';
import {
  asksBeta,
  betaHeaders,
  betaLoss,
  checkAnswerType,
  parseAnswer,
  pathOf,
  publisherBody,
} from '../protocol/index.js';
import { type Ask, decode, mediaFor, profileFor } from './ask.js';
import { answerHeaders, type Call, jsonAnswer, policyOf, randomHex } from './call.js';
import { type Answered, bytesOf, DEPTH, isSuccess, refusalOf, send } from './send.js';
import { streamTranslated } from './translated-stream.js';
import type { Translation } from './translation.js';

/** Has a conversation answered by a backend of another dialect. Rejects with what is answered instead. */
export async function serveTranslated(call: Call, ask: Ask, complete: CompleteCall): Promise<Response> {
  const { exchange, losses } = await prepare(call, ask);
  const { host } = call.settings;
  const translation: Translation = {
    call,
    ask,
    exchange,
    losses,
    async request(sent) {
      const answered = await send(call, {
        method: 'POST',
        path: pathOf(host, 'create', sent),
        body: JSON.stringify(publisherBody(host, 'create', sent.body)),
        headers: betaHeaders(host, sent.betas),
      });
      if (isSuccess(answered)) return answered;
      throw await refusalOf(call, answered, ask.model, losses.list);
    },
    complete: () => complete(losses.list),
  };
  const answered = await translation.request(exchange.sent);
  return ask.stream ? streamTranslated(translation, answered) : deliverWhole(translation, answered);
}

/** Told what was lost once an answer is complete. */
export type CompleteCall = (losses: readonly Loss[]) => void;

/** Translates the request. Throws the client's error when it cannot be said, or when strict refuses. */
export async function prepare(call: Call, ask: Ask): Promise<{ readonly exchange: Exchange; readonly losses: Losses }> {
  const { host } = call.settings;
  const policy = policyOf(call);
  const { request, body, losses: found } = decode(call, ask);
  const losses = createLosses();
  for (const loss of found) losses.add(loss.path, loss.feature, loss.kind, loss.detail);
  if (!ask.counting) betaLoss(call.dialect, call.headers, body, losses);
  const profile = profileFor(call, ask);
  const exchange = createExchange({
    client: dialects[call.dialect],
    backend: dialects[host.dialect],
    request: { ...request, model: ask.model, stream: ask.stream },
    requestBody: body,
    requestedModel: ask.asked,
    profile,
    domain: host.domain,
    losses,
    now: Math.floor(Date.now() / 1000),
    nonce: randomHex(),
    strict: policy.policy === 'strict',
    requestId: call.id,
    asksBeta: asksBeta(call.dialect, call.headers, call.query),
    maxEventDepth: DEPTH,
    maxEventBytes: call.settings.maxAnswerBytes,
    media: await mediaFor(call, request, profile),
    ...(ask.counting && { cache: 'off' }),
  });
  if (policy.policy === 'strict') refuseLosses(losses.list, policy.allow, call.dialect);
  return { exchange, losses };
}

/** Reads answers until one does not pause. */
async function deliverWhole(translation: Translation, first: Answered): Promise<Response> {
  const { call, ask, exchange, losses } = translation;
  let answered = first;
  let answer = await readAnswer(call, exchange, answered);
  while (answer.resume !== undefined) {
    answered = await translation.request(answer.resume);
    answer = await readAnswer(call, exchange, answered);
  }
  const response = jsonAnswer(200, answer.body, answerHeaders(call, ask.model, answered.headers, losses.list));
  translation.complete();
  return response;
}

async function readAnswer(call: Call, exchange: Exchange, answered: Answered): Promise<Answer> {
  checkAnswerType(answered.headers, 'json');
  return exchange.response(parseAnswer(await bytesOf(call, answered), { jsonDepth: DEPTH }));
}
