import { describe, expect, test } from '@jest/globals';
import { checkChatCompletions, type JsonObject } from '../../src/simulator/rules/index.js';

const user = (content: unknown = 'hi') => ({ role: 'user', content });
const call = (id = 'a', name = 'f', args: unknown = '{}') => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});
const asked = (...calls: object[]) => ({ role: 'assistant', content: null, tool_calls: calls });
const result = (id = 'a', content: unknown = 'x') => ({ role: 'tool', tool_call_id: id, content });
const tool = (more: object = {}) => ({ type: 'function', function: { name: 'f', ...more } });
const closed = (properties: object = {}, more: object = {}) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});
const image = (url: string) => ({ type: 'image_url', image_url: { url } });
const format = (json_schema: object) => ({ response_format: { type: 'json_schema', json_schema } });

function bodyOf(more: object): JsonObject {
  return { model: 'gpt-4.1', messages: [user()], ...more };
}

describe('what the service of chat completions takes', () => {
  test.each<[string, object]>([
    ['a plain question', {}],
    ['many system messages, anywhere', { messages: [user(), { role: 'system', content: 's' }, user()] }],
    [
      'results directly behind the calls, in any order',
      { messages: [user(), asked(call('a'), call('b')), result('b'), result('a')] },
    ],
    [
      'a message with calls and no content',
      { messages: [user(), { role: 'assistant', tool_calls: [call()] }, result()] },
    ],
    ['a refusal without content', { messages: [user(), { role: 'assistant', refusal: 'no' }, user()] }],
    [
      'keys of other servers in a message',
      { messages: [user(), { role: 'assistant', content: 'x', channel: 'final' }] },
    ],
    ['an open schema that is not strict', { tools: [tool({ parameters: { type: 'object', properties: { a: {} } } })] }],
    ['a strict schema', { tools: [tool({ strict: true, parameters: closed({ a: { type: 'string' } }) })] }],
    ['a free schema of the answer', format({ name: 'a', schema: { type: 'array' } })],
    ['two caps, one of them null', { max_tokens: null, max_completion_tokens: 5 }],
    ['a choice among declared tools', { tools: [tool()], tool_choice: { type: 'function', function: { name: 'f' } } }],
    ['a custom tool', { tools: [{ type: 'custom', custom: { name: 'g', format: { type: 'text' } } }] }],
    ['JSON that a message asks for', { messages: [user('as JSON')], response_format: { type: 'json_object' } }],
    ['effort none with tools', { model: 'gpt-5.5', tools: [tool()], reasoning_effort: 'none' }],
    ['legacy functions', { functions: [{ name: 'f' }], function_call: 'auto' }],
  ])('%s', (_title, more) => {
    expect(checkChatCompletions(bodyOf(more))).toEqual([]);
  });

  test.each<[string, object, string]>([
    ['no message', { messages: [] }, 'messages empty_array'],
    ['an unknown field', { top_k: 3 }, 'top_k unknown_parameter'],
    ['an unknown role', { messages: [{ role: 'model', content: 'x' }] }, 'messages[0].role invalid_value'],
    [
      'a part of another role',
      { messages: [user([{ type: 'refusal', refusal: 'x' }])] },
      'messages[0].content[0] invalid_value',
    ],
    [
      'a picture in a result',
      { messages: [user(), asked(call()), result('a', [image('https://a.example/a.png')])] },
      'messages[2].content[0] invalid_value',
    ],
    [
      'a picture that is not a URL',
      { messages: [user([image('iVBORw0KGgo=')])] },
      'messages[0].content[0].image_url.url invalid_value',
    ],
    [
      'a file without its name',
      { messages: [user([{ type: 'file', file: { file_data: 'data:application/pdf;base64,JVBERi0=' } }])] },
      'messages[0].content[0].file.filename missing_required_parameter',
    ],
    [
      'an empty message of the assistant',
      { messages: [user(), { role: 'assistant', content: null }] },
      'messages.[1].content',
    ],
    [
      'a call without its result',
      { messages: [user(), asked(call('a'), call('b')), result('a'), user()] },
      'messages.[1].role',
    ],
    ['a result behind a user', { messages: [user(), asked(call()), user(), result()] }, 'messages.[1].role'],
    ['a result without its call', { messages: [user(), result()] }, 'messages.[1].role'],
    [
      'an id of 41 characters',
      { messages: [user(), asked(call('x'.repeat(41))), result('x'.repeat(41))] },
      'messages[1].tool_calls[0].id string_above_max_length',
    ],
    [
      'arguments that are an object',
      { messages: [user(), asked(call('a', 'f', {})), result()] },
      'messages[1].tool_calls[0].function.arguments invalid_type',
    ],
    ['both caps', { max_tokens: 5, max_completion_tokens: 5 }, 'max_tokens invalid_parameter_combination'],
    ['stream options without a stream', { stream_options: { include_usage: true } }, 'stream_options'],
    ['top_logprobs alone', { top_logprobs: 2 }, 'top_logprobs'],
    ['five stops', { stop: ['a', 'b', 'c', 'd', 'e'] }, 'stop array_above_max_length'],
    ['a temperature above 2', { temperature: 2.1 }, 'temperature decimal_above_max_value'],
    ['129 answers', { n: 129 }, 'n integer_above_max_value'],
    ['a bias above 100', { logit_bias: { 1: 101 } }, 'logit_bias invalid_value'],
    ['audio without its voice', { modalities: ['text', 'audio'] }, 'audio'],
    ['an empty list of tools', { tools: [] }, 'tools empty_array'],
    ['129 tools', { tools: Array.from({ length: 129 }, () => tool()) }, 'tools array_above_max_length'],
    [
      'a name with a dot',
      { tools: [{ type: 'function', function: { name: 'a.b' } }] },
      'tools[0].function.name invalid_value',
    ],
    ['a choice without tools', { tool_choice: 'required' }, 'tool_choice'],
    ['parallel calls without tools', { parallel_tool_calls: true }, 'parallel_tool_calls'],
    [
      'a choice of another tool',
      { tools: [tool()], tool_choice: { type: 'function', function: { name: 'g' } } },
      'tool_choice',
    ],
    [
      'an open strict schema',
      { tools: [tool({ strict: true, parameters: { type: 'object', properties: {} } })] },
      'tools[0].function.parameters invalid_function_parameters',
    ],
    [
      'arguments that are no object',
      { tools: [tool({ parameters: { type: 'string' } })] },
      'tools[0].function.parameters invalid_function_parameters',
    ],
    [
      'an open strict answer',
      format({ name: 'a', strict: true, schema: { type: 'object' } }),
      'response_format invalid_json_schema',
    ],
    ['JSON that nobody mentions', { response_format: { type: 'json_object' } }, 'messages'],
    ['the old cap at a model that reasons', { model: 'gpt-5', max_tokens: 5 }, 'max_tokens unsupported_parameter'],
    ['a stop at o3', { model: 'o3', stop: ['a'] }, 'stop unsupported_parameter'],
    [
      'a system message at o1-mini',
      { model: 'o1-mini', messages: [{ role: 'system', content: 's' }, user()] },
      'messages[0].role unsupported_value',
    ],
    [
      'tools beside reasoning at gpt-5.4',
      { model: 'gpt-5.4', tools: [tool()], reasoning_effort: 'low' },
      'reasoning_effort',
    ],
    ['tools at gpt-5.5, which reasons unasked', { model: 'gpt-5.5', tools: [tool()] }, 'reasoning_effort'],
    ['a search at a model that has none', { web_search_options: {} }, ''],
    ['long metadata', { metadata: { a: 'x'.repeat(513) } }, 'metadata string_above_max_length'],
  ])('not: %s', (_title, more, told) => {
    const [first] = checkChatCompletions(bodyOf(more));
    expect([first?.param, first?.code].join(' ').trim()).toBe(told);
    expect(first?.message).toMatch(/\S/);
  });
});
