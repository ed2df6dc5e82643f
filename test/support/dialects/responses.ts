import { checkResponses } from '../../../src/simulator/rules/index.js';
import type { Tree } from '../gateway/harness.js';
import { RESPONSES_SPELLING } from '../neutral.js';
import { askResponses } from '../wire/requests.js';
import { responsesWire } from '../wire/responses.js';
import { openaiErrorBody, openaiErrorQuoting, openaiLimitHeaders } from './openai.js';
import type { TestDialect } from './record.js';

export const responses = {
  request: askResponses,
  wire: responsesWire,
  folder: 'responses',
  beyondPlan: {
    'content/items.ts': 'a conversation is a list of items of which a message is one',
    'content/messages.ts': 'message items hold several parts',
    'tools/client-items.ts': 'calls of built-in client tools are item types of their own',
    'tools/at-hosts.ts': 'hosts have some of its types of tools, or plain functions alone',
  },
  violations: (body, { state }) =>
    checkResponses(body, { context: [], issued: { reasoningOf: new Map(), stored: new Set() }, state }),
  askingForThoughts: {
    reasoning: { summary: 'auto' },
    tools: [{ type: 'function', name: 'look', parameters: { type: 'object' }, strict: false }],
  },
  errorQuoting: openaiErrorQuoting,
  get spelling() {
    return RESPONSES_SPELLING;
  },
  letter: 'R',
  model: 'gpt-5',
  newestModel: 'gpt-5.2',
  strictestModel: 'gpt-6-astra',
  generations: ['gpt-5', 'gpt-5.2', 'gpt-4o'],
  models: ['gpt-4o', 'o3', 'gpt-5', 'computer-use-preview'],
  targets: ['gpt-5', 'gpt-4.1', 'o3', 'gpt-5.2', 'gpt-4o'],
  profiles: ['gpt-4o', 'gpt-5', { model: 'gpt-5.1', cacheBreakpoints: true }, { instructionsField: 'demanded' }],
  turnsKey: 'input',
  partsKey: 'content',
  requestType: `
import type * as R from 'openai/resources/responses/responses';
// Items of the model are sent without the id that they had, so that no rule about neighbours applies to them.
type Item = R.ResponseInputItem | Omit<R.ResponseOutputMessage, 'id'> | Omit<R.ResponseReasoningItem, 'id'>;
type Request = Omit<R.ResponseCreateParams, 'input'> & { input?: string | Item[] };
`,
  answerTypes: `
import type * as R from 'openai/resources/responses/responses';
// The service echoes every field of the request [R §4.1], also these, and as null what was not given. The text beside the
// output is of the client.
type Echo = { store: boolean; user: string | null; frequency_penalty: number; presence_penalty: number };
// Counts are null while there are none [R §4.4], and the service's own words for failures go beyond the schema
// (translation.md 7.1).
type Code = R.ResponseError['code'] | 'server_is_overloaded' | 'upstream_error' | 'timeout' | 'invalid_api_key';
// A call with free text has a status [R §4.2], which the client types only where items are listed.
type Item = Exclude<R.ResponseOutputItem, { type: 'custom_tool_call' }> | (R.ResponseCustomToolCall & { status: 'in_progress' | 'completed' | 'incomplete' });
type Answer = Omit<R.Response, 'output_text' | 'user' | 'usage' | 'error' | 'output'> & {
  output: Item[];
  usage: R.ResponseUsage | null;
  error: { code: Code; message: string } | null;
} & Partial<Echo>;
// The error stands in the event flat and nested (translation.md 6.5).
type Failure = { message: string; type: string; param: string | null; code: string | null };
// Tokens in events have the bytes that those of whole answers have, where they are known.
type Told<E> = E extends { type: 'error' }
  ? E & { error: Failure }
  : E extends { response: R.Response }
    ? Omit<E, 'response'> & { response: Answer }
    : E extends R.ResponseOutputItemAddedEvent
      ? Omit<E, 'item'> & { item: Begun<Item> }
      : E extends R.ResponseOutputItemDoneEvent
        ? Omit<E, 'item'> & { item: Item }
      : E extends R.ResponseFunctionCallArgumentsDoneEvent
        ? E & { name: string }
        : E extends { logprobs: unknown }
          ? Omit<E, 'logprobs'> & { logprobs: (R.ResponseTextDeltaEvent.Logprob | R.ResponseOutputText.Logprob)[] }
          : E;
// What a search does and what a picture is are not known when they begin [R §5.4].
type Begun<I> = I extends { type: 'web_search_call' }
  ? Omit<I, 'action'>
  : I extends { type: 'image_generation_call' }
    ? Omit<I, 'result'>
    : I;
type Event = Told<R.ResponseStreamEvent>;
`,
  requiredMembers: { answer: 'incomplete_details', event: 'sequence_number' },
  errorEvent: ({ error }, sequence_number) => [
    'error',
    { type: 'error', sequence_number, error, code: error.code, message: error.message, param: null },
  ],
  deltaEvent: 'response.output_text.delta',
  wrongKey: /invalid_api_key/,
  routes: ['/v1/responses', '/v1/responses', '/v1/responses/input_tokens', '/v1/responses/compact'],
  textOfEvent: (event) => (event.type === 'response.output_text.delta' ? event.delta : undefined),
  argsOfEvent: ({ type, delta }) => (type === 'response.function_call_arguments.delta' ? delta : undefined),
  saysComplete: ({ type }) => type === 'response.completed' || type === 'response.incomplete',
  saysFailure: ({ type }) => type === 'error' || type === 'response.failed',
  isLastEvent: ({ type }) => type === 'response.completed',
  ending: { complete: /^event: response\.completed$/m, error: /^event: (?:error|response\.failed)$/m },
  smallRequest: { model: 'm', input: 'x' },
  withTool: (parameters) => ({ tools: [{ type: 'function', name: 't', parameters, strict: false }] }),
  errorMessage: (body: Tree) =>
    ['message', 'type', 'param', 'code'].every((key) => key in (body?.error ?? {})) && body.error.message,
  countPath: '/v1/responses/input_tokens',
  counted: { object: 'response.input_tokens', input_tokens: 42 },
  lossyCount: (model: string) => ({
    path: '/v1/responses/input_tokens',
    body: { model, input: 'Hello', text: { verbosity: 'low' } },
  }),
  lossOf: (body) => [body.error.code, body.error.param],
  saysFinish: ({ type }) => type === 'response.completed' || type === 'response.incomplete',
  finishText: 'event: response.completed',
  oddMembers: {
    temperature: 0.1,
    instructions: 'odd',
    tools: [{ type: 'function', name: 'odd', parameters: { type: 'object', properties: {} }, strict: false }],
    tool_choice: 'required',
    text: { format: { type: 'json_schema', name: 'odd', schema: { type: 'object', properties: {} }, strict: false } },
    store: false,
  },
  pathBelowRoot: () => '/root/v1/responses',
  forbidden: { error: { type: 'invalid_request_error' } },
  refusals: {
    invalid_request: [400, 'invalid_request_error/null'],
    authentication: [401, 'invalid_request_error/invalid_api_key'],
    billing: [429, 'insufficient_quota/insufficient_quota'],
    permission: [403, 'invalid_request_error/null'],
    model: [400, 'invalid_request_error/model_not_found'],
    conflict: [409, 'invalid_request_error/null'],
    too_large: [413, 'invalid_request_error/null'],
    rate_limit: [429, 'rate_limit_error/rate_limit_exceeded'],
    timeout: [504, 'server_error/timeout'],
    overloaded: [503, 'server_error/server_is_overloaded'],
    internal: [500, 'server_error/server_error'],
    upstream: [502, 'server_error/upstream_error'],
  },
  errorBody: openaiErrorBody,
  openingFrames: 5,
  deltaFrame: 4,
  recordings: 'openai-responses',
  limitHeaders: openaiLimitHeaders,
  limitBody: () => ({ error: { type: 'rate_limit_error', code: 'rate_limit_exceeded' } }),
  requestWithSchema: (schema) => ({
    model: 'm',
    input: 'hi',
    tools: [{ type: 'function', name: 'f', parameters: schema }],
    text: { format: { type: 'json_schema', name: 'a', schema } },
  }),
  fakeOptions: {},
  isErrorBody: ({ error }) => ['type', 'param', 'code'].every((key) => key in error),
  richMembers: (schema) => ({
    input: [
      { role: 'user', content: [{ type: 'input_text', text: 'a' }] },
      { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{"__proto__":{"polluted":1}}' },
      { type: 'function_call_output', call_id: 'c1', output: 'r' },
    ],
    tools: [{ type: 'function', name: 'f', parameters: schema, strict: false }],
    text: { format: { type: 'json_schema', name: 's', schema: schema } },
    reasoning: { effort: 'low' },
    metadata: { a: 'b' },
    store: false,
  }),
  failureText: 'response.failed',
  traced: { provider: 'openai', operation: 'chat', id: 'resp_1', model: 'r-real', finish: 'completed' },
} satisfies TestDialect;
