import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type CanonicalError, type ErrorKind, encodeMediaError, type MediaSurface } from '../../translators/index.js';
import {
  json,
  type Recorder,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
  type Tree,
} from '../support/gateway/harness.js';
import { formHeaders, formOf } from './form.js';

/** [kind, images: status type code, videos: status type code], by the protocol sheet. */
const TABLE: readonly (readonly [ErrorKind, number, string, string | null, number, string])[] = [
  ['invalid_request', 400, 'invalid_request_error', null, 400, 'invalid_parameter'],
  ['context_length', 400, 'invalid_request_error', 'string_above_max_length', 400, 'string_above_max_length'],
  ['content_policy', 400, 'invalid_request_error', 'content_policy_violation', 400, 'content_policy_violation'],
  ['authentication', 401, 'authentication_error', 'invalid_api_key', 401, 'invalid_api_key'],
  ['billing', 400, 'invalid_request_error', 'billing_hard_limit_reached', 400, 'billing_hard_limit_reached'],
  ['permission', 403, 'permission_error', 'insufficient_permissions', 403, 'insufficient_permissions'],
  ['not_found', 404, 'invalid_request_error', null, 404, 'invalid_parameter'],
  ['conflict', 409, 'invalid_request_error', null, 400, 'invalid_parameter'],
  ['too_large', 413, 'invalid_request_error', null, 400, 'invalid_parameter'],
  ['rate_limit', 429, 'rate_limit_error', 'rate_limit_exceeded', 429, 'rate_limit_exceeded'],
  ['timeout', 504, 'server_error', 'internal_error', 500, 'internal_error'],
  ['cancelled', 499, 'server_error', 'internal_error', 499, 'internal_error'],
  ['overloaded', 503, 'server_error', 'internal_error', 500, 'internal_error'],
  ['internal', 500, 'server_error', 'internal_error', 500, 'internal_error'],
  ['upstream', 502, 'server_error', 'internal_error', 500, 'internal_error'],
  ['unsupported', 400, 'invalid_request_error', 'unsupported_translation', 400, 'unsupported_translation'],
];

const at = (surface: MediaSurface, error: CanonicalError) => encodeMediaError(surface, error, { requestId: 'r1' });

describe('errors of the media routes', () => {
  test.each(TABLE)('%s', (kind, status, type, code, videoStatus, videoCode) => {
    const error = { kind, message: 'why', path: '/images/0/image_url' };
    const param = 'images[0].image_url';
    expect(at('images', error)).toMatchObject({
      status,
      body: { error: { message: 'why', type, param, code } },
      headers: { 'x-request-id': 'r1' },
    });
    expect(at('videoA', error)).toMatchObject({
      status: videoStatus,
      body: { error: { message: 'why', type, code: videoCode } },
    });
    expect(at('videoB', error)).toMatchObject({
      status: videoStatus,
      body: { code: null, message: 'why', param, type },
    });
    expect(Object.keys(at('videoA', error).body)).toEqual(['error']);
    expect(Object.keys(at('videoB', error).body).sort()).toEqual(['code', 'message', 'param', 'type']);
  });

  test('keep codes of this protocol, on the image routes alone', () => {
    const error = { kind: 'invalid_request', message: 'm', code: 'invalid_size', path: '/size' } as const;
    expect(at('images', error).body).toEqual({
      error: { message: 'm', type: 'invalid_request_error', param: 'size', code: 'invalid_size' },
    });
    expect(at('videoA', error).body).toEqual({
      error: { message: 'm', type: 'invalid_request_error', code: 'invalid_parameter', param: 'size' },
    });
    expect(at('images', { ...error, code: 'INVALID_ARGUMENT' }).body).toMatchObject({ error: { code: null } });
    expect(at('images', { kind: 'rate_limit', message: 'm', code: 'tokens' }).body).toMatchObject({
      error: { code: 'rate_limit_exceeded' },
    });
  });

  test('are about no field when the fault is in none', () => {
    for (const path of [undefined, '', '/$headers/x-interlingua-losses']) {
      expect(at('images', { kind: 'invalid_request', message: 'm', path }).body).toMatchObject({
        error: { param: null },
      });
    }
  });

  test('say when and whether to try again', () => {
    expect(at('images', { kind: 'rate_limit', message: 'm', retryAfterMs: 1500 }).headers).toMatchObject({
      'retry-after': '2',
      'retry-after-ms': '1500',
    });
    expect(at('images', { kind: 'content_policy', message: 'm' }).headers).toMatchObject({ 'x-should-retry': 'false' });
    expect(at('images', { kind: 'upstream', message: 'm', retry: false }).headers).toMatchObject({
      'x-should-retry': 'false',
    });
    expect(at('images', { kind: 'upstream', message: 'm' }).headers).not.toHaveProperty('x-should-retry');
  });

  test('name an unknown model', () => {
    expect(at('images', { kind: 'not_found', message: 'm', model: 'x' })).toMatchObject({
      status: 400,
      body: { error: { param: 'model', code: 'model_not_found' } },
    });
  });
});

