import { describe, expect, test } from '@jest/globals';
import type { ErrorKind } from '../../translators/canonical/errors.js';
import { createLosses } from '../../translators/canonical/loss.js';
import type { FinishKind } from '../../translators/canonical/response.js';
import { responses } from '../../translators/responses/index.js';

const body = (fields: object): object => ({ error: { message: 'm', type: 't', param: null, code: null, ...fields } });
const kind = (status: number, fields: object = {}): string => responses.decodeError(status, body(fields), {}).kind;

describe('errors of a backend', () => {
  const rows: readonly (readonly [number, object, ErrorKind])[] = [
    [400, {}, 'invalid_request'],
    [400, { code: 'invalid_value' }, 'invalid_request'],
    [400, { code: 'context_length_exceeded' }, 'context_length'],
    [400, { code: 'invalid_prompt' }, 'content_policy'],
    [400, { code: 'bio_policy' }, 'content_policy'],
    [400, { code: 'image_content_policy_violation' }, 'invalid_request'],
    [400, { code: 'model_not_found' }, 'not_found'],
    [401, {}, 'authentication'],
    [402, {}, 'billing'],
    [403, {}, 'permission'],
    [404, { code: 'model_not_found' }, 'not_found'],
    [404, {}, 'not_found'],
    [408, {}, 'timeout'],
    [409, {}, 'conflict'],
    [413, {}, 'too_large'],
    [418, {}, 'invalid_request'],
    [422, {}, 'invalid_request'],
    [429, { type: 'insufficient_quota' }, 'billing'],
    [429, { code: 'insufficient_quota' }, 'billing'],
    [429, { type: 'tokens', code: 'rate_limit_exceeded' }, 'rate_limit'],
    [429, {}, 'rate_limit'],
    [499, {}, 'cancelled'],
    [500, {}, 'internal'],
    [502, {}, 'internal'],
    [503, {}, 'overloaded'],
    [504, {}, 'timeout'],
    [302, {}, 'upstream'],
  ];
  for (const [status, fields, expected] of rows) {
    test(`${status} ${JSON.stringify(fields)} is ${expected}`, () => {
      expect(kind(status, fields)).toBe(expected);
    });
  }

  test('bodies of every form are read', () => {
    expect(responses.decodeError(400, 'plain words', {})).toMatchObject({ message: 'plain words' });
    expect(responses.decodeError(400, { error: 'words' }, {})).toMatchObject({ message: 'words' });
    expect(responses.decodeError(400, { message: 'bare', code: 'c', param: 'input[0]' }, {})).toMatchObject({
      message: 'bare',
      code: 'c',
      path: 'input[0]',
    });
    expect(responses.decodeError(400, undefined, {})).toMatchObject({ message: 'the backend answered 400' });
    expect(responses.decodeError(400, body({ message: '{"error":{"message":"inner"}}' }), {})).toMatchObject({
      message: 'inner',
    });
    expect(
      responses.decodeError(
        400,
        body({ code: 'model_not_found', message: "The requested model 'gpt-x' does not exist." }),
        {},
      ),
    ).toMatchObject({ model: 'gpt-x' });
  });

  test('nothing of it leaks', () => {
    const { message } = responses.decodeError(
      401,
      body({ message: 'Incorrect API key provided: sk-abc123456. See https://h/x?key=SECRET now' }),
      {},
    );
    expect(message).toBe('Incorrect API key provided: [key removed]. See [address removed] now');
    expect(responses.decodeError(500, body({ message: 'stack of host db-1' }), {}).message).toBe('the backend failed');
  });

  test('advice about retrying', () => {
    expect(responses.decodeError(429, body({}), { 'retry-after': '3', 'x-should-retry': 'false' })).toMatchObject({
      retryAfterMs: 3000,
      retry: false,
    });
    expect(responses.decodeError(429, body({}), { 'retry-after': '3', 'retry-after-ms': '120' })).toMatchObject({
      retryAfterMs: 120,
    });
    expect(responses.decodeError(429, body({}), {})).not.toHaveProperty('retryAfterMs');
  });
});

