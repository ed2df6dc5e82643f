import type Anthropic from '@anthropic-ai/sdk';
import { expect, test } from '@jest/globals';
import type { Part } from '../../translators/canonical/content.js';
import { createLosses } from '../../translators/canonical/loss.js';
import { messages } from '../../translators/messages/index.js';
import { foreignResponse, send, user, view } from '../messages/support.js';

/**
 * What the printers print is written out here under the official types, so that the compiler checks the shapes, and
 * compared with what they really print.
 */
test('a request with everything', () => {
  const expected = {
    model: 'claude-opus-4-6',
    max_tokens: 4000,
    system: [
      { type: 'text', text: 'S' },
      { type: 'text', text: 'T', cache_control: { type: 'ephemeral', ttl: '5m' } },
    ],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'q' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
          { type: 'document', source: { type: 'url', url: 'https://x.example/a.pdf' }, title: 'a.pdf' },
          {
            type: 'document',
            source: { type: 'text', media_type: 'text/plain', data: 'd' },
            citations: { enabled: true },
          },
          { type: 'search_result', source: 's', title: 't', content: [{ type: 'text', text: 'r' }] },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 't', signature: 'S' },
          { type: 'tool_use', id: 'c1', name: 'f', input: { a: 1 } },
        ],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'c1', is_error: true, content: 'failed' }],
      },
    ],
    tools: [
      { name: 'f', description: 'F', input_schema: { type: 'object', properties: {} } },
      {
        type: 'web_search_20250305',
        name: 'web_search',
        allowed_domains: ['a.example'],
        user_location: { type: 'approximate', city: 'Bern' },
        max_uses: 2,
      },
      { type: 'web_fetch_20250910', name: 'web_fetch', blocked_domains: ['b.example'] },
      { type: 'code_execution_20250825', name: 'code_execution' },
    ],
    tool_choice: { type: 'auto', disable_parallel_tool_use: true },
    thinking: { type: 'adaptive', display: 'summarized' },
    output_config: { effort: 'max' },
    stop_sequences: ['END'],
    metadata: { user_id: 'u' },
    service_tier: 'auto',
    stream: true,
  } satisfies Anthropic.MessageCreateParams;

  const node = { type: 'thinking', thinking: 't', signature: 'S' };
  const state = [{ dialect: 'messages', domain: 'd', kind: 'reasoning', payload: JSON.stringify(node) } as const];
  const parts: Part[] = [
    { kind: 'text', text: 'q' },
    { kind: 'media', class: 'image', mime: 'image/png', data: { from: 'base64', base64: 'iVBORw0KGgo=' } },
    { kind: 'media', class: 'document', filename: 'a.pdf', data: { from: 'url', url: 'https://x.example/a.pdf' } },
    { kind: 'textdoc', citable: true, parts: [{ kind: 'text', text: 'd' }] },
    { kind: 'searchResult', source: 's', title: 't', parts: [{ kind: 'text', text: 'r' }] },
  ];
  const hosted = { kind: 'hosted', dialect: 'responses', type: 'x' } as const;
  const { body } = send({
    model: 'claude-opus-4-6',
    stream: true,
    maxOutput: 4000,
    instructions: [
      {
        authority: 'system',
        parts: [
          { kind: 'text', text: 'S' },
          { kind: 'text', text: 'T', cache: { ttl: '5m' } },
        ],
      },
    ],
    turns: [
      { role: 'user', parts },
      {
        role: 'assistant',
        parts: [
          { kind: 'reasoning', text: ['t'], state },
          { kind: 'call', callId: 'c1', name: 'f', args: { text: '{"a":1}' } },
        ],
      },
      {
        role: 'user',
        parts: [{ kind: 'result', callId: 'c1', isError: true, parts: [{ kind: 'text', text: 'failed' }] }],
      },
    ],
    tools: [
      { kind: 'function', name: 'f', description: 'F' },
      {
        ...hosted,
        family: 'webSearch',
        settings: { allowedDomains: ['a.example'], userLocation: { city: 'Bern' }, maxUses: 2 },
      },
      { ...hosted, family: 'urlFetch', settings: { blockedDomains: ['b.example'] } },
      { ...hosted, family: 'codeExec', settings: {} },
    ],
    toolChoice: { mode: 'auto', parallel: false },
    reasoning: { mode: 'on', effort: 'max', show: 'summary' },
    stop: ['END'],
    user: 'u',
    tier: { dialect: 'responses', value: 'auto' },
  });
  expect(body).toEqual(expected);
});

test('a schema for the answer', () => {
  const expected = {
    model: 'claude-sonnet-4-5',
    max_tokens: 1,
    messages: [{ role: 'user', content: 'hi' }],
    output_config: {
      format: {
        type: 'json_schema',
        schema: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false },
      },
    },
  } satisfies Anthropic.MessageCreateParams;
  const schema = expected.output_config.format.schema;
  expect(send({ maxOutput: 1, turns: [user('hi')], output: { kind: 'schema', schema } }).body).toEqual(expected);
});

