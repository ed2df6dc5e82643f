import type { Losses } from '../../translators/index.js';
import type { Transport } from '../call/index.js';
import { type HostAsk, readUpstreamError } from '../protocol/index.js';
import { answerHeaders, type Call, Refusal } from './call.js';
import type { FetchRequest } from './request.js';
import { type Answered, beginningOf, bytesOf, DEPTH, isSuccess, send } from './send.js';

/** A request that was sent. */
export interface Asked {
  readonly call: Call;
  readonly ask: Pick<FetchRequest, 'target'>;
  readonly losses: Pick<Losses, 'list'>;
}

/** A call that is about no model. */
export function unnamed(call: Call): Asked {
  return { call, ask: { target: '' }, losses: { list: [] } };
}

/** The headers of the answer to a request. */
export function headersFor(
  { call, ask, losses }: Asked,
  { headers }: Pick<Answered, 'headers'>,
): Record<string, string> {
  return answerHeaders(call, ask.target, headers, losses.list);
}

/** Answers that come by `fetch`. */
export const TRANSPORT: Transport<Asked, Answered> = {
  host: ({ call }) => call.settings.host,
  service: ({ call }) => call.settings.service,
  depth: () => DEPTH,
  headers: ({ headers }) => headers,
  bytes: ({ call }, answered) => bytesOf(call, answered),
  streaming({ status, headers }, stream) {
    const type = 'text/event-stream; charset=utf-8';
    const response = new Response(stream, { headers: { 'content-type': type } });
    return { status, headers: { ...headers, 'content-type': type }, response };
  },
  failure: (asked, answered, error) => new Refusal(error, { own: headersFor(asked, answered), losses: [] }),
};

/** Sends what is asked of the host. Rejects with what is answered instead unless it succeeds. */
export async function sendFor(
  asked: Asked,
  sent: HostAsk<'POST', string | Uint8Array<ArrayBuffer>>,
): Promise<Answered> {
  const answered = await send(asked.call, sent);
  if (!isSuccess(answered)) throw await refusalOf(asked, answered);
  return answered;
}

/**
 * What a client is answered for a refusal: as it came when it is of the client's own dialect, else translated. That the key is
 * refused is the caller's own affair here, and told as it is.
 */
export async function refusalOf(asked: Asked, answered: Answered): Promise<Refusal> {
  const { call, losses } = asked;
  const { host, readerOf } = call.settings;
  const { status, headers } = answered;
  const bytes = await beginningOf(call, answered);
  const { error, shaped, mended } = readUpstreamError({ ...host, auth: 'client' }, readerOf, status, headers, bytes);
  const own = headersFor(asked, answered);
  const told = { own, losses: losses.list };
  if (!shaped || host.dialect !== call.dialect) return new Refusal(error, told);
  const body = mended ?? new TextDecoder().decode(bytes);
  return new Refusal(error, {
    ...told,
    relayed: { status, body, type: headers['content-type'] ?? 'application/json' },
  });
}
