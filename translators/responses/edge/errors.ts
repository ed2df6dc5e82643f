import type { CanonicalError, ErrorKind } from '../../canonical/errors.js';
import type { JsonObject } from '../../canonical/node.js';
import type { EncodedError, EncodeErrorContext, Headers } from '../../dialect.js';
import { exhaustedLimits } from '../../wire/header-limits.js';
import { isObject, lookUp, parseJson } from '../../wire/json.js';
import { fieldName } from '../../wire/pointer.js';
import { errorHeaders, readRetryAfter } from '../../wire/retry-after.js';
import { withoutKeys } from '../../wire/without-keys.js';
import { decodeLimits } from './limits.js';

/** The error object of bodies and stream frames [R §6]: all four keys are always there. */
interface ErrorBody extends JsonObject {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;
}

interface Row {
  readonly status: number;
  readonly type: string;
  readonly code: string | null;
}

/** translation.md 7.1, column "to R". `null` codes give way to the source's own. */
const ROWS: Readonly<Record<ErrorKind, Row>> = {
  invalid_request: { status: 400, type: 'invalid_request_error', code: null },
  context_length: { status: 400, type: 'invalid_request_error', code: 'context_length_exceeded' },
  content_policy: { status: 400, type: 'invalid_request_error', code: 'invalid_prompt' },
  authentication: { status: 401, type: 'invalid_request_error', code: 'invalid_api_key' },
  billing: { status: 429, type: 'insufficient_quota', code: 'insufficient_quota' },
  permission: { status: 403, type: 'invalid_request_error', code: null },
  not_found: { status: 404, type: 'invalid_request_error', code: null },
  conflict: { status: 409, type: 'invalid_request_error', code: null },
  too_large: { status: 413, type: 'invalid_request_error', code: null },
  rate_limit: { status: 429, type: 'rate_limit_error', code: 'rate_limit_exceeded' },
  timeout: { status: 504, type: 'server_error', code: 'timeout' },
  cancelled: { status: 499, type: 'server_error', code: null },
  overloaded: { status: 503, type: 'server_error', code: 'server_is_overloaded' },
  internal: { status: 500, type: 'server_error', code: 'server_error' },
  upstream: { status: 502, type: 'server_error', code: 'upstream_error' },
  unsupported: { status: 400, type: 'invalid_request_error', code: 'unsupported_translation' },
};

/** Kinds by HTTP status alone. */
const BY_STATUS: Readonly<Record<number, ErrorKind>> = {
  401: 'authentication',
  402: 'billing',
  403: 'permission',
  404: 'not_found',
  408: 'timeout',
  409: 'conflict',
  413: 'too_large',
  429: 'rate_limit',
  499: 'cancelled',
  503: 'overloaded',
  504: 'timeout',
  529: 'overloaded',
};

/** Kinds by code, wherever a body has it. */
const BY_CODE: Readonly<Record<string, ErrorKind>> = {
  context_length_exceeded: 'context_length',
  insufficient_quota: 'billing',
  model_not_found: 'not_found',
  rate_limit_exceeded: 'rate_limit',
  server_is_overloaded: 'overloaded',
  slow_down: 'overloaded',
};

/** Kinds of failures in a stream, where no status tells. */
const IN_BAND: Readonly<Record<string, ErrorKind>> = {
  ...BY_CODE,
  invalid_api_key: 'authentication',
  timeout: 'timeout',
  vector_store_timeout: 'timeout',
  rate_limit_error: 'rate_limit',
  requests: 'rate_limit',
  tokens: 'rate_limit',
  invalid_request_error: 'invalid_request',
  upstream_error: 'upstream',
};

/** Codes with which the service declines a prompt [R §4.1]; those about pictures are faults of the request. */
export function isPolicyCode(code: string): boolean {
  return code === 'invalid_prompt' || (/policy/.test(code) && !code.startsWith('image_'));
}

/** An error answer of a backend (translation.md 7.1). */
export function decodeError(status: number, body: unknown, headers: Headers): CanonicalError {
  const { message, type, param, code } = readBody(body);
  const kind = kindOf(status, code, type);
  const delay = readRetryAfter(headers);
  const used = kind === 'rate_limit' ? exhaustedLimits(decodeLimits(headers, 0)) : [];
  const advice = headers['x-should-retry'];
  return {
    kind,
    // A failure of the service is reported in our own words, whatever status it came with.
    message:
      status >= 500 || SERVICE.has(kind) ? ownWords(kind) : withoutKeys(message ?? `the backend answered ${status}`),
    ...(code !== undefined && { code }),
    ...(param !== undefined && { path: param }),
    ...(code === 'model_not_found' && { model: quoted(message) }),
    ...(delay !== undefined && { retryAfterMs: delay }),
    ...((advice === 'true' || advice === 'false') && { retry: advice === 'true' }),
    ...(used.length > 0 && { exhausted: used }),
  };
}

