import { dialects, type TokenCount } from '../../translators/index.js';
import { NO_ENDPOINT, readCount, translatedAsk } from '../call/index.js';
import { gatewayDialect } from '../dialects/index.js';
import { createEstimate } from '../protocol/index.js';
import { type Call, jsonAnswer, Refusal } from './call.js';
import { sendRelayed } from './relayed.js';
import { decode, type FetchRequest } from './request.js';
import { type Answered, bytesOf, isSuccess, send } from './send.js';
import { type CompleteCall, prepare } from './translated.js';
import { type Asked, headersFor, refusalOf, TRANSPORT } from './transport.js';

/** Counts the tokens of a request: the backend does, or it is estimated (translation.md 8). */
export async function serveCount(call: Call, ask: FetchRequest, complete: CompleteCall): Promise<Response> {
  const { dialect, unsupported } = call.settings.host;
  const { counts: route } = gatewayDialect(dialect);
  const native = route !== false && !unsupported.includes(route);
  return dialect === call.dialect
    ? countRelayed(call, ask, native, complete)
    : countTranslated(call, ask, native, complete);
}

/** One that can be read here. */
type Translatable = Asked & { readonly ask: FetchRequest };

async function countRelayed(call: Call, ask: FetchRequest, native: boolean, complete: CompleteCall): Promise<Response> {
  if (!native) return estimate({ call, ask, losses: { list: [] } }, {}, complete);
  try {
    const { asked, answered } = await sendRelayed(call, ask);
    const bytes = await bytesOf(call, answered);
    const type = answered.headers['content-type'] ?? 'application/json';
    complete(asked.losses.list);
    return new Response(bytes, {
      status: answered.status,
      headers: { ...headersFor(asked, answered), 'content-type': type },
    });
  } catch (thrown) {
    if (!(thrown instanceof Refusal) || !NO_ENDPOINT.has(thrown.status)) throw thrown;
    return estimate({ call, ask, losses: { list: thrown.losses } }, {}, complete);
  }
}

async function countTranslated(
  call: Call,
  ask: FetchRequest,
  native: boolean,
  complete: CompleteCall,
): Promise<Response> {
  const { host } = call.settings;
  const { exchange, losses } = await prepare(call, ask);
  const asked: Translatable = { call, ask, losses };
  if (!native) return estimate(asked, {}, complete);
  const { sent } = exchange;
  const answered = await send(call, translatedAsk(host, 'count', sent));
  if (NO_ENDPOINT.has(answered.status)) return estimate(asked, answered.headers, complete);
  if (!isSuccess(answered)) throw await refusalOf(asked, answered);
  return countAnswer(asked, answered.headers, await readCount(TRANSPORT, asked, answered, host.dialect), complete);
}

async function estimate(asked: Translatable, received: Answered['headers'], complete: CompleteCall): Promise<Response> {
  const { call, ask } = asked;
  const { signal } = call;
  const waiting = {
    get gone() {
      return signal?.aborted === true;
    },
  };
  const input = await createEstimate(waiting, () => call.settings.countTokens)(decode(call, ask).request);
  const answer = countAnswer(asked, received, { input }, complete);
  answer.headers.set('x-interlingua-estimate', 'true');
  return answer;
}

function countAnswer(asked: Asked, headers: Answered['headers'], count: TokenCount, complete: CompleteCall): Response {
  complete(asked.losses.list);
  return jsonAnswer(200, dialects[asked.call.dialect].count.encodeResponse(count), headersFor(asked, { headers }));
}