describe('errors for a client', () => {
  const rows: Readonly<Record<ErrorKind, readonly [number, string, string | null]>> = {
    invalid_request: [400, 'invalid_request_error', null],
    context_length: [400, 'invalid_request_error', 'context_length_exceeded'],
    content_policy: [400, 'invalid_request_error', 'invalid_prompt'],
    authentication: [401, 'invalid_request_error', 'invalid_api_key'],
    billing: [429, 'insufficient_quota', 'insufficient_quota'],
    permission: [403, 'invalid_request_error', null],
    not_found: [404, 'invalid_request_error', null],
    conflict: [409, 'invalid_request_error', null],
    too_large: [413, 'invalid_request_error', null],
    rate_limit: [429, 'rate_limit_error', 'rate_limit_exceeded'],
    timeout: [504, 'server_error', 'timeout'],
    cancelled: [499, 'server_error', null],
    overloaded: [503, 'server_error', 'server_is_overloaded'],
    internal: [500, 'server_error', 'server_error'],
    upstream: [502, 'server_error', 'upstream_error'],
    unsupported: [400, 'invalid_request_error', 'unsupported_translation'],
  };
  for (const [name, [status, type, code]] of Object.entries(rows)) {
    test(name, () => {
      const encoded = responses.encodeError({ kind: name as ErrorKind, message: 'm' }, { requestId: 'req' });
      expect(encoded).toMatchObject({
        status,
        body: {
          error: { message: expect.stringMatching(/^(?:Your input exceeds .* \| )?m$/), type, param: null, code },
        },
        headers: { 'x-request-id': 'req' },
      });
      const permanent = ['billing', 'unsupported', 'content_policy', 'context_length'].includes(name);
      expect(encoded.headers['x-should-retry']).toBe(permanent ? 'false' : undefined);
    });
  }

  test('models, paths, statuses, delays', () => {
    const encode = (error: object) => responses.encodeError({ kind: 'not_found', message: 'm', ...error }, {});
    expect(encode({ model: 'x' })).toMatchObject({
      status: 400,
      body: { error: { code: 'model_not_found', param: 'model' } },
    });
    expect(encode({ kind: 'invalid_request', path: '/input/0/content/1/image_url', code: 'c' }).body).toEqual({
      error: { message: 'm', type: 'invalid_request_error', param: 'input[0].content[1].image_url', code: 'c' },
    });
    expect(encode({ status: 405 }).status).toBe(405);
    expect(encode({ kind: 'rate_limit', retryAfterMs: 1500 }).headers).toEqual({
      'retry-after': '2',
      'retry-after-ms': '1500',
    });
    expect(encode({ kind: 'upstream', retry: false }).headers).toEqual({ 'x-should-retry': 'false' });
  });
});

describe('limits', () => {
  const now = Date.UTC(2026, 0, 1);

  test('headers are read', () => {
    expect(
      responses.decodeLimits(
        {
          'x-ratelimit-limit-requests': '100',
          'x-ratelimit-remaining-requests': '99',
          'x-ratelimit-reset-requests': '1m30s',
          'x-ratelimit-remaining-tokens': '5',
          'x-ratelimit-reset-tokens': '120ms',
          'retry-after': 'Thu, 01 Jan 2026 00:00:10 GMT',
          'openai-processing-ms': '77',
        },
        now,
      ),
    ).toEqual({
      requests: { limit: 100, remaining: 99, resetMs: 90_000 },
      tokens: { limit: undefined, remaining: 5, resetMs: 120 },
      retryAfterMs: 10_000,
      processingMs: 77,
    });
    expect(responses.decodeLimits({ 'x-ratelimit-reset-requests': 'soon', 'retry-after': 'later' }, now)).toEqual({});
  });

  test('of several buckets of tokens the scarcest counts', () => {
    const remaining = (limits: Parameters<typeof responses.encodeLimits>[0]): unknown =>
      responses.encodeLimits(limits, now)['x-ratelimit-remaining-tokens'];
    const tokens = { limit: 1000, remaining: 900 };
    expect(remaining({ tokens, inputTokens: { limit: 100, remaining: 10 } })).toBe('10');
    expect(remaining({ tokens, outputTokens: { limit: 10, remaining: 1 } })).toBe('1');
    expect(remaining({ tokens, inputTokens: { limit: 100, remaining: 95 }, outputTokens: { remaining: 3 } })).toBe(
      '900',
    );
    expect(responses.encodeLimits({}, now)).toEqual({});
  });

  test('headers are written', () => {
    expect(
      responses.encodeLimits(
        {
          requests: { limit: 10, remaining: 9, resetMs: 61_000 },
          inputTokens: { limit: 100, remaining: 90, resetMs: 500 },
          outputTokens: { limit: 100, remaining: 10, resetMs: 5000 },
          retryAfterMs: 200,
          shouldRetry: true,
          processingMs: 3,
        },
        now,
      ),
    ).toEqual({
      'x-ratelimit-limit-requests': '10',
      'x-ratelimit-remaining-requests': '9',
      'x-ratelimit-reset-requests': '1m1s',
      'x-ratelimit-limit-tokens': '100',
      'x-ratelimit-remaining-tokens': '10',
      'x-ratelimit-reset-tokens': '5s',
      'retry-after': '1',
      'retry-after-ms': '200',
      'x-should-retry': 'true',
      'openai-processing-ms': '3',
    });
  });
});

