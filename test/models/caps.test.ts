import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import {
  json,
  type Recorder,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
  WHOLE,
} from '../support/gateway/harness.js';

let backend: Recorder;
let gateway: TestGateway;

beforeAll(async () => {
  backend = await startRecorder();
  const at = { baseUrl: backend.url, domain: 'd' };
  gateway = await startGateway({
    backends: {
      messages: { ...at, dialect: 'messages', models: { 'claude-sonnet-4-5': { maxOutput: 900 } } },
      responses: { ...at, dialect: 'responses', profile: { maxOutput: 5000 } },
      generateContent: { ...at, dialect: 'generateContent' },
      chatCompletions: { ...at, dialect: 'chatCompletions' },
    },
    models: {
      messages: { backend: 'messages', model: 'claude-sonnet-4-5' },
      responses: { backend: 'responses', maxOutput: 900 },
      generateContent: { backend: 'generateContent', model: 'gemini-2.5-pro', maxOutput: 900 },
      chatCompletions: { backend: 'chatCompletions', maxOutput: 900 },
      raised: { backend: 'messages', model: 'claude-haiku-4-5', maxOutput: 100_000 },
    },
  });
});

afterAll(async () => {
  await gateway.close();
  await backend.close();
});

beforeEach(() => {
  backend.seen.length = 0;
});

const CAPS = {
  messages: (body: Record<string, unknown>) => body.max_tokens,
  responses: (body: Record<string, unknown>) => body.max_output_tokens,
  generateContent: (body: Record<string, Record<string, unknown>>) => body.generationConfig?.maxOutputTokens,
  chatCompletions: (body: Record<string, unknown>) => body.max_tokens ?? body.max_completion_tokens,
} as const;

/** The cap that a backend gets for a client's of this size. */
async function sentCap(model: string, dialect: keyof typeof CAPS, wished: number): Promise<unknown> {
  backend.reply = (response) => json(response, 200, WHOLE[dialect]('hello'));
  const question = [{ role: 'user', content: 'hello' }];
  const isForeign = dialect !== 'messages';
  await (isForeign
    ? send(gateway.url, '/v1/messages', { body: { model, max_tokens: wished, messages: question } })
    : send(gateway.url, '/v1/responses', { body: { model, max_output_tokens: wished, input: 'hello' } }));
  return CAPS[dialect](JSON.parse(backend.seen[0]?.body ?? '{}'));
}

test.each(['messages', 'responses', 'generateContent', 'chatCompletions'] as const)(
  'the maxOutput of the file bounds the cap of requests to %s',
  async (dialect) => {
    expect(await sentCap(dialect, dialect, 20_000)).toBe(900);
  },
);

test('it may also be above what the profile knows', async () => {
  expect(await sentCap('raised', 'messages', 90_000)).toBe(90_000);
});
