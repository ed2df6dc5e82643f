import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createFamilyOf, MEDIA_FAMILIES } from '../../translators/index.js';
import {
  json,
  type Recorder,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
} from '../support/gateway/harness.js';
import { share } from '../support/runs.js';
import { type Request, RULES, type Rule } from './family-rules.js';
import { formHeaders, formOf, type SentPart } from './form.js';

let backend: Recorder;
let gateway: TestGateway;

beforeAll(async () => {
  backend = await startRecorder();
  backend.reply = (response) =>
    json(response, 200, { created: 1, data: [{ url: 'https://x.example/1', b64_json: 'AAAA' }] });
  gateway = await startGateway({
    backends: { any: { dialect: 'responses', baseUrl: backend.url, retries: 0 } },
    limits: { drainSeconds: 1 },
  });
});
afterAll(async () => {
  await gateway.close();
  await backend.close();
});

function isForm(request: Request): request is readonly SentPart[] {
  return Array.isArray(request);
}

function ask({ route, model }: Rule, request: Request) {
  const path = `/v1/images/${route}`;
  if (!isForm(request)) return send(gateway.url, path, { body: { model, ...request } });
  const named = request.some(({ name }) => name === 'model') ? request : [{ name: 'model', value: model }, ...request];
  const body = formOf(named);
  return send(gateway.url, path, { body, headers: formHeaders(body) });
}

describe('the rules of the families', () => {
  test.each(share(RULES).map((rule) => [`${rule.model} ${rule.route}: ${rule.rule}`, rule] as const))(
    '%s',
    async (_name, rule) => {
      const before = backend.seen.length;
      const refused = await ask(rule, rule.bad);
      expect(refused.body).toEqual({
        error: {
          message: expect.stringMatching(/./),
          type: 'invalid_request_error',
          param: rule.param,
          code: rule.code ?? expect.stringMatching(/^[a-z_]+$/),
        },
      });
      expect(refused.status).toBe(400);
      expect(backend.seen.length).toBe(before);
      const served = await ask(rule, rule.good);
      expect([served.status, served.text.slice(0, 300)]).toEqual([200, expect.stringContaining('"data"')]);
      expect(backend.seen.length).toBe(before + 1);
      backend.seen.length = 0;
    },
  );

  test('every image family is in the table of the tests', () => {
    const tested = new Set(RULES.map(({ model }) => model));
    expect(Object.keys(MEDIA_FAMILIES).filter((family) => !tested.has(family))).toEqual(['video-2']);
  });
});

describe('the family of a model', () => {
  test.each([
    ['dall-e-2', 'img-legacy'],
    ['dall-e-3', 'img-v3'],
    ['gpt-image-1', 'img-multi'],
    ['gpt-image-1.5', 'img-multi'],
    ['gpt-image-1-mini', 'img-multi'],
    ['gpt-image-2', 'img-multi-2'],
    ['openai/gpt-image-1', 'img-multi'],
    ['flux-kontext-dev', 'img-ctx'],
    ['black-forest-labs/flux.1-kontext-pro', 'img-ctx-pro'],
    ['FLUX.1-Kontext-max', 'img-ctx-max'],
    ['imagen-4.0-generate-001', 'img-wide-4-standard'],
    ['imagen-4.0-ultra-generate-001', 'img-wide-4-ultra'],
    ['imagen-4.0-fast-generate-001', 'img-wide-4-fast'],
    ['imagen-3.0-generate-002', 'img-wide-3-standard'],
    ['imagen-3.0-fast-generate-001', 'img-wide-3-fast'],
    ['imagen-5.0', 'img-wide'],
    ['sora-2-pro', 'video-2'],
    ['img-ctx-max', 'img-ctx-max'],
    ['gemini-3.1-flash-image', undefined],
    ['gpt-5', undefined],
  ])('%s is of %s', (model, family) => {
    expect(createFamilyOf()(model)).toBe(family);
  });

  test('configured patterns stand in front, and the longest wins', () => {
    const familyOf = createFamilyOf({ 'img-v3': ['gpt-image-*', 'house'], 'img-multi': ['gpt-image-1-house*'] });
    expect(familyOf('gpt-image-2')).toBe('img-v3');
    expect(familyOf('gpt-image-1-house-2')).toBe('img-multi');
    expect(familyOf('house')).toBe('img-v3');
    expect(familyOf('house-2')).toBeUndefined();
  });
});
