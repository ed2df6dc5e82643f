import type { CanonicalError, ErrorKind } from '../../canonical/errors.js';
import type { JsonObject } from '../../canonical/node.js';
import type { EncodedError, EncodeErrorContext, Headers } from '../../dialect.js';
import { exhaustedLimits } from '../../wire/header-limits.js';
import { isObject, parseJson } from '../../wire/json.js';
import { readRetryAfter, retryAdvice } from '../../wire/retry-after.js';
import { beforeWords, isTooLong, overflowOf } from '../../wire/too-long.js';
import { withoutKeys } from '../../wire/without-keys.js';
import { THREADLESS } from '../nodes.js';
import { decodeLimits } from './limits.js';

/** What an error looks like to a client (translation.md 7.1, column "to M"). */
const OUTWARD: Readonly<Record<ErrorKind, readonly [status: number, type: string]>> = {
  invalid_request: [400, 'invalid_request_error'],
  context_length: [400, 'invalid_request_error'],
  content_policy: [400, 'invalid_request_error'],
  authentication: [401, 'authentication_error'],
  billing: [402, 'billing_error'],
  permission: [403, 'permission_error'],
  not_found: [404, 'not_found_error'],
  conflict: [409, 'conflict_error'],
  too_large: [413, 'request_too_large'],
  rate_limit: [429, 'rate_limit_error'],
  timeout: [504, 'timeout_error'],
  cancelled: [499, 'api_error'],
  overloaded: [529, 'overloaded_error'],
  internal: [500, 'api_error'],
  upstream: [502, 'api_error'],
  unsupported: [400, 'invalid_request_error'],
};

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
  // No status of the service itself: other servers of the dialect answer so while they load a model.
  503: 'overloaded',
  504: 'timeout',
  529: 'overloaded',
};

/** In streams an error has a type and no status [M §6]; `server_error` is the base specification's word. */
const BY_TYPE: Readonly<Record<string, ErrorKind>> = {
  invalid_request_error: 'invalid_request',
  authentication_error: 'authentication',
  billing_error: 'billing',
  permission_error: 'permission',
  not_found_error: 'not_found',
  conflict_error: 'conflict',
  request_too_large: 'too_large',
  rate_limit_error: 'rate_limit',
  timeout_error: 'timeout',
  overloaded_error: 'overloaded',
  api_error: 'internal',
  server_error: 'internal',
};

/** A service's error answer. `status` 200 means that it came in a stream. */
export function decodeError(status: number, body: unknown, headers: Headers): CanonicalError {
  const outer = isObject(body) ? body : {};
  const error = isObject(outer.error) ? outer.error : {};
  const type = typeof error.type === 'string' ? error.type : undefined;
  const message = messageOf(error, outer.error);
  const kind = kindOf(status, type, message);
  const details = isObject(error.details) ? error.details : {};
  const code = typeof details.error_code === 'string' ? details.error_code : undefined;
  const [, model, hint] = (kind === 'not_found' && /^model: ([^\s;,]+)[;,]?\s*(.*)$/s.exec(message)) || [];
  const delay = readRetryAfter(headers);
  const used = kind === 'rate_limit' ? exhaustedLimits(decodeLimits(headers, 0)) : [];
  const advice = headers['x-should-retry'];
  return {
    kind,
    message: isFailureOfService(kind) ? ownWords(kind) : clean(message === '' ? ownWords(kind) : message),
    ...(code !== undefined && { code }),
    ...(model !== undefined && { model }),
    ...(hint !== undefined && hint !== '' && { hint: clean(hint) }),
    ...(delay !== undefined && { retryAfterMs: delay }),
    ...((advice === 'true' || advice === 'false') && { retry: advice === 'true' }),
    ...(used.length > 0 && { exhausted: used }),
  };
}

function messageOf(error: JsonObject, plain: unknown): string {
  const message = typeof error.message === 'string' ? error.message : plain;
  if (typeof message !== 'string') return '';
  return message.startsWith('{') ? unwrapped(message) : message;
}

/** Another provider's error body inside the message. */
function unwrapped(message: string): string {
  const parsed = parseJson(message);
  if (!parsed.ok || !isObject(parsed.value)) return message;
  const inner = isObject(parsed.value.error) ? parsed.value.error : parsed.value;
  return typeof inner.message === 'string' ? inner.message : message;
}

/** How vLLM says in a stream that it refuses the request: its failure to read its own refusal quotes that. */
const REFUSED_WITHIN = /^\d{1,3} validation errors? for \w{1,60}\n[\s\S]{0,300}'code': 4(?:00|22)\b/;

function kindOf(status: number, type: string | undefined, message: string): ErrorKind {
  const byType = type !== undefined && Object.hasOwn(BY_TYPE, type) ? BY_TYPE[type] : undefined;
  const byClass = status >= 400 && status < 500 ? 'invalid_request' : 'internal';
  const inStream = byType ?? (REFUSED_WITHIN.test(message) || isTooLong(message) ? 'invalid_request' : undefined);
  const kind = (status < 400 ? inStream : (BY_STATUS[status] ?? byClass)) ?? 'internal';
  return kind === 'invalid_request' && isTooLong(message) ? 'context_length' : kind;
}

