import type { JsonObject } from '../../../src/simulator/rules/index.js';
import type { Tree } from '../gateway/harness.js';
import { CHAT_COMPLETIONS_SPELLING } from '../neutral.js';
import { checkDemands } from '../services/chat-completions/demands.js';
import type { ServerName } from '../services/chat-completions/server.js';
import { chatCompletionsWire, functionCall } from '../wire/chat-completions.js';
import { askChatCompletions } from '../wire/requests.js';
import { factsOf } from './facts.js';
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
  ...factsOf('chat-completions'),
  errorEvent: (body) => [undefined, body],
  wrongKey: /invalid_api_key/,
  textOfEvent: (event) => choiceOf(event).delta?.content ?? undefined,
  argsOfEvent: (event) =>
    choiceOf(event)
      .delta?.tool_calls?.map((call: Tree) => call.function?.arguments)
      .join(''),
  saysComplete: (event) => typeof choiceOf(event).finish_reason === 'string',
  saysFailure: ({ error }) => error !== undefined,
  isLastEvent: (event) => choiceOf(event).finish_reason === 'stop',
  ending: { complete: /^data: \[DONE\]$/m, error: /^data: \{.*"error":\{.*"server_is_overloaded"/m },
  withTool: (parameters) => ({ tools: [functionTool('t', parameters)] }),
  errorMessage: (body: Tree) =>
    ['message', 'type', 'param', 'code'].every((key) => key in (body?.error ?? {})) && body.error.message,
  lossyCount: undefined,
  lossOf: (body) => [body.error.code, body.error.param],
  saysFinish: (event) => typeof choiceOf(event).finish_reason === 'string',
  pathBelowRoot: () => `/root${PATH}`,
  errorBody: openaiErrorBody,
  limitHeaders: openaiLimitHeaders,
  limitBody: () => ({ error: { type: 'rate_limit_error', code: 'rate_limit_exceeded' } }),
  requestWithSchema: (schema) => ({
    model: 'm',
    messages: [{ role: 'user', content: 'hi' }],
    tools: [{ type: 'function', function: { name: 'f', parameters: schema } }],
    response_format: { type: 'json_schema', json_schema: { name: 'a', schema } },
  }),
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
  violations: (body, { model, state }) => [
    ...checkDemands(serverOf(model), withoutQwenFields(body), { state, wasShown: () => true }),
  ],
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
