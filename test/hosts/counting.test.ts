import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { DialectId } from '../../translators/index.js';
import {
  json,
  type Recorder,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
  type Tree,
} from '../support/gateway/harness.js';

// A server that counts by the route of another dialect than it answers in is asked there, and not estimated.

let recorder: Recorder;
let gateway: TestGateway;

const PRESETS = ['vllm', 'sglang', 'llamacpp'] as const;
const ENDPOINTS = ['responses', 'chatCompletions'] as const;

/** Where each host counts for a backend of the dialect, as vLLM 0.32.0 and llama-server have their routes. */
const ROUTES = {
  vllm: { responses: '/v1/messages/count_tokens', chatCompletions: '/v1/messages/count_tokens' },
  sglang: { responses: '/v1/messages/count_tokens', chatCompletions: '/v1/messages/count_tokens' },
  llamacpp: { responses: '/v1/responses/input_tokens', chatCompletions: '/v1/chat/completions/input_tokens' },
} as const;

beforeAll(async () => {
  recorder = await startRecorder();
  const pairs = PRESETS.flatMap((preset) =>
    ENDPOINTS.map((dialect) => [`${preset}-${dialect}`, preset, dialect] as const),
  );
  gateway = await startGateway({
    backends: {
      ...Object.fromEntries(
        pairs.map(([name, preset, dialect]) => {
          const root = dialect === 'chatCompletions' ? '/v1' : '';
          return [name, { preset, dialect, baseUrl: `${recorder.url}${root}` }];
        }),
      ),
      native: { preset: 'vllm', dialect: 'responses', baseUrl: recorder.url, countTokens: 'native' },
    },
    models: Object.fromEntries([...pairs.map(([name]) => name), 'native'].map((name) => [name, { backend: name }])),
  });
});
beforeEach(() => {
  recorder.seen.length = 0;
  recorder.reply = (response) => json(response, 200, { input_tokens: 19, object: 'response.input_tokens' });
});
afterAll(async () => {
  await Promise.all([gateway.close(), recorder.close()]);
});

const TOOL = { name: 'get_time', description: 'The time.' };
const CLIENTS: Readonly<Partial<Record<DialectId, (model: string) => { path: string; body: Tree }>>> = {
  messages: (model) => ({
    path: '/v1/messages/count_tokens',
    body: {
      model,
      system: 'Be brief.',
      messages: [{ role: 'user', content: 'Say hello' }],
      tools: [{ ...TOOL, input_schema: { type: 'object' } }],
    },
  }),
  responses: (model) => ({
    path: '/v1/responses/input_tokens',
    body: {
      model,
      instructions: 'Be brief.',
      input: 'Say hello',
      tools: [{ type: 'function', ...TOOL, parameters: { type: 'object' } }],
    },
  }),
  generateContent: (model) => ({
    path: `/v1beta/models/${model}:countTokens`,
    body: {
      generateContentRequest: {
        model: `models/${model}`,
        systemInstruction: { parts: [{ text: 'Be brief.' }] },
        contents: [{ role: 'user', parts: [{ text: 'Say hello' }] }],
        tools: [{ functionDeclarations: [TOOL] }],
      },
    },
  }),
};

const countIn = (body: Tree): unknown => body.input_tokens ?? body.totalTokens;

describe.each(PRESETS)('%s', (preset) => {
  describe.each(ENDPOINTS)('with a backend of %s', (dialect) => {
    test.each(Object.entries(CLIENTS))('counts for clients of %s', async (_client, ask) => {
      const { path, body } = ask(`${preset}-${dialect}`);
      const answer = await send(gateway.url, path, { body });
      expect([answer.status, countIn(answer.body)]).toEqual([200, 19]);
      expect(answer.headers['x-interlingua-estimate']).toBeUndefined();
      expect(recorder.seen.map((seen) => seen.path)).toEqual([ROUTES[preset][dialect]]);
      const said = recorder.seen[0]?.body ?? '';
      for (const words of ['Be brief.', 'Say hello', 'get_time', 'The time.']) expect(said).toContain(words);
    });

    test.each([404, 400])('is estimated where it answers %i', async (status) => {
      const isKnown = preset === 'llamacpp' && status === 400;
      recorder.reply = (response) => json(response, status, { error: { message: 'no', type: 'x', code: status } });
      for (const ask of Object.values(CLIENTS)) {
        const { path, body } = ask(`${preset}-${dialect}`);
        const answer = await send(gateway.url, path, { body });
        // What the route of the backend's own dialect refuses would be refused of the request as well.
        expect([answer.status, answer.headers['x-interlingua-estimate']]).toEqual(
          isKnown ? [400, undefined] : [200, 'true'],
        );
      }
    });
  });
});

test.each([
  [400, 400, 'too many tools'],
  [422, 400, 'too many tools'],
  [404, 404, 'the backend does not count tokens'],
])('a backend whose counts are not estimated says itself why there is none: %i', async (said, status, words) => {
  const error = { type: 'invalid_request_error', message: 'too many tools' };
  recorder.reply = (response) => json(response, said, { type: 'error', error });
  for (const ask of Object.values(CLIENTS)) {
    const { path, body } = ask('native');
    const answer = await send(gateway.url, path, { body });
    expect([answer.status, answer.body.error.message]).toEqual([status, expect.stringContaining(words)]);
  }
});
