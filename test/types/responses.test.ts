import { expect, test } from '@jest/globals';
import type OpenAI from 'openai';
import { createLosses } from '../../translators/canonical/loss.js';
import type { CanonicalRequest } from '../../translators/canonical/request.js';
import { responses } from '../../translators/responses/index.js';
import { SCENARIOS } from '../responses/scenarios.js';
import { answering, foldEvents, framesOf, writeStream } from '../responses/sdk.js';

// What is expected is written as the official client's types have it, so that compiling proves the form and running the value.

type Params = OpenAI.Responses.ResponseCreateParamsStreaming;
type Answer = Omit<OpenAI.Responses.Response, 'output_text'>;
type Event = OpenAI.Responses.ResponseStreamEvent;
type ErrorBody = { error: Pick<OpenAI.ErrorObject, 'code' | 'message' | 'param' | 'type'> };

test('a translated request is one of the client', () => {
  const request: CanonicalRequest = {
    source: 'messages',
    model: 'gpt-5',
    stream: true,
    instructions: [{ authority: 'system', parts: [{ kind: 'text', text: 'be brief' }] }],
    turns: [
      {
        role: 'user',
        parts: [
          { kind: 'text', text: 'look' },
          { kind: 'media', class: 'image', mime: 'image/png', data: { from: 'base64', base64: 'iVBORw0KGgo=' } },
          {
            kind: 'media',
            class: 'document',
            mime: 'application/pdf',
            filename: 'a.pdf',
            data: { from: 'base64', base64: 'aGk=' },
          },
        ],
      },
      {
        role: 'assistant',
        parts: [
          { kind: 'text', text: 'so' },
          { kind: 'call', callId: 'c', name: 'f', args: { value: { a: 1 } } },
          { kind: 'call', callId: 'd', name: 'g', args: { value: {} }, freeform: 'x' },
        ],
      },
      {
        role: 'user',
        parts: [
          { kind: 'result', callId: 'c', parts: [{ kind: 'text', text: 'ok' }] },
          {
            kind: 'result',
            callId: 'd',
            custom: true,
            parts: [
              { kind: 'text', text: 'a' },
              { kind: 'media', class: 'image', data: { from: 'url', url: 'https://a' } },
            ],
          },
        ],
      },
    ],
    tools: [
      { kind: 'function', name: 'f', schema: { type: 'object', properties: {} } },
      { kind: 'custom', name: 'g', grammar: { syntax: 'lark', definition: 'x' } },
      {
        kind: 'hosted',
        family: 'webSearch',
        dialect: 'messages',
        type: 'web_search_20250305',
        settings: { allowedDomains: ['a'] },
      },
      { kind: 'hosted', family: 'codeExec', dialect: 'messages', type: 'code_execution_20250522', settings: {} },
    ],
    toolChoice: { mode: 'auto', only: [{ kind: 'function', name: 'f' }], parallel: false },
    output: { kind: 'schema', name: 'n', schema: { type: 'object', properties: {} } },
    reasoning: { mode: 'on', effort: 'low', show: 'summary' },
    maxOutput: 100,
    user: 'u',
    metadata: { a: 'b' },
  };
  const { body } = responses.encodeRequest(request, {
    losses: createLosses(),
    target: responses.target('gpt-5'),
    domain: 'd',
  });
  expect(body).toEqual({
    model: 'gpt-5',
    instructions: 'be brief',
    input: [
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'look' },
          { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'auto' },
          { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,aGk=' },
        ],
      },
      // The easy form of the client's types knows no output_text; the service takes it without an id [R §2.5].
      ...([
        {
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'so', annotations: [] }],
        },
      ] as unknown as [OpenAI.Responses.ResponseOutputMessage]),
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{"a":1}' },
      { type: 'custom_tool_call', call_id: 'd', name: 'g', input: 'x' },
      { type: 'function_call_output', call_id: 'c', output: 'ok' },
      {
        type: 'custom_tool_call_output',
        call_id: 'd',
        output: [
          { type: 'input_text', text: 'a' },
          { type: 'input_image', image_url: 'https://a', detail: 'auto' },
        ],
      },
    ],
    tools: [
      { type: 'function', name: 'f', parameters: { type: 'object', properties: {} }, strict: false },
      { type: 'custom', name: 'g', format: { type: 'grammar', syntax: 'lark', definition: 'x' } },
      { type: 'web_search', filters: { allowed_domains: ['a'] } },
      { type: 'code_interpreter', container: { type: 'auto' } },
    ],
    tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'f' }] },
    parallel_tool_calls: false,
    text: { format: { type: 'json_schema', name: 'n', schema: { type: 'object', properties: {} }, strict: false } },
    reasoning: { effort: 'low', summary: 'auto' },
    max_output_tokens: 100,
    safety_identifier: 'u',
    metadata: { a: 'b' },
    include: ['reasoning.encrypted_content'],
    store: false,
    stream: true,
  } satisfies Params);
});

