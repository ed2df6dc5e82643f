import { expect, test } from '@jest/globals';
import type OpenAI from 'openai';
import { createStreamTranslator, translateRequest, translateResponse } from '../../translators/index.js';
import { parseFrames } from '../support/cases.js';

// What is expected is written as the official client's types have it, so that compiling proves the form and running the value.

type Params = OpenAI.Chat.Completions.ChatCompletionCreateParams;
type Answer = OpenAI.Chat.Completions.ChatCompletion;
type Chunk = OpenAI.Chat.Completions.ChatCompletionChunk;
type Choice = OpenAI.Chat.Completions.ChatCompletionChunk.Choice;

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};

test('a translated request is one of the client', () => {
  const { body } = translateRequest({
    from: 'messages',
    to: 'chatCompletions',
    model: 'gpt-4.1',
    stream: true,
    body: {
      model: 'claude-sonnet-4-5',
      max_tokens: 100,
      system: 'be brief',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'look' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'so' },
            { type: 'tool_use', id: 'toolu_1', name: 'look', input: { city: 'Bern' } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'rain' }] },
      ],
      tools: [{ name: 'look', description: 'Looks.', input_schema: SCHEMA, strict: true }],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
      stop_sequences: ['END'],
      temperature: 0.5,
      stream: true,
    },
  });
  expect(body).toEqual({
    model: 'gpt-4.1',
    messages: [
      { role: 'system', content: 'be brief' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
        ],
      },
      {
        role: 'assistant',
        content: 'so',
        tool_calls: [{ id: 'toolu_1', type: 'function', function: { name: 'look', arguments: '{"city":"Bern"}' } }],
      },
      { role: 'tool', tool_call_id: 'toolu_1', content: 'rain' },
    ],
    tools: [{ type: 'function', function: { name: 'look', description: 'Looks.', parameters: SCHEMA, strict: true } }],
    tool_choice: 'required',
    parallel_tool_calls: false,
    max_completion_tokens: 100,
    stop: ['END'],
    temperature: 0.5,
    stream: true,
    stream_options: { include_usage: true },
  } satisfies Params);
});

const HOST = { now: 1_700_000_000, nonce: 'n', model: 'asked-for' };
const TOOLS = [{ type: 'function', function: { name: 'look', parameters: SCHEMA } }] satisfies Params['tools'];
const ASKED = { model: 'asked-for', messages: [{ role: 'user', content: 'hi' }], tools: TOOLS } satisfies Params;

const USAGE = {
  prompt_tokens: 15,
  completion_tokens: 7,
  total_tokens: 22,
  prompt_tokens_details: { cached_tokens: 3, audio_tokens: 0 },
  completion_tokens_details: {
    reasoning_tokens: 0,
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
} satisfies OpenAI.CompletionUsage;

test('an answer is one of the client', () => {
  const { body } = translateResponse({
    from: 'messages',
    to: 'chatCompletions',
    ...HOST,
    request: ASKED,
    body: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [
        { type: 'text', text: 'so' },
        { type: 'tool_use', id: 'toolu_1', name: 'look', input: { city: 'Bern' } },
      ],
      stop_reason: 'tool_use',
      stop_sequence: null,
      usage: { input_tokens: 12, cache_read_input_tokens: 3, output_tokens: 7 },
    },
  });
  const id = String(body.id);
  expect(id).toMatch(/^chatcmpl-il[0-9a-f]{32}$/);
  expect(body).toEqual({
    ...{ system_fingerprint: null },
    ...({
      id,
      object: 'chat.completion',
      created: 1_700_000_000,
      model: 'asked-for',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: 'so',
            refusal: null,
            tool_calls: [{ id: 'toolu_1', type: 'function', function: { name: 'look', arguments: '{"city":"Bern"}' } }],
          },
          logprobs: null,
          finish_reason: 'tool_calls',
        },
      ],
      usage: USAGE,
    } satisfies Answer),
  });
});

test('the chunks of a stream are those of the client', () => {
  const translator = createStreamTranslator({
    from: 'messages',
    to: 'chatCompletions',
    ...HOST,
    stream: true,
    request: { ...ASKED, stream: true, stream_options: { include_usage: true } } satisfies Params,
  });
  const events = [
    {
      type: 'message_start',
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'claude-sonnet-4-5',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 12, cache_read_input_tokens: 3, output_tokens: 1 },
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'so' } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'content_block_start',
      index: 1,
      content_block: { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} },
    },
    { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"city":' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '"Bern"}' } },
    { type: 'content_block_stop', index: 1 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'tool_use', stop_sequence: null },
      usage: { input_tokens: 12, cache_read_input_tokens: 3, output_tokens: 7 },
    },
    { type: 'message_stop' },
  ];
  const text = events.map((event) => translator.push(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`));
  const frames = parseFrames(text.join('') + translator.end()).map(({ data }) => data);
  const id = String(Reflect.get(Object(frames[0]), 'id'));
  const chunk = (delta: Choice['delta'], finish_reason: Choice['finish_reason'] = null): Chunk => ({
    id,
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: 'asked-for',
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    usage: null,
  });
  const called = (fields: Omit<NonNullable<Choice['delta']['tool_calls']>[number], 'index'>) =>
    chunk({ tool_calls: [{ index: 0, ...fields }] });
  expect(frames.map(untold)).toEqual(
    [
      chunk({ role: 'assistant', content: '' }),
      chunk({ content: 'so' }),
      called({ id: 'toolu_1', type: 'function', function: { name: 'look', arguments: '' } }),
      called({ function: { arguments: '{"city":' } }),
      called({ function: { arguments: '"Bern"}' } }),
      chunk({}, 'tool_calls'),
      { ...chunk({}), choices: [], usage: USAGE } satisfies Chunk,
      '[DONE]',
    ].map(untold),
  );
});

/** Without the fingerprint, which the client's types do not let be null, and members that say nothing. */
function untold(frame: unknown): unknown {
  if (typeof frame !== 'object' || frame === null) return frame;
  const { system_fingerprint: _print, ...rest } = frame as Chunk;
  const choices = rest.choices.map(({ logprobs: _none, ...choice }) => choice);
  return { ...rest, choices };
}
