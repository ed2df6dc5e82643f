import type { CanonicalError, ErrorKind, ExhaustedLimit } from '../../canonical/errors.js';
import type { JsonObject } from '../../canonical/node.js';
import type { EncodedError, EncodeErrorContext, Headers } from '../../dialect.js';
import { taken } from '../../wire/check.js';
import { isObject, onOneLine, parseJson } from '../../wire/json.js';
import { readRetryAfter, saneDelay } from '../../wire/retry-after.js';
import { beforeWords, isTooLong, overflowOf } from '../../wire/too-long.js';
import { snakeCase } from '../nodes.js';
import * as wire from '../wire/index.js';

const TYPE = 'type.googleapis.com/google.rpc.';

/** Status words that decide alone; the rest goes by the HTTP status (translation.md 7.1). */
const BY_WORD: Readonly<Record<string, ErrorKind>> = {
  INVALID_ARGUMENT: 'invalid_request',
  FAILED_PRECONDITION: 'invalid_request',
  OUT_OF_RANGE: 'invalid_request',
  UNAUTHENTICATED: 'authentication',
  PERMISSION_DENIED: 'permission',
  NOT_FOUND: 'not_found',
  ABORTED: 'conflict',
  ALREADY_EXISTS: 'conflict',
  RESOURCE_EXHAUSTED: 'rate_limit',
  CANCELLED: 'cancelled',
  UNAVAILABLE: 'overloaded',
  DEADLINE_EXCEEDED: 'timeout',
  INTERNAL: 'internal',
};
const BY_STATUS: Readonly<Record<number, ErrorKind>> = {
  401: 'authentication',
  403: 'permission',
  404: 'not_found',
  408: 'timeout',
  409: 'conflict',
  413: 'too_large',
  429: 'rate_limit',
  499: 'cancelled',
  503: 'overloaded',
  504: 'timeout',
};

