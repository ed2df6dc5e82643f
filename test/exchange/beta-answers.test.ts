import type { BetaMessage } from '@anthropic-ai/sdk/resources/beta/messages/messages';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  json,
  type Recorder,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
  type Tree,
} from '../support/gateway/harness.js';

// Types of the beta of messages want members that other answers have not: Java's client looks for them.

let recorder: Recorder;
let gateway: TestGateway;

const HEAD = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'm-real' };
const MESSAGE = { role: 'assistant', content: 'Hi', reasoning_content: 'Hm.' };

beforeAll(async () => {
  recorder = await startRecorder();
  recorder.reply = (response, { body }) => {
    if (JSON.parse(body).stream !== true) {
      const choices = [{ index: 0, message: MESSAGE, finish_reason: 'stop' }];
      json(response, 200, { ...HEAD, object: 'chat.completion', choices });
      return;
    }
    const { content, ...thought } = MESSAGE;
    const chunks = [
      { index: 0, delta: thought, finish_reason: null },
      { index: 0, delta: { content }, finish_reason: null },
      { index: 0, delta: {}, finish_reason: 'stop' },
    ].map((choice) => ({ ...HEAD, object: 'chat.completion.chunk', choices: [choice] }));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`);
  };
  gateway = await startGateway({
    backends: { chat: { dialect: 'chatCompletions', baseUrl: recorder.url } },
    models: { m: { backend: 'chat' } },
  });
});
afterAll(async () => {
  await Promise.all([gateway.close(), recorder.close()]);
});

const ask = (path: string, stream: boolean, headers: Record<string, string> = {}) => {
  const messages = [{ role: 'user', content: 'Hello' }];
  const thinking = { type: 'enabled', budget_tokens: 1024 };
  return send(gateway.url, path, { body: { model: 'm', max_tokens: 4096, thinking, stream, messages }, headers });
};

const eventsOf = (text: string): Tree[] =>
  text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []));

/** The members of answers to calls of the beta that others have not, as the official types have them. */
const MEMBERS = { context_management: null } satisfies Partial<BetaMessage>;
const COUNTS = { fallback_credit: null, iterations: null } satisfies Partial<BetaMessage['usage']>;

describe.each([
  ['asked for in the query', '/v1/messages?beta=true', {}],
  ['asked for by a header', '/v1/messages', { 'anthropic-beta': 'context-management-2025-06-27' }],
] as const)('the beta, %s', (_name, path, headers) => {
  test('has its members in a whole answer', async () => {
    const { body } = await ask(path, false, headers);
    expect(body).toMatchObject({ ...MEMBERS, usage: COUNTS });
  });

  test('and in the events of a stream', async () => {
    const events = eventsOf((await ask(path, true, headers)).text);
    const [first] = events;
    expect(first?.message).toMatchObject({ ...MEMBERS, usage: COUNTS });
    expect(events.find(({ type }) => type === 'message_delta')).toMatchObject({ ...MEMBERS, usage: COUNTS });
    const thoughts = events.flatMap(({ delta }) => (delta?.type === 'thinking_delta' ? [delta] : []));
    expect(thoughts).toEqual([{ type: 'thinking_delta', estimated_tokens: null, thinking: 'Hm.' }]);
  });
});

test('other calls get none of them', async () => {
  for (const stream of [false, true]) {
    const { text } = await ask('/v1/messages', stream);
    expect(text).toContain('Hm.');
    expect(text).not.toMatch(/context_management|fallback_credit|iterations|estimated_tokens/);
  }
});
