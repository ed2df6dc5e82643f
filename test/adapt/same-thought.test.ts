import { expect, test } from '@jest/globals';
import { translateRequest, translateResponse } from '../../translators/index.js';

/** What a chat server answers in each turn: the same thought, and a call. */
const answer = (id: string) => ({
  id,
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [
    {
      index: 0,
      finish_reason: 'tool_calls',
      message: {
        role: 'assistant',
        content: null,
        reasoning_content: 'Let me check.',
        tool_calls: [{ id: `call_${id}`, type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
    },
  ],
});

test('the same thought in two turns goes back to a chat server in both', () => {
  const tools = [{ name: 'f', input_schema: { type: 'object' } }];
  const asked = { model: 'm', max_tokens: 4000, tools, thinking: { type: 'enabled', budget_tokens: 1024 } };
  const turns = ['a', 'b'].flatMap((id) => {
    const request = { ...asked, messages: [{ role: 'user', content: 'q' }] };
    const { body } = translateResponse({ from: 'chatCompletions', to: 'messages', body: answer(id), request });
    const result = { type: 'tool_result', tool_use_id: `call_${id}`, content: 'r' };
    return [
      { role: 'assistant', content: body.content },
      { role: 'user', content: [result] },
    ];
  });
  const { body, losses } = translateRequest({
    from: 'messages',
    to: 'chatCompletions',
    body: { ...asked, messages: [{ role: 'user', content: 'q' }, ...turns] },
    profile: { server: { reasoningReplay: 'must-with-tools' } },
  });
  const said = (body.messages as { role: string; reasoning_content?: string }[]).filter(
    ({ role }) => role === 'assistant',
  );
  expect(said.map(({ reasoning_content: thought }) => thought)).toEqual(['Let me check.', 'Let me check.']);
  expect(losses.filter(({ feature }) => feature === 'reasoning.state')).toEqual([]);
});