test('counting', () => {
  const { count } = responses;
  const losses = createLosses();
  expect(count.decodeRequest({ input: 'q' }, { losses })).toMatchObject({ model: '', turns: [{ role: 'user' }] });
  const sent = responses.encodeRequest(
    {
      source: 'messages',
      model: 'm',
      stream: true,
      instructions: [],
      turns: [{ role: 'user', parts: [{ kind: 'text', text: 'q' }] }],
      tools: [{ kind: 'function', name: 'f' }],
      maxOutput: 99,
    },
    { losses, target: responses.target('m'), domain: 'd' },
  );
  expect(Object.keys(count.encodeRequest(sent)).sort()).toEqual(['input', 'model', 'tools']);
  expect(count.decodeResponse({ object: 'response.input_tokens', input_tokens: 7 })).toEqual({ input: 7 });
  expect(() => count.decodeResponse({})).toThrow(/token count/);
  expect(count.encodeResponse({ input: 7, cached: 3 })).toEqual({ object: 'response.input_tokens', input_tokens: 7 });
});

test('model lists', () => {
  const { models } = responses;
  const list = models.encodeList(
    [
      { id: 'a', owner: 'o', createdAt: 5 },
      { id: 'b', owner: 'p' },
    ],
    {},
  );
  expect(list).toEqual({
    object: 'list',
    data: [
      { id: 'a', object: 'model', created: 5, owned_by: 'o' },
      { id: 'b', object: 'model', created: 0, owned_by: 'p' },
    ],
  });
  expect(models.decodeList(list, 'mine')).toEqual({
    models: [
      { id: 'a', owner: 'mine', createdAt: 5 },
      { id: 'b', owner: 'mine' },
    ],
  });
  expect(() => models.decodeList({ models: [] }, 'mine')).toThrow(/list of models/);
});

test('endpoints', () => {
  const options = { model: 'a/b', stream: true };
  expect(responses.endpoint('create', options)).toBe('/v1/responses');
  expect(responses.endpoint('count', options)).toBe('/v1/responses/input_tokens');
  expect(responses.endpoint('models', options)).toBe('/v1/models');
});

test('profiles by family', () => {
  const control = (model: string): unknown => [
    responses.target(model).thinking.control,
    responses.target(model).sampling,
  ];
  expect(control('gpt-4o-2024-08-06')).toEqual(['none', []]);
  expect(control('gpt-5-mini')).toEqual(['effort', ['none']]);
  expect(control('openai/gpt-5.2')).toEqual(['effort', ['none-when-reasoning']]);
  expect(control('o4-mini')).toEqual(['effort', ['none']]);
  expect(control('gpt-99')).toEqual(['effort', ['none']]);
  expect(control('something-new')).toEqual(['effort', []]);
  expect(responses.target('x', { maxOutput: 5 }).maxOutput).toBe(5);
});

