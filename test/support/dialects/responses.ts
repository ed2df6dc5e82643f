import { checkResponses } from '../../../src/simulator/rules/index.js';
import type { Tree } from '../gateway/harness.js';
import { RESPONSES_SPELLING } from '../neutral.js';
import { askResponses } from '../wire/requests.js';
import { responsesWire } from '../wire/responses.js';
import { factsOf } from './facts.js';
import { openaiErrorBody, openaiErrorQuoting, openaiLimitHeaders } from './openai.js';
import type { TestDialect } from './record.js';

export const responses = {
  request: askResponses,
  wire: responsesWire,
  ...factsOf('responses'),
  violations: (body, { state }) =>
    checkResponses(body, { context: [], issued: { reasoningOf: new Map(), stored: new Set() }, state }),
  errorQuoting: openaiErrorQuoting,
  get spelling() {
    return RESPONSES_SPELLING;
  },
  errorEvent: ({ error }, sequence_number) => [
    'error',
    { type: 'error', sequence_number, error, code: error.code, message: error.message, param: null },
  ],
  wrongKey: /invalid_api_key/,
  textOfEvent: (event) => (event.type === 'response.output_text.delta' ? event.delta : undefined),
  argsOfEvent: ({ type, delta }) => (type === 'response.function_call_arguments.delta' ? delta : undefined),
  saysComplete: ({ type }) => type === 'response.completed' || type === 'response.incomplete',
  saysFailure: ({ type }) => type === 'error' || type === 'response.failed',
  isLastEvent: ({ type }) => type === 'response.completed',
  ending: { complete: /^event: response\.completed$/m, error: /^event: (?:error|response\.failed)$/m },
  withTool: (parameters) => ({ tools: [{ type: 'function', name: 't', parameters, strict: false }] }),
  errorMessage: (body: Tree) =>
    ['message', 'type', 'param', 'code'].every((key) => key in (body?.error ?? {})) && body.error.message,
  lossyCount: (model: string) => ({
    path: '/v1/responses/input_tokens',
    body: { model, input: 'Hello', text: { verbosity: 'low' } },
  }),
  lossOf: (body) => [body.error.code, body.error.param],
  saysFinish: ({ type }) => type === 'response.completed' || type === 'response.incomplete',
  pathBelowRoot: () => '/root/v1/responses',
  errorBody: openaiErrorBody,
  limitHeaders: openaiLimitHeaders,
  limitBody: () => ({ error: { type: 'rate_limit_error', code: 'rate_limit_exceeded' } }),
  requestWithSchema: (schema) => ({
    model: 'm',
    input: 'hi',
    tools: [{ type: 'function', name: 'f', parameters: schema }],
    text: { format: { type: 'json_schema', name: 'a', schema } },
  }),
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
} satisfies TestDialect;
