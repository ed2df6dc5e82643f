import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { send, startGateway, type TestGateway } from '../support/gateway/harness.js';

/** The simulated service of chat completions behind a gateway that relays. */
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({
    backends: { sim: { dialect: 'chatCompletions', simulator: true } },
    models: { '*': { backend: 'sim' } },
  });
});
afterAll(() => gateway.close());

const tools = [
  {
    type: 'function',
    function: {
      name: 'look',
      parameters: { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] },
    },
  },
];
const question = { role: 'user', content: 'Please look.' };

async function ask(messages: readonly object[], more: object = {}) {
  const body = { model: 'sim-chat-completions', messages, tools, reasoning_effort: 'high', ...more };
  const { status, body: answer } = await send(gateway.url, '/v1/chat/completions', { body });
  return {
    status,
    error: answer.error,
    message: answer.choices?.[0].message,
    finish: answer.choices?.[0].finish_reason,
  };
}

describe('a tool loop', () => {
  test('reasoning comes in the open, with the state that belongs to it, and is taken back', async () => {
    const { message, finish } = await ask([question]);
    expect(finish).toBe('tool_calls');
    expect(message).toMatchObject({
      role: 'assistant',
      reasoning_content: expect.stringMatching(/look/),
      reasoning_opaque: expect.any(String),
      tool_calls: [{ type: 'function', function: { name: 'look', arguments: expect.stringMatching(/^\{"at":/) } }],
    });
    expect(message.reasoning_details).toBeUndefined();
    const result = { role: 'tool', tool_call_id: message.tool_calls[0].id, content: 'a tree' };
    const second = await ask([question, message, result]);
    expect([second.status, second.finish]).toEqual([200, 'stop']);
    expect(second.message.content).toContain('a tree');
  });

  test('state that was not issued here is refused', async () => {
    const assistant = { role: 'assistant', content: 'x', reasoning_opaque: Buffer.alloc(64).toString('base64') };
    const { status, error } = await ask([question, assistant, question]);
    expect([status, error]).toMatchObject([
      400,
      { param: 'messages[1].reasoning_opaque', type: 'invalid_request_error' },
    ]);
  });
});

test.each<[string, readonly object[], object, RegExp]>([
  ['no messages', [], {}, /messages/],
  ['a result without its call', [question, { role: 'tool', tool_call_id: 'x', content: 'y' }], {}, /tool/],
  ['log probabilities that are not asked for', [question], { top_logprobs: 3 }, /top_logprobs/],
  ['options of a stream without one', [question], { stream_options: { include_usage: true } }, /stream_options/],
])('%s: 400', async (_about, messages, more, told) => {
  const { status, error } = await ask(messages, more);
  expect([status, error.type]).toEqual([400, 'invalid_request_error']);
  expect(error.message).toMatch(told);
});

test('its one model is in its list, which services of the dialect have below their root', async () => {
  const { body } = await send(gateway.url, '/v1/models', { method: 'GET' });
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual(['sim-chat-completions']);
});

test('a stream ends with its counts, where they are asked for, and [DONE]', async () => {
  const body = { model: 'm', messages: [question], stream: true, stream_options: { include_usage: true } };
  const { text } = await send(gateway.url, '/v1/chat/completions', { body });
  const events = text.trimEnd().split('\n\n');
  expect(events.at(-1)).toBe('data: [DONE]');
  expect(JSON.parse(events.at(-2)?.slice(6) ?? '')).toMatchObject({
    choices: [],
    usage: { total_tokens: expect.any(Number) },
  });
  expect(JSON.parse(events.at(-3)?.slice(6) ?? '')).toMatchObject({ choices: [{ delta: {}, finish_reason: 'stop' }] });
});
