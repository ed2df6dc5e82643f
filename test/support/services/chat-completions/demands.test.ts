import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../src/simulator/rules/index.js';
import { createIssuedState } from '../../fake-backend/issued-state.js';
import { checkDemands } from './demands.js';
import type { ServerName } from './server.js';

const user = (content: unknown = 'hi') => ({ role: 'user', content });
const call = (id = 'a', name = 'f', args: unknown = '{}') => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});
const asked = (...calls: object[]) => ({ role: 'assistant', content: null, tool_calls: calls });
const result = (id = 'a', content: unknown = 'x') => ({ role: 'tool', tool_call_id: id, content });
const tool = (more: object = {}) => ({ type: 'function', function: { name: 'f', ...more } });

function bodyOf(more: object): JsonObject {
  return { model: 'gpt-4.1', messages: [user()], ...more };
}

describe('what other servers demand', () => {
  const state = createIssuedState();
  const issued = { state, wasShown: (text: string) => text === 'Hm.' };
  const check = (server: ServerName, more: object): string =>
    checkDemands(server, bodyOf(more), issued)[0]?.message ?? 'accepted';
  const thought = (reasoning_content: string) => ({ ...asked(call()), reasoning_content });
  const signed = (name: string, thought_signature: string) => ({
    ...call('a', name),
    extra_content: { google: { thought_signature } },
  });
  const nine = 'abcdef012';
  const mistral = (...messages: object[]) => ({ messages: [user(), asked(call(nine)), result(nine), ...messages] });

  test.each<[ServerName, object, string | RegExp]>([
    ['compatible', { messages: [user(), thought('Hm.'), result()] }, 'accepted'],
    ['compatible', { messages: [user(), asked(call()), result()] }, 'accepted'],
    ['compatible', { messages: [user(), thought('Another thought.'), result()] }, /not issued here/],
    ['compatible', { messages: [user(), { ...asked(call()), reasoning_details: [] }, result()] }, /reasoning_details/],
    ['openai', { messages: [user(), thought(''), result()] }, /reasoning_content/],
    ['deepseek', { tools: [tool()], messages: [user(), thought(''), result()] }, 'accepted'],
    ['deepseek', { tools: [tool()], messages: [user(), asked(call()), result()] }, /must be passed back/],
    ['deepseek', { messages: [user(), { role: 'assistant', content: 'x' }, user()] }, 'accepted'],
    ['kimi', { messages: [user(), thought(' '), result()] }, 'accepted'],
    ['kimi', { messages: [user(), asked(call()), result()] }, /reasoning_content is missing/],
    ['gemini', { messages: [user(), asked(signed('f', state.issue('f'))), result()] }, 'accepted'],
    ['gemini', { messages: [user(), asked(signed('f', 'skip_thought_signature_validator')), result()] }, 'accepted'],
    ['gemini', { messages: [user(), asked(signed('f', state.issue('g'))), result()] }, /Corrupted/],
    ['gemini', { messages: [user(), asked(call()), result()] }, /missing a thought_signature/],
    ['mistral', mistral({ role: 'assistant', content: 'Done.' }, user()), 'accepted'],
    ['mistral', { tools: [tool()], tool_choice: 'any', random_seed: 3, max_tokens: 9 }, 'accepted'],
    ['mistral', mistral(user()), /Unexpected role/],
    ['mistral', { messages: [user(), asked(call('call_1')), result('call_1')] }, /length of 9/],
    ['mistral', { seed: 3 }, /Extra inputs/],
    ['mistral', { tools: [] }, /empty/],
  ])('%s: %j: %s', (server, more, told) => {
    if (typeof told === 'string') expect(check(server, more)).toBe(told);
    else expect(check(server, more)).toMatch(told);
  });
});
