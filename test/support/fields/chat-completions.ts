import type * as H from 'openai/resources/chat/completions';
import type { FunctionDefinition } from 'openai/resources/shared';
import type { JsonObject } from '../../../translators/index.js';
import { beside, type Documented, documented, PDF, PNG, SCHEMA } from './documented.js';

const hi = { role: 'user', content: 'hi' };
const tool = { type: 'function', function: { name: 'f', description: 'd', parameters: SCHEMA } };
const BREAKPOINT = { mode: 'explicit' };

const top = (fields: JsonObject): JsonObject => ({
  model: 'gpt-4.1',
  max_completion_tokens: 20000,
  messages: [hi],
  ...fields,
});
const part = (node: JsonObject): JsonObject => top({ messages: [{ role: 'user', content: [node] }] });
const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":"x"}' } };
const looped = (one: JsonObject, result: JsonObject): JsonObject =>
  top({ tools: [tool], messages: [hi, { role: 'assistant', content: null, tool_calls: [one] }, result] });
const format = (json_schema: JsonObject): JsonObject => top({ response_format: { type: 'json_schema', json_schema } });

/** Every documented object of a request [H §2, §3]. */
export const CHAT_COMPLETIONS_FIELDS: readonly Documented[] = [
  documented<H.ChatCompletionCreateParams>()(
    'request',
    top,
    { model: 'gpt-4.1', messages: [hi], max_completion_tokens: 20000 },
    {
      audio: beside({ modalities: ['text', 'audio'] }, { voice: 'alloy', format: 'wav' }),
      frequency_penalty: 0.5,
      function_call: beside({ functions: [{ name: 'f', parameters: SCHEMA }] }, { name: 'f' }),
      functions: [{ name: 'f', description: 'd', parameters: SCHEMA }],
      logit_bias: { 1: 5 },
      logprobs: true,
      max_tokens: 10000,
      metadata: { k: 'v' },
      modalities: beside({ audio: { voice: 'alloy', format: 'wav' } }, ['text', 'audio']),
      moderation: { model: 'omni-moderation-latest' },
      n: 2,
      parallel_tool_calls: beside({ tools: [tool] }, false),
      prediction: { type: 'content', content: 'p' },
      presence_penalty: 0.5,
      prompt_cache_key: 'key',
      prompt_cache_options: { mode: 'explicit', ttl: '30m' },
      prompt_cache_retention: '24h',
      reasoning_effort: 'high',
      response_format: { type: 'json_schema', json_schema: { name: 'n', schema: SCHEMA, strict: true } },
      safety_identifier: 'u',
      seed: 3,
      service_tier: 'flex',
      stop: ['END'],
      store: true,
      stream: true,
      stream_options: beside({ stream: true }, { include_usage: true }),
      temperature: 0.5,
      tool_choice: beside({ tools: [tool] }, 'required'),
      tools: [tool],
      top_logprobs: beside({ logprobs: true }, 2),
      top_p: 0.5,
      user: 'u',
      verbosity: 'low',
      web_search_options: { search_context_size: 'low' },
    },
  ),
  documented<H.ChatCompletionCreateParams.WebSearchOptions>()(
    'web_search_options',
    (node) => top({ web_search_options: node }),
    {},
    {
      search_context_size: 'low',
      user_location: { type: 'approximate', approximate: { city: 'Bern', country: 'CH' } },
    },
  ),
  documented<NonNullable<H.ChatCompletionStreamOptions>>()(
    'stream_options',
    (node) => top({ stream: true, stream_options: node }),
    {},
    { include_obfuscation: false, include_usage: true },
  ),
  documented<H.ChatCompletionSystemMessageParam>()(
    'system message',
    (node) => top({ messages: [node, hi] }),
    { role: 'system', content: 's' },
    { name: 'n' },
  ),
  documented<H.ChatCompletionDeveloperMessageParam>()(
    'developer message',
    (node) => top({ messages: [node, hi] }),
    { role: 'developer', content: 's' },
    { name: 'n' },
  ),
  documented<H.ChatCompletionUserMessageParam>()(
    'user message',
    (node) => top({ messages: [node] }),
    { role: 'user', content: 'hi' },
    { name: 'n' },
  ),
  documented<H.ChatCompletionAssistantMessageParam>()(
    'assistant message',
    (node) => top({ messages: [hi, node, hi] }),
    { role: 'assistant', content: 'a' },
    {
      audio: { id: 'audio_1' },
      function_call: { name: 'f', arguments: '{}' },
      name: 'n',
      refusal: 'r',
      tool_calls: [call],
    },
  ),
  documented<H.ChatCompletionContentPartText>()(
    'text',
    part,
    { type: 'text', text: 'hi' },
    { prompt_cache_breakpoint: BREAKPOINT },
  ),
  documented<H.ChatCompletionContentPartImage>()(
    'image_url part',
    part,
    { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
    { prompt_cache_breakpoint: BREAKPOINT },
  ),
  documented<H.ChatCompletionContentPartImage.ImageURL>()(
    'image_url',
    (node) => part({ type: 'image_url', image_url: node }),
    { url: `data:image/png;base64,${PNG}` },
    { detail: 'high' },
  ),
  documented<H.ChatCompletionContentPartInputAudio>()(
    'input_audio part',
    part,
    { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
    { prompt_cache_breakpoint: BREAKPOINT },
  ),
  documented<H.ChatCompletionContentPart.File>()(
    'file part',
    part,
    { type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` } },
    { prompt_cache_breakpoint: BREAKPOINT },
  ),
  documented<H.ChatCompletionContentPart.File.File>()(
    'file',
    (node) => part({ type: 'file', file: node }),
    { file_data: `data:application/pdf;base64,${PDF}` },
    { file_id: 'file_1', filename: 'a.pdf' },
  ),
  documented<H.ChatCompletionMessageFunctionToolCall>()(
    'tool call',
    (node) => looped(node, { role: 'tool', tool_call_id: 'c1', content: 'r' }),
    call,
    {},
  ),
  documented<H.ChatCompletionToolMessageParam>()(
    'tool message',
    (node) => looped(call, node),
    { role: 'tool', tool_call_id: 'c1', content: 'r' },
    {},
  ),
  documented<FunctionDefinition>()(
    'function tool',
    (node) => top({ tools: [{ type: 'function', function: node }] }),
    { name: 'f' },
    { description: 'd', parameters: SCHEMA, strict: beside({ parameters: SCHEMA }, true) },
  ),
  documented<H.ChatCompletionCustomTool.Custom>()(
    'custom tool',
    (node) => top({ tools: [tool, { type: 'custom', custom: node }] }),
    { name: 'g' },
    { description: 'd', format: { type: 'grammar', grammar: { syntax: 'regex', definition: 'a+' } } },
  ),
  documented<H.ChatCompletionAllowedTools>()(
    'allowed_tools',
    (node) =>
      top({
        tools: [tool, { ...tool, function: { ...tool.function, name: 'g' } }],
        tool_choice: { type: 'allowed_tools', allowed_tools: node },
      }),
    { mode: 'auto', tools: [{ type: 'function', function: { name: 'f' } }] },
    {},
  ),
  documented<{ name: string; schema?: object; description?: string; strict?: boolean | null }>()(
    'response_format.json_schema',
    format,
    { name: 'n', schema: SCHEMA },
    { description: 'd', strict: true },
  ),
];
