import { describe, expect, test } from '@jest/globals';
import { type CanonicalError, type ErrorKind, TranslationError } from '../../translators/canonical/errors.js';
import { createLosses } from '../../translators/canonical/loss.js';
import type { JsonObject } from '../../translators/canonical/node.js';
import { generateContent } from '../../translators/generate-content/index.js';
import { dialects } from '../../translators/index.js';
import { CORPUS_ABSENT } from '../support/corpus.js';
import { recordings } from './support.js';

const { decodeError, encodeError, count, models, endpoint, target } = generateContent;
const failure = (code: number, status: string, message = 'm', details?: JsonObject[]) => ({
  error: { code, status, message, ...(details !== undefined && { details }) },
});
const detail = (type: string, more: JsonObject): JsonObject => ({
  '@type': `type.googleapis.com/google.rpc.${type}`,
  ...more,
});

describe('errors of the service', () => {
  test.each<[number, unknown, ErrorKind]>([
    [400, failure(400, 'INVALID_ARGUMENT'), 'invalid_request'],
    [400, failure(400, 'FAILED_PRECONDITION'), 'invalid_request'],
    [
      400,
      failure(
        400,
        'INVALID_ARGUMENT',
        'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      ),
      'context_length',
    ],
    [
      400,
      failure(400, 'INVALID_ARGUMENT', 'API key not valid.', [detail('ErrorInfo', { reason: 'API_KEY_INVALID' })]),
      'authentication',
    ],
    [401, failure(401, 'UNAUTHENTICATED'), 'authentication'],
    [403, failure(403, 'PERMISSION_DENIED'), 'permission'],
    [403, failure(403, 'PERMISSION_DENIED', 'This API method requires billing to be enabled.'), 'billing'],
    [404, failure(404, 'NOT_FOUND'), 'not_found'],
    [409, failure(409, 'ABORTED'), 'conflict'],
    [413, '<html>too large</html>', 'too_large'],
    [429, failure(429, 'RESOURCE_EXHAUSTED'), 'rate_limit'],
    [
      429,
      failure(429, 'RESOURCE_EXHAUSTED', 'check your plan and billing details. Please retry in 36.4s.'),
      'rate_limit',
    ],
    [499, failure(499, 'CANCELLED'), 'cancelled'],
    [500, failure(500, 'INTERNAL'), 'internal'],
    [502, 'bad gateway', 'internal'],
    [503, failure(503, 'UNAVAILABLE'), 'overloaded'],
    [504, failure(504, 'DEADLINE_EXCEEDED'), 'timeout'],
    [418, {}, 'invalid_request'],
    [200, [failure(503, 'UNAVAILABLE')], 'overloaded'],
  ])('%d %j', (status, body, kind) => {
    expect(decodeError(status, body, {}).kind).toBe(kind);
    expect(decodeError(status, typeof body === 'string' ? body : JSON.stringify(body), {}).kind).toBe(kind);
  });

  test('how long to wait: RetryInfo, then the header, then the words', () => {
    const wait = (details: JsonObject[] | undefined, header: string | undefined, message: string) =>
      decodeError(429, failure(429, 'RESOURCE_EXHAUSTED', message, details), { 'retry-after': header }).retryAfterMs;
    expect(wait([detail('RetryInfo', { retryDelay: '34.4s' })], '5', 'retry in 1s')).toBe(34400);
    expect(wait(undefined, '5', 'retry in 1s')).toBe(5000);
    expect(wait(undefined, undefined, 'Please retry in 48.939935699s.')).toBe(48940);
    expect(wait(undefined, undefined, 'm')).toBeUndefined();
  });

  test('messages: kept, unwrapped once, without keys and hosts; those of 5xx are our own', () => {
    const inner = JSON.stringify({ error: { message: 'inner words' } });
    expect(decodeError(400, failure(400, 'INVALID_ARGUMENT', inner), {}).message).toBe('inner words');
    const secret = decodeError(
      400,
      failure(
        400,
        'INVALID_ARGUMENT',
        'https://generativelanguage.googleapis.com/v1beta?key=SECRET123 AIzaSyA1234567890',
      ),
      {},
    ).message;
    expect(secret).not.toMatch(/SECRET123|AIzaSy|googleapis/);
    expect(decodeError(503, failure(503, 'UNAVAILABLE', 'host 10.0.0.1 down'), {}).message).not.toContain('10.0.0.1');
  });

  test('fields and models that it names', () => {
    const violations = [{ field: 'tools[0].function_declarations[2].name', description: 'd' }];
    expect(
      decodeError(
        400,
        failure(400, 'INVALID_ARGUMENT', 'm', [detail('BadRequest', { fieldViolations: violations })]),
        {},
      ).path,
    ).toBe('tools[0].function_declarations[2].name');
    expect(
      decodeError(404, failure(404, 'NOT_FOUND', 'models/x-1 is not found for API version v1beta'), {}).model,
    ).toBe('x-1');
  });

  const recorded = recordings().filter(({ status, response }) => status >= 400 && response !== undefined);
  (recorded.length > 0 ? test : test.skip)(`recorded ones ${recorded.length > 0 ? '' : CORPUS_ABSENT}`, () => {
    for (const { status, response } of recorded) {
      expect(decodeError(status, response, {})).toMatchObject({ kind: status === 404 ? 'not_found' : 'rate_limit' });
    }
  });
});

describe('errors for clients', () => {
  test('name the limits that are used up, whoever counted them', () => {
    const told = (dialect: 'messages' | 'responses', headers: Record<string, string>, status = 429) => {
      const { body } = encodeError(dialects[dialect].decodeError(status, {}, headers), {});
      const { details = [] } = body.error as { details?: JsonObject[] };
      return details.filter((one) => String(one['@type']).endsWith('QuotaFailure')).map(({ violations }) => violations);
    };
    const metric = (name: string) => `generativelanguage.googleapis.com/generate_content_${name}`;
    const requests = { 'x-ratelimit-limit-requests': '60', 'x-ratelimit-remaining-requests': '0' };
    const plenty = { 'x-ratelimit-limit-tokens': '9000', 'x-ratelimit-remaining-tokens': '5' };
    expect(told('responses', { ...requests, ...plenty })).toEqual([
      [{ quotaMetric: metric('requests'), quotaValue: '60' }],
    ]);
    expect(told('responses', plenty)).toEqual([]);
    expect(told('responses', requests, 400)).toEqual([]);
    expect(told('messages', { 'anthropic-ratelimit-input-tokens-remaining': '0' })).toEqual([
      [{ quotaMetric: metric('input_token_count') }],
    ]);
  });

  test.each<[ErrorKind, number, string]>([
    ['invalid_request', 400, 'INVALID_ARGUMENT'],
    ['context_length', 400, 'INVALID_ARGUMENT'],
    ['content_policy', 400, 'INVALID_ARGUMENT'],
    ['authentication', 401, 'UNAUTHENTICATED'],
    ['billing', 429, 'RESOURCE_EXHAUSTED'],
    ['permission', 403, 'PERMISSION_DENIED'],
    ['not_found', 404, 'NOT_FOUND'],
    ['conflict', 409, 'ABORTED'],
    ['too_large', 413, 'PAYLOAD_TOO_LARGE'],
    ['rate_limit', 429, 'RESOURCE_EXHAUSTED'],
    ['timeout', 504, 'DEADLINE_EXCEEDED'],
    ['cancelled', 499, 'CANCELLED'],
    ['overloaded', 503, 'UNAVAILABLE'],
    ['internal', 500, 'INTERNAL'],
    ['upstream', 503, 'UNAVAILABLE'],
    ['unsupported', 400, 'INVALID_ARGUMENT'],
  ])('%s is %d %s', (kind, status, word) => {
    const printed = encodeError({ kind, message: 'm' }, { requestId: 'r' });
    expect(printed).toMatchObject({
      status,
      body: {
        error: { code: status, message: expect.stringMatching(/^(?:The input token count .* \| )?m$/), status: word },
      },
      headers: { 'x-request-id': 'r' },
    });
  });

  test.each([
    [404, 'NOT_FOUND'],
    [405, 'INVALID_ARGUMENT'],
    [408, 'DEADLINE_EXCEEDED'],
    [415, 'INVALID_ARGUMENT'],
  ])('the HTTP layer keeps its own %d', (status, word) => {
    expect(encodeError({ kind: 'invalid_request', message: 'm', status }, {})).toMatchObject({
      status,
      body: { error: { code: status, status: word } },
    });
  });

  test('details: reasons, delays, fields, losses', () => {
    const details = (error: CanonicalError) => (encodeError(error, {}).body.error as JsonObject).details;
    expect(details({ kind: 'authentication', message: 'm' })).toMatchObject([
      { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' },
    ]);
    expect(details({ kind: 'rate_limit', message: 'm', retryAfterMs: 34400 })).toMatchObject([{ retryDelay: '34.4s' }]);
    expect(encodeError({ kind: 'rate_limit', message: 'm', retryAfterMs: 34400 }, {}).headers['retry-after']).toBe(
      '35',
    );
    expect(
      details({ kind: 'invalid_request', message: 'm', path: '/tools/0/functionDeclarations/2/name' }),
    ).toMatchObject([{ fieldViolations: [{ field: 'tools[0].function_declarations[2].name', description: 'm' }] }]);
    const refused = [
      { path: '/generationConfig/topK', feature: 'sampling.topK', kind: 'dropped', detail: 'd' },
    ] as const;
    expect(details({ kind: 'unsupported', message: 'm', refused })).toMatchObject([
      {
        fieldViolations: [{ field: 'generation_config.top_k', description: expect.stringContaining('sampling.topK') }],
      },
    ]);
  });

  test('what we write we read', () => {
    const kinds: ErrorKind[] = [
      'invalid_request',
      'authentication',
      'permission',
      'not_found',
      'conflict',
      'too_large',
      'rate_limit',
      'timeout',
      'cancelled',
      'overloaded',
      'internal',
    ];
    for (const kind of kinds) {
      const { status, body } = encodeError({ kind, message: 'm' }, {});
      expect(decodeError(status, body, {}).kind).toBe(kind);
    }
  });

  test('limits: only how long to wait', () => {
    expect(generateContent.decodeLimits({ 'retry-after': '2' }, 0)).toEqual({ retryAfterMs: 2000 });
    expect(generateContent.decodeLimits({ 'retry-after': 'Thu, 01 Jan 1970 00:00:10 GMT' }, 4000)).toEqual({
      retryAfterMs: 6000,
    });
    expect(generateContent.encodeLimits({ retryAfterMs: 1500, requests: { limit: 1 } }, 0)).toEqual({
      'retry-after': '2',
    });
  });
});

describe('paths', () => {
  const path = (model: string, stream = false, operation: 'create' | 'count' = 'create') =>
    endpoint(operation, { model, stream });
  test.each([
    ['gemini-2.5-flash', '/v1beta/models/gemini-2.5-flash:generateContent'],
    ['models/models/gemini-2.5-flash', '/v1beta/models/gemini-2.5-flash:generateContent'],
    ['tunedModels/my-model', '/v1beta/tunedModels/my-model:generateContent'],
    ['publishers/google/models/m', '/v1beta1/publishers/google/models/m:generateContent'],
    ['a?b&c#d%2e', '/v1beta/models/a%3Fb%26c%23d%252e:generateContent'],
    ['a:b', '/v1beta/models/a%3Ab:generateContent'],
  ])('%s', (model, expected) => {
    expect(path(model)).toBe(expected);
  });

  test('verbs', () => {
    expect(path('m', true)).toBe('/v1beta/models/m:streamGenerateContent?alt=sse');
    expect(path('m', true, 'count')).toBe('/v1beta/models/m:countTokens');
    expect(endpoint('models', { model: '', stream: false })).toBe('/v1beta/models');
  });

  test.each(['../admin', 'models/../../admin', 'a//b', 'a/./b', '', '/', 'tunedModels/..'])(
    '%j cannot leave its place',
    (model) => {
      expect(() => path(model)).toThrow(TranslationError);
    },
  );
});

describe('counting', () => {
  const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];
  const read = (body: unknown) => count.decodeRequest(body, { losses: createLosses(), model: 'm' });

  test('both forms of the request, never both at once', () => {
    expect(read({ contents }).turns).toHaveLength(1);
    const whole = read({
      generateContentRequest: { model: 'models/x', contents, systemInstruction: { parts: [{ text: 's' }] } },
    });
    expect(whole).toMatchObject({ instructions: [{ parts: [{ text: 's' }] }] });
    expect(() => read({ contents, generateContentRequest: { contents } })).toThrow(TranslationError);
  });

  test('the public host gets the whole request, the enterprise host the flat one', () => {
    const body = { contents, toolConfig: {}, tools: [{}], safetySettings: [], serviceTier: 'flex' };
    expect(count.encodeRequest({ body, model: 'm', stream: false })).toEqual({
      generateContentRequest: { model: 'models/m', contents, tools: [{}], toolConfig: {} },
    });
    expect(count.encodeRequest({ body, model: 'publishers/google/models/m', stream: false })).toEqual({
      contents,
      tools: [{}],
    });
  });

  test('answers', () => {
    expect(count.decodeResponse({ totalTokens: 12, cachedContentTokenCount: 3 })).toEqual({ input: 12, cached: 3 });
    expect(count.encodeResponse({ input: 12, cached: 3 })).toEqual({ totalTokens: 12, cachedContentTokenCount: 3 });
    expect(() => count.decodeResponse({ nope: 1 })).toThrow(TranslationError);
    for (const { operation, response, status } of recordings()) {
      if (operation === 'count_tokens' && status === 200)
        expect(count.decodeResponse(response).input).toBeGreaterThan(0);
    }
  });
});

describe('models', () => {
  const list = ['a', 'b', 'c'].map((id) => ({ id, owner: 'o', inputLimit: 5 }));

  test('pages', () => {
    const first = models.encodeList(list, { pageSize: '2' });
    expect(first).toMatchObject({
      models: [
        { name: 'models/a', inputTokenLimit: 5, supportedGenerationMethods: ['generateContent', 'countTokens'] },
        { name: 'models/b' },
      ],
      nextPageToken: 'b',
    });
    const second = models.encodeList(list, { pageSize: '2', pageToken: 'b' });
    expect(second).toMatchObject({ models: [{ name: 'models/c' }] });
    expect(second.nextPageToken).toBeUndefined();
  });

  test('what a backend lists', () => {
    expect(
      models.decodeList(
        { models: [{ name: 'models/x', displayName: 'X', outputTokenLimit: 7 }], nextPageToken: 't/1' },
        'o',
      ),
    ).toEqual({ models: [{ id: 'x', displayName: 'X', owner: 'o', outputLimit: 7 }], next: 'pageToken=t%2F1' });
    expect(models.decodeList({ publisherModels: [{ name: 'publishers/google/models/y' }] }, 'o').models).toEqual([
      { id: 'y', owner: 'o' },
    ]);
    expect(() => models.decodeList({ models: [1] }, 'o')).toThrow(TranslationError);
  });
});

describe('profiles', () => {
  test.each([
    [
      'gemini-1.5-pro',
      { signatures: 'advisory', mixHosted: 'no', jsonSchemaField: false, thinking: { control: 'none' } },
    ],
    [
      'gemini-2.0-flash-001',
      { signatures: 'advisory', schemaWithTools: false, functionIds: false, thinking: { control: 'none' } },
    ],
    [
      'gemini-2.5-flash-preview-09-2025',
      { thinking: { control: 'budget', canDisable: true, maxBudget: 24576 }, toolResultMedia: false },
    ],
    [
      'gemini-2.5-pro',
      { thinking: { control: 'budget', canDisable: false, minBudget: 128, maxBudget: 32768 }, prefill: true },
    ],
    ['gemini-2.5-flash-lite', { thinking: { minBudget: 512, defaultOn: false } }],
    [
      'gemini-3-pro-preview',
      {
        thinking: { control: 'level', levels: ['low', 'high'] },
        signatures: 'required',
        mixHosted: 'flag',
        prefill: true,
      },
    ],
    ['gemini-3-pro-image-preview', { outputMedia: ['image'], signatures: 'advisory' }],
    ['gemini-3.5-flash-lite', { prefill: false, sampling: ['none'] }],
    ['gemini-3.6-flash', { prefill: false, sampling: ['none'] }],
    ['gemini-9-ultra', { prefill: false, sampling: ['none'], signatures: 'required', thinking: { control: 'level' } }],
    ['models/gemini-2.5-pro', { thinking: { control: 'budget' } }],
  ])('%s', (model, expected) => {
    expect(target(model)).toMatchObject(expected);
  });

  test('the enterprise host mixes freely and knows no tool servers', () => {
    expect(target('gemini-3-pro', { cloud: true })).toMatchObject({ mixHosted: 'free' });
    expect(target('gemini-3-pro', { cloud: true }).toolTypes.mcp).toBeUndefined();
    expect(target('gemini-2.5-pro', { cloud: true }).mixHosted).toBe('no');
    expect(target('deployment-7', { model: 'gemini-2.5-pro', maxOutput: 5 })).toMatchObject({
      maxOutput: 5,
      thinking: { control: 'budget' },
    });
  });
});

test('a cut answer goes on with its token', () => {
  const sent = { body: { contents: [] }, model: 'm', stream: false };
  expect(generateContent.pauses?.resume(sent, { candidates: [{ continuationToken: 'dA==' }] })).toEqual({
    ...sent,
    body: { contents: [], continuationToken: 'dA==' },
  });
});