function isFailureOfService(kind: ErrorKind): boolean {
  return kind === 'internal' || kind === 'overloaded' || kind === 'timeout' || kind === 'upstream';
}

function ownWords(kind: ErrorKind): string {
  switch (kind) {
    case 'overloaded':
      return 'the backend is overloaded';
    case 'timeout':
      return 'the backend took too long';
    case 'internal':
    case 'upstream':
      return 'the backend failed';
    default:
      return 'the backend refused the request';
  }
}

/** A path of the body that was sent, which need not be the client's [M §3]. */
const PATH =
  /^(?:messages|system|tools|tool_choice|thinking|output_config|max_tokens|stop_sequences|metadata)[\w.-]*: /;

function clean(message: string): string {
  const safe = withoutKeys(message);
  return PATH.test(safe) ? `${safe} (upstream field)` : safe;
}

/** An error for a client: complete body, status, headers. */
export function encodeError(error: CanonicalError, context: EncodeErrorContext): EncodedError {
  const [status] = OUTWARD[error.kind];
  return {
    status: error.status ?? status,
    body: errorBody(error, context.requestId),
    headers: retryHeaders(error),
  };
}

/** The body of an error; in streams it is the payload of the `error` event. */
export function errorBody(error: CanonicalError, requestId: string | undefined): JsonObject {
  const [, type] = OUTWARD[error.kind];
  const details = detailsOf(error);
  return {
    type: 'error',
    // The base specification has a code; official clients ignore it [M §7].
    error: { type, message: messageFor(error), code: error.kind, details },
    request_id: requestId ?? null,
  };
}

function detailsOf({ code, path, kind }: CanonicalError): JsonObject | null {
  const known = code ?? (kind === 'unsupported' ? 'unsupported_translation' : undefined);
  if (known === undefined && path === undefined) return null;
  return {
    ...(known !== undefined && { error_code: known }),
    // Clients leave out what is named here.
    ...(code === THREADLESS && { unsupported: ['thread'] }),
    ...(path !== undefined && { path }),
  };
}

/**
 * An error body of another server of the dialect in the words by which clients of the vendor know it: they look at the type, and
 * agents compact at `prompt is too long`. The very body where nothing differs.
 */
export function asVendorError(status: number, body: JsonObject): JsonObject {
  const { error } = body;
  if (!isObject(error) || typeof error.message !== 'string') return body;
  const { kind } = decodeError(status, body, {});
  const known = typeof error.type === 'string' && Object.hasOwn(BY_TYPE, error.type);
  const type = known ? error.type : OUTWARD[kind][1];
  const isLong = kind === 'context_length' && !error.message.startsWith('prompt is too long');
  if (known && !isLong) return body;
  const message = isLong ? tooLong({ kind, message: error.message }) : error.message;
  return { ...body, error: { ...error, type, message } };
}

/** An input that is too long in the vendor's words [M §7], by which agents compact or lower their cap (Decision 0039). */
function tooLong(error: CanonicalError): string {
  const { input, limit, cap = 0, estimated } = overflowOf(error);
  if (limit === undefined || input === undefined) {
    const window = limit === undefined ? 'the model' : `${limit} tokens`;
    return beforeWords(`prompt is too long: it exceeds the context window of ${window}`, error);
  }
  if (input > limit) {
    const mark = estimated ? ' (about: the count is an estimate)' : '';
    return beforeWords(`prompt is too long: ${input} tokens > ${limit} maximum${mark}`, error);
  }
  const sizes = `input length and \`max_tokens\` exceed context limit: ${input} + ${cap} > ${limit}`;
  if (error.message.startsWith(sizes)) return error.message;
  const advice = 'decrease input length or `max_tokens` and try again';
  return beforeWords(`${sizes}, ${advice}: it exceeds the context window`, error);
}

function messageFor(error: CanonicalError): string {
  if (error.kind === 'not_found' && error.model !== undefined) {
    return error.hint === undefined ? `model: ${error.model}` : `model: ${error.model}; ${error.hint}`;
  }
  if (error.kind === 'context_length') return tooLong(error);
  const path = error.path?.startsWith('/') === true ? dotted(error.path) : '';
  return path === '' || error.message.startsWith(path) ? error.message : `${path}: ${error.message}`;
}

/** Messages of this dialect begin with the path, written with dots [M §3]. */
function dotted(pointer: string): string {
  return pointer.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
}

function retryHeaders(error: CanonicalError): Record<string, string> {
  const headers: Record<string, string> = {};
  if (error.retryAfterMs !== undefined) headers['retry-after'] = String(Math.ceil(error.retryAfterMs / 1000));
  const advice = retryAdvice(error);
  if (advice !== undefined) headers['x-should-retry'] = String(advice);
  return headers;
}
