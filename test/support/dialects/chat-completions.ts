import type { JsonObject } from '../../../src/simulator/rules/index.js';
import type { Tree } from '../gateway/harness.js';
import { CHAT_COMPLETIONS_SPELLING } from '../neutral.js';
import { checkDemands } from '../services/chat-completions/demands.js';
import type { ServerName } from '../services/chat-completions/server.js';
import { chatCompletionsWire, functionCall } from '../wire/chat-completions.js';
import { askChatCompletions } from '../wire/requests.js';
import { openaiErrorBody, openaiErrorQuoting, openaiLimitHeaders } from './openai.js';
import type { TestDialect } from './record.js';

const PATH = '/v1/chat/completions';

const functionTool = (name: string, parameters: object, more: object = {}) => ({
  type: 'function',
  function: { name, parameters, ...more },
});

/** The choice of an event; the chunk of the usage has none. */
const choiceOf = ({ choices }: Tree): Tree => choices?.[0] ?? {};

export const chatCompletions = {
  request: askChatCompletions,
  wire: chatCompletionsWire,
  folder: 'chat-completions',
  letter: 'H',
  model: 'gpt-4.1',
  newestModel: 'gpt-5.2',
  strictestModel: 'gpt-6.1-sol',
  generations: ['gpt-4.1', 'gpt-5.2', 'deepseek-v4'],
  models: ['gpt-4.1', 'gpt-5.2', 'deepseek-v4', 'kimi-k2-thinking', 'mistral-large-latest'],
  targets: ['gpt-4.1', 'gpt-5.2', 'deepseek-v4', 'kimi-k2-thinking', 'mistral-large-latest', 'qwen3-32b'],
  profiles: ['gpt-4.1', 'gpt-5.2', 'deepseek-v4', 'mistral-large-latest'],
  turnsKey: 'messages',
  partsKey: 'content',
  requestType: `
import type * as H from 'openai/resources/chat/completions';
// Other servers take state of reasoning and signatures beside what the client types [H §8.1].
type Request = H.ChatCompletionCreateParams;
`,
  answerTypes: `
import type * as H from 'openai/resources/chat/completions';
// Reasoning has no place in the client's types; many servers and readers agree on these [H §3.3, §8.2].
type Detail = { type: 'reasoning.encrypted'; id: string; format: 'unknown'; index: number; data: string };
type Reasoned = { reasoning_content?: string; reasoning?: string; reasoning_details?: Detail[] };
type Signed = { extra_content?: { google: { thought_signature: string } } };
// Pictures in answers are in the form of OpenRouter (translation.md 5.1).
type Pictured = { images?: { type: 'image_url'; image_url: { url: string } }[] };
type Message = Omit<H.ChatCompletionMessage, 'tool_calls'> &
  Reasoned &
  Pictured & { tool_calls?: (H.ChatCompletionMessageToolCall & Signed)[] };
type Answer = Omit<H.ChatCompletion, 'choices' | 'system_fingerprint'> & {
  system_fingerprint: string | null;
  choices: (Omit<H.ChatCompletion.Choice, 'message'> & { message: Message })[];
};
type Call = H.ChatCompletionChunk.Choice.Delta.ToolCall & Signed & { custom?: { name?: string; input?: string } };
type Delta = Omit<H.ChatCompletionChunk.Choice.Delta, 'tool_calls'> &
  Reasoned &
  Pictured & { tool_calls?: (Omit<Call, 'type'> & { type?: 'function' | 'custom' })[]; annotations?: H.ChatCompletionMessage['annotations'] };
type Chunk = Omit<H.ChatCompletionChunk, 'choices' | 'system_fingerprint'> & {
  system_fingerprint?: string | null;
  choices: (Omit<H.ChatCompletionChunk.Choice, 'delta'> & { delta: Delta })[];
};
// A failure stands alone in its frame (translation.md 6.8).
type Failure = { message: string; type: string; param: string | null; code: string | null };
type Event = Chunk | { error: Failure };
`,
  requiredMembers: { answer: 'choices', event: 'created' },
  errorEvent: (body) => [undefined, body],
  deltaEvent: undefined,
  wrongKey: /invalid_api_key/,
  routes: [PATH, PATH, '/chat/completions', '/openai/v1/chat/completions'],
  textOfEvent: (event) => choiceOf(event).delta?.content ?? undefined,
  argsOfEvent: (event) =>
    choiceOf(event)
      .delta?.tool_calls?.map((call: Tree) => call.function?.arguments)
      .join(''),
  saysComplete: (event) => typeof choiceOf(event).finish_reason === 'string',
  saysFailure: ({ error }) => error !== undefined,
  isLastEvent: (event) => choiceOf(event).finish_reason === 'stop',
  ending: { complete: /^data: \[DONE\]$/m, error: /^data: \{.*"error":\{.*"server_is_overloaded"/m },
  smallRequest: { model: 'm', messages: [{ role: 'user', content: 'x' }] },
  withTool: (parameters) => ({ tools: [functionTool('t', parameters)] }),
  errorMessage: (body: Tree) =>
    ['message', 'type', 'param', 'code'].every((key) => key in (body?.error ?? {})) && body.error.message,
  countPath: undefined,
  counted: undefined,
  lossyCount: undefined,
  lossOf: (body) => [body.error.code, body.error.param],
  saysFinish: (event) => typeof choiceOf(event).finish_reason === 'string',
  finishText: '"finish_reason":"stop"',
  oddMembers: {
    temperature: 0.1,
    stop: ['odd'],
    seed: 3,
    tools: [functionTool('odd', { type: 'object', properties: { 'odd-name': { type: 'string' } } })],
    tool_choice: { type: 'function', function: { name: 'odd' } },
    user: 'odd',
    response_format: { type: 'json_schema', json_schema: { name: 'odd', schema: { type: 'object', properties: {} } } },
  },
  pathBelowRoot: () => `/root${PATH}`,
  forbidden: { error: { type: 'invalid_request_error' } },
  refusals: {
    invalid_request: [400, 'invalid_request_error/null'],
    authentication: [401, 'invalid_request_error/invalid_api_key'],
    billing: [429, 'insufficient_quota/insufficient_quota'],
    permission: [403, 'invalid_request_error/null'],
    model: [404, 'invalid_request_error/model_not_found'],
    conflict: [409, 'invalid_request_error/null'],
    too_large: [413, 'invalid_request_error/null'],
    rate_limit: [429, 'rate_limit_error/rate_limit_exceeded'],
    timeout: [504, 'server_error/timeout'],
    overloaded: [503, 'server_error/server_is_overloaded'],
    internal: [500, 'server_error/server_error'],
    upstream: [502, 'server_error/upstream_error'],
  },
  errorBody: openaiErrorBody,
  openingFrames: 2,
  deltaFrame: 1,
  recordings: 'openai-chat',
  limitHeaders: openaiLimitHeaders,
  limitBody: () => ({ error: { type: 'rate_limit_error', code: 'rate_limit_exceeded' } }),
  requestWithSchema: (schema) => ({
    model: 'm',
    messages: [{ role: 'user', content: 'hi' }],
    tools: [{ type: 'function', function: { name: 'f', parameters: schema } }],
    response_format: { type: 'json_schema', json_schema: { name: 'a', schema } },
  }),
  fakeOptions: {},
  isErrorBody: ({ error }) => ['type', 'param', 'code'].every((key) => key in error),
  richMembers: (schema) => ({
    messages: [
      { role: 'system', content: 's' },
      { role: 'user', content: [{ type: 'text', text: 'a' }] },
      { role: 'assistant', content: null, tool_calls: [functionCall('c1', 'f', '{"__proto__":{"polluted":1}}')] },
      { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'r' }] },
    ],
    tools: [functionTool('f', schema)],
    tool_choice: 'auto',
    response_format: { type: 'json_schema', json_schema: { name: 's', schema } },
    metadata: { a: 'b' },
    logit_bias: { 1: 2 },
  }),
  failureText: '"error":{',
  traced: { provider: 'openai', operation: 'chat', id: 'chatcmpl-1', model: 'h-real', finish: 'stop' },
  beyondPlan: {
    'request/cache.ts': 'cache marks stand on parts',
    'request/foreign.ts': 'settings of others become members of the request, by the manners of the server',
    'content/messages.ts': 'one message holds what is several parts of a turn',
    'content/state.ts': 'state rides in two places of a message, and servers demand their own back in other keys',
    'stream/calls.ts': 'calls in pieces are told apart by id, by number, by order or by being whole',
    'stream/parts.ts': 'one message holds thoughts, text, refusal and calls side by side',
    'stream/thoughts.ts': 'thoughts come under four keys, as entries of lists, or in the text',
  },
  violations: (body, { model, state }) => [
    ...checkDemands(serverOf(model), withoutQwenFields(body), { state, wasShown: () => true }),
  ],
  askingForThoughts: {
    reasoning_effort: 'low',
    tools: [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }],
  },
  errorQuoting: openaiErrorQuoting,
  get spelling() {
    return CHAT_COMPLETIONS_SPELLING;
  },
} satisfies TestDialect;

/** Whose servers take a model; a model that nobody knows is one behind a router, which takes every form of reasoning. */
function serverOf(model: string): ServerName {
  if (/^(?:gpt|o\d)/.test(model)) return 'openai';
  if (/^qwen/.test(model)) return 'compatible';
  const vendor = /^(deepseek|kimi|mistral)/.exec(model)?.[1];
  return vendor === 'deepseek' || vendor === 'kimi' || vendor === 'mistral' ? vendor : 'openrouter';
}

/** Members and forms of one vendor that no fake stands for [H §2.3, §3.2]. */
function withoutQwenFields({ enable_thinking: _on, thinking_budget: _budget, ...body }: JsonObject): JsonObject {
  return JSON.parse(
    JSON.stringify(body, (key, value) => {
      if (key === 'cache_control') return undefined;
      return key === 'data' && typeof value === 'string' ? value.replace(/^data:audio\/\w+;base64,/, '') : value;
    }),
  );
}
