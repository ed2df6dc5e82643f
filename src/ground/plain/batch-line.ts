import { isObject } from './json.js';

type Fields = Readonly<Record<string, unknown>>;

/** Whose form of a batch file it is: Gemini names the id `key`, Anthropic the body `params`, OpenAI says method and path. */
export type BatchVendor = 'anthropic' | 'openai' | 'gemini';

/** What became of a request that a batch did not get to. */
export type NotRun = 'canceled' | 'expired';

/** A line of a vendor's batch file: a request, or what became of one. */
export type BatchLine = {
  readonly vendor: BatchVendor;
  /** The caller's id of the request, by which its result is found. */
  readonly id: string;
} & (
  | {
      readonly kind: 'request';
      readonly body: Fields;
      /** The path that it is for (OpenAI). */
      readonly url?: string;
    }
  | { readonly kind: 'answer'; readonly body: Fields }
  /** `status` = of HTTP; `body` = as the vendor's endpoint would have answered. */
  | { readonly kind: 'error'; readonly status: number; readonly body: Fields }
  | { readonly kind: 'not run'; readonly why: NotRun; readonly message: string }
);

/** Reads a line of a batch file, of requests or of results; undefined where it is none [M §1.4][R §1.7][G §1.1]. */
export function readBatchLine(value: unknown): BatchLine | undefined {
  if (!isObject(value)) return undefined;
  const { custom_id: id, key } = value;
  if (typeof id === 'string') return ofAnthropic(id, value) ?? ofOpenAi(id, value);
  return typeof key === 'string' ? ofGemini(key, value) : undefined;
}

function ofAnthropic(id: string, { params, result }: Fields): BatchLine | undefined {
  const line = { vendor: 'anthropic', id } as const;
  if (isObject(params)) return { ...line, kind: 'request', body: params };
  if (!isObject(result)) return undefined;
  const { type, message, error } = result;
  if (type === 'succeeded' && isObject(message)) return { ...line, kind: 'answer', body: message };
  if (type === 'canceled' || type === 'expired') return { ...line, kind: 'not run', why: type, message: NOT_RUN[type] };
  if (type !== 'errored' || !isObject(error)) return undefined;
  // Earlier results had the error alone, without the envelope.
  const inner = isObject(error.error) ? error.error : error;
  const status = ANTHROPIC_STATUS[String(inner.type)] ?? 500;
  return { ...line, kind: 'error', status, body: { type: 'error', error: inner } };
}

function ofOpenAi(id: string, { url, body, response, error }: Fields): BatchLine | undefined {
  const line = { vendor: 'openai', id } as const;
  if (typeof url === 'string' && isObject(body)) return { ...line, kind: 'request', body, url };
  if (isObject(response) && isObject(response.body)) {
    const { status_code: status } = response;
    if (typeof status !== 'number' || status < 400) return { ...line, kind: 'answer', body: response.body };
    return { ...line, kind: 'error', status, body: response.body };
  }
  if (!isObject(error)) return undefined;
  const { code, message } = error;
  const why = code === 'batch_expired' ? 'expired' : code === 'batch_cancelled' ? 'canceled' : undefined;
  if (why !== undefined) return { ...line, kind: 'not run', why, message: textOf(message) ?? NOT_RUN[why] };
  const inner = { message: textOf(message) ?? 'failed', type: 'server_error', param: null, code: textOf(code) ?? null };
  return { ...line, kind: 'error', status: 500, body: { error: inner } };
}

function ofGemini(id: string, { request, response, error }: Fields): BatchLine | undefined {
  const line = { vendor: 'gemini', id } as const;
  if (isObject(request)) return { ...line, kind: 'request', body: request };
  if (isObject(response)) return { ...line, kind: 'answer', body: response };
  if (!isObject(error)) return undefined;
  const { code, message } = error;
  if (code === CANCELLED || code === DEADLINE_EXCEEDED) {
    const why = code === CANCELLED ? 'canceled' : 'expired';
    return { ...line, kind: 'not run', why, message: textOf(message) ?? NOT_RUN[why] };
  }
  const [status, word] = statusOfRpc(code);
  return { ...line, kind: 'error', status, body: { error: { status: word, ...error, code: status } } };
}

