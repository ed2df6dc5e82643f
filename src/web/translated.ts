import { type EncodedRequest, refuseLosses, TranslationError } from '../../translators/index.js';
import { type AnswerSteps, lossesOf, openExchange, translatedAsk, wholeAnswer } from '../call/index.js';
import { Failure } from '../ground/plain/index.js';
import { betaHeaders, checkAnswerType, type HostAsk, LEAKED, parseAnswer } from '../protocol/index.js';
import { type Call, jsonText, policyOf, Refusal, randomHex } from './call.js';
import type { Task, TranslatedPlan } from './plan.js';
import { decode, mediaFor, profileFor } from './request.js';
import { type Answered, bytesOf, DEPTH } from './send.js';
import { streamTranslated } from './translated-stream.js';
import { headersFor, sendFor, shown } from './transport.js';

/** How a conversation is served by a backend of another dialect. Rejects with the client's error when it cannot be expressed there. */
export async function planTranslation(task: Task): Promise<TranslatedPlan> {
  const { exchange, losses } = await prepare(task);
  return { kind: 'translated', ...task, exchange, losses, sent: askFor(task, exchange.sent) };
}

function askFor({ call }: Task, sent: EncodedRequest): HostAsk<'POST', string> {
  const { host, service } = call.settings;
  return { ...translatedAsk(host, service, 'create', sent), headers: betaHeaders(host, sent.betas) };
}

/** Brings the translated answer to the client. */
export function deliverTranslated(plan: TranslatedPlan, answered: Answered): Promise<Response> {
  const ask = (sent: EncodedRequest): Promise<Answered> => sendFor(plan, askFor(plan, sent));
  return plan.ask.stream ? streamTranslated(plan, answered, ask) : deliverWhole(plan, answered, ask);
}

/** Translates the request. Throws the client's error when it cannot be expressed, or when strict refuses. */
export async function prepare({ call, ask }: Task): Promise<Pick<TranslatedPlan, 'exchange' | 'losses'>> {
  const policy = policyOf(call);
  const decoded = decode(call, ask);
  const losses = lossesOf(decoded);
  const profile = profileFor(call, ask);
  const context = {
    caller: call,
    client: call.client,
    backend: call.settings.service,
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
  const exchange = openExchange(context, {
    maxEventBytes: call.settings.maxAnswerBytes,
    tellFailure: (error) => shown(call, error),
  });
  if (policy.policy === 'strict') refuseLosses(losses.list, policy.allow, call.dialect);
  return { exchange, losses };
}

async function deliverWhole(
  plan: TranslatedPlan,
  first: Answered,
  ask: AnswerSteps<Answered>['ask'],
): Promise<Response> {
  const { call, exchange, losses } = plan;
  const { answer, answered } = await wholeAnswer(exchange.sent, first, {
    async read(_sent, came) {
      checkAnswerType(came.headers, 'json');
      const body = parseAnswer(await bytesOf(call, came), { jsonDepth: DEPTH });
      try {
        return exchange.response(body);
      } catch (thrown) {
        throw refusedKey(call, thrown) ?? thrown;
      }
    },
    ask,
  });
  const text = JSON.stringify(answer.body);
  const own = headersFor(plan, answered);
  if (call.settings.guard?.leaks(text, answer.body) === true) throw new Refusal(LEAKED, { own, losses: losses.list });
  const response = jsonText(200, text, own);
  plan.complete({ losses: losses.list, facts: { ...answer, finish: answer.finish.raw } });
  return response;
}

/** A refusal of a key that came as an answer, where the key is not the caller's. */
function refusedKey(call: Call, thrown: unknown): Failure | undefined {
  if (!(thrown instanceof TranslationError)) return undefined;
  const error = thrown.toCanonical();
  const shownError = shown(call, error);
  return shownError.kind === error.kind ? undefined : new Failure(shownError);
}
