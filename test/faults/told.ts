import type { DialectId } from '../../translators/index.js';

/** How a failure of a backend may be told. `model` = a model that the backend does not know. */
export type Kind =
  | 'invalid_request'
  | 'billing'
  | 'permission'
  | 'authentication'
  | 'model'
  | 'conflict'
  | 'too_large'
  | 'rate_limit'
  | 'timeout'
  | 'overloaded'
  | 'internal'
  | 'upstream';

/** Status, and the word of the dialect; of responses the type and, after a slash, the code. */
export type Told = readonly [status: number, word: string];

/** The table of kinds (translation.md 7.1), written out by hand: nothing of the library is asked. */
export const TOLD: Readonly<Record<Kind, Readonly<Record<DialectId, Told>>>> = {
  invalid_request: {
    messages: [400, 'invalid_request_error'],
    responses: [400, 'invalid_request_error/null'],
    generateContent: [400, 'INVALID_ARGUMENT'],
  },
  authentication: {
    messages: [401, 'authentication_error'],
    responses: [401, 'invalid_request_error/invalid_api_key'],
    generateContent: [401, 'UNAUTHENTICATED'],
  },
  billing: {
    messages: [402, 'billing_error'],
    responses: [429, 'insufficient_quota/insufficient_quota'],
    generateContent: [429, 'RESOURCE_EXHAUSTED'],
  },
  permission: {
    messages: [403, 'permission_error'],
    responses: [403, 'invalid_request_error/null'],
    generateContent: [403, 'PERMISSION_DENIED'],
  },
  model: {
    messages: [404, 'not_found_error'],
    responses: [400, 'invalid_request_error/model_not_found'],
    generateContent: [404, 'NOT_FOUND'],
  },
  conflict: {
    messages: [409, 'conflict_error'],
    responses: [409, 'invalid_request_error/null'],
    generateContent: [409, 'ABORTED'],
  },
  too_large: {
    messages: [413, 'request_too_large'],
    responses: [413, 'invalid_request_error/null'],
    generateContent: [413, 'PAYLOAD_TOO_LARGE'],
  },
  rate_limit: {
    messages: [429, 'rate_limit_error'],
    responses: [429, 'rate_limit_error/rate_limit_exceeded'],
    generateContent: [429, 'RESOURCE_EXHAUSTED'],
  },
  timeout: {
    messages: [504, 'timeout_error'],
    responses: [504, 'server_error/timeout'],
    generateContent: [504, 'DEADLINE_EXCEEDED'],
  },
  overloaded: {
    messages: [529, 'overloaded_error'],
    responses: [503, 'server_error/server_is_overloaded'],
    generateContent: [503, 'UNAVAILABLE'],
  },
  internal: {
    messages: [500, 'api_error'],
    responses: [500, 'server_error/server_error'],
    generateContent: [500, 'INTERNAL'],
  },
  upstream: {
    messages: [502, 'api_error'],
    responses: [502, 'server_error/upstream_error'],
    generateContent: [503, 'UNAVAILABLE'],
  },
};

/** An error of a dialect as its own service words it: what a backend sends, as a body and inside a stream. */
export function wordsOf(dialect: DialectId, kind: Kind, message: string): { status: number; body: object } {
  const [status, word] = TOLD[kind][dialect];
  switch (dialect) {
    case 'messages':
      return { status, body: { type: 'error', error: { type: word, message }, request_id: 'req_up' } };
    case 'responses': {
      const [type, code] = word.split('/');
      return { status, body: { error: { message, type, param: null, code: code === 'null' ? null : code } } };
    }
    case 'generateContent':
      return { status, body: { error: { code: status, message, status: word } } };
  }
}