/** Codes of `google.rpc.Status` for a request that did not come to its turn. */
const CANCELLED = 1;
const DEADLINE_EXCEEDED = 4;

/** Codes of `google.rpc.Code` with the HTTP status and the word that its document gives for each. */
const RPC: readonly (readonly [code: number, status: number, word: string])[] = [
  [3, 400, 'INVALID_ARGUMENT'],
  [5, 404, 'NOT_FOUND'],
  [7, 403, 'PERMISSION_DENIED'],
  [8, 429, 'RESOURCE_EXHAUSTED'],
  [9, 400, 'FAILED_PRECONDITION'],
  [13, 500, 'INTERNAL'],
  [14, 503, 'UNAVAILABLE'],
  [16, 401, 'UNAUTHENTICATED'],
];

function statusOfRpc(code: unknown): readonly [status: number, word: string] {
  const row = RPC.find(([rpc, status]) => rpc === code || status === code);
  if (row !== undefined) return [row[1], row[2]];
  return typeof code === 'number' && code >= 400 ? [code, 'UNKNOWN'] : [500, 'UNKNOWN'];
}

/** The status with which the endpoint itself answers each type of error [M §6]. */
const ANTHROPIC_STATUS: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

const NOT_RUN: Readonly<Record<NotRun, string>> = {
  canceled: 'This request was not executed: the batch was canceled.',
  expired: 'This request could not be executed before the batch expired.',
};

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Ids that Anthropic takes; the others take any. */
const ANTHROPIC_ID = /^[\w-]{1,64}$/;

/** Why a vendor refuses an id; undefined where it takes it. */
export function batchIdFault(vendor: BatchVendor, id: string): string | undefined {
  if (vendor !== 'anthropic' || ANTHROPIC_ID.test(id)) return undefined;
  return 'Anthropic takes ids of 1 to 64 letters, digits, `_` and `-` only';
}

/** A line of a batch file in a vendor's form. `number` = of the line, from 1: where the vendor has an id of its own it is made of it. */
export function batchLine(line: BatchLine, number: number): Fields {
  return WRITERS[line.vendor](line, number);
}

const WRITERS: Readonly<Record<BatchVendor, (line: BatchLine, number: number) => Fields>> = {
  anthropic(line) {
    const { id: custom_id, kind } = line;
    if (kind === 'request') return { custom_id, params: line.body };
    if (kind === 'answer') return { custom_id, result: { type: 'succeeded', message: line.body } };
    if (kind === 'not run') return { custom_id, result: { type: line.why } };
    return { custom_id, result: { type: 'errored', error: line.body } };
  },
  openai(line, number) {
    const { id: custom_id, kind } = line;
    if (kind === 'request') return { custom_id, method: 'POST', url: line.url, body: line.body };
    const id = `batch_req_${number}`;
    if (kind === 'not run') {
      const code = line.why === 'expired' ? 'batch_expired' : 'batch_cancelled';
      return { id, custom_id, response: null, error: { code, message: line.message } };
    }
    const status_code = kind === 'answer' ? 200 : line.status;
    return { id, custom_id, response: { status_code, request_id: `req_${number}`, body: line.body }, error: null };
  },
  gemini(line) {
    const { id: key, kind } = line;
    if (kind === 'request') return { key, request: line.body };
    if (kind === 'answer') return { key, response: line.body };
    if (kind === 'not run') {
      const code = line.why === 'canceled' ? CANCELLED : DEADLINE_EXCEEDED;
      return { key, error: { code, message: line.message } };
    }
    const { message } = isObject(line.body.error) ? line.body.error : {};
    const code = RPC.find(([, status]) => status === line.status)?.[0] ?? (line.status < 500 ? 3 : 13);
    return { key, error: { code, message: textOf(message) ?? 'failed' } };
  },
};