/** Reads a failure: an object, an array of one ([G §7] note 4), text that holds either, or no JSON at all. */
export function decodeError(status: number, body: unknown, headers: Headers): CanonicalError {
  const { code, message = '', status: word = '', details = [] } = taken(wire.failure, bodyOf(body))?.error ?? {};
  const http = status > 0 ? status : (code ?? 0);
  const text = unwrapMessage(message);
  const retryAfterMs = retryOf(details, headers, text);
  const kind = kindOf(http, word, text, details, retryAfterMs !== undefined);
  const path = fieldOf(details);
  const model = kind === 'not_found' ? /\bmodels\/([^\s"]{1,256}) is not found/.exec(text)?.[1] : undefined;
  return {
    kind,
    // A failure of the service gets a message of ours, whatever status it came with.
    message: http >= 500 || SERVICE.has(kind) || text === '' ? MESSAGES[kind] : redact(text),
    ...(word !== '' && { code: word }),
    ...(path !== undefined && { path }),
    ...(model !== undefined && { model }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

function bodyOf(body: unknown): unknown {
  const parsed = typeof body === 'string' ? parseJson(body) : undefined;
  const value = parsed === undefined ? body : parsed.ok ? parsed.value : undefined;
  return Array.isArray(value) ? value[0] : value;
}

/** A provider's error inside the message is shown instead of its wrapping, once. */
function unwrapMessage(message: string): string {
  const parsed = message.trimStart().startsWith('{') ? parseJson(message) : undefined;
  const inner = parsed?.ok === true && isObject(parsed.value) ? parsed.value.error : undefined;
  return isObject(inner) && typeof inner.message === 'string' ? inner.message : message;
}

function kindOf(
  status: number,
  word: string,
  text: string,
  details: readonly JsonObject[],
  retries: boolean,
): ErrorKind {
  if (status === 413) return 'too_large';
  const known = Object.hasOwn(BY_WORD, word) ? BY_WORD[word] : undefined;
  const plain = known ?? BY_STATUS[status] ?? (status >= 400 && status < 500 ? 'invalid_request' : 'internal');
  switch (plain) {
    case 'invalid_request':
      if (hasReason(details, 'API_KEY_INVALID') || /api key not valid/i.test(text)) return 'authentication';
      return isTooLong(text) ? 'context_length' : plain;
    case 'permission':
    case 'rate_limit':
      return /\bbilling\b/i.test(text) && !retries ? 'billing' : plain;
    case 'cancelled':
      return status === 408 && word === '' ? 'timeout' : plain;
    default:
      return plain;
  }
}

function ofType(details: readonly JsonObject[], type: string): JsonObject[] {
  return details.filter((detail) => typeof detail['@type'] === 'string' && detail['@type'].endsWith(`.${type}`));
}

function hasReason(details: readonly JsonObject[], reason: string): boolean {
  return ofType(details, 'ErrorInfo').some((detail) => detail.reason === reason);
}

/** RetryInfo first, then the header, then the words of the message ([G §7] note 1). */
function retryOf(details: readonly JsonObject[], headers: Headers, text: string): number | undefined {
  const delay = ofType(details, 'RetryInfo')[0]?.retryDelay;
  const given = typeof delay === 'string' ? /^([\d.]+)s$/.exec(delay)?.[1] : undefined;
  if (given !== undefined) return saneDelay(Math.round(Number(given) * 1000));
  const asked = /retry in ([\d.]+)s/i.exec(text)?.[1];
  return readRetryAfter(headers) ?? (asked === undefined ? undefined : saneDelay(Math.round(Number(asked) * 1000)));
}

function fieldOf(details: readonly JsonObject[]): string | undefined {
  const violations = ofType(details, 'BadRequest')[0]?.fieldViolations;
  const first: unknown = Array.isArray(violations) ? violations[0] : undefined;
  return isObject(first) && typeof first.field === 'string' && first.field !== '' ? first.field : undefined;
}

/** Takes keys and the hosts of services out of a text. */
function redact(text: string): string {
  return text
    .replace(/([?&]key=)[^&\s"']+/gi, '$1…')
    .replace(/\bAIza[\w-]{10,}/g, '…')
    .replace(/(?<![\w.-])[\w.-]+\.googleapis\.com\b/gi, 'the service');
}

const MESSAGES: Readonly<Record<ErrorKind, string>> = {
  invalid_request: 'the request is not valid',
  context_length: 'the input is longer than the model takes',
  content_policy: 'the request was refused by a policy',
  authentication: 'the key is not valid',
  billing: 'the account has no credit for this',
  permission: 'the key may not do this',
  not_found: 'not found',
  conflict: 'the request conflicts with another one',
  too_large: 'the request body is too large',
  rate_limit: 'too many requests',
  timeout: 'the backend took too long',
  cancelled: 'the request was cancelled',
  overloaded: 'the backend is overloaded',
  internal: 'the backend failed',
  upstream: 'the backend sent no usable answer',
  unsupported: 'the request cannot be translated',
};

/** Kinds that are failures of the service itself. */
const SERVICE: ReadonlySet<ErrorKind> = new Set(['internal', 'overloaded', 'timeout', 'upstream']);

/** Status and status word of each kind (translation.md 7.1). */
const STATUSES: Readonly<Record<ErrorKind, readonly [number, string]>> = {
  invalid_request: [400, 'INVALID_ARGUMENT'],
  context_length: [400, 'INVALID_ARGUMENT'],
  content_policy: [400, 'INVALID_ARGUMENT'],
  authentication: [401, 'UNAUTHENTICATED'],
  billing: [429, 'RESOURCE_EXHAUSTED'],
  permission: [403, 'PERMISSION_DENIED'],
  not_found: [404, 'NOT_FOUND'],
  conflict: [409, 'ABORTED'],
  too_large: [413, 'PAYLOAD_TOO_LARGE'],
  rate_limit: [429, 'RESOURCE_EXHAUSTED'],
  timeout: [504, 'DEADLINE_EXCEEDED'],
  cancelled: [499, 'CANCELLED'],
  overloaded: [503, 'UNAVAILABLE'],
  internal: [500, 'INTERNAL'],
  upstream: [503, 'UNAVAILABLE'],
  unsupported: [400, 'INVALID_ARGUMENT'],
};

/** Encodes a failure with its details. */
export function encodeError(error: CanonicalError, context: EncodeErrorContext): EncodedError {
  const [usual, word] = STATUSES[error.kind];
  const code = error.status ?? usual;
  const details = detailsOf(error);
  const seconds = error.retryAfterMs === undefined ? undefined : Math.ceil(error.retryAfterMs / 1000);
  return {
    status: code,
    body: {
      error: {
        code,
        message: messageOf(error),
        status: error.status === undefined || error.status >= 500 ? word : wordOf(error.status),
        ...(details.length > 0 && { details }),
      },
    },
    headers: {
      ...(seconds !== undefined && { 'retry-after': String(seconds) }),
      ...(context.requestId !== undefined && { 'x-request-id': context.requestId }),
    },
  };
}

/** The error object of a frame inside a stream as JSON, without details (translation.md 6.5). */
export function errorFrame(error: CanonicalError): string {
  const [usual, word] = STATUSES[error.kind];
  return onOneLine(JSON.stringify({ error: { code: error.status ?? usual, message: messageOf(error), status: word } }));
}

/** An input that is too long in the service's words [G §7], by which agents compact (Decision 0039). */
function messageOf(error: CanonicalError): string {
  if (error.kind !== 'context_length') return error.message;
  const { input, limit, estimated } = overflowOf(error);
  const count =
    input === undefined || limit === undefined || input <= limit ? '' : ` (${estimated ? 'about ' : ''}${input})`;
  const most = limit === undefined ? '' : ` (${limit})`;
  return beforeWords(`The input token count${count} exceeds the maximum number of tokens allowed${most}.`, error);
}

/** Status words for refusals of the HTTP layer (translation.md 7.1.5). */
function wordOf(status: number): string {
  if (status === 404) return 'NOT_FOUND';
  return status === 408 ? 'DEADLINE_EXCEEDED' : 'INVALID_ARGUMENT';
}

const QUOTA = 'generativelanguage.googleapis.com/';
/** What the service calls the limits (translation.md 7.2). */
const METRICS = {
  requests: 'generate_content_requests',
  tokens: 'generate_content_token_count',
  inputTokens: 'generate_content_input_token_count',
  outputTokens: 'generate_content_output_token_count',
} as const satisfies Record<ExhaustedLimit['what'], string>;

function detailsOf(error: CanonicalError): JsonObject[] {
  const details: JsonObject[] = [];
  if (error.kind === 'authentication') {
    details.push({ '@type': `${TYPE}ErrorInfo`, reason: 'API_KEY_INVALID', domain: 'googleapis.com' });
  }
  if (error.retryAfterMs !== undefined) {
    details.push({ '@type': `${TYPE}RetryInfo`, retryDelay: `${error.retryAfterMs / 1000}s` });
  }
  if (error.exhausted !== undefined && error.exhausted.length > 0) {
    const violations = error.exhausted.map(({ what, limit }) => ({
      quotaMetric: `${QUOTA}${METRICS[what]}`,
      ...(limit !== undefined && { quotaValue: String(limit) }),
    }));
    details.push({ '@type': `${TYPE}QuotaFailure`, violations });
  }
  const violations = violationsOf(error);
  if (violations.length > 0) details.push({ '@type': `${TYPE}BadRequest`, fieldViolations: violations });
  return details;
}

function violationsOf(error: CanonicalError): JsonObject[] {
  if (error.refused !== undefined) {
    return error.refused.slice(0, 10).map((loss) => ({
      field: fieldPath(loss.path),
      description: `${loss.feature} would be ${loss.kind}: ${loss.detail}`,
    }));
  }
  return error.path === undefined ? [] : [{ field: fieldPath(error.path), description: error.message }];
}

/** A JSON Pointer as the service writes the paths of fields: `tools[0].function_declarations[2].name`. */
function fieldPath(pointer: string): string {
  if (!pointer.startsWith('/')) return pointer;
  let path = '';
  for (const raw of pointer.slice(1).split('/')) {
    const key = raw.replaceAll('~1', '/').replaceAll('~0', '~');
    if (/^\d+$/.test(key)) path += `[${key}]`;
    else path += (path === '' ? '' : '.') + snakeCase(key);
  }
  return path;
}
