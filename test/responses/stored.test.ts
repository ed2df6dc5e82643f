import { describe, expect, test } from '@jest/globals';
import {
  decodeRequest,
  dialects,
  requirements,
  storedResponses,
  TranslationError,
  translateRequest,
} from '../../translators/index.js';

const EARLIER = [
  { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'first' }] },
  {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    phase: 'commentary',
    content: [{ type: 'output_text', text: 'answer', annotations: [] }],
  },
];

describe('what a host kept', () => {
  test('is asked for by id and place', () => {
    const body = {
      model: 'm',
      previous_response_id: 'resp_1',
      input: [{ type: 'item_reference', id: 'msg_9' }, { id: 'fc_2' }],
    };
    const { value } = decodeRequest('responses', body);
    expect(requirements(value, dialects.messages.target('claude-sonnet-4-5')).state).toEqual([
      { id: 'resp_1', path: '/previous_response_id' },
      { id: 'msg_9', path: '/input/0' },
      { id: 'fc_2', path: '/input/1' },
    ]);
  });

  test('stands in front of the input, and its losses where the body names it', () => {
    const { body, losses } = translateRequest({
      from: 'responses',
      to: 'messages',
      model: 'claude-sonnet-4-5',
      body: { model: 'm', previous_response_id: 'resp_1', input: 'second', max_output_tokens: 100, store: false },
      state: { resp_1: EARLIER },
    });
    expect(body.messages).toEqual([
      { role: 'user', content: 'first' },
      { role: 'assistant', content: 'answer' },
      { role: 'user', content: 'second' },
    ]);
    expect(losses).toEqual([
      expect.objectContaining({ path: '/previous_response_id', feature: 'part.phase', kind: 'dropped' }),
    ]);
  });

  test('stands in the place of a reference', () => {
    const { body } = translateRequest({
      from: 'responses',
      to: 'generateContent',
      model: 'gemini-3-pro',
      body: {
        model: 'm',
        input: [EARLIER[0], { type: 'item_reference', id: 'msg_1' }, { role: 'user', content: 'and?' }],
      },
      state: { msg_1: [EARLIER[1] ?? {}] },
    });
    expect(body.contents).toEqual([
      { role: 'user', parts: [{ text: 'first' }] },
      { role: 'model', parts: [{ text: 'answer' }] },
      { role: 'user', parts: [{ text: 'and?' }] },
    ]);
  });

  test.each([
    ['an answer', { model: 'm', input: 'x', previous_response_id: 'toString' }, '/previous_response_id'],
    ['an item', { model: 'm', input: [{ type: 'item_reference', id: 'constructor' }] }, '/input/0'],
  ])('%s that was not kept is refused by name', (_what, body, path) => {
    const work = () =>
      translateRequest({ from: 'responses', to: 'messages', model: 'claude-sonnet-4-5', body, state: {} });
    expect(work).toThrow(TranslationError);
    expect(work).toThrow(expect.objectContaining({ path }));
  });
});

test.each(['function_call', 'function_call_output', 'custom_tool_call_output', 'shell_call'])(
  'a %s is listed with its status',
  (type) => {
    expect(storedResponses.listedItem({ type, call_id: 'c' })).toEqual({ type, call_id: 'c', status: 'completed' });
    expect(storedResponses.listedItem({ type, status: 'incomplete' })).toEqual({ type, status: 'incomplete' });
    expect(storedResponses.listedItem({ type: 'reasoning', summary: [] })).not.toHaveProperty('status');
  },
);