const frame = {
  id: 'resp_il1a71ec5b7a6a8a5cb0b7d1b8ee6a0f4c',
  object: 'response',
  created_at: 1_700_000_000,
  model: 'asked-for',
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  parallel_tool_calls: true,
  temperature: 1,
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
  access_programs: null,
  background: false,
  max_output_tokens: null,
  max_tool_calls: null,
  previous_response_id: null,
  prompt_cache_key: null,
  prompt_cache_retention: null,
  reasoning: { effort: null, summary: null },
  safety_identifier: null,
  text: { format: { type: 'text' }, verbosity: 'medium' },
  top_logprobs: 0,
  truncation: 'disabled',
} as const satisfies Partial<Answer>;

/** Keys of real answers that the client's types do not list. */
const UNTYPED = { frequency_penalty: 0, presence_penalty: 0, user: null, store: false };

test('an answer is one of the client', () => {
  const answer = responses.encodeResponse(foldEvents(SCENARIOS['text before and after a call'] ?? []), answering());
  const id = String(answer.id);
  const [first, second, third] = Object(answer.output).map((item: { id: string }) => item.id);
  expect(id).toMatch(/^resp_il[0-9a-f]{32}$/);
  expect([first, second]).toEqual([id.replace('resp', 'msg').concat('_0'), id.replace('resp', 'fc').concat('_1')]);
  expect(answer).toEqual({
    ...UNTYPED,
    ...({
      ...frame,
      tools: [],
      id,
      status: 'completed',
      completed_at: 1_700_000_000,
      service_tier: 'default',
      output: [
        {
          id: first,
          type: 'message',
          status: 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'a', annotations: [], logprobs: [] }],
        },
        { id: second, type: 'function_call', status: 'completed', call_id: 'c1', name: 'look', arguments: '{"a":1}' },
        {
          id: third,
          type: 'message',
          status: 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'b', annotations: [], logprobs: [] }],
        },
      ],
      usage: {
        input_tokens: 12,
        input_tokens_details: { cached_tokens: 3, cache_write_tokens: 0 },
        output_tokens: 7,
        output_tokens_details: { reasoning_tokens: 2 },
        total_tokens: 19,
      },
    } satisfies Answer),
  });
});

function events(scenario: string): { type: string }[] {
  const frames = framesOf(writeStream(SCENARIOS[scenario] ?? []));
  return frames.slice(2, -1).map(({ data }) => data as unknown as { type: string });
}

function idsOf(list: readonly { type: string }[]): string[] {
  return list.flatMap((event) => {
    const item: unknown = Reflect.get(event, 'item');
    return event.type === 'response.output_item.added' ? [String(Reflect.get(Object(item), 'id'))] : [];
  });
}

test('the events of a text are those of the client', () => {
  const found = events('one text');
  const [id = ''] = idsOf(found);
  const part = { type: 'output_text', text: 'Hello', annotations: [], logprobs: [] } as const;
  expect(found).toEqual([
    {
      type: 'response.output_item.added',
      sequence_number: 2,
      output_index: 0,
      item: { id, type: 'message', status: 'in_progress', role: 'assistant', content: [] },
    },
    {
      type: 'response.content_part.added',
      sequence_number: 3,
      item_id: id,
      output_index: 0,
      content_index: 0,
      part: { ...part, annotations: [], logprobs: [], text: '' },
    },
    {
      type: 'response.output_text.delta',
      sequence_number: 4,
      item_id: id,
      output_index: 0,
      content_index: 0,
      delta: 'Hel',
      logprobs: [],
    },
    {
      type: 'response.output_text.delta',
      sequence_number: 5,
      item_id: id,
      output_index: 0,
      content_index: 0,
      delta: 'lo',
      logprobs: [],
    },
    {
      type: 'response.output_text.done',
      sequence_number: 6,
      item_id: id,
      output_index: 0,
      content_index: 0,
      text: 'Hello',
      logprobs: [],
    },
    {
      type: 'response.content_part.done',
      sequence_number: 7,
      item_id: id,
      output_index: 0,
      content_index: 0,
      part: { ...part, annotations: [], logprobs: [] },
    },
    {
      type: 'response.output_item.done',
      sequence_number: 8,
      output_index: 0,
      item: {
        id,
        type: 'message',
        status: 'completed',
        role: 'assistant',
        content: [{ ...part, annotations: [], logprobs: [] }],
      },
    },
  ] satisfies Event[]);
});

