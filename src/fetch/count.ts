import { dialects, type Loss, type TokenCount } from '../../translators/index.js';
import { gatewayDialect } from '../dialects/index.js';
import { checkAnswerType, createEstimate, parseAnswer, pathOf, publisherBody } from '../protocol/index.js';
import { type Ask, decode } from './ask.js';
import { answerHeaders, type Call, jsonAnswer, Refusal } from './call.js';
import { sendRelayed } from './relayed.js';
import { type Answered, bytesOf, DEPTH, isSuccess, refusalOf, send } from './send.js';
import { type CompleteCall, prepare } from './translated.js';

/** Answers of services that have no endpoint for counting. */
const NO_ENDPOINT = new Set([404, 405, 501]);

/** Counts the tokens of a request: the backend does, or it is estimated (translation.md 8). */
export async function serveCount(call: Call, ask: Ask, complete: CompleteCall): Promise<Response> {
  const { dialect, lacks } = call.settings.host;
  const { counts: route } = gatewayDialect(dialect);
  const native = route !== false && !lacks.includes(route);
  return dialect === call.dialect
    ? countRelayed(call, ask, native, complete)
    : countTranslated(call, ask, native, complete);
}

async function countRelayed(call: Call, ask: Ask, native: boolean, complete: CompleteCall): Promise<Response> {
  if (!native) return estimate(call, ask, {}, [], complete);
  try {
    const { answered, losses } = await sendRelayed(call, ask);
    const bytes = await bytesOf(call, answered);
    const type = answered.headers['content-type'] ?? 'application/json';
    const headers = { ...answerHeaders(call, ask.model, answered.headers, losses.list), 'content-type': type };
    complete(losses.list);
    return new Response(bytes, { status: answered.status, headers });
  } catch (thrown) {
    if (!(thrown instanceof Refusal) || !NO_ENDPOINT.has(thrown.status)) throw thrown;
    return estimate(call, ask, {}, thrown.losses, complete);
  }
}

async function countTranslated(call: Call, ask: Ask, native: boolean, complete: CompleteCall): Promise<Response> {
  const { host } = call.settings;
  const { exchange, losses } = await prepare(call, ask);
  if (!native) return estimate(call, ask, {}, losses.list, complete);
  const { count } = dialects[host.dialect];
  const { sent } = exchange;
  const answered = await send(call, {
    method: 'POST',
    path: pathOf(host, 'count', { model: sent.model, stream: false }),
    body: JSON.stringify(publisherBody(host, 'count', count.encodeRequest(sent))),
  });
  if (NO_ENDPOINT.has(answered.status)) return estimate(call, ask, answered.headers, losses.list, complete);
  if (!isSuccess(answered)) throw await refusalOf(call, answered, ask.model, losses.list);
  checkAnswerType(answered.headers, 'json');
  const counted = parseAnswer(await bytesOf(call, answered), { jsonDepth: DEPTH });
  return countAnswer(call, ask, answered.headers, losses.list, count.decodeResponse(counted), complete);
}

async function estimate(
  call: Call,
  ask: Ask,
  received: Answered['headers'],
  losses: readonly Loss[],
  complete: CompleteCall,
): Promise<Response> {
  const { signal } = call;
  const waiting = {
    get gone() {
      return signal?.aborted === true;
    },
  };
  const input = await createEstimate(waiting, () => call.settings.countTokens)(decode(call, ask).request);
  const answer = countAnswer(call, ask, received, losses, { input }, complete);
  answer.headers.set('x-interlingua-estimate', 'true');
  return answer;
}

function countAnswer(
  call: Call,
  ask: Ask,
  received: Answered['headers'],
  losses: readonly Loss[],
  count: TokenCount,
  complete: CompleteCall,
): Response {
  complete(losses);
  const headers = answerHeaders(call, ask.model, received, losses);
  return jsonAnswer(200, dialects[call.dialect].count.encodeResponse(count), headers);
}