let backend: Recorder;
let gateway: TestGateway;
const KEY = { authorization: 'Bearer a-key-of-the-tests' };

beforeAll(async () => {
  backend = await startRecorder();
  gateway = await startGateway({
    backends: {
      any: { dialect: 'responses', baseUrl: backend.url, apiKey: 'an-upstream-key-of-ours', retries: 0 },
      dead: { dialect: 'responses', baseUrl: 'http://127.0.0.1:9', retries: 0 },
      gem: { dialect: 'generateContent', baseUrl: backend.url, retries: 0 },
    },
    models: { 'img-multi': { backend: 'any' }, dead: { backend: 'dead' }, gem: { backend: 'gem' } },
    keys: [
      { name: 'tests', key: 'a-key-of-the-tests' },
      { name: 'narrow', key: 'a-key-for-nothing', models: ['nothing'] },
    ],
    limits: { bodyMb: 0.01, uploadMb: 0.01, drainSeconds: 1 },
  });
});
afterAll(async () => {
  await gateway.close();
  await backend.close();
});

const BODY = { model: 'img-multi', prompt: 'x' };
const FORM = formOf([{ name: 'prompt', value: 'x' }]);

/** What a client sends, and the error that it is answered, on the image routes. */
const LIVE: readonly (readonly [string, Parameters<typeof send>[2] & { path?: string }, number, object])[] = [
  ['no key', { body: BODY }, 401, { type: 'authentication_error', code: 'invalid_api_key', param: null }],
  [
    'a wrong key',
    { body: BODY, headers: { authorization: 'Bearer x' } },
    401,
    { type: 'authentication_error', code: 'invalid_api_key' },
  ],
  [
    'a key without the model',
    { body: BODY, headers: { authorization: 'Bearer a-key-for-nothing' } },
    403,
    { type: 'permission_error', code: 'insufficient_permissions' },
  ],
  [
    'an unknown model',
    { body: { ...BODY, model: 'unknown' }, headers: KEY },
    400,
    { type: 'invalid_request_error', code: 'model_not_found', param: 'model' },
  ],
  [
    'the default model, which is not served here',
    { body: { prompt: 'x' }, headers: KEY },
    400,
    { code: 'model_not_found', param: 'model' },
  ],
  ['an empty model', { body: { ...BODY, model: '' }, headers: KEY }, 400, { param: 'model' }],
  [
    'a model that is no text',
    { body: { ...BODY, model: 7 }, headers: KEY },
    400,
    { param: 'model', code: 'invalid_type' },
  ],
  ['broken JSON', { body: '{"prompt":', headers: KEY }, 400, { param: null }],
  ['no object', { body: '[]', headers: KEY }, 400, { param: null, code: 'invalid_type' }],
  ['no body', { method: 'POST', headers: KEY }, 400, { param: null }],
  [
    'another type',
    { body: 'x', headers: { ...KEY, 'content-type': 'image/png' } },
    415,
    { type: 'invalid_request_error' },
  ],
  [
    'a form where JSON is wanted',
    { body: FORM, headers: { ...KEY, ...formHeaders(FORM) } },
    415,
    { type: 'invalid_request_error' },
  ],
  [
    'a large body',
    { body: { ...BODY, prompt: 'x'.repeat(20_000) }, headers: KEY },
    413,
    { type: 'invalid_request_error' },
  ],
  [
    'a large form',
    {
      path: '/v1/images/edits',
      body: Buffer.alloc(20_000),
      headers: { ...KEY, 'content-type': 'multipart/form-data; boundary=x' },
    },
    413,
    { type: 'invalid_request_error' },
  ],
  ['GET', { headers: KEY }, 405, { type: 'invalid_request_error' }],
  ['no such route', { path: '/v1/images/upscales', body: BODY, headers: KEY }, 404, { type: 'invalid_request_error' }],
  ['a bad policy', { body: BODY, headers: { ...KEY, 'x-interlingua-losses': 'maybe' } }, 400, { param: null }],
  [
    'a dead backend',
    { body: { ...BODY, model: 'dead' }, headers: KEY },
    502,
    { type: 'server_error', code: 'internal_error' },
  ],
  [
    'the headers of another dialect',
    { body: { prompt: 7 }, headers: { ...KEY, 'anthropic-version': '2023-06-01', 'x-goog-api-key': 'x' } },
    400,
    { param: 'prompt' },
  ],
  [
    'no mask object',
    {
      path: '/v1/images/edits',
      body: { ...BODY, images: [{ image_url: 'https://x.example/' }], mask: 7 },
      headers: KEY,
    },
    400,
    { param: 'mask' },
  ],
  [
    'no images',
    { path: '/v1/images/edits', body: BODY, headers: KEY },
    400,
    { param: 'images', code: 'missing_required_parameter' },
  ],
  [
    'an image with two sources',
    {
      path: '/v1/images/edits',
      body: { ...BODY, images: [{ image_url: 'https://x.example/', file_id: 'f' }] },
      headers: KEY,
    },
    400,
    { param: 'images[0]' },
  ],
  [
    'an image that is not a URL',
    { path: '/v1/images/edits', body: { ...BODY, images: [{ image_url: 'x' }] }, headers: KEY },
    400,
    { param: 'images[0].image_url', code: 'invalid_image_url' },
  ],
  [
    'an image that is no picture',
    {
      path: '/v1/images/edits',
      body: { ...BODY, images: [{ image_url: 'data:image/png;base64,aGk=' }] },
      headers: KEY,
    },
    400,
    { param: 'images[0].image_url', code: 'unsupported_file_mimetype' },
  ],
  [
    'an image on a private host',
    { path: '/v1/images/edits', body: { ...BODY, images: [{ image_url: 'http://127.0.0.1/x.png' }] }, headers: KEY },
    400,
    { param: 'images[0].image_url', code: 'invalid_image_url' },
  ],
];

