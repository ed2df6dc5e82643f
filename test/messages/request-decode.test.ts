import { describe, expect, test } from '@jest/globals';
import { TranslationError } from '../../translators/canonical/errors.js';
import { createLosses } from '../../translators/canonical/loss.js';
import type { CanonicalRequest } from '../../translators/canonical/request.js';
import { messages } from '../../translators/messages/index.js';
import { encodeCarrier } from '../../translators/wire/carrier.js';

const PLAIN = { model: 'claude-sonnet-4-5', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] };

function decode(body: unknown, counting = false): CanonicalRequest {
  return messages.decodeRequest(body, { losses: createLosses(), counting });
}

function roundTrip(body: Record<string, unknown>): unknown {
  const losses = createLosses();
  const request = messages.decodeRequest(body, { losses });
  return messages.encodeRequest(request, { losses, target: messages.target(request.model), domain: 'd' }).body;
}

function said(content: unknown, role = 'user'): Record<string, unknown> {
  return { ...PLAIN, messages: [{ role, content }] };
}

describe('bodies that are none are refused with their place', () => {
  const cases: [string, unknown, string, RegExp][] = [
    ['no object', [], '', /JSON object/],
    ['no messages', { model: 'm', max_tokens: 1 }, '/messages', /expected an array/],
    ['no turn', { ...PLAIN, messages: [] }, '/messages', /at least one/],
    ['no model', { ...PLAIN, model: undefined }, '/model', /required/],
    ['no cap', { ...PLAIN, max_tokens: undefined }, '/max_tokens', /required/],
    ['a cap in words', { ...PLAIN, max_tokens: 'many' }, '/max_tokens', /expected number/],
    ['a broken cap', { ...PLAIN, max_tokens: 1.5 }, '/max_tokens', /whole/],
    ['an unknown role', said('x', 'tool'), '/messages/0/role', /user, assistant or system/],
    ['content of a wrong type', said(7), '/messages/0/content', /string or an array/],
    ['a block that is none', said(['x']), '/messages/0/content/0', /content block/],
    ['a block without type', said([{ text: 'x' }]), '/messages/0/content/0/type', /required/],
    ['text without text', said([{ type: 'text' }]), '/messages/0/content/0/text', /required/],
    [
      'text deep inside',
      said([{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 1 }] }]),
      '/messages/0/content/0/content/0/text',
      /expected string/,
    ],
    [
      'an input that is no object',
      said([{ type: 'tool_use', id: 'a', name: 'f', input: 'x' }], 'assistant'),
      '/messages/0/content/0/input',
      /object/,
    ],
    [
      'a call of the user',
      said([{ type: 'tool_use', id: 'a', name: 'f', input: {} }]),
      '/messages/0/content/0',
      /assistant/,
    ],
    [
      'a result of the assistant',
      said([{ type: 'tool_result', tool_use_id: 'a' }], 'assistant'),
      '/messages/0/content/0',
      /user/,
    ],
    [
      'bytes that are no base64',
      said([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'data:image/png;base64,AA' } }]),
      '/messages/0/content/0/source/data',
      /base64/,
    ],
    ['an image without source', said([{ type: 'image' }]), '/messages/0/content/0/source', /object/],
    [
      'system that is no text',
      { ...PLAIN, system: [{ type: 'image', source: { type: 'url', url: 'u' } }] },
      '/system/0/type',
      /text/,
    ],
    ['a tool without schema', { ...PLAIN, tools: [{ name: 'f' }] }, '/tools/0/input_schema', /object/],
    ['a tool without name', { ...PLAIN, tools: [{ input_schema: {} }] }, '/tools/0/name', /required/],
    ['an unknown choice', { ...PLAIN, tool_choice: { type: 'some' } }, '/tool_choice/type', /auto, any/],
    ['a choice without name', { ...PLAIN, tool_choice: { type: 'tool' } }, '/tool_choice/name', /required/],
    ['thinking without budget', { ...PLAIN, thinking: { type: 'enabled' } }, '/thinking/budget_tokens', /required/],
    ['a model name beyond its length', { ...PLAIN, model: 'm'.repeat(257) }, '/model', /256/],
    ['a user id beyond its length', { ...PLAIN, metadata: { user_id: 'u'.repeat(257) } }, '/metadata/user_id', /256/],
    ['a temperature out of range', { ...PLAIN, temperature: 1.5 }, '/temperature', /at most 1/],
    ['top_p out of range', { ...PLAIN, top_p: -1 }, '/top_p', /at least 0/],
    ['top_k that is none', { ...PLAIN, top_k: 0 }, '/top_k', /greater than 0/],
    [
      'a budget below the least',
      { ...PLAIN, thinking: { type: 'enabled', budget_tokens: 9 } },
      '/thinking/budget_tokens',
      /1024/,
    ],
    [
      'a budget beyond the cap',
      { ...PLAIN, max_tokens: 2000, thinking: { type: 'enabled', budget_tokens: 2000 } },
      '/thinking/budget_tokens',
      /less than max_tokens/,
    ],
    [
      'an unknown output form',
      { ...PLAIN, output_config: { format: { type: 'yaml' } } },
      '/output_config/format/type',
      /json_schema/,
    ],
    ['stop strings of a wrong type', { ...PLAIN, stop_sequences: [1] }, '/stop_sequences/0', /string/],
  ];
  test.each(cases)('%s', (_name, body, path, reason) => {
    let thrown: unknown;
    try {
      decode(body);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(TranslationError);
    expect(thrown).toMatchObject({
      kind: 'invalid_request',
      path,
      dialect: 'messages',
      message: expect.stringMatching(reason),
    });
  });

  test('a body for counting needs no cap', () => {
    expect(decode({ ...PLAIN, max_tokens: undefined }, true).maxOutput).toBeUndefined();
  });
});

