import type { CanonicalError, ErrorKind } from '../canonical/errors.js';
import { isObject, parseJson } from './json.js';
import { fieldName } from './pointer.js';
import { beforeWords, overflowOf } from './too-long.js';

/** The error object of bodies and stream frames [R §6], [H §9.1]: all four keys are always there. */
export type ErrorObject = {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;
};

/** How a kind of failure is reported to a client. The source's own code replaces a `null` code. */
export type ErrorRow = {
  readonly status: number;
  readonly type: string;
  readonly code: string | null;
};

/** translation.md 7.1, column "to R"; the rows that translation.md 7.1 leaves as they are. */
export const ERROR_ROWS: Readonly<Record<ErrorKind, ErrorRow>> = {
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
export const KIND_BY_STATUS: Readonly<Record<number, ErrorKind>> = {
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
export const KIND_BY_CODE: Readonly<Record<string, ErrorKind>> = {
  context_length_exceeded: 'context_length',
  insufficient_quota: 'billing',
  model_not_found: 'not_found',
  rate_limit_exceeded: 'rate_limit',
  server_is_overloaded: 'overloaded',
  slow_down: 'overloaded',
};

/** Kinds by code or type of failures in a stream, where no status tells. */
export const KIND_IN_BAND: Readonly<Record<string, ErrorKind>> = {
  ...KIND_BY_CODE,
  invalid_api_key: 'authentication',
  timeout: 'timeout',
  vector_store_timeout: 'timeout',
  rate_limit_error: 'rate_limit',
  requests: 'rate_limit',
  tokens: 'rate_limit',
  invalid_request_error: 'invalid_request',
  upstream_error: 'upstream',
};

/** Codes with which services decline a prompt [R §4.1]; those about pictures are faults of the request. */
export function isPolicyCode(code: string): boolean {
  return code === 'invalid_prompt' || (/policy/.test(code) && !code.startsWith('image_'));
}

/** Kinds that are failures of the service itself. */
const SERVICE: ReadonlySet<ErrorKind> = new Set(['internal', 'overloaded', 'timeout', 'upstream']);

/** Whether a failure is one of the service itself: what it says of itself is not for its clients (translation.md 7.1.2). */
export function isFailureOfService(kind: ErrorKind): boolean {
  return SERVICE.has(kind);
}

const OWN_WORDS: Partial<Readonly<Record<ErrorKind, string>>> = {
  overloaded: 'the backend is overloaded',
  timeout: 'the backend took too long',
};

/** What is said in the place of a failing service's own words. */
export function ownWords(kind: ErrorKind): string {
  return OWN_WORDS[kind] ?? 'the backend failed';
}

/** A text of an error object; undefined for anything else, and for none. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A message without the JSON in which proxies wrap another service's error. */
export function unwrapMessage(message: string | undefined): string | undefined {
  if (message === undefined || !message.startsWith('{')) return message;
  const parsed = parseJson(message);
  if (!parsed.ok || !isObject(parsed.value)) return message;
  const inner = isObject(parsed.value.error) ? parsed.value.error : parsed.value;
  return textOf(inner.message) ?? message;
}

/** The name that a message about an unknown model quotes, as a member of an error; nothing where it quotes none. */
export function quotedName(message: string | undefined): { readonly model?: string } {
  const model = /['"`]([^'"`]+)['"`]/.exec(message ?? '')?.[1];
  return model === undefined ? {} : { model };
}

/** Whether what was not found is a model. */
export function isUnknownModel({ kind, model, code }: CanonicalError): boolean {
  return kind === 'not_found' && (model !== undefined || code === 'model_not_found');
}

/**
 * What a client is told of a failure. An input that is too long is told in words that all agents of these dialects know as the sign
 * to compact, and that a further gateway reads (Decision 0039).
 */
export function shownMessage(error: CanonicalError): string {
  if (error.kind !== 'context_length') return error.message;
  const { input, limit, estimated } = overflowOf(error);
  const most = limit === undefined ? 'exceeded' : `${limit} tokens`;
  const count =
    input === undefined || limit === undefined ? '' : `, and it has ${estimated ? 'about ' : ''}${input} input tokens`;
  return beforeWords(
    `Your input exceeds the context window of this model: this model's maximum context length is ${most}${count}.`,
    error,
  );
}

/** The error object for a failure, in the words of its row. */
export function errorObject(error: CanonicalError, row: ErrorRow): ErrorObject {
  return {
    message: shownMessage(error),
    type: row.type,
    param: isUnknownModel(error) ? 'model' : fieldName(error.path ?? '') || null,
    code: row.code ?? error.code ?? null,
  };
}
