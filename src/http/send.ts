import type { ServerResponse } from 'node:http';
import { dialects, encodeMediaError, TranslationError } from '../../translators/index.js';
import {
  type ClientRedactor,
  Failure,
  type ResponseHeaders,
  toCanonicalError,
  withoutSecrets,
} from '../ground/index.js';
import { lossHeaders } from '../protocol/index.js';
import type { ClientCall } from './client-call.js';
import { answerHeaders } from './own-headers.js';

/**
 * Answers with an error in the client's dialect and gives its kind. When an answer has begun already nothing true can be
 * said any more: the connection is destroyed. Without `redact` for errors of our own words.
 */
export function sendFailure(call: ClientCall, thrown: unknown, redact?: ClientRedactor): string {
  const { response } = call;
  const error = toCanonicalError(thrown);
  if (response.headersSent) {
    if (!response.writableEnded) response.destroy();
    return error.kind;
  }
  const shown = redact === undefined ? error : withoutSecrets(error, redact);
  const context = { requestId: call.id };
  const { status, body, headers } =
    call.surface === undefined
      ? dialects[call.dialect].encodeError(shown, context)
      : encodeMediaError(call.surface, shown, context);
  sendJson(response, status, body, { ...answerHeaders(call), ...headers, ...ownHeaders(thrown) });
  return error.kind;
}

/** What a refusal says beside its body: a strict one all that would have been lost. */
function ownHeaders(thrown: unknown): ResponseHeaders | undefined {
  if (thrown instanceof Failure) return thrown.headers;
  return thrown instanceof TranslationError && thrown.refused.length > 0 ? lossHeaders(thrown.refused) : undefined;
}

/** Sends a whole JSON answer. */
export function sendJson(response: ServerResponse, status: number, body: unknown, headers: ResponseHeaders): void {
  sendWhole(response, status, JSON.stringify(body), { 'content-type': 'application/json', ...headers });
}

/** Sends a whole answer whose body is ready. */
export function sendWhole(
  response: ServerResponse,
  status: number,
  body: string | Uint8Array,
  headers: ResponseHeaders,
): void {
  if (response.destroyed || response.writableEnded) return;
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  if (headers.connection !== 'close' || response.req.readableEnded) {
    response.end(body);
    return;
  }
  response.write(body);
  drainThenEnd(response);
}

/** How long, in ms, a client that is still sending may go on after it was refused. */
const LINGER_MS = 1000;

/**
 * Ends a refusal whose request is still coming in. Closing at once would reset the connection, and the client would
 * lose the answer that says why.
 */
function drainThenEnd(response: ServerResponse): void {
  const { req: request } = response;
  const end = (): void => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, LINGER_MS);
  request.once('end', end);
  request.once('close', end);
  request.resume();
}
