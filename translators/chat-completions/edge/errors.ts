import type { CanonicalError, ErrorKind } from '../../canonical/errors.js';
import type { JsonObject } from '../../canonical/node.js';
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
import { isObject, lookUp, parseJson } from '../../wire/json.js';
import { errorHeaders, readRetryAfter } from '../../wire/retry-after.js';
import { isTooLong } from '../../wire/too-long.js';
import { withoutKeys } from '../../wire/without-keys.js';
import { decodeLimits, soundHeaders } from './limits.js';

/** Codes and types beyond those of Responses [H §9.2]. */
const BY_WORD: Readonly<Record<string, ErrorKind>> = {
  ...KIND_BY_CODE,
  too_many_prompt_tokens: 'context_length',
  content_filter: 'content_policy',
  RateLimitReached: 'rate_limit',
  insufficient_system_resource: 'overloaded',
  // The model wrote a bad call: another try may do.
  tool_use_failed: 'internal',
};

/** `base_resp.status_code` of a server that answers failures with 200 [H §9.1], by its list of error codes. */
const BY_OUTCOME: Readonly<Record<number, ErrorKind>> = {
  1001: 'timeout',
  1002: 'rate_limit',
  1004: 'authentication',
  1008: 'billing',
  1024: 'internal',
  1026: 'content_policy',
  1027: 'content_policy',
  1033: 'internal',
  1039: 'rate_limit',
  1041: 'rate_limit',
  2013: 'invalid_request',
  2049: 'authentication',
  2056: 'rate_limit',
};

/** Statuses that only services of this dialect use so. */
const BY_STATUS: Readonly<Record<number, ErrorKind>> = { ...KIND_BY_STATUS, 498: 'overloaded' };

/** Words by which services without a code for it say that there is no such model. */
const NO_MODEL = /\bmodel\b[^.]{0,200}\b(?:not found|does not exist|not exist)\b/i;
/** A fault of the conversation that a local server reports as a missing page [H §9.2]. */
const TEMPLATE = /template|jinja|roles must alternate/i;

/** What a body says of a failure, whichever of the shapes of [H §9.1] it has. */
interface Fields {
  readonly message?: string;
  readonly type?: string;
  readonly param?: string;
  /** A word; numbers are statuses. */
  readonly code?: string;
  readonly status?: number;
  /** What the number of an outcome says. */
  readonly outcome?: ErrorKind;
  /** The error of the service behind a router. */
  readonly inner?: Fields;
}

/** An error answer of a backend (translation.md 7.1). */
export function decodeError(status: number, body: unknown, headers: Headers): CanonicalError {
  const fields = readBody(body);
  const sound = soundHeaders(headers);
  const delay = readRetryAfter(sound);
  const advice = sound['x-should-retry'];
  const error = status >= 400 ? refusal(kindOf(status, fields), status, fields) : inBand(fields);
  const used = error.kind === 'rate_limit' ? exhaustedLimits(decodeLimits(sound, 0)) : [];
  return {
    ...error,
    ...(delay !== undefined && { retryAfterMs: delay }),
    ...((advice === 'true' || advice === 'false') && { retry: advice === 'true' }),
    ...(used.length > 0 && { exhausted: used }),
  };
}

/**
 * The error of a chunk, or of a body that came as an answer: nested, flat, or in an array. As with a status, a failure of
 * the service is reported in our own words (translation.md 7.1.2).
 */
export function decodeInBandError(node: unknown): CanonicalError {
  return inBand(readBody(node));
}

/** The error that a body holds although it came as an answer [H §6.1]; undefined for one that holds none. */
export function errorIn(body: unknown): CanonicalError | undefined {
  const node: unknown = Array.isArray(body) && body.length === 1 ? body[0] : body;
  if (!isObject(node)) return undefined;
  const { error, base_resp: outcome } = node;
  const failed = isObject(outcome) && typeof outcome.status_code === 'number' && outcome.status_code !== 0;
  const told = isObject(error) || (typeof error === 'string' && error !== '');
  return told || failed ? decodeInBandError(node) : undefined;
}

function inBand(fields: Fields): CanonicalError {
  const { status = 200, code, type, param, message } = fields;
  const word = code ?? type;
  const kind = status >= 400 ? kindOf(status, fields) : inBandKind(fields);
  return {
    kind,
    message: isFailureOfService(kind) ? ownWords(kind) : withoutKeys(message ?? 'the backend failed'),
    ...(word !== undefined && { code: word }),
    ...(param !== undefined && { path: param }),
  };
}

function refusal(kind: ErrorKind, status: number, { message, param, code }: Fields): CanonicalError {
  const own = status >= 500 || isFailureOfService(kind);
  return {
    kind,
    message: own ? ownWords(kind) : withoutKeys(message ?? `the backend answered ${status}`),
    ...(code !== undefined && { code }),
    ...(param !== undefined && { path: param }),
    ...(kind === 'not_found' &&
      isAboutModel(code, message) && { code: code ?? 'model_not_found', ...quotedName(message) }),
    ...(code === 'tool_use_failed' && { retry: true }),
  };
}

function isAboutModel(code: string | undefined, message = ''): boolean {
  return code === 'model_not_found' || NO_MODEL.test(message);
}