test('an answer', () => {
  const thinking = { type: 'thinking', thinking: 't', signature: expect.any(String) };
  const content = [
    thinking as unknown as Anthropic.ThinkingBlock,
    {
      type: 'tool_use',
      id: 'c',
      name: 'f',
      input: { a: 1 },
      caller: { type: 'direct' },
    } satisfies Anthropic.ToolUseBlock,
  ];
  const usage = {
    input_tokens: 5,
    cache_creation_input_tokens: 1,
    cache_read_input_tokens: 4,
    cache_creation: { ephemeral_5m_input_tokens: 1, ephemeral_1h_input_tokens: 0 },
    output_tokens: 3,
    output_tokens_details: { thinking_tokens: 2 },
    server_tool_use: { web_search_requests: 1, web_fetch_requests: 0 },
    service_tier: 'standard',
    inference_geo: null,
    speed: null,
  } satisfies Anthropic.Usage;
  const stop_details = { type: 'refusal', category: null, explanation: 'no' } satisfies Anthropic.RefusalStopDetails;
  const body = messages.encodeResponse(
    foreignResponse(
      [
        { kind: 'reasoning', text: ['t'] },
        { kind: 'call', callId: 'c', name: 'f', args: { text: '{"a":1}' } },
      ],
      {
        finish: { kind: 'refusal', raw: 'x', dialect: 'responses', detail: 'no' },
        usage: {
          input: 10,
          cacheRead: 4,
          cacheWrite: 1,
          cacheWrite1h: 0,
          output: 3,
          reasoning: 2,
          hosted: { webSearch: 1, webFetch: 0 },
        },
        tier: 'default',
      },
    ),
    view(),
  );
  expect(body).toMatchObject({
    type: 'message' satisfies Anthropic.Message['type'],
    role: 'assistant' satisfies Anthropic.Message['role'],
    stop_reason: 'refusal' satisfies Anthropic.StopReason,
    content,
    usage,
    stop_details,
  });
});

test('hosted pairs and citations', () => {
  const id = expect.stringMatching(/^srvtoolu_il/) as unknown as string;
  const caller = { type: 'direct' } satisfies Anthropic.DirectCaller;
  const search = {
    type: 'server_tool_use',
    id,
    name: 'web_search',
    input: { query: 'q' },
    caller,
  } satisfies Anthropic.ServerToolUseBlock;
  const found = {
    type: 'web_search_tool_result',
    tool_use_id: id,
    content: [{ type: 'web_search_result', url: 'u', title: 't', encrypted_content: '', page_age: null }],
    caller,
  } satisfies Anthropic.WebSearchToolResultBlock;
  const code = {
    type: 'server_tool_use',
    id,
    name: 'code_execution',
    input: { code: 'c' },
    caller,
  } satisfies Anthropic.ServerToolUseBlock;
  const ran = {
    type: 'code_execution_tool_result',
    tool_use_id: id,
    content: { type: 'code_execution_result', stdout: 'o', stderr: '', return_code: 0, content: [] },
  } satisfies Anthropic.CodeExecutionToolResultBlock;
  const cited = {
    type: 'text',
    text: 'x',
    citations: [{ type: 'web_search_result_location', url: 'u', title: 't', cited_text: 'x', encrypted_index: '' }],
  } satisfies Anthropic.TextBlock;
  const { content } = messages.encodeResponse(
    foreignResponse([
      { kind: 'hostedCall', callId: 'h', family: 'webSearch', input: { query: 'q' } },
      { kind: 'hostedResult', callId: 'h', family: 'webSearch', output: { sources: [{ url: 'u', title: 't' }] } },
      { kind: 'hostedCall', callId: 'i', family: 'codeExec', input: { code: 'c' } },
      { kind: 'hostedResult', callId: 'i', family: 'codeExec', output: { stdout: 'o' } },
      { kind: 'text', text: 'x', citations: [{ source: 'web', url: 'u', title: 't', span: { start: 0, end: 1 } }] },
    ]),
    view(),
  );
  expect(content).toEqual([search, found, code, ran, cited]);
});

test('a model and a count', () => {
  const count = { input_tokens: 3 } satisfies Anthropic.MessageTokensCount;
  expect(messages.count.encodeResponse({ input: 3 })).toEqual(count);
  const model = messages.models.encodeModel({ id: 'm', owner: 'x' });
  const keys = ['id', 'type', 'display_name', 'created_at'] satisfies (keyof Anthropic.ModelInfo)[];
  for (const key of keys) expect(model[key]).toEqual(expect.any(String));
  expect(createLosses().list).toEqual([]);
});