describe('a fault on the image routes', () => {
  test.each(LIVE)('%s', async (_name, { path = '/v1/images/generations', ...sending }, status, expected) => {
    const before = backend.seen.length;
    const answer = await send(gateway.url, path, sending);
    expect([answer.status, answer.text.slice(0, 400)]).toEqual([status, expect.stringMatching(/^\{"error":\{/)]);
    expect(Object.keys(answer.body)).toEqual(['error']);
    expect(Object.keys(answer.body.error)).toEqual(['message', 'type', 'param', 'code']);
    expect(answer.body.error).toMatchObject(expected);
    expect(answer.headers['x-request-id']).toMatch(/^req_/);
    expect(backend.seen.length).toBe(before);
  });

  test.each([
    [
      '/v1/videos/abc',
      (body: Tree) => Object.keys(body.error).join() === 'message,type,code' && body.error.code === 'invalid_api_key',
    ],
    [
      '/v1/video/generations/abc',
      (body: Tree) => body.code === null && body.type === 'authentication_error' && body.param === null,
    ],
  ])('%s has its own form, also in front of every route', async (path, right) => {
    const answer = await send(gateway.url, path);
    expect([answer.status, right(answer.body)]).toEqual([401, true]);
  });
});

describe('a fault of the backend', () => {
  const from = {
    messages: { error: { message: 'said so', type: 'invalid_request_error', param: 'size', code: 'invalid_size' } },
  };

  test.each([
    [
      400,
      from.messages,
      400,
      { message: 'said so', type: 'invalid_request_error', param: 'size', code: 'invalid_size' },
    ],
    [
      401,
      {
        error: {
          message: 'key an-upstream-key-of-ours is wrong',
          type: 'invalid_request_error',
          code: 'invalid_api_key',
          param: null,
        },
      },
      502,
      { type: 'server_error', code: 'internal_error' },
    ],
    [
      429,
      { error: { message: 'slow', type: 'rate_limit_error', code: 'rate_limit_exceeded', param: null } },
      429,
      { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
    ],
    [
      400,
      { error: { message: 'limit', type: 'image_generation_user_error', code: 'moderation_blocked', param: null } },
      400,
      { type: 'image_generation_user_error', code: 'moderation_blocked' },
    ],
    [500, '<html>', 500, { type: 'server_error', code: 'internal_error' }],
    [302, 'x', 502, { type: 'server_error', code: 'internal_error' }],
    [200, '<html>', 502, { type: 'server_error', code: 'internal_error' }],
    [200, { created: 1 }, 502, { type: 'server_error', code: 'internal_error' }],
    [200, { created: 1, data: [] }, 502, { type: 'server_error', code: 'internal_error' }],
    [200, { created: 1, data: [{}] }, 502, { type: 'server_error', code: 'internal_error' }],
  ])('%d %j', async (status, body, told, error) => {
    backend.reply = (response) => {
      if (typeof body === 'string') {
        response.writeHead(status, { 'content-type': 'text/html', location: 'http://x.example/' });
        response.end(body);
      } else json(response, status, body);
    };
    const answer = await send(gateway.url, '/v1/images/generations', { body: BODY, headers: KEY });
    expect(answer.status).toBe(told);
    expect(answer.body.error).toMatchObject(error);
    expect(answer.text).not.toContain('an-upstream-key-of-ours');
  });

  test('of another protocol is told in the form of the route, and names no field of the backend', async () => {
    backend.reply = (response) =>
      json(response, 400, {
        error: {
          code: 400,
          message: 'bad ratio',
          status: 'INVALID_ARGUMENT',
          details: [
            {
              '@type': 'type.googleapis.com/google.rpc.BadRequest',
              fieldViolations: [{ field: 'generationConfig.imageConfig', description: 'x' }],
            },
          ],
        },
      });
    const answer = await send(gateway.url, '/v1/images/generations', { body: { ...BODY, model: 'gem' }, headers: KEY });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toEqual({
      message: expect.stringContaining('bad ratio'),
      type: 'invalid_request_error',
      param: null,
      code: null,
    });
  });
});