describe('what only this dialect knows survives', () => {
  const bodies: [string, Record<string, unknown>][] = [
    [
      'nulls',
      {
        ...PLAIN,
        system: null,
        tools: null,
        tool_choice: null,
        thinking: null,
        metadata: { user_id: null },
        stop_sequences: null,
      },
    ],
    [
      'empty lists',
      { ...PLAIN, system: [], tools: [], mcp_servers: [], metadata: {}, output_config: {}, stop_sequences: [] },
    ],
    [
      'defaults written out',
      {
        ...PLAIN,
        stream: false,
        tools: [{ type: 'custom', name: 'f', input_schema: {}, strict: false, description: null }],
        tool_choice: { type: 'auto', disable_parallel_tool_use: false },
      },
    ],
    [
      'unknown keys everywhere',
      {
        ...PLAIN,
        x: 1,
        metadata: { user_id: 'u', y: 2 },
        output_config: { effort: 'high', task_budget: { total: 1 } },
        messages: [{ role: 'user', content: [{ type: 'text', text: 'a', z: 3 }], w: 4 }],
      },
    ],
    [
      'a key called __proto__',
      JSON.parse(
        '{"model":"m","max_tokens":1,"messages":[{"role":"user","content":[{"type":"text","text":"a","__proto__":{"x":1}}]}]}',
      ),
    ],
    [
      'an unknown effort',
      { ...PLAIN, output_config: { effort: 'extreme', format: { type: 'json_schema', schema: { type: 'object' } } } },
    ],
    ['effort null', { ...PLAIN, output_config: { effort: null } }],
    ['the old output field', { ...PLAIN, output_format: { type: 'json_schema', schema: {} } }],
    ['the cache warmed', { ...PLAIN, max_tokens: 0 }],
    ['thinking of every kind', { ...PLAIN, thinking: { type: 'adaptive', display: 'updates', more: 1 } }],
    ['unknown thinking', { ...PLAIN, thinking: { type: 'sometimes' } }],
    ['between tools', { ...PLAIN, thinking: { type: 'between_tools' } }],
    [
      'caching',
      {
        ...PLAIN,
        cache_control: { type: 'ephemeral', ttl: '1h' },
        system: [{ type: 'text', text: 's', cache_control: { type: 'ephemeral', scope: 'x' } }],
      },
    ],
    ['marks that are null', said([{ type: 'text', text: 'a', cache_control: null, citations: null }])],
    [
      'documents of every kind',
      said([
        {
          type: 'document',
          source: { type: 'text', media_type: 'text/plain', data: 'd' },
          title: 't',
          context: null,
          citations: { enabled: true },
        },
        { type: 'document', source: { type: 'content', content: 'd' } },
        { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'd' }] } },
        { type: 'document', source: { type: 'url', url: 'https://x.example/a.pdf' } },
        { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' } },
        { type: 'document', source: { type: 'file', file_id: 'file_1' }, citations: { enabled: true, more: 1 } },
        { type: 'document', source: { type: 'later', x: 1 } },
        { type: 'image', source: { type: 'url', url: 'u', extra: 1 }, transformations: { oversized_image: 'error' } },
        {
          type: 'search_result',
          source: 's',
          title: 't',
          content: [{ type: 'text', text: 'r' }],
          citations: { enabled: false },
        },
      ]),
    ],
    [
      'results of every kind',
      said([
        { type: 'tool_result', tool_use_id: 'a' },
        { type: 'tool_result', tool_use_id: 'a', content: '' },
        { type: 'tool_result', tool_use_id: 'a', content: [] },
        { type: 'tool_result', tool_use_id: 'a', content: null, is_error: false },
        { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'x' }], is_error: true },
        {
          type: 'tool_result',
          tool_use_id: 'a',
          content: [{ type: 'tool_reference', tool_name: 'f' }],
          toolset_name: 't',
        },
      ]),
    ],
    [
      'assistant blocks of every kind',
      said(
        [
          { type: 'thinking', thinking: '', signature: 'S' },
          { type: 'thinking', thinking: 'unsigned', signature: '' },
          { type: 'thinking', thinking: 'never signed' },
          { type: 'redacted_thinking', data: 'D' },
          { type: 'tool_use', id: 'a', name: 'f', input: {}, caller: { type: 'direct' } },
          {
            type: 'tool_use',
            id: 'b',
            name: 'f',
            input: { a: 1 },
            caller: { type: 'code_execution_20260120', tool_id: 'srvtoolu_1' },
          },
          { type: 'server_tool_use', id: 'srvtoolu_1', name: 'bash_code_execution', input: { command: 'ls' } },
          {
            type: 'bash_code_execution_tool_result',
            tool_use_id: 'srvtoolu_1',
            content: { type: 'bash_code_execution_result', stdout: '', stderr: '', return_code: 0, content: [] },
          },
          { type: 'mcp_tool_use', id: 'mcptoolu_1', name: 'f', server_name: 's', input: {} },
          {
            type: 'mcp_tool_result',
            tool_use_id: 'mcptoolu_1',
            is_error: false,
            content: [{ type: 'text', text: 'x' }],
          },
          { type: 'compaction', content: 'so far', encrypted_content: null },
          { type: 'fallback', from: { model: 'a' }, to: { model: 'b' } },
          { type: 'mcp_tool_listing', mcp_server_name: 's', tools: [] },
          {
            type: 'text',
            text: 'cited',
            citations: [
              { type: 'web_search_result_location', url: 'u', title: null, cited_text: 'c', encrypted_index: 'E' },
              {
                type: 'char_location',
                document_index: 0,
                document_title: null,
                start_char_index: 1,
                end_char_index: 2,
                cited_text: 'c',
                file_id: null,
              },
              {
                type: 'page_location',
                document_index: 0,
                document_title: 'T',
                start_page_number: 1,
                end_page_number: 2,
                cited_text: 'c',
              },
              {
                type: 'content_block_location',
                document_index: 0,
                document_title: 'T',
                start_block_index: 0,
                end_block_index: 1,
                cited_text: 'c',
              },
              {
                type: 'search_result_location',
                search_result_index: 0,
                start_block_index: 0,
                end_block_index: 1,
                source: 's',
                title: 't',
                cited_text: 'c',
              },
              { type: 'some_later_location', x: 1 },
            ],
          },
        ],
        'assistant',
      ),
    ],
    [
      'late system words and tool changes',
      {
        ...PLAIN,
        messages: [
          { role: 'user', content: 'a' },
          {
            role: 'system',
            content: [
              { type: 'text', text: 's' },
              { type: 'tool_addition', tool: { type: 'tool_reference', name: 'f' } },
              { type: 'tool_removal', tool: { type: 'tool_reference', name: 'g' } },
            ],
          },
          {
            role: 'system',
            content: [
              { type: 'tool_addition', tool: { name: 'h', input_schema: {} }, cache_control: { type: 'ephemeral' } },
            ],
          },
        ],
      },
    ],
    [
      'tools of every family',
      {
        ...PLAIN,
        tools: [
          { type: 'bash_20250124', name: 'bash' },
          { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool', max_characters: 9 },
          { type: 'computer_20251124', name: 'computer', display_width_px: 1, display_height_px: 2, enable_zoom: true },
          { type: 'computer_toolset_20260801', configs: {} },
          { type: 'memory_20250818', name: 'memory' },
          {
            type: 'web_search_20260318',
            name: 'web_search',
            allowed_domains: null,
            user_location: { type: 'approximate', city: 'Bern', country: null },
            max_uses: 2,
          },
          { type: 'web_fetch_20260309', name: 'web_fetch', use_cache: true, citations: { enabled: true } },
          { type: 'code_execution_20250825', name: 'code_execution' },
          { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' },
          { type: 'advisor_20260301', name: 'advisor', model: 'm', max_uses: 1 },
          { type: 'later_20270101', name: 'later' },
          {
            name: 'f',
            input_schema: { type: 'object' },
            defer_loading: true,
            input_examples: [{}],
            allowed_callers: ['direct'],
          },
        ],
      },
    ],
    [
      'MCP of both ages',
      {
        ...PLAIN,
        mcp_servers: [
          { type: 'url', name: 'old', url: 'https://a.example', tool_configuration: { allowed_tools: ['x'] } },
          { type: 'url', name: 'new', url: 'https://b.example', authorization_token: 'T' },
          { type: 'url', name: 'off', url: 'https://c.example', tool_configuration: { enabled: false } },
        ],
        tools: [
          {
            type: 'mcp_toolset',
            mcp_server_name: 'new',
            default_config: { enabled: false },
            configs: { a: { enabled: true } },
          },
          { type: 'mcp_toolset', mcp_server_name: 'absent', configs: { b: { enabled: false } } },
        ],
      },
    ],
  ];
  test.each(bodies)('%s', (_name, body) => {
    expect(JSON.parse(JSON.stringify(roundTrip(body)))).toEqual(JSON.parse(JSON.stringify(body)));
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });
});

