import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createExchange, createLosses, type DialectId, dialects } from '../../translators/index.js';
import { send, startGateway, type TestGateway } from '../gateway/harness.js';
import { type FakeBackend, startFakeBackend } from '../support/fake-backend/index.js';

/** Large ordinary bodies are worked on in steps, between which others are served (attacks.md finding 18). */

const IDS: readonly DialectId[] = ['messages', 'responses', 'generateContent'];
const PAIRS = IDS.flatMap((client) => IDS.filter((id) => id !== client).map((backend) => [client, backend] as const));
const MODEL = { messages: 'claude-sonnet-4-6', responses: 'gpt-4.1', generateContent: 'gemini-2.5-flash' };

const PICTURE = `${'iVBORw0KGgoAAAANSUhEUgAA'.padEnd(4_000_000, 'Ab3/')}`;
const TEXT = 'The quick "brown" fox\njumps over the lazy dög. '.repeat(85);
const TURNS = Array.from({ length: 801 }, (_, index) => (index % 2 === 0 ? 'user' : 'assistant'));

const BODIES = {
  messages: (parts: 'picture' | 'turns', model: string) => ({
    model,
    max_tokens: 10,
    messages:
      parts === 'turns'
        ? TURNS.map((role) => ({ role, content: TEXT }))
        : [
            {
              role: 'user',
              content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: PICTURE } }],
            },
          ],
  }),
  responses: (parts: 'picture' | 'turns', model: string) => ({
    model,
    store: false,
    input:
      parts === 'turns'
        ? TURNS.map((role) => ({ role, content: TEXT }))
        : [{ role: 'user', content: [{ type: 'input_image', image_url: `data:image/png;base64,${PICTURE}` }] }],
  }),
  generateContent: (parts: 'picture' | 'turns') => ({
    contents:
      parts === 'turns'
        ? TURNS.map((role) => ({ role: role === 'user' ? 'user' : 'model', parts: [{ text: TEXT }] }))
        : [{ role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: PICTURE } }] }],
  }),
};

const PATHS = {
  messages: () => '/v1/messages',
  responses: () => '/v1/responses',
  generateContent: (model: string) => `/v1beta/models/${model}:generateContent`,
};

let fakes: Record<DialectId, FakeBackend>;
let gateway: TestGateway;

beforeAll(async () => {
  fakes = {
    messages: await startFakeBackend('messages', { strict: false }),
    responses: await startFakeBackend('responses', { strict: false }),
    generateContent: await startFakeBackend('generateContent', { strict: false }),
  };
  gateway = await startGateway({
    backends: {
      messages: { dialect: 'messages', baseUrl: fakes.messages.url },
      responses: { dialect: 'responses', baseUrl: fakes.responses.url },
      generateContent: { dialect: 'generateContent', baseUrl: fakes.generateContent.url },
    },
    models: Object.fromEntries(IDS.map((id) => [`to-${id}`, { backend: id, model: MODEL[id] }])),
  });
});

beforeEach(() => {
  for (const id of IDS) fakes[id].reset();
});

afterAll(async () => {
  await gateway.close();
  for (const id of IDS) await fakes[id].close();
});

/** What the library makes of a body, in one go. */
function translateText(text: string, client: DialectId, backend: DialectId): string {
  const losses = createLosses();
  const body = JSON.parse(text);
  const model = `to-${backend}`;
  const request = dialects[client].decodeRequest(body, { losses, model, stream: false });
  const { sent } = createExchange({
    client,
    backend,
    request: { ...request, model: MODEL[backend], stream: false },
    requestBody: body,
    requestedModel: model,
    profile: dialects[backend].profile(MODEL[backend], undefined),
    domain: 'example.org',
    losses,
    now: 0,
    nonce: '0',
  });
  return JSON.stringify(sent.body);
}

describe.each(['picture', 'turns'] as const)('a large request (%s)', (parts) => {
  test.each(PAIRS)('%s to %s arrives byte by byte as the library prints it', async (client, backend) => {
    const body = BODIES[client](parts, `to-${backend}`);
    const answer = await send(gateway.url, PATHS[client](`to-${backend}`), { body });
    expect(answer.status).toBe(200);
    // Not compared by the matcher, which would print both.
    expect(fakes[backend].requests[0]?.raw === translateText(JSON.stringify(body), client, backend)).toBe(true);
  });
});

test.each(PAIRS)('a large answer from %s reaches %s whole', async (backend, client) => {
  const text = `${TEXT.repeat(400)}\u{1f600}`;
  fakes[backend].script({ kind: 'text', text });
  const body =
    client === 'generateContent'
      ? { contents: [{ role: 'user', parts: [{ text: 'Go.' }] }] }
      : {
          model: `to-${backend}`,
          max_tokens: 10,
          store: false,
          input: 'Go.',
          messages: [{ role: 'user', content: 'Go.' }],
        };
  const answer = await send(gateway.url, PATHS[client](`to-${backend}`), { body });
  expect(answer.status).toBe(200);
  expect(JSON.stringify(answer.body).includes(JSON.stringify(text).slice(1, -1))).toBe(true);
});
