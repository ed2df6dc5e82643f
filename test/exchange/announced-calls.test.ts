import { expect, test } from '@jest/globals';
import { createStreamTranslator, translateResponse } from '../../translators/index.js';

const CALL = { id: 'fc_1', type: 'function_call', call_id: 'c1', name: 'look', arguments: '', status: 'in_progress' };
const MESSAGE = { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] };
const HEAD = { id: 'resp_1', object: 'response', created_at: 1, model: 'm', status: 'in_progress', output: [] };

/** A stream of responses that announces a call while its text goes on, up to a stop string. */
const EVENTS = [
  { type: 'response.created', response: HEAD },
  { type: 'response.output_item.added', output_index: 0, item: MESSAGE },
  {
    type: 'response.content_part.added',
    output_index: 0,
    item_id: 'msg_1',
    content_index: 0,
    part: { type: 'output_text', text: '', annotations: [] },
  },
  { type: 'response.output_text.delta', output_index: 0, item_id: 'msg_1', content_index: 0, delta: 'one ' },
  { type: 'response.output_item.added', output_index: 1, item: CALL },
  { type: 'response.output_text.delta', output_index: 0, item_id: 'msg_1', content_index: 0, delta: 'two END three' },
];

const ASKS = {
  messages: {
    model: 'm',
    max_tokens: 9,
    stream: true,
    stop_sequences: ['END'],
    messages: [{ role: 'user', content: 'x' }],
  },
  chatCompletions: { model: 'm', stream: true, stop: ['END'], messages: [{ role: 'user', content: 'x' }] },
} as const;

test.each(['messages', 'chatCompletions'] as const)(
  'a call that was announced and did not begin before a stop string is not written for %s',
  (to) => {
    const translator = createStreamTranslator({ from: 'responses', to, request: ASKS[to], now: 1, nonce: 'n' });
    let out = '';
    for (const [index, event] of EVENTS.entries()) {
      const data = JSON.stringify({ ...event, sequence_number: index });
      out += translator.push(`event: ${event.type}\ndata: ${data}\n\n`);
    }
    out += translator.end();
    expect(out).toContain('two ');
    expect(out).not.toContain('three');
    expect(out).not.toContain('look');
  },
);

test('free text comes back as such although the profile that reads the answer names a host alone', () => {
  const request = { model: 'm', input: 'x', tools: [{ type: 'custom', name: 'patch' }] };
  const call = { id: 'c1', type: 'function', function: { name: 'patch', arguments: '{"input":"free"}' } };
  const body = {
    id: 'a',
    object: 'chat.completion',
    created: 1,
    model: 'gpt-4o',
    choices: [
      { index: 0, finish_reason: 'tool_calls', message: { role: 'assistant', content: null, tool_calls: [call] } },
    ],
  };
  const profile = { host: 'api.openai.com' };
  const { body: answer } = translateResponse({ from: 'chatCompletions', to: 'responses', body, request, profile });
  expect(answer.output).toMatchObject([{ type: 'custom_tool_call', name: 'patch', input: 'free' }]);
});
