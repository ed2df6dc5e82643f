import { type Exchange, type Loss, type Losses, refuseLosses } from '../../translators/index.js';
import { lossesOf, openExchange, translatedAsk, wholeAnswer } from '../call/index.js';
import { betaHeaders, checkAnswerType, parseAnswer } from '../protocol/index.js';
import { type Call, jsonAnswer, policyOf, randomHex } from './call.js';
import { decode, type FetchRequest, mediaFor, profileFor } from './request.js';
import { type Answered, bytesOf, DEPTH } from './send.js';
import { streamTranslated } from './translated-stream.js';
import type { Translation } from './translation.js';
import { headersFor, sendFor } from './transport.js';

/** Has a conversation answered by a backend of another dialect. Rejects with what is answered instead. */
export async function serveTranslated(call: Call, ask: FetchRequest, complete: CompleteCall): Promise<Response> {
  const { exchange, losses } = await prepare(call, ask);
  const { host } = call.settings;
  const translation: Translation = {
    call,
    ask,
    exchange,
    losses,
    request: (sent) =>
      sendFor(translation, { ...translatedAsk(host, 'create', sent), headers: betaHeaders(host, sent.betas) }),
    complete: () => complete(losses.list),
  };
  const answered = await translation.request(exchange.sent);
  return ask.stream ? streamTranslated(translation, answered) : deliverWhole(translation, answered);
}

/** Told what was lost once an answer is complete. */
export type CompleteCall = (losses: readonly Loss[]) => void;

/** Translates the request. Throws the client's error when it cannot be said, or when strict refuses. */
export async function prepare(
  call: Call,
  ask: FetchRequest,
): Promise<{ readonly exchange: Exchange; readonly losses: Losses }> {
  const policy = policyOf(call);
  const decoded = decode(call, ask);
  const losses = lossesOf(decoded);
  const profile = profileFor(call, ask);
  const context = {
    caller: call,
    host: call.settings.host,
    policy,
    request: ask,
    decoded,
    model: ask.target,
    stream: ask.stream,
    profile,
    losses,
    counting: ask.counting,
    nonce: randomHex(),
    depth: DEPTH,
    media: await mediaFor(call, decoded.request, profile),
  };
  const exchange = openExchange(context, { maxEventBytes: call.settings.maxAnswerBytes });
  if (policy.policy === 'strict') refuseLosses(losses.list, policy.allow, call.dialect);
  return { exchange, losses };
}

async function deliverWhole(translation: Translation, first: Answered): Promise<Response> {
  const { call, exchange } = translation;
  const { answer, answered } = await wholeAnswer(exchange.sent, first, {
    async read(_sent, came) {
      checkAnswerType(came.headers, 'json');
      return exchange.response(parseAnswer(await bytesOf(call, came), { jsonDepth: DEPTH }));
    },
    ask: translation.request,
  });
  const response = jsonAnswer(200, answer.body, headersFor(translation, answered));
  translation.complete();
  return response;
}
