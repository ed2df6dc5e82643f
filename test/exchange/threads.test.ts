import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createFetch } from '../../src/fetch/index.js';
import {
  json,
  type Recorder,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
  WHOLE,
} from '../support/gateway/harness.js';

const BETA = 'message-threads-2026-08-12';
const CREATE = { type: 'create' };
const CONTINUE = { type: 'continue', previous_message_id: 'msg_1' };

/** Hosts that are known to keep conversations, one that nobody knows, and one whose operator lets no such feature through. */
const ANYWHERE = ['vendor', 'foundry', 'unknown', 'barred', 'gemini'] as const;

let backend: Recorder;
let gateway: TestGateway;
beforeAll(async () => {
  backend = await startRecorder();
  const baseUrl = backend.url;
  gateway = await startGateway({
    backends: {
      vendor: { preset: 'anthropic', baseUrl, apiKey: 'k-vendor-0123456789' },
      foundry: { preset: 'foundry', dialect: 'messages', baseUrl, apiKey: 'k-foundry-0123456789' },
      unknown: { dialect: 'messages', baseUrl },
      barred: { preset: 'anthropic', baseUrl, apiKey: 'k-barred-0123456789', betas: ['context-1m-2025-08-07'] },
      gemini: { dialect: 'generateContent', baseUrl },
    },
    models: Object.fromEntries(ANYWHERE.map((name) => [name, { backend: name }])),
  });
});
afterAll(() => Promise.all([gateway.close(), backend.close()]));
beforeEach(() => {
  backend.seen.length = 0;
  backend.reply = (response) => json(response, 200, { ...WHOLE.messages('Hello'), input_tokens: 7 });
});

interface Asked {
  readonly thread: object;
  readonly path?: string;
  readonly policy?: string;
}

function ask(model: string, { thread, path = '/v1/messages', policy = 'report' }: Asked) {
  const messages = [{ role: 'user', content: 'And now?' }];
  return send(gateway.url, path, {
    body: { model, ...(path === '/v1/messages' && { max_tokens: 100 }), messages, thread },
    headers: { 'anthropic-beta': `${BETA},context-1m-2025-08-07`, 'x-interlingua-losses': policy },
  });
}

const REFUSED = {
  type: 'invalid_request_error',
  details: { error_code: 'thread_unsupported_request', unsupported: ['thread'] },
};

describe.each(['vendor', 'foundry'])('%s keeps conversations', (model) => {
  test.each([CREATE, CONTINUE])('$type passes, byte for byte', async (thread) => {
    const { status, headers } = await ask(model, { thread, policy: 'strict' });
    expect([status, headers['x-interlingua-losses']]).toEqual([200, '0']);
    expect(JSON.parse(backend.seen[0]?.body ?? '').thread).toEqual(thread);
    expect(backend.seen[0]?.headers['anthropic-beta']).toContain(BETA);
  });
});

describe.each(['unknown', 'barred'])('at a host that keeps none, or may not be asked to (%s)', (model) => {
  test.each(['report', 'strict'])('a conversation begins without it (%s)', async (policy) => {
    const { status, headers } = await ask(model, { thread: CREATE, policy });
    expect([status, headers['x-interlingua-losses']]).toEqual([200, '0;minor=1']);
    expect(headers['x-interlingua-loss']).toContain('thread;kind=dropped;path="/thread"');
    expect(JSON.parse(backend.seen[0]?.body ?? '')).not.toHaveProperty('thread');
    expect(backend.seen[0]?.headers['anthropic-beta']).toBe('context-1m-2025-08-07');
  });
});

describe.each(['unknown', 'barred', 'gemini'])('the end of a conversation alone, for %s', (model) => {
  test.each(['report', 'strict'])('is refused before any call (%s)', async (policy) => {
    const { status, body } = await ask(model, { thread: CONTINUE, policy });
    expect(status).toBe(400);
    expect(body.error).toMatchObject(REFUSED);
    expect(backend.seen).toEqual([]);
  });

  test('its tokens are not counted either', async () => {
    const { status, body } = await ask(model, { thread: CONTINUE, path: '/v1/messages/count_tokens' });
    expect(status).toBe(400);
    expect(body.error).toMatchObject(REFUSED);
    expect(backend.seen).toEqual([]);
  });
});

test('createFetch holds to it too', async () => {
  const fetch = createFetch({ to: 'messages', baseUrl: backend.url });
  const client = new Anthropic({ apiKey: 'unused', fetch, maxRetries: 0 });
  const request = { model: 'm', max_tokens: 100, messages: [{ role: 'user' as const, content: 'And now?' }] };
  const asked = client.messages.create({ ...request, thread: CONTINUE } as typeof request);
  await expect(asked).rejects.toMatchObject({ status: 400, error: { error: REFUSED } });
  expect(backend.seen).toEqual([]);
  await client.messages.create({ ...request, thread: CREATE } as typeof request);
  expect(JSON.parse(backend.seen[0]?.body ?? '')).not.toHaveProperty('thread');
});
