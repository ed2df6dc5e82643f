import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type FakeBackend, startFakeBackend } from '../support/fake-backend/index.js';
import { openApplication, type TestApplication } from '../support/gateway/application.js';

/** Which backends get marks for clients that know none (configuration.md#prompt-caches): by configuration, host and dialect of the client. */

let fake: FakeBackend;
let gateway: TestApplication;
let switchedOff: TestApplication;

beforeAll(async () => {
  fake = await startFakeBackend('messages');
  const backend = { dialect: 'messages', baseUrl: fake.url } as const;
  const backends = {
    default: backend,
    auto: { ...backend, cache: 'auto' as const },
    off: { ...backend, cache: 'off' as const },
    host: { ...backend, preset: 'deepseek' as const },
  };
  const models = Object.fromEntries(
    Object.keys(backends).map((name) => [`${name}/*`, { backend: name, model: 'claude-sonnet-4-6' }]),
  );
  gateway = openApplication({ backends, models });
  switchedOff = openApplication({ backends, models, translate: { cache: 'off' } });
});

beforeEach(() => fake.reset());

afterAll(async () => {
  await gateway.close();
  await switchedOff.close();
  await fake.close();
});

const SYSTEM = 'Look before you answer. '.repeat(200);
const LOOK = { name: 'look', parameters: { type: 'object' } };

const CLIENTS = {
  responses: (model: string) => ({
    path: '/v1/responses',
    body: { model, instructions: SYSTEM, input: 'Go.', tools: [{ type: 'function', ...LOOK }] },
  }),
  chatCompletions: (model: string) => ({
    path: '/v1/chat/completions',
    body: {
      model,
      messages: [
        { role: 'system', content: SYSTEM },
        { role: 'user', content: 'Go.' },
      ],
      tools: [{ type: 'function', function: LOOK }],
    },
  }),
  generateContent: (model: string) => ({
    path: `/v1beta/models/${encodeURIComponent(model)}:generateContent`,
    body: {
      systemInstruction: { parts: [{ text: SYSTEM }] },
      contents: [{ role: 'user', parts: [{ text: 'Go.' }] }],
      tools: [{ functionDeclarations: [LOOK] }],
    },
  }),
  messages: (model: string) => ({
    path: '/v1/messages',
    body: {
      model,
      max_tokens: 100,
      system: SYSTEM,
      messages: [{ role: 'user', content: 'Go.' }],
      tools: [{ name: 'look', input_schema: { type: 'object' } }],
    },
  }),
};

/** How many marks the backend gets of a client's request for a model, and the reported losses. */
async function marks({ http }: TestApplication, client: keyof typeof CLIENTS, model: string) {
  const { path, body } = CLIENTS[client](model);
  const { status, headers } = await http.post(path).send(body);
  expect(status).toBe(200);
  const told = String(headers['x-interlingua-loss'] ?? '').includes('cache.auto;kind=invented');
  return { marks: JSON.stringify(fake.requests.at(-1)?.body).split('"cache_control":').length - 1, told };
}

describe.each(['responses', 'generateContent', 'chatCompletions'] as const)('a client of %s', (client) => {
  test.each(['default', 'auto'])('is given marks at a backend of messages: %s', async (name) => {
    expect(await marks(gateway, client, `${name}/m`)).toEqual({ marks: 2, told: true });
  });

  test.each(['off', 'host'])('is given none where they are switched off, or ignored: %s', async (name) => {
    expect(await marks(gateway, client, `${name}/m`)).toEqual({ marks: 0, told: false });
  });
});

test('what is switched off for all can be on for one backend', async () => {
  expect(await marks(switchedOff, 'responses', 'default/m')).toEqual({ marks: 0, told: false });
  expect(await marks(switchedOff, 'responses', 'auto/m')).toEqual({ marks: 2, told: true });
});

test('a body of messages is relayed as it is', async () => {
  expect(await marks(gateway, 'messages', 'default/m')).toEqual({ marks: 0, told: false });
});
