import type { CanonicalError, Losses } from '../../translators/index.js';
import type { Transport } from '../call/index.js';
import { withoutSecrets } from '../ground/plain/index.js';
import { errorForClient, type Host, type HostAsk, readUpstreamError } from '../protocol/index.js';
import { answerHeaders, type Call, Refusal } from './call.js';
import type { WebRequest } from './request.js';
import { type Answered, beginningOf, bytesOf, DEPTH, isSuccess, send } from './send.js';

/** A request that was sent. */
export interface Asked {
  readonly call: Call;
  readonly ask: Pick<WebRequest, 'target'>;
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

/** What a client is answered for a refusal: as it came when it is of the client's own dialect, else translated. */
export async function refusalOf(asked: Asked, answered: Answered): Promise<Refusal> {
  const { call, losses } = asked;
  const { readerOf, redact = (text) => text } = call.settings;
  const host = refusingHost(call);
  const { status, headers } = answered;
  const bytes = await beginningOf(call, answered);
  const { error, next, ours, shaped, mended } = readUpstreamError(host, readerOf, status, headers, bytes);
  const own = headersFor(asked, answered);
  const details = { own, losses: losses.list };
  if (!shaped || ours || host.dialect !== call.dialect) return new Refusal(error, details, next);
  const body = redact(mended ?? new TextDecoder().decode(bytes));
  const type = headers['content-type'] ?? 'application/json';
  return new Refusal(error, { ...details, relayed: { status, body, type } }, next);
}

/** The host of a call as its refusals are read: only the owner of its key learns that it is refused. */
function refusingHost({ settings: { host, owner } }: Call): Host {
  return owner === 'caller' ? { ...host, auth: 'client' } : host;
}

/** The client's error for a failure that came inside of an answer. */
export function shown(call: Call, error: CanonicalError): CanonicalError {
  const { redact } = call.settings;
  const shownError = errorForClient(refusingHost(call), error);
  return redact === undefined ? shownError : withoutSecrets(shownError, redact);
}
