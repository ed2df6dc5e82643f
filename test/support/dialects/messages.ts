import { checkMessages, type Generation } from '../../../src/simulator/rules/index.js';
import type { Tree } from '../gateway/harness.js';
import { MESSAGES_SPELLING } from '../neutral.js';
import { messagesWire } from '../wire/messages.js';
import { askMessages } from '../wire/requests.js';
import type { TestDialect } from './record.js';

const EMPTY_SCHEMA = { type: 'object', properties: {} };

function generationOf(model: string): Generation {
  if (/-4-5/.test(model)) return '4.5';
  return /-4-[78]|claude-(?:opus|sonnet)-5|claude-next/.test(model) ? '4.7' : '4.6';
}

export const messages = {
  request: askMessages,
  wire: messagesWire,
  folder: 'messages',
  beyondPlan: {
    'request/auto-marks.ts': 'the service caches only what a mark asks for',
    'request/cache.ts': 'cache marks stand on parts, are limited in number and may not stand on blank text',
    'request/thinking-plan.ts':
      'budgets, efforts and output caps depend on each other and on the generation of the model',
    'tools/at-hosts.ts': 'hosts have some of its types of tools, or plain functions alone',
    'stream/frames.ts': 'both writers of streams number and close blocks',
    'stream/own.ts': 'answers of its own service are written as they came',
    'edge/resume.ts': 'an answer can pause',
  },
  violations: (body, { model, state }) =>
    checkMessages(body, { version: '2023-06-01', beta: true, generation: generationOf(model), state }),
  askingForThoughts: {
    max_tokens: 4096,
    thinking: { type: 'enabled', budget_tokens: 1024 },
    tools: [{ name: 'look', input_schema: { type: 'object' } }],
  },
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
  letter: 'M',
  model: 'claude-sonnet-4-5',
  newestModel: 'claude-opus-4-8',
  strictestModel: 'claude-sonnet-5-5',
  generations: ['claude-sonnet-4-5', 'claude-opus-4-8', 'claude-3-5-haiku'],
  models: ['claude-3-haiku', 'claude-3-5-sonnet', 'claude-sonnet-4-5', 'claude-opus-4-6', 'claude-opus-5'],
  targets: ['claude-sonnet-4-5', 'claude-opus-4-6', 'claude-opus-4-8', 'claude-next'],
  profiles: ['claude-3-5-haiku', 'claude-sonnet-4-5', 'claude-opus-4-6', 'claude-opus-5'],
  turnsKey: 'messages',
  partsKey: 'content',
  requestType: `
import type * as M from '@anthropic-ai/sdk/resources/beta/messages/messages';
// Models of the generation that is asked take these; the newest protocol version types them no more.
type Sampling = { temperature?: number; top_p?: number; top_k?: number };
type Request = M.MessageCreateParams & Sampling;
`,
  answerTypes: `
import type * as M from '@anthropic-ai/sdk/resources/messages/messages';
import type * as B from '@anthropic-ai/sdk/resources/beta/messages/messages';
import type { ErrorType } from '@anthropic-ai/sdk/resources/shared';
// The service itself leaves out citations of fetched pages, and some clients refuse them as null.
type Page = Omit<M.WebFetchBlock, 'content'> & { content: Omit<M.DocumentBlock, 'citations'> };
type Fetched = Omit<M.WebFetchToolResultBlock, 'content'> & { content: M.WebFetchToolResultErrorBlock | Page };
// Pictures in answers are an extension of the dialect (translation.md 5.1); MCP is of the beta.
type Block =
  | Exclude<M.ContentBlock, M.WebFetchToolResultBlock>
  | Fetched
  | B.BetaMCPToolUseBlock
  | B.BetaMCPToolResultBlock
  | B.BetaImageBlockParam;
type Answer = Omit<M.Message, 'content'> & { content: Block[] };
// The base specification shows the counts of the last event inside, too (translation.md 6.2).
type Delta = M.RawMessageDeltaEvent.Delta & { usage: { input_tokens: number; output_tokens: number } };
type Event =
  | { type: 'message_start'; message: Answer }
  | { type: 'content_block_start'; index: number; content_block: Block }
  | M.RawContentBlockDeltaEvent
  | M.RawContentBlockStopEvent
  | (Omit<M.RawMessageDeltaEvent, 'delta'> & { delta: Delta })
  | M.RawMessageStopEvent
  | { type: 'ping' }
  // The base specification's code, and details (translation.md 7.1.1).
  | { type: 'error'; error: { type: ErrorType; message: string; details: { error_code: string } | null; code?: string }; request_id: string | null };
`,
  requiredMembers: { answer: 'stop_details', event: 'index' },
  errorEvent: (body) => ['error', body],
  deltaEvent: 'content_block_delta',
  wrongKey: /authentication_error/,
  routes: ['/v1/messages', '/v1/messages', '/v1/messages/count_tokens'],
  textOfEvent: (event) => event.delta?.text,
  argsOfEvent: ({ delta }) => delta?.partial_json,
  saysComplete: ({ type }) => type === 'message_stop' || type === 'message_delta',
  saysFailure: ({ type }) => type === 'error',
  isLastEvent: ({ type }) => type === 'message_stop',
  ending: { complete: /^event: message_stop$/m, error: /^event: error\ndata: .*"overloaded_error".*\n\n$/m },
  smallRequest: { model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'x' }] },
  withTool: (input_schema) => ({ tools: [{ name: 't', input_schema }] }),
  errorMessage: (body: Tree) =>
    body?.type === 'error' && typeof body.error?.type === 'string' && 'request_id' in body && body.error.message,
  countPath: '/v1/messages/count_tokens',
  counted: { input_tokens: 42 },
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
  finishText: 'event: message_stop',
  oddMembers: {
    temperature: 0.1,
    top_k: 3,
    stop_sequences: ['odd'],
    metadata: { user_id: 'odd' },
    tools: [{ name: 'odd', input_schema: { type: 'object', properties: { 'odd-name': { type: 'string' } } } }],
    tool_choice: { type: 'tool', name: 'odd' },
    system: 'odd',
  },
  pathBelowRoot: () => '/root/v1/messages',
  forbidden: { type: 'error', error: { type: 'permission_error' } },
  refusals: {
    invalid_request: [400, 'invalid_request_error'],
    authentication: [401, 'authentication_error'],
    billing: [402, 'billing_error'],
    permission: [403, 'permission_error'],
    model: [404, 'not_found_error'],
    conflict: [409, 'conflict_error'],
    too_large: [413, 'request_too_large'],
    rate_limit: [429, 'rate_limit_error'],
    timeout: [504, 'timeout_error'],
    overloaded: [529, 'overloaded_error'],
    internal: [500, 'api_error'],
    upstream: [502, 'api_error'],
  },
  errorBody: (_status, type, message) => ({ type: 'error', error: { type, message }, request_id: 'req_up' }),
  openingFrames: 3,
  deltaFrame: 2,
  recordings: 'anthropic-messages',
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
  fakeOptions: { generation: '4.5' },
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
  failureText: 'event: error',
  traced: { provider: 'anthropic', operation: 'chat', id: 'msg_1', model: 'm-real', finish: 'end_turn' },
} satisfies TestDialect;
