import type { CanonicalError, ErrorKind } from '../../canonical/errors.js';
import type { EncodedError, EncodeErrorContext, Headers } from '../../dialect.js';
import {
  ERROR_ROWS,
  type ErrorObject,
  type ErrorRow,
  errorObject,
  isFailureOfService,
  isPolicyCode,
  isUnknownModel,
  KIND_BY_CODE,
  KIND_BY_STATUS,
  KIND_IN_BAND,
  ownWords,
  quotedName,
  textOf,
  unwrapMessage,
} from '../../wire/error-object.js';
import { exhaustedLimits } from '../../wire/header-limits.js';
import { isObject, lookUp } from '../../wire/json.js';
import { errorHeaders, readRetryAfter } from '../../wire/retry-after.js';
import { isTooLong } from '../../wire/too-long.js';
import { withoutKeys } from '../../wire/without-keys.js';
import { decodeLimits } from './limits.js';

export { isPolicyCode } from '../../wire/error-object.js';

/** An error answer of a backend (translation.md 7.1). */
export function decodeError(status: number, body: unknown, headers: Headers): CanonicalError {
  const { message, type, param, code } = readBody(body);
  const kind = kindOf(status, code, type, message);
  const delay = readRetryAfter(headers);
  const used = kind === 'rate_limit' ? exhaustedLimits(decodeLimits(headers, 0)) : [];
  const advice = headers['x-should-retry'];
  return {
    kind,
    // A failure of the service is reported in our own words, whatever status it came with.
    message:
      status >= 500 || isFailureOfService(kind)
        ? ownWords(kind)
        : withoutKeys(message ?? `the backend answered ${status}`),
    ...(code !== undefined && { code }),
    ...(param !== undefined && { path: param }),
    ...(code === 'model_not_found' && quotedName(message)),
    ...(delay !== undefined && { retryAfterMs: delay }),
    ...((advice === 'true' || advice === 'false') && { retry: advice === 'true' }),
    ...(used.length > 0 && { exhausted: used }),
  };
}

interface Fields {
  readonly message?: string;
  readonly type?: string;
  readonly param?: string;
  readonly code?: string;
}

function readBody(body: unknown): Fields {
  if (!isObject(body)) return typeof body === 'string' && body !== '' && body.length < 1000 ? { message: body } : {};
  const error = isObject(body.error) ? body.error : body;
  const message = typeof body.error === 'string' ? body.error : textOf(error.message);
  return {
    message: unwrapMessage(message),
    type: textOf(error.type),
    param: textOf(error.param),
    code: textOf(error.code),
  };
}

function kindOf(
  status: number,
  code: string | undefined,
  type: string | undefined,
  message: string | undefined,
): ErrorKind {
  if (type === 'insufficient_quota') return 'billing';
  const known = lookUp(KIND_BY_CODE, code);
  if (known !== undefined && status < 500) return known;
  const byStatus = KIND_BY_STATUS[status];
  if (byStatus !== undefined) return byStatus;
  if (code !== undefined && isPolicyCode(code) && status >= 400 && status < 500) return 'content_policy';
  if (status >= 500) return 'internal';
  if (status < 400) return 'upstream';
  return isTooLong(message ?? '') ? 'context_length' : 'invalid_request';
}

/**
 * The error of a failed answer or of an `error` event, nested or flat [R §5.2]. As with a status, a failure of the service
 * is reported in our own words (translation.md 7.1.2).
 */
export function decodeInBandError(node: unknown): CanonicalError {
  const { message, type, param, code } = readBody(node);
  const kind = inBandKind(code, type, message ?? '');
  return {
    kind,
    message: isFailureOfService(kind) ? ownWords(kind) : withoutKeys(message ?? 'the backend failed'),
    ...((code ?? type) !== undefined && { code: code ?? type }),
    ...(param !== undefined && { path: param }),
  };
}

function inBandKind(code: string | undefined, type: string | undefined, message: string): ErrorKind {
  const known = lookUp(KIND_IN_BAND, code) ?? lookUp(KIND_IN_BAND, type);
  if (code !== undefined && isPolicyCode(code)) return 'content_policy';
  if ((known === undefined || known === 'invalid_request') && isTooLong(message)) return 'context_length';
  if (known !== undefined) return known;
  return code !== undefined && /image/.test(code) ? 'invalid_request' : 'internal';
}

/** The code that a failed answer shows. */
export function inBandCode(error: CanonicalError): string {
  const code = ERROR_ROWS[error.kind].code ?? error.code ?? 'server_error';
  // The code of a 502 of ours is none of those that the service has for answers.
  return code === ERROR_ROWS.upstream.code ? 'server_error' : code;
}

/** The error object for a failure. */
export function errorBody(error: CanonicalError): ErrorObject {
  return errorObject(error, rowOf(error));
}

/** Unknown models are a 400 here [R §3.36]. */
function rowOf(error: CanonicalError): ErrorRow {
  if (isUnknownModel(error)) return { status: 400, type: 'invalid_request_error', code: 'model_not_found' };
  return ERROR_ROWS[error.kind];
}

/** An error answer for a client (translation.md 7.1, 7.2). */
export function encodeError(error: CanonicalError, context: EncodeErrorContext): EncodedError {
  const headers = errorHeaders(error, context.requestId);
  return { status: error.status ?? rowOf(error).status, body: { error: errorBody(error) }, headers };
}