test('the events of calls are those of the client', () => {
  const found = events('a namespaced and a free text call');
  const [id = '', other = ''] = idsOf(found);
  expect(found).toEqual([
    {
      type: 'response.output_item.added',
      sequence_number: 2,
      output_index: 0,
      item: {
        id,
        type: 'function_call',
        status: 'in_progress',
        call_id: 'c',
        name: 'search',
        namespace: 'docs',
        arguments: '',
      },
    },
    { type: 'response.function_call_arguments.delta', sequence_number: 3, item_id: id, output_index: 0, delta: '{}' },
    {
      type: 'response.function_call_arguments.done',
      sequence_number: 4,
      item_id: id,
      output_index: 0,
      arguments: '{}',
      ...{ name: 'search' },
    },
    {
      type: 'response.output_item.done',
      sequence_number: 5,
      output_index: 0,
      item: {
        id,
        type: 'function_call',
        status: 'completed',
        call_id: 'c',
        name: 'search',
        namespace: 'docs',
        arguments: '{}',
      },
    },
    // The client's type of a custom call has no status; the service sends one [R §4.2].
    {
      type: 'response.output_item.added',
      sequence_number: 6,
      output_index: 1,
      item: {
        id: other,
        type: 'custom_tool_call',
        call_id: 'd',
        name: 'patch',
        input: '',
        ...{ status: 'in_progress' },
      },
    },
    {
      type: 'response.custom_tool_call_input.delta',
      sequence_number: 7,
      item_id: other,
      output_index: 1,
      delta: '*** ',
    },
    {
      type: 'response.custom_tool_call_input.delta',
      sequence_number: 8,
      item_id: other,
      output_index: 1,
      delta: '"x"\n',
    },
    {
      type: 'response.custom_tool_call_input.done',
      sequence_number: 9,
      item_id: other,
      output_index: 1,
      input: '*** "x"\n',
    },
    {
      type: 'response.output_item.done',
      sequence_number: 10,
      output_index: 1,
      item: {
        id: other,
        type: 'custom_tool_call',
        call_id: 'd',
        name: 'patch',
        input: '*** "x"\n',
        ...{ status: 'completed' },
      },
    },
  ] satisfies Event[]);
});

test('the events of reasoning, refusals and hosted calls are those of the client', () => {
  const reasoning = events('reasoning with state').slice(0, 9);
  const [id = ''] = idsOf(reasoning);
  const at = { item_id: id, output_index: 0 };
  expect(reasoning).toEqual([
    {
      type: 'response.output_item.added',
      sequence_number: 2,
      output_index: 0,
      item: { id, type: 'reasoning', summary: [] },
    },
    {
      type: 'response.reasoning_summary_part.added',
      sequence_number: 3,
      ...at,
      summary_index: 0,
      part: { type: 'summary_text', text: '' },
    },
    { type: 'response.reasoning_summary_text.delta', sequence_number: 4, ...at, summary_index: 0, delta: 'o' },
    { type: 'response.reasoning_summary_text.delta', sequence_number: 5, ...at, summary_index: 0, delta: 'ne' },
    { type: 'response.reasoning_summary_text.done', sequence_number: 6, ...at, summary_index: 0, text: 'one' },
    {
      type: 'response.reasoning_summary_part.done',
      sequence_number: 7,
      ...at,
      summary_index: 0,
      part: { type: 'summary_text', text: 'one' },
    },
    {
      type: 'response.reasoning_summary_part.added',
      sequence_number: 8,
      ...at,
      summary_index: 1,
      part: { type: 'summary_text', text: '' },
    },
    { type: 'response.reasoning_summary_text.delta', sequence_number: 9, ...at, summary_index: 1, delta: 'two' },
    { type: 'response.reasoning_summary_text.done', sequence_number: 10, ...at, summary_index: 1, text: 'two' },
  ] satisfies Event[]);

  const refusal = events('a refusal').slice(2, 6);
  const to = { item_id: String(Reflect.get(Object(refusal[0]), 'item_id')), output_index: 0, content_index: 0 };
  expect(refusal).toEqual([
    { type: 'response.refusal.delta', sequence_number: 4, ...to, delta: 'I will' },
    { type: 'response.refusal.delta', sequence_number: 5, ...to, delta: ' not.' },
    { type: 'response.refusal.done', sequence_number: 6, ...to, refusal: 'I will not.' },
    {
      type: 'response.content_part.done',
      sequence_number: 7,
      ...to,
      part: { type: 'refusal', refusal: 'I will not.' },
    },
  ] satisfies Event[]);

  const code = events('code was run').slice(0, 8);
  const [run = ''] = idsOf(code);
  const container = String(Reflect.get(Object(Reflect.get(Object(code[0]), 'item')), 'container_id'));
  expect(container).toMatch(/^cntr_il[a-z2-7]{24}$/);
  const here = { item_id: run, output_index: 0 };
  expect(code).toEqual([
    {
      type: 'response.output_item.added',
      sequence_number: 2,
      output_index: 0,
      item: {
        id: run,
        type: 'code_interpreter_call',
        status: 'in_progress',
        code: '',
        container_id: container,
        outputs: null,
      },
    },
    { type: 'response.code_interpreter_call.in_progress', sequence_number: 3, ...here },
    { type: 'response.code_interpreter_call_code.delta', sequence_number: 4, ...here, delta: 'print' },
    { type: 'response.code_interpreter_call_code.delta', sequence_number: 5, ...here, delta: '(1)' },
    { type: 'response.code_interpreter_call_code.done', sequence_number: 6, ...here, code: 'print(1)' },
    { type: 'response.code_interpreter_call.interpreting', sequence_number: 7, ...here },
    { type: 'response.code_interpreter_call.completed', sequence_number: 8, ...here },
    {
      type: 'response.output_item.done',
      sequence_number: 9,
      output_index: 0,
      item: {
        id: run,
        type: 'code_interpreter_call',
        status: 'completed',
        code: 'print(1)',
        container_id: container,
        outputs: [{ type: 'logs', logs: '1\n\nwarn' }],
      },
    },
  ] satisfies Event[]);
});

