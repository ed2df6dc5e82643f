import { describe, expect, test } from '@jest/globals';
import type { ErrorKind } from '../../translators/canonical/errors.js';
import { messages } from '../../translators/messages/index.js';

function body(type: string, message: string, details?: object): unknown {
  return { type: 'error', error: { type, message, ...(details && { details }) }, request_id: 'req_1' };
}

describe('errors of a backend', () => {
  const cases: [number, string, string, ErrorKind][] = [
    [400, 'invalid_request_error', 'max_tokens: Field required', 'invalid_request'],
    [400, 'invalid_request_error', 'prompt is too long: 3333404 tokens > 200000 maximum', 'context_length'],
    [401, 'authentication_error', 'invalid x-api-key', 'authentication'],
    [402, 'billing_error', 'x', 'billing'],
    [403, 'permission_error', 'x', 'permission'],
    [404, 'not_found_error', 'model: nope', 'not_found'],
    [408, 'timeout_error', 'x', 'timeout'],
    [409, 'conflict_error', 'x', 'conflict'],
    [413, 'request_too_large', 'x', 'too_large'],
    [418, 'teapot', 'x', 'invalid_request'],
    [422, 'invalid_request_error', 'x', 'invalid_request'],
    [429, 'rate_limit_error', 'x', 'rate_limit'],
    [499, 'api_error', 'x', 'cancelled'],
    [500, 'api_error', 'x', 'internal'],
    [503, 'api_error', 'x', 'overloaded'],
    [504, 'timeout_error', 'x', 'timeout'],
    [529, 'overloaded_error', 'x', 'overloaded'],
    [200, 'rate_limit_error', 'x', 'rate_limit'],
    [200, 'server_error', 'x', 'internal'],
    [200, 'later_error', 'x', 'internal'],
  ];
  test.each(cases)('%i %s "%s" is %s', (status, type, message, kind) => {
    expect(messages.decodeError(status, body(type, message), {}).kind).toBe(kind);
  });

  test('carry the model, the code, the delay and the advice', () => {
    const headers = { 'retry-after': '2', 'x-should-retry': 'false' };
    expect(messages.decodeError(404, body('not_found_error', 'model: nope'), {})).toMatchObject({ model: 'nope' });
    expect(
      messages.decodeError(429, body('rate_limit_error', 'slow', { error_code: 'ramp_limit_exceeded' }), headers),
    ).toEqual({
      kind: 'rate_limit',
      message: 'slow',
      code: 'ramp_limit_exceeded',
      retryAfterMs: 2000,
      retry: false,
    });
    expect(
      messages.decodeError(429, body('rate_limit_error', 'x'), { 'retry-after-ms': '150', 'retry-after': '9' })
        .retryAfterMs,
    ).toBe(150);
  });

  test('tell nothing that is not for the client', () => {
    const told = (status: number, message: string) => messages.decodeError(status, body('x', message), {}).message;
    expect(told(500, 'host db-7.internal is down')).toBe('the backend failed');
    expect(told(400, 'bad key sk-ant-0123456789abcdef')).toBe('bad key [key removed]');
    expect(told(400, 'cannot fetch https://h.example/a?key=secret now')).toBe('cannot fetch [address removed] now');
    expect(told(400, 'messages.3.content.0.tool_use.id: bad')).toBe(
      'messages.3.content.0.tool_use.id: bad (upstream field)',
    );
    expect(told(400, '{"error":{"message":"inner words"}}')).toBe('inner words');
  });

  test.each([['text'], [undefined], [{ error: 'words' }], [{ error: { message: 7 } }], [[]]])(
    'of any shape are read: %j',
    (given) => {
      expect(messages.decodeError(400, given, {})).toMatchObject({
        kind: 'invalid_request',
        message: expect.any(String),
      });
    },
  );
});

