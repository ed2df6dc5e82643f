import { checkMessages, type Generation } from '../../../src/simulator/rules/index.js';
import type { Tree } from '../gateway/harness.js';
import { MESSAGES_SPELLING } from '../neutral.js';
import { messagesWire } from '../wire/messages.js';
import { askMessages } from '../wire/requests.js';
import { factsOf } from './facts.js';
import type { TestDialect } from './record.js';

const EMPTY_SCHEMA = { type: 'object', properties: {} };

function generationOf(model: string): Generation {
  if (/-4-5/.test(model)) return '4.5';
  return /-4-[78]|claude-(?:opus|sonnet)-5|claude-next/.test(model) ? '4.7' : '4.6';
}

export const messages = {
  request: askMessages,
  wire: messagesWire,
  ...factsOf('messages'),
  violations: (body, { model, state }) =>
    checkMessages(body, { version: '2023-06-01', beta: true, generation: generationOf(model), state }),
  errorQuoting: (place, key) => ({
    type: 'error',
    error: {
      type: place === 'code' ? key : 'invalid_request_error',
      message: place === 'message' ? `wrong: ${key}` : 'wrong',
      ...(place === 'param' && { param: key }),
    },
  }),
  get spelling() {
    return MESSAGES_SPELLING;
  },
  errorEvent: (body) => ['error', body],
  wrongKey: /authentication_error/,
  textOfEvent: (event) => event.delta?.text,
  argsOfEvent: ({ delta }) => delta?.partial_json,
  saysComplete: ({ type }) => type === 'message_stop' || type === 'message_delta',
  saysFailure: ({ type }) => type === 'error',
  isLastEvent: ({ type }) => type === 'message_stop',
  ending: { complete: /^event: message_stop$/m, error: /^event: error\ndata: .*"overloaded_error".*\n\n$/m },
  withTool: (input_schema) => ({ tools: [{ name: 't', input_schema }] }),
  errorMessage: (body: Tree) =>
    body?.type === 'error' && typeof body.error?.type === 'string' && 'request_id' in body && body.error.message,
  lossyCount: (model: string) => ({
    path: '/v1/messages/count_tokens',
    body: {
      model,
      messages: [{ role: 'user', content: 'Hello' }],
      tools: [{ name: 'f', description: 'd', input_schema: EMPTY_SCHEMA, eager_input_streaming: true }],
    },
  }),
  lossOf: (body) => [body.error.details.error_code, body.error.details.path],
  saysFinish: ({ type }: Tree) => type === 'message_stop',
  pathBelowRoot: () => '/root/v1/messages',
  errorBody: (_status, type, message) => ({ type: 'error', error: { type, message }, request_id: 'req_up' }),
  limitHeaders: (kind, like) => ({
    'retry-after': like.seconds,
    ...(kind !== 'concurrency' && {
      [`anthropic-ratelimit-${kind}-limit`]: kind === 'requests' ? '1' : '5',
      [`anthropic-ratelimit-${kind}-remaining`]: '0',
      [`anthropic-ratelimit-${kind}-reset`]: like.date,
    }),
  }),
  limitBody: () => ({ type: 'error', error: { type: 'rate_limit_error' } }),
  requestWithSchema: (schema) => ({
    model: 'm',
    max_tokens: 100,
    messages: [{ role: 'user', content: 'hi' }],
    tools: [{ name: 'f', input_schema: schema }],
    output_config: { format: { type: 'json_schema', schema } },
  }),
  isErrorBody: ({ type, error }) => type === 'error' && typeof error.type === 'string',
  richMembers: (schema) => ({
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral' } }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'f', input: { a: { b: 1 } } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'r' }] }] },
    ],
    system: [{ type: 'text', text: 's' }],
    tools: [{ name: 'f', input_schema: schema }],
    tool_choice: { type: 'auto' },
    metadata: { user_id: 'u' },
    thinking: { type: 'disabled' },
  }),
} satisfies TestDialect;