test('hosted items are those of the client', () => {
  const items = (scenario: string): unknown[] =>
    Object(responses.encodeResponse(foldEvents(SCENARIOS[scenario] ?? []), answering())).output.map(
      (item: { id: string }) => ({ ...item, id: 'x' }),
    );
  expect(items('files were searched')).toEqual([
    { id: 'x', type: 'file_search_call', status: 'completed', queries: ['q'], results: [{ file_id: 'f' }] },
  ] satisfies OpenAI.Responses.ResponseOutputItem[]);
  expect(items('a server tool')).toEqual([
    {
      id: 'x',
      type: 'mcp_call',
      status: 'completed',
      server_label: 's',
      name: 'n',
      arguments: '{"q":1}',
      output: 'found',
      error: null,
      approval_request_id: null,
    },
    {
      id: 'x',
      type: 'mcp_call',
      status: 'failed',
      server_label: 's',
      name: 'n',
      arguments: '{}',
      output: null,
      error: { type: 'mcp_tool_execution_error', content: 'broken' },
      approval_request_id: null,
    },
  ] satisfies OpenAI.Responses.ResponseOutputItem[]);
  expect(items('a page was fetched')).toEqual([
    { id: 'x', type: 'web_search_call', status: 'completed', action: { type: 'open_page', url: 'https://a' } },
  ] satisfies OpenAI.Responses.ResponseOutputItem[]);
  expect(items('web search with state')[0]).toEqual({
    id: 'x',
    type: 'web_search_call',
    status: 'completed',
    action: { type: 'search', query: 'cats', queries: ['cats'], sources: [{ type: 'url', url: 'https://a' }] },
  } satisfies OpenAI.Responses.ResponseOutputItem);
  expect(items('a picture')[1]).toEqual({
    id: 'x',
    type: 'image_generation_call',
    status: 'completed',
    result: 'aGk=',
    output_format: 'png',
  } satisfies OpenAI.Responses.ResponseOutputItem.ImageGenerationCall & { output_format: string });
});

test('error bodies, counts and model lists are those of the client', () => {
  expect(responses.encodeError({ kind: 'rate_limit', message: 'slow down' }, {}).body).toEqual({
    error: { message: 'slow down', type: 'rate_limit_error', param: null, code: 'rate_limit_exceeded' },
  } satisfies ErrorBody);
  expect(responses.count.encodeResponse({ input: 3 })).toEqual({
    object: 'response.input_tokens',
    input_tokens: 3,
  } satisfies OpenAI.Responses.InputTokenCountResponse);
  expect(responses.models.encodeModel({ id: 'a', owner: 'o' })).toEqual({
    id: 'a',
    object: 'model',
    created: 0,
    owned_by: 'o',
  } satisfies OpenAI.Model);
});