describe('ends of other services', () => {
  const rows: Readonly<Record<FinishKind, readonly [string, string | null, string | null]>> = {
    end: ['completed', null, null],
    tool_use: ['completed', null, null],
    stop_sequence: ['completed', null, null],
    max_tokens: ['incomplete', 'max_output_tokens', null],
    context_window: ['incomplete', 'max_output_tokens', null],
    refusal: ['incomplete', 'content_filter', null],
    filter: ['incomplete', 'content_filter', null],
    prompt_blocked: ['incomplete', 'content_filter', null],
    pause: ['incomplete', 'max_output_tokens', null],
    malformed_call: ['failed', null, 'server_error'],
    no_image: ['failed', null, 'server_error'],
    compaction: ['completed', null, null],
    cancelled: ['cancelled', null, null],
    failed: ['failed', null, 'server_error'],
    other: ['failed', null, 'server_error'],
  };
  /** Ends that read as they were. */
  const SAID = new Set(['end', 'tool_use', 'max_tokens', 'filter', 'cancelled', 'failed']);
  for (const [finish, [status, reason, code]] of Object.entries(rows)) {
    test(finish, () => {
      const losses = createLosses();
      const printed = responses.encodeResponse(
        {
          source: 'messages',
          id: 'x',
          model: 'm',
          parts: [{ kind: 'text', text: 'a' }],
          finish: { kind: finish as FinishKind, raw: finish, dialect: 'messages' },
          usage: { input: 1, output: 1 },
        },
        { losses, now: 9, nonce: 'n' },
      );
      expect(printed).toMatchObject({
        status,
        incomplete_details: reason === null ? null : { reason },
        error: code === null ? null : { code },
        completed_at: status === 'completed' ? 9 : null,
      });
      expect(losses.list.map((loss) => loss.feature)).toEqual(SAID.has(finish) ? [] : ['finish']);
    });
  }
});

test('token counts are whole on the wire, and said to be guessed when they were not known', () => {
  const losses = createLosses();
  const print = (usage: object | undefined) =>
    responses.encodeResponse(
      {
        source: 'messages',
        id: 'x',
        model: 'm',
        parts: [],
        finish: { kind: 'end', raw: '', dialect: '' },
        ...(usage && { usage }),
      },
      { losses, now: 0, nonce: '' },
    ).usage;
  expect(print({ input: 100, cacheRead: 50, cacheWrite: 30, output: 7 })).toEqual({
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 50, cache_write_tokens: 30 },
    output_tokens: 7,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 107,
  });
  expect(losses.list).toEqual([]);
  expect(print(undefined)).toMatchObject({ input_tokens: 0, total_tokens: 0 });
  expect(losses.list).toMatchObject([{ feature: 'usage', kind: 'approximated' }]);
});

describe('whole answers', () => {
  const decoding = { losses: createLosses(), domain: 'd' };
  const answer = (more: object): unknown => ({
    id: 'r',
    object: 'response',
    model: 'm',
    output: [],
    status: 'completed',
    ...more,
  });

  test('unfinished ones are none', () => {
    for (const status of ['in_progress', 'queued', undefined]) {
      expect(() => responses.decodeResponse(answer({ status }), decoding)).toThrow(
        expect.objectContaining({ kind: 'upstream', code: 'upstream_incomplete' }),
      );
    }
  });

  test('failures keep their reason', () => {
    expect(
      responses.decodeResponse(
        answer({ status: 'failed', error: { code: 'rate_limit_exceeded', message: 'x' } }),
        decoding,
      ),
    ).toMatchObject({
      finish: { kind: 'failed', raw: 'rate_limit_exceeded' },
      error: { kind: 'rate_limit', message: 'x' },
    });
  });

  test('counts are exact', () => {
    const usage = {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
      output_tokens: 6,
      output_tokens_details: { reasoning_tokens: 5 },
      total_tokens: 16,
    };
    expect(
      responses.decodeResponse(answer({ usage, tool_usage: { web_search: { num_requests: 2 } } }), decoding).usage,
    ).toMatchObject({
      input: 10,
      cacheRead: 4,
      cacheWrite: 2,
      output: 6,
      reasoning: 5,
      hosted: { webSearch: 2 },
    });
  });

  test("nonsense is the backend's fault", () => {
    expect(() => responses.decodeResponse('x', decoding)).toThrow(expect.objectContaining({ kind: 'upstream' }));
    expect(() => responses.decodeResponse({ id: 3 }, decoding)).toThrow(
      expect.objectContaining({ kind: 'upstream', path: '/id' }),
    );
  });
});
