import { type Loss, TranslationError } from '../../translators/index.js';
import {
  type ClientRedactor,
  Failure,
  type ResponseHeaders,
  toCanonicalError,
  withoutSecrets,
} from '../ground/plain/index.js';
import { lossHeaders } from '../protocol/index.js';
import { type ClientCall, errorAnswer, Refusal } from './call.js';

/** The losses that a failure reports. */
export function lossesIn(thrown: unknown): readonly Loss[] {
  if (thrown instanceof Refusal) return thrown.details.losses;
  return thrown instanceof TranslationError ? thrown.losses : [];
}

/** The answer in the place of the one that was asked for. `redact` takes out what the client must not see. */
export function refused(call: ClientCall, thrown: unknown, redact?: ClientRedactor): Response {
  const error = toCanonicalError(thrown);
  const clean = redact === undefined ? error : withoutSecrets(error, redact);
  if (thrown instanceof Refusal) {
    const { relayed, own } = thrown.details;
    if (relayed === undefined) return errorAnswer(call, clean, own);
    const { status, body, type } = relayed;
    return new Response(body, { status, headers: { ...own, 'content-type': type } });
  }
  const own = thrown instanceof Failure ? texts(thrown.headers) : {};
  const strict = thrown instanceof TranslationError && thrown.refused.length > 0 ? lossHeaders(thrown.refused) : {};
  return errorAnswer(call, clean, { ...own, ...strict });
}

function texts(headers: ResponseHeaders = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