describe('errors for a client', () => {
  const table: [ErrorKind, number, string][] = [
    ['invalid_request', 400, 'invalid_request_error'],
    ['context_length', 400, 'invalid_request_error'],
    ['content_policy', 400, 'invalid_request_error'],
    ['authentication', 401, 'authentication_error'],
    ['billing', 402, 'billing_error'],
    ['permission', 403, 'permission_error'],
    ['not_found', 404, 'not_found_error'],
    ['conflict', 409, 'conflict_error'],
    ['too_large', 413, 'request_too_large'],
    ['rate_limit', 429, 'rate_limit_error'],
    ['timeout', 504, 'timeout_error'],
    ['cancelled', 499, 'api_error'],
    ['overloaded', 529, 'overloaded_error'],
    ['internal', 500, 'api_error'],
    ['upstream', 502, 'api_error'],
    ['unsupported', 400, 'invalid_request_error'],
  ];
  test.each(table)('%s is %i %s, with a whole body', (kind, status, type) => {
    const encoded = messages.encodeError({ kind, message: 'words' }, { requestId: 'req_1' });
    expect(encoded.status).toBe(status);
    expect(encoded.body).toEqual({
      type: 'error',
      error: {
        type,
        message: expect.stringContaining('words'),
        code: kind,
        details: kind === 'unsupported' ? { error_code: 'unsupported_translation' } : null,
      },
      request_id: 'req_1',
    });
  });

  test('messages in the words of the service', () => {
    const told = (error: Parameters<typeof messages.encodeError>[0]) =>
      (messages.encodeError(error, {}).body.error as { message: string }).message;
    expect(told({ kind: 'not_found', message: 'x', model: 'nope' })).toBe('model: nope');
    expect(told({ kind: 'context_length', message: 'too many' })).toBe(
      'prompt is too long: it exceeds the context window of the model | too many',
    );
    expect(told({ kind: 'invalid_request', message: 'field required', path: '/messages/0/content' })).toBe(
      'messages.0.content: field required',
    );
  });

  test('codes official clients look for stand in the details', () => {
    const error = { kind: 'unsupported', message: 'x', code: 'thread_unsupported_request', path: '/thread' } as const;
    expect(messages.encodeError(error, {}).body).toMatchObject({
      error: { details: { error_code: 'thread_unsupported_request', path: '/thread' } },
      request_id: null,
    });
  });

  test('permanent kinds are not retried, others as advised; delays in whole seconds', () => {
    const headers = (error: Parameters<typeof messages.encodeError>[0]) => messages.encodeError(error, {}).headers;
    expect(headers({ kind: 'unsupported', message: 'x', retry: true })).toEqual({ 'x-should-retry': 'false' });
    expect(headers({ kind: 'upstream', message: 'x', retry: false })).toEqual({ 'x-should-retry': 'false' });
    expect(headers({ kind: 'rate_limit', message: 'x', retryAfterMs: 1200 })).toEqual({ 'retry-after': '2' });
    expect(messages.encodeError({ kind: 'invalid_request', message: 'x', status: 415 }, {}).status).toBe(415);
  });
});

describe('rate limits', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');

  test('both directions', () => {
    const headers = {
      'anthropic-ratelimit-requests-limit': '50',
      'anthropic-ratelimit-requests-remaining': '49',
      'anthropic-ratelimit-requests-reset': '2026-01-01T00:00:10Z',
      'anthropic-ratelimit-input-tokens-remaining': '1000',
      'retry-after': '3',
      'x-should-retry': 'true',
    };
    const limits = messages.decodeLimits(headers, now);
    expect(limits).toEqual({
      requests: { limit: 50, remaining: 49, resetMs: 10_000 },
      inputTokens: { remaining: 1000 },
      retryAfterMs: 3000,
      shouldRetry: true,
    });
    expect(messages.encodeLimits(limits, now)).toEqual(headers);
  });

  test('dates, and values that are none', () => {
    expect(messages.decodeLimits({ 'retry-after': 'Thu, 01 Jan 2026 00:00:05 GMT' }, now)).toEqual({
      retryAfterMs: 5000,
    });
    expect(messages.decodeLimits({ 'retry-after': 'soon', 'anthropic-ratelimit-tokens-limit': 'many' }, now)).toEqual(
      {},
    );
    expect(messages.encodeLimits({ tokens: { resetMs: 1500 } }, now)).toEqual({
      'anthropic-ratelimit-tokens-reset': '2026-01-01T00:00:02Z',
    });
    expect(() => messages.encodeLimits({ tokens: { resetMs: 1e300 } }, now)).not.toThrow();
  });
});