function kindOf(status: number, fields: Fields): ErrorKind {
  if (status >= 500) return BY_STATUS[status] ?? 'internal';
  const known = kindByWord(fields) ?? (fields.inner && kindByWord(fields.inner));
  if (known !== undefined) return known;
  const { message = '' } = fields;
  const byStatus = BY_STATUS[status] ?? 'invalid_request';
  const isPlain = byStatus === 'invalid_request';
  if ((isPlain || status === 413) && isTooLong(message)) return 'context_length';
  if (isPlain && status !== 422 && NO_MODEL.test(message)) return 'not_found';
  if (status === 404 && TEMPLATE.test(message)) return 'invalid_request';
  return byStatus;
}

function kindByWord({ code, type }: Fields): ErrorKind | undefined {
  if (code !== undefined && isPolicyCode(code)) return 'content_policy';
  return lookUp(BY_WORD, code) ?? lookUp(BY_WORD, type);
}

/** `server_error` without a status says that the service failed, not that nothing is known. */
const IN_BAND: Readonly<Record<string, ErrorKind>> = { ...KIND_IN_BAND, server_error: 'internal' };

/** Where no status tells. What says nothing at all is a failure that is not the client's. */
function inBandKind(fields: Fields): ErrorKind {
  const known = fields.outcome ?? kindByWord(fields) ?? lookUp(IN_BAND, fields.code) ?? lookUp(IN_BAND, fields.type);
  if ((known ?? 'invalid_request') === 'invalid_request' && isTooLong(fields.message ?? '')) return 'context_length';
  return known ?? (fields.inner && kindByWord(fields.inner)) ?? 'upstream';
}

/** Reading order of translation.md 7.1: array, `error` object, `error` text, flat, `detail`, text. */
function readBody(body: unknown): Fields {
  if (Array.isArray(body)) return body.length === 0 ? {} : readBody(body[0]);
  if (!isObject(body)) return typeof body === 'string' && body !== '' && body.length < 1000 ? { message: body } : {};
  const { error, detail, base_resp: outcome } = body;
  if (isObject(error)) return routed(fieldsOf(error), withInner(error));
  if (typeof error === 'string') return { ...fieldsOf(body), message: unwrapMessage(textOf(error)) };
  if (isObject(outcome)) return outcomeOf(outcome);
  if (detail !== undefined && body.message === undefined) return { message: detailOf(detail) };
  return fieldsOf(body);
}

/** What a service says behind a router explains the failure; the router's own words say only that there was one. */
function routed(fields: Fields, { inner }: Pick<Fields, 'inner'>): Fields {
  if (inner === undefined) return fields;
  const words = [fields.message, inner.message].filter((text) => text !== undefined && text !== '');
  return { ...fields, ...(words.length > 0 && { message: words.join(': ') }), inner };
}

function outcomeOf({ status_code: code, status_msg: message }: JsonObject): Fields {
  return { message: textOf(message), outcome: typeof code === 'number' ? BY_OUTCOME[code] : undefined };
}

function fieldsOf(node: JsonObject): Fields {
  const { message, type, param, code } = node;
  const number = typeof code === 'number' ? code : Number(textOf(code) ?? Number.NaN);
  const word = Number.isNaN(number) ? textOf(code) : undefined;
  return {
    message: Array.isArray(message) ? detailOf(message) : unwrapMessage(textOf(message)),
    type: textOf(type),
    param: textOf(param),
    ...(word !== undefined && { code: word }),
    ...(number >= 400 && number < 600 && { status: number }),
  };
}

/** The first complaint of a list, with the place that it is about. */
function detailOf(detail: unknown): string | undefined {
  const first: unknown = Array.isArray(detail) ? detail[0] : detail;
  if (!isObject(first)) return textOf(first);
  const message = textOf(first.msg);
  const place = Array.isArray(first.loc) ? first.loc.filter((step) => step !== 'body').join('.') : '';
  return message === undefined || place === '' ? message : `${place}: ${message}`;
}

/** A router keeps the answer of the host behind it as a text [H §9.1]. */
function withInner({ metadata }: JsonObject): Pick<Fields, 'inner'> {
  const raw = isObject(metadata) ? textOf(metadata.raw) : undefined;
  if (raw === undefined) return {};
  const parsed = parseJson(raw);
  if (!parsed.ok) return { inner: { message: raw } };
  const node = isObject(parsed.value) && isObject(parsed.value.error) ? parsed.value.error : parsed.value;
  return isObject(node) ? { inner: fieldsOf(node) } : {};
}

/** The error object for a failure. */
function errorBody(error: CanonicalError): ErrorObject {
  return errorObject(error, rowOf(error));
}

/**
 * The frame of a failure in mid-stream [H §7.5]: the error and nothing else. Readers take a chunk that has `choices` for a part of the
 * answer (AI SDK), or look for the error at the beginning of the data (go-openai).
 */
export function errorFrame(error: CanonicalError): string {
  return `data: ${JSON.stringify({ error: errorBody(error) })}\n\n`;
}

/** Where this dialect differs from Responses (translation.md 7.1): an unknown model is a 404. */
function rowOf(error: CanonicalError): ErrorRow {
  if (isUnknownModel(error)) return { status: 404, type: 'invalid_request_error', code: 'model_not_found' };
  if (error.kind !== 'content_policy') return ERROR_ROWS[error.kind];
  const code = error.code === 'content_filter' ? error.code : 'content_policy_violation';
  return { ...ERROR_ROWS.content_policy, code };
}

/** An error answer for a client (translation.md 7.1). */
export function encodeError(error: CanonicalError, context: EncodeErrorContext): EncodedError {
  const headers = errorHeaders(error, context.requestId);
  return { status: error.status ?? rowOf(error).status, body: { error: errorBody(error) }, headers };
}