describe('meaning', () => {
  test('fields of the model', () => {
    const request = decode({
      ...PLAIN,
      max_tokens: 9000,
      system: 'S',
      stop_sequences: ['E'],
      temperature: 0.5,
      top_p: 0.9,
      top_k: 3,
      service_tier: 'auto',
      metadata: { user_id: 'user_1_session_0a1b2c3d-1111' },
      cache_control: { type: 'ephemeral', ttl: '1h' },
      thinking: { type: 'enabled', budget_tokens: 2000 },
      output_config: { effort: 'max', format: { type: 'json_schema', schema: { type: 'object' } } },
    });
    expect(request).toMatchObject({
      source: 'messages',
      instructions: [{ authority: 'system', parts: [{ text: 'S' }] }],
      sampling: { temperature: 0.5, topP: 0.9, topK: 3 },
      stop: ['E'],
      maxOutput: 9000,
      user: 'user_1_session_0a1b2c3d-1111',
      cache: { key: '0a1b2c3d-1111', auto: true, ttl: '1h' },
      tier: { dialect: 'messages', value: 'auto' },
      reasoning: { mode: 'on', budget: 2000, effort: 'max', show: 'summary' },
      output: { kind: 'schema', schema: { type: 'object' } },
    });
    expect(request.at).toMatchObject({
      'sampling.topK': '/top_k',
      maxOutput: '/max_tokens',
      user: '/metadata/user_id',
    });
  });

  test('a session in JSON is a cache key [hard case USE-09]', () => {
    const user_id = JSON.stringify({ device_id: 'a', session_id: '1111' });
    expect(decode({ ...PLAIN, metadata: { user_id } }).cache).toEqual({ key: '1111' });
    expect(decode({ ...PLAIN, metadata: { user_id: '{"session_id":' } }).cache).toBeUndefined();
  });

  test.each([
    ['adaptive', 'claude-opus-4-6', 'summary'],
    ['adaptive', 'claude-opus-4-8', 'default'],
    ['adaptive', 'fast', 'default'],
    ['disabled', 'claude-opus-4-6', 'default'],
  ])('thinking %s on %s shows %s', (type, model, show) => {
    expect(decode({ ...PLAIN, model, thinking: { type } }).reasoning?.show).toBe(show);
  });

  test('a last turn of the assistant is the beginning of the answer', () => {
    expect(decode({ ...PLAIN, messages: [...PLAIN.messages, { role: 'assistant', content: 'a' }] }).prefill).toBe(true);
    expect(decode(PLAIN).prefill).toBeUndefined();
  });

  test('integers that lost digits are reported', () => {
    const losses = createLosses();
    const body = said(
      [{ type: 'tool_use', id: 'a', name: 'f', input: JSON.parse('{"n":9007199254740993}') }],
      'assistant',
    );
    messages.decodeRequest(body, { losses });
    expect(losses.list).toMatchObject([
      { feature: 'call.args', kind: 'approximated', path: '/messages/0/content/0/input' },
    ]);
  });

  test('bare state belongs to an unknown installation; carriers are not opened', () => {
    const carrier = encodeCarrier('generateContent', 'g', [
      { dialect: 'generateContent', domain: 'g', kind: 'signature', payload: 'SIG', on: 'call' },
    ]);
    const request = decode(
      said(
        [
          { type: 'thinking', thinking: 't', signature: 'S' },
          { type: 'thinking', thinking: '', signature: carrier },
        ],
        'assistant',
      ),
    );
    expect(request.turns[0]?.parts).toMatchObject([
      {
        kind: 'reasoning',
        text: ['t'],
        state: [{ dialect: 'messages', domain: 'unknown:messages', kind: 'reasoning' }],
      },
      { kind: 'reasoning', text: [], carrier },
    ]);
    expect(request.turns[0]?.parts[1]?.state).toBeUndefined();
  });

  test('fields no other service can grant are marked', () => {
    const request = decode({ ...PLAIN, max_tokens: 0, thread: { type: 'create' } });
    expect(request.nativeOnly).toEqual([
      { path: '/max_tokens', message: expect.any(String) },
      { path: '/thread', message: expect.any(String), code: 'thread_unsupported_request' },
    ]);
  });

  test('forced tools of every family', () => {
    const tools = [
      { type: 'web_search_20250305', name: 'web_search' },
      { type: 'bash_20250124', name: 'bash' },
      { name: 'f', input_schema: {} },
    ];
    const only = (name: string) => decode({ ...PLAIN, tools, tool_choice: { type: 'tool', name } }).toolChoice?.only;
    expect(only('web_search')).toEqual([{ kind: 'hosted', family: 'webSearch', type: 'web_search_20250305' }]);
    expect(only('bash')).toEqual([{ kind: 'client', family: 'bash', type: 'bash_20250124' }]);
    expect(only('f')).toEqual([{ kind: 'function', name: 'f' }]);
  });

  test('calls of declared client tools are of their family', () => {
    const tools = [{ type: 'bash_20250124', name: 'bash' }];
    const request = decode({ ...said([{ type: 'tool_use', id: 'a', name: 'bash', input: {} }], 'assistant'), tools });
    expect(request.turns[0]?.parts[0]).toMatchObject({ family: 'bash' });
  });
});