/** Kinds that are failures of the service itself. */
const SERVICE: ReadonlySet<ErrorKind> = new Set(['internal', 'overloaded', 'timeout', 'upstream']);

/** What a failing backend says of itself is not for its clients. */
const OWN_WORDS: Partial<Readonly<Record<ErrorKind, string>>> = {
  overloaded: 'the backend is overloaded',
  timeout: 'the backend took too long',
};

function ownWords(kind: ErrorKind): string {
  return OWN_WORDS[kind] ?? 'the backend failed';
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
  const message = typeof body.error === 'string' ? body.error : text(error.message);
  return { message: unwrap(message), type: text(error.type), param: text(error.param), code: text(error.code) };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Proxies put another service's error, as JSON, into the message. */
function unwrap(message: string | undefined): string | undefined {
  if (message === undefined || !message.startsWith('{')) return message;
  const parsed = parseJson(message);
  if (!parsed.ok || !isObject(parsed.value)) return message;
  const inner = isObject(parsed.value.error) ? parsed.value.error : parsed.value;
  return text(inner.message) ?? message;
}

function quoted(message: string | undefined): string {
  return /['"`]([^'"`]+)['"`]/.exec(message ?? '')?.[1] ?? '';
}

function kindOf(status: number, code: string | undefined, type: string | undefined): ErrorKind {
  if (type === 'insufficient_quota') return 'billing';
  const known = lookUp(BY_CODE, code);
  if (known !== undefined && status < 500) return known;
  const byStatus = BY_STATUS[status];
  if (byStatus !== undefined) return byStatus;
  if (code !== undefined && isPolicyCode(code) && status >= 400 && status < 500) return 'content_policy';
  if (status >= 500) return 'internal';
  return status >= 400 ? 'invalid_request' : 'upstream';
}

/**
 * The error of a failed answer or of an `error` event, nested or flat [R §5.2]. As with a status, a failure of the service
 * is reported in our own words (translation.md 7.1.2).
 */
export function decodeInBandError(node: unknown): CanonicalError {
  const { message, type, param, code } = readBody(node);
  const kind = inBandKind(code, type);
  return {
    kind,
    message: SERVICE.has(kind) ? ownWords(kind) : withoutKeys(message ?? 'the backend failed'),
    ...((code ?? type) !== undefined && { code: code ?? type }),
    ...(param !== undefined && { path: param }),
  };
}

function inBandKind(code: string | undefined, type: string | undefined): ErrorKind {
  const known = lookUp(IN_BAND, code) ?? lookUp(IN_BAND, type);
  if (code !== undefined && isPolicyCode(code)) return 'content_policy';
  if (known !== undefined) return known;
  return code !== undefined && /image/.test(code) ? 'invalid_request' : 'internal';
}

/** The code that a failed answer shows. */
export function inBandCode(error: CanonicalError): string {
  return ROWS[error.kind].code ?? error.code ?? 'server_error';
}

/** The error object for a failure. */
export function errorBody(error: CanonicalError): ErrorBody {
  const row = rowOf(error);
  return {
    message: error.message,
    type: row.type,
    param: isUnknownModel(error) ? 'model' : fieldName(error.path ?? '') || null,
    code: row.code ?? error.code ?? null,
  };
}

function isUnknownModel({ kind, model, code }: CanonicalError): boolean {
  return kind === 'not_found' && (model !== undefined || code === 'model_not_found');
}

/** Unknown models are a 400 here [R §3.36]. */
function rowOf(error: CanonicalError): Row {
  if (isUnknownModel(error)) return { status: 400, type: 'invalid_request_error', code: 'model_not_found' };
  return ROWS[error.kind];
}

/** An error answer for a client (translation.md 7.1, 7.2). */
export function encodeError(error: CanonicalError, context: EncodeErrorContext): EncodedError {
  const headers = errorHeaders(error, context.requestId);
  return { status: error.status ?? rowOf(error).status, body: { error: errorBody(error) }, headers };
}
