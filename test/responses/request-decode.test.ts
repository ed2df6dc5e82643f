import { describe, expect, test } from '@jest/globals';
import { TranslationError } from '../../translators/canonical/errors.js';
import { createLosses } from '../../translators/canonical/loss.js';
import type { JsonObject } from '../../translators/canonical/node.js';
import type { CanonicalRequest } from '../../translators/canonical/request.js';
import { responses } from '../../translators/responses/index.js';
import { encodeCarrier } from '../../translators/wire/carrier.js';

function decode(body: unknown): CanonicalRequest {
  return responses.decodeRequest(body, { losses: createLosses() });
}

function again(body: JsonObject): unknown {
  return responses.encodeRequest(decode(body), { losses: createLosses(), target: responses.target('m'), domain: 'd' })
    .body;
}

const CARRIER = encodeCarrier('messages', 'far', [
  { dialect: 'messages', domain: 'far', kind: 'reasoning', payload: '{}' },
]);
const PNG = 'data:image/png;base64,aGk=';

/** Items of every type, with and without what may be left out, with keys nobody knows. */
const ITEMS: Readonly<Record<string, JsonObject>> = {
  'easy message': { role: 'user', content: 'a' },
  'typed message': { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'a' }] },
  'message with id, status and more': {
    type: 'message',
    id: 'msg_1',
    status: 'completed',
    role: 'user',
    content: [{ type: 'input_text', text: 'a', prompt_cache_breakpoint: { mode: 'explicit', ttl: '12h' } }],
    novel: { a: 1 },
  },
  'message with nulls': { type: 'message', id: null, status: null, role: 'user', content: [], phase: null },
  'incomplete message': { type: 'message', role: 'user', status: 'incomplete', content: 'x' },
  images: {
    role: 'user',
    content: [
      { type: 'input_image', image_url: PNG, detail: 'low' },
      { type: 'input_image', image_url: 'https://a/b.png' },
      { type: 'input_image', file_id: 'file_1', detail: null },
      { type: 'input_image', image_url: 'DATA:image/PNG;charset=x;base64,aGk' },
    ],
  },
  files: {
    role: 'user',
    content: [
      { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,aGk=' },
      { type: 'input_file', file_url: 'https://a/b.pdf' },
      { type: 'input_file', file_id: 'file_2', detail: 'high' },
      { type: 'input_file', filename: 'a.pdf', file_data: 'aGk=' },
      { type: 'input_file', file_data: PNG },
      { type: 'input_audio', input_audio: { data: 'aGk=', format: 'mp3' } },
      { type: 'input_video', novel: true },
    ],
  },
  'easy assistant': { role: 'assistant', content: 'a' },
  'assistant with lists': {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    status: 'completed',
    phase: 'commentary',
    content: [
      { type: 'output_text', text: 'a', annotations: [], logprobs: [] },
      { type: 'output_text', text: 'b' },
      { type: 'refusal', refusal: 'no' },
      { type: 'novel', x: 1 },
    ],
    novel: 1,
  },
  'assistant without content': { type: 'message', role: 'assistant', content: [] },
  'assistant with input text': { role: 'assistant', content: [{ type: 'input_text', text: 'a' }] },
  'user with output text': { role: 'user', content: [{ type: 'output_text', text: 'a', annotations: null }] },
  'assistant in progress': { type: 'message', id: null, role: 'assistant', status: 'in_progress', content: 'a' },
  annotations: {
    role: 'assistant',
    content: [
      {
        type: 'output_text',
        text: '😀 cited',
        annotations: [
          { type: 'url_citation', url: 'https://a', title: 'A', start_index: 2, end_index: 7 },
          { type: 'file_citation', file_id: 'f', filename: 'n', index: 3 },
        ],
        logprobs: [{ token: 'a', logprob: -1, bytes: [97], top_logprobs: [{ token: 'b', logprob: -2, bytes: [98] }] }],
      },
      {
        type: 'output_text',
        text: 'x',
        annotations: [
          {
            type: 'container_file_citation',
            container_id: 'c',
            file_id: 'f',
            filename: 'n',
            start_index: 0,
            end_index: 1,
          },
          { type: 'url_citation', url: 'https://a', start_index: 0, end_index: 99 },
        ],
        logprobs: [{ token: 'a', logprob: -1, bytes: null, top_logprobs: [] }],
      },
    ],
  },
  'function call': { type: 'function_call', call_id: 'c', name: 'f', arguments: '{"a":1.0}' },
  'function call with all': {
    type: 'function_call',
    id: 'fc_1',
    call_id: 'c',
    name: 'f',
    namespace: 'n',
    arguments: '',
    status: 'completed',
    caller: { type: 'direct' },
    async: true,
  },
  'function call of a program': {
    type: 'function_call',
    call_id: 'c',
    name: 'f',
    arguments: '{}',
    caller: { type: 'program', caller_id: 'x' },
  },
  'cut function call': {
    type: 'function_call',
    id: null,
    call_id: 'c',
    name: 'f',
    arguments: '{"a',
    status: 'incomplete',
  },
  'function call in progress': {
    type: 'function_call',
    call_id: '',
    name: 'f',
    arguments: null,
    status: 'in_progress',
  },
  'custom call': { type: 'custom_tool_call', id: 'ctc_1', call_id: 'c', name: 'f', input: 'free', namespace: null },
  'call of the base specification': { type: 'tool_use', id: 't', name: 'f', input: { a: 1 } },
  'output text': { type: 'function_call_output', call_id: 'c', output: 'x' },
  'empty output': { type: 'function_call_output', call_id: 'c', output: '', status: 'completed', id: 'fco_1' },
  'output parts': {
    type: 'function_call_output',
    call_id: 'c',
    name: 'f',
    namespace: null,
    output: [
      { type: 'input_text', text: 'a' },
      { type: 'input_image', image_url: PNG },
      { type: 'novel', a: 1 },
    ],
    status: 'incomplete',
  },
  'no output parts': { type: 'function_call_output', call_id: 'c', output: [] },
  'custom output': { type: 'custom_tool_call_output', call_id: 'c', output: 'x', caller: null },
  'native reasoning': {
    type: 'reasoning',
    id: 'rs_1',
    summary: [{ type: 'summary_text', text: 'a', novel: 1 }],
    encrypted_content: 'E',
  },
  'reasoning in a carrier': {
    type: 'reasoning',
    summary: [{ type: 'summary_text', text: 'a' }],
    encrypted_content: CARRIER,
  },
  'reasoning in a carrier, with all': {
    type: 'reasoning',
    id: 'rs_2',
    status: 'completed',
    summary: [{ type: 'summary_text', text: 'a', novel: 1 }],
    content: [{ type: 'reasoning_text', text: 'b' }],
    encrypted_content: CARRIER,
    novel: [1],
  },
  'bare reasoning': { type: 'reasoning', summary: [] },
  reference: { type: 'item_reference', id: 'msg_9' },
  'bare reference': { id: 'msg_9' },
  'reference with null': { type: null, id: 'msg_9' },
  compaction: { type: 'compaction', id: 'cmp_1', encrypted_content: 'X' },
  'compaction in a carrier': { type: 'compaction', encrypted_content: CARRIER, id: null },
  'compaction trigger': { type: 'compaction_trigger' },
  'file search': { type: 'file_search_call', id: 'fs', status: 'completed', queries: ['q'], results: null },
  'web search': {
    type: 'web_search_call',
    id: 'ws',
    status: 'completed',
    action: { type: 'search', query: 'q', sources: [{ type: 'url', url: 'u' }] },
  },
  'web search, opened': { type: 'web_search_call', id: 'ws', status: 'in_progress' },
  'code interpreter': {
    type: 'code_interpreter_call',
    id: 'ci',
    status: 'completed',
    code: 'x',
    container_id: 'c',
    outputs: [{ type: 'logs', logs: '1' }],
  },
  'image generation': { type: 'image_generation_call', id: 'ig', status: 'completed', result: 'aGk=', size: '1x1' },
  'stored image generation': { type: 'image_generation_call', id: 'ig' },
  'computer call': {
    type: 'computer_call',
    id: 'cu',
    call_id: 'c',
    status: 'completed',
    pending_safety_checks: [],
    action: { type: 'wait' },
  },
  'computer batch': {
    type: 'computer_call',
    id: 'cu',
    call_id: 'c',
    status: 'completed',
    pending_safety_checks: [{ id: 's' }],
    actions: [{ type: 'wait' }],
  },
  'computer output': {
    type: 'computer_call_output',
    call_id: 'c',
    output: { type: 'computer_screenshot', image_url: PNG },
    acknowledged_safety_checks: [{ id: 's' }],
  },
  'computer output by id': {
    type: 'computer_call_output',
    id: 'o',
    call_id: 'c',
    output: { type: 'computer_screenshot', file_id: 'f', novel: 1 },
    status: 'failed',
  },
  'local shell': {
    type: 'local_shell_call',
    id: 'l',
    call_id: 'c',
    status: 'completed',
    action: { type: 'exec', command: ['ls'], env: {} },
  },
  'local shell output': { type: 'local_shell_call_output', id: 'l', output: '{}' },
  shell: { type: 'shell_call', call_id: 'c', action: { commands: ['ls'] }, environment: { type: 'local' } },
  'remote shell': {
    type: 'shell_call',
    id: 's',
    call_id: 'r',
    action: { commands: ['ls'] },
    environment: { type: 'container_auto' },
  },
  'shell output': {
    type: 'shell_call_output',
    call_id: 'c',
    output: [{ stdout: '', stderr: '', outcome: { type: 'timeout' } }],
    max_output_length: 9,
  },
  patch: { type: 'apply_patch_call', call_id: 'c', status: 'completed', operation: { type: 'delete_file', path: 'a' } },
  'patch output': { type: 'apply_patch_call_output', call_id: 'c', status: 'failed', output: 'no' },
  'patch output, fine': { type: 'apply_patch_call_output', call_id: 'c', status: 'completed' },
  'server tools': { type: 'mcp_list_tools', id: 'm', server_label: 's', tools: [{ name: 'a', input_schema: {} }] },
  'server call': {
    type: 'mcp_call',
    id: 'm',
    server_label: 's',
    name: 'n',
    arguments: '{}',
    output: 'x',
    error: null,
    approval_request_id: null,
  },
  'approval request': { type: 'mcp_approval_request', id: 'a', server_label: 's', name: 'n', arguments: '{}' },
  'approval response': {
    type: 'mcp_approval_response',
    approval_request_id: 'a',
    approve: true,
    reason: 'ok',
    id: null,
  },
  'tool search': { type: 'tool_search_call', call_id: 'c', execution: 'client', arguments: { q: 1 } },
  'tool search output': { type: 'tool_search_output', call_id: 'c', execution: 'client', tools: [] },
  'more tools': {
    type: 'additional_tools',
    role: 'developer',
    tools: [{ type: 'function', name: 'f', parameters: null, strict: null }],
  },
  'configuration update': { type: 'configuration_update', reasoning: { effort: 'low' } },
  program: { type: 'program', id: 'p', call_id: 'c', code: 'x', fingerprint: 'f' },
  'unheard of': { type: 'novel', a: [1, { b: null }], __x: 1 },
};

describe('items come back as they came', () => {
  for (const [name, item] of Object.entries(ITEMS)) {
    test(name, () => {
      const body = { model: 'm', input: [{ role: 'user', content: 'q' }, item, { role: 'user', content: 'r' }] };
      expect(again(body)).toEqual(body);
      const alone = { model: 'm', input: [item] };
      expect(again(alone)).toEqual(alone);
    });
  }

  test('all of them in one body', () => {
    const body = { model: 'm', input: Object.values(ITEMS) };
    expect(again(body)).toEqual(body);
    const backwards = { model: 'm', input: Object.values(ITEMS).reverse() };
    expect(again(backwards)).toEqual(backwards);
  });
});

/** Bodies whose interest is not in their items. */
const BODIES: Readonly<Record<string, JsonObject>> = {
  'string input': { model: 'm', input: 'hello' },
  'no input': { model: 'm', instructions: 'go' },
  'null fields': {
    model: 'm',
    input: 'q',
    instructions: null,
    previous_response_id: null,
    conversation: null,
    max_output_tokens: null,
    temperature: null,
    top_p: null,
    top_logprobs: null,
    tools: null,
    tool_choice: null,
    parallel_tool_calls: null,
    reasoning: null,
    text: null,
    include: null,
    store: null,
    stream: null,
    background: null,
    metadata: null,
    service_tier: null,
    truncation: null,
    prompt: null,
    prompt_cache_key: null,
    prompt_cache_retention: null,
    prompt_cache_options: null,
    safety_identifier: null,
    user: null,
  },
  everything: {
    model: 'm',
    input: 'q',
    instructions: 'i',
    previous_response_id: 'resp_1',
    max_output_tokens: 1,
    max_tool_calls: 3,
    temperature: 0.2,
    top_p: 1,
    top_logprobs: 4,
    tools: [],
    tool_choice: 'auto',
    parallel_tool_calls: true,
    reasoning: { effort: 'high', summary: 'detailed', context: 'auto', mode: 'pro' },
    text: { format: { type: 'text' }, verbosity: 'low', novel: 1 },
    include: ['message.output_text.logprobs', 'novel'],
    store: true,
    stream: true,
    stream_options: { include_obfuscation: false },
    background: false,
    metadata: { a: 'b' },
    service_tier: 'flex',
    truncation: 'auto',
    prompt: { id: 'p', variables: { x: 'y' } },
    prompt_cache_key: 'k',
    prompt_cache_retention: '24h',
    prompt_cache_options: { mode: 'explicit', ttl: '12h', prewarm: true },
    safety_identifier: 's',
    user: 'u',
    moderation: { model: 'x' },
    context_management: [{ type: 'compaction' }],
    novel: null,
  },
  'other spellings': {
    model: 'm',
    input: 'q',
    stream: false,
    conversation: { id: 'conv_1' },
    reasoning: { effort: null, generate_summary: 'auto' },
    text: {},
    truncation: 'disabled',
    user: 'u',
    prompt_cache_options: {},
    prompt_cache_retention: 'in_memory',
    parallel_tool_calls: false,
    service_tier: 'ultrafast',
    metadata: {},
  },
  'unknown words': {
    model: 'm',
    input: 'q',
    reasoning: { effort: 'colossal', summary: 'brief' },
    truncation: 'middle',
    text: { format: { type: 'text', a: 1 }, verbosity: null },
    conversation: 'conv_2',
  },
  'schema output': {
    model: 'm',
    input: 'q',
    text: {
      format: { type: 'json_schema', name: 'n', schema: { type: 'object' }, strict: null, description: 'd', novel: 1 },
    },
  },
  'template without model': { prompt: { id: 'p' } },
  'leading instructions': {
    model: 'm',
    instructions: 'one',
    input: [
      { role: 'system', content: 'two' },
      { type: 'additional_tools', role: 'developer', tools: [{ type: 'novel' }] },
      { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'three' }], id: 'msg_1' },
      { role: 'user', content: 'q' },
      { role: 'developer', content: 'four' },
    ],
  },
  'only leading instructions': { model: 'm', input: [{ role: 'system', content: 'two' }] },
  'top-level parts': {
    model: 'm',
    input: [
      { type: 'input_text', text: 'a' },
      { type: 'input_image', image_url: PNG },
      { type: 'input_file', file_id: 'f' },
    ],
  },
  tools: {
    model: 'm',
    input: 'q',
    tools: [
      {
        type: 'function',
        name: 'a',
        parameters: { type: 'object' },
        strict: true,
        description: 'd',
        defer_loading: true,
      },
      { type: 'function', name: 'b', parameters: null, strict: null, description: null },
      { type: 'custom', name: 'c', format: { type: 'grammar', syntax: 'lark', definition: 'x' } },
      { type: 'custom', name: 'd', format: { type: 'text' }, description: 'y' },
      { type: 'custom', name: 'e', format: null },
      {
        type: 'namespace',
        name: 'docs',
        description: 'z',
        tools: [
          { type: 'function', name: 'f', parameters: {} },
          { type: 'custom', name: 'g' },
        ],
      },
      { type: 'namespace', name: 'docs', tools: [{ type: 'function', name: 'h', parameters: {} }] },
      {
        type: 'namespace',
        name: 'odd',
        description: null,
        novel: 1,
        tools: [{ type: 'novel' }, { type: 'function', name: 'i' }],
      },
      { type: 'namespace', name: 'empty', description: '', tools: [] },
      {
        type: 'web_search',
        filters: { allowed_domains: ['a'] },
        user_location: { type: 'approximate', city: 'x', region: null },
        external_web_access: false,
      },
      { type: 'web_search_2025_08_26', filters: null, search_context_size: 'low', user_location: null },
      { type: 'web_search_preview', domains: ['a'] },
      { type: 'web_search_preview_2025_03_11', search_content_types: ['text'] },
      { type: 'file_search', vector_store_ids: ['v'], max_num_results: 3, filters: { type: 'and', filters: [] } },
      { type: 'code_interpreter', container: 'cntr_1' },
      { type: 'code_interpreter', container: { type: 'auto', file_ids: ['f'], memory_limit: '4g' } },
      { type: 'image_generation', size: '1024x1024', partial_images: 2 },
      {
        type: 'mcp',
        server_label: 's',
        server_url: 'https://s',
        headers: { a: 'b' },
        allowed_tools: ['x'],
        require_approval: 'never',
      },
      {
        type: 'mcp',
        server_label: 't',
        connector_id: 'c',
        allowed_tools: { read_only: true },
        require_approval: { never: {} },
      },
      { type: 'tool_search', execution: 'client' },
      { type: 'computer' },
      { type: 'computer_use_preview', display_width: 1, display_height: 2, environment: 'mac' },
      { type: 'shell', environment: { type: 'local', skills: [] } },
      { type: 'shell', environment: { type: 'container_auto' } },
      { type: 'shell' },
      { type: 'local_shell' },
      { type: 'apply_patch' },
      { type: 'programmatic_tool_calling' },
      { type: 'novel', a: 1 },
    ],
  },
};

const CHOICES: readonly unknown[] = [
  'none',
  'auto',
  'required',
  { type: 'function', name: 'f' },
  { type: 'custom', name: 'f', novel: 1 },
  { type: 'mcp', server_label: 's' },
  { type: 'mcp', server_label: 's', name: 'n' },
  { type: 'web_search' },
  { type: 'web_search_preview' },
  { type: 'file_search' },
  { type: 'computer_use' },
  { type: 'apply_patch' },
  { type: 'shell' },
  { type: 'programmatic_tool_calling' },
  { type: 'allowed_tools', mode: 'auto', tools: [] },
  { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'f' }] },
  {
    type: 'allowed_tools',
    mode: 'auto',
    tools: [{ type: 'function', name: 'f', namespace: 'n' }, { type: 'image_generation' }, { type: 'mcp' }],
  },
];

describe('bodies come back as they came', () => {
  for (const [name, body] of Object.entries(BODIES)) {
    test(name, () => {
      const before = JSON.stringify(body);
      expect(again(body)).toEqual(body);
      expect(JSON.stringify(body)).toBe(before);
    });
  }
  for (const choice of CHOICES) {
    test(`tool choice ${JSON.stringify(choice)}`, () => {
      const body = {
        model: 'm',
        input: 'q',
        tools: [{ type: 'function', name: 'f', parameters: {} }],
        tool_choice: choice,
        parallel_tool_calls: false,
      };
      expect(again(body)).toEqual(body);
    });
  }

  test('a key that JavaScript finds special', () => {
    const body = JSON.parse(
      '{"model":"m","input":[{"role":"user","content":"q","__proto__":{"a":1}}],"__proto__":{"b":1}}',
    );
    const printed = JSON.stringify(again(body));
    expect(printed).toContain('"__proto__":{"a":1}');
    expect(printed).toContain('"__proto__":{"b":1}');
  });
});

describe('what the model sees', () => {
  const shapeOf = (request: CanonicalRequest): unknown =>
    request.turns.map(({ role, parts }) => [role, ...parts.map((part) => part.kind)]);

  test('items group into turns without moving', () => {
    const request = decode({
      model: 'm',
      input: [
        { type: 'reasoning', summary: [] },
        { role: 'assistant', content: 'a' },
        { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
        { type: 'function_call', call_id: 'd', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: 'd', output: 'x' },
        { type: 'custom_tool_call_output', call_id: 'c', output: 'y' },
        { role: 'user', content: 'b' },
        { role: 'user', content: 'c' },
      ],
    });
    expect(shapeOf(request)).toEqual([
      ['assistant', 'reasoning', 'text', 'call', 'call'],
      ['user', 'result', 'result'],
      ['user', 'text'],
      ['user', 'text'],
    ]);
    expect(request.turns[0]?.parts.map((part) => part.item)).toEqual([0, 1, 2, 3]);
  });

  test('two messages of the assistant stay two, whatever came before them', () => {
    const said = (text: string) => ({
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text }],
    });
    const input = [said('a'), { type: 'message', role: 'user', content: [] }, said('b'), said('c')];
    const { turns } = decode({ model: 'm', input });
    expect(turns.map(({ parts }) => parts.map(({ item }) => item))).toEqual([[0], [], [0, 1]]);
  });

  test('instructions come first, then leading items, each with its authority; later ones stay', () => {
    const request = decode(BODIES['leading instructions']);
    expect(
      request.instructions.map(({ authority, parts }) => [
        authority,
        ...parts.map((part) => part.kind === 'text' && part.text),
      ]),
    ).toEqual([
      ['system', 'one'],
      ['system', 'two'],
      ['developer', 'three'],
    ]);
    expect(shapeOf(request)).toEqual([
      ['instruction', 'toolChange'],
      ['user', 'text'],
      ['instruction', 'text'],
    ]);
  });

  test('children of a namespace are tools like any other', () => {
    const request = decode(BODIES.tools);
    expect(request.tools.filter((tool) => 'namespace' in tool && tool.namespace !== undefined)).toMatchObject([
      { kind: 'function', name: 'f', namespace: 'docs', namespaceDescription: 'z' },
      { kind: 'custom', name: 'g', namespace: 'docs' },
      { kind: 'function', name: 'h', namespace: 'docs' },
      { kind: 'function', name: 'i', namespace: 'odd' },
    ]);
  });

  test('the four names of web search are one tool', () => {
    const request = decode(BODIES.tools);
    const searches = request.tools.filter((tool) => tool.kind === 'hosted' && tool.family === 'webSearch');
    expect(searches).toMatchObject([
      { settings: { allowedDomains: ['a'], userLocation: { city: 'x' } } },
      { settings: { contextSize: 'low' } },
      { settings: { allowedDomains: ['a'] } },
      {},
    ]);
    expect(searches[0]?.ext).toEqual({ responses: { external_web_access: false } });
  });

  test('a null beside settings costs nothing', () => {
    const request = decode(BODIES['null fields']);
    expect(request.ext).toBeUndefined();
    expect(request.toolChoice).toBeUndefined();
    expect(request.state).toBeUndefined();
  });

  test('tool choice', () => {
    const choice = (tool_choice: unknown): unknown =>
      decode({ model: 'm', input: 'q', tool_choice, parallel_tool_calls: false }).toolChoice;
    expect(choice('required')).toMatchObject({ mode: 'required', parallel: false });
    expect(choice({ type: 'function', name: 'f' })).toMatchObject({
      mode: 'required',
      only: [{ kind: 'function', name: 'f' }],
    });
    expect(choice({ type: 'web_search_preview' })).toMatchObject({ only: [{ kind: 'hosted', family: 'webSearch' }] });
    expect(choice({ type: 'allowed_tools', mode: 'auto', tools: [{ type: 'custom', name: 'g' }] })).toMatchObject({
      mode: 'auto',
      only: [{ kind: 'custom', name: 'g' }],
    });
    expect(choice(undefined)).toMatchObject({ mode: 'auto', parallel: false });
  });

  test('opaque state: carriers stay closed, bare values keep their node', () => {
    const request = decode({
      model: 'm',
      input: [ITEMS['reasoning in a carrier'], ITEMS['native reasoning'], ITEMS['web search']],
    });
    const [carried, native, call, result] = request.turns[0]?.parts ?? [];
    expect(carried).toMatchObject({ kind: 'reasoning', text: ['a'], carrier: CARRIER });
    expect(carried?.state).toBeUndefined();
    expect(native?.state).toEqual([
      {
        dialect: 'responses',
        domain: 'unknown:responses',
        kind: 'reasoning',
        payload: JSON.stringify(ITEMS['native reasoning']),
      },
    ]);
    expect(call).toMatchObject({ kind: 'hostedCall', family: 'webSearch', input: { action: 'search', query: 'q' } });
    expect(call?.state).toBeUndefined();
    expect(result).toMatchObject({
      kind: 'hostedResult',
      output: { sources: [{ url: 'u' }] },
      state: [{ kind: 'hosted' }],
    });
  });

  test('places and settings', () => {
    const request = decode(BODIES.everything);
    expect(request).toMatchObject({
      at: {
        'sampling.temperature': '/temperature',
        'sampling.topP': '/top_p',
        maxOutput: '/max_output_tokens',
        tier: '/service_tier',
      },
      logprobs: { top: 4 },
      cache: { key: 'k', ttl: '12h', auto: false },
      reasoning: { mode: 'on', effort: 'high', show: 'detailed' },
      tier: { dialect: 'responses', value: 'flex' },
      truncate: true,
      user: 's',
    });
    expect(Object.keys(request.ext?.responses ?? {}).sort()).toEqual([
      'context_management',
      'moderation',
      'novel',
      'prompt_cache_options',
      'text',
      'user',
    ]);
    expect(decode({ model: 'm', input: 'q', reasoning: { effort: 'none' } }).reasoning).toMatchObject({ mode: 'off' });
  });
});

describe('faults name the place and the reason', () => {
  const faults: readonly (readonly [string, unknown, string, RegExp])[] = [
    ['no object', [], '', /object/],
    ['no model', { input: 'q' }, '/model', /missing/],
    ['no input', { model: 'm' }, '/input', /no input/],
    ['input of another type', { model: 'm', input: 3 }, '/input', /string or a list/],
    ['an item that is none', { model: 'm', input: [3] }, '/input/0', /object/],
    ['an item without type, role or id', { model: 'm', input: [{ a: 1 }] }, '/input/0', /type, a role or an id/],
    [
      'a role nobody has',
      { model: 'm', input: [{ role: 'tool', content: 'x' }] },
      '/input/0/role',
      /assistant, system/,
    ],
    ['content of another type', { model: 'm', input: [{ role: 'user', content: 3 }] }, '/input/0/content', /parts/],
    ['a part that is none', { model: 'm', input: [{ role: 'user', content: ['x'] }] }, '/input/0/content/0', /object/],
    [
      'a part without type',
      { model: 'm', input: [{ role: 'user', content: [{ text: 'x' }] }] },
      '/input/0/content/0/type',
      /type/,
    ],
    [
      'text of another type',
      { model: 'm', input: [{ role: 'user', content: [{ type: 'input_text', text: 1 }] }] },
      '/input/0/content/0/text',
      /string/,
    ],
    [
      'a call without name',
      { model: 'm', input: [{ type: 'function_call', call_id: 'c', arguments: '{}' }] },
      '/input/0/name',
      /required/,
    ],
    [
      'arguments that are no text',
      { model: 'm', input: [{ type: 'function_call', call_id: 'c', name: 'f', arguments: {} }] },
      '/input/0/arguments',
      /string/,
    ],
    [
      'an image of nothing',
      { model: 'm', input: [{ role: 'user', content: [{ type: 'input_image' }] }] },
      '/input/0/content/0',
      /image_url or file_id/,
    ],
    [
      'a bad data URL',
      {
        model: 'm',
        input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'data:image/png;base64,@@' }] }],
      },
      '/input/0/content/0/image_url',
      /base64/,
    ],
    [
      'a file that is not a data URL',
      { model: 'm', input: [{ role: 'user', content: [{ type: 'input_file', file_data: '{}' }] }] },
      '/input/0/content/0/file_data',
      /data URL/,
    ],
    ['a bad temperature', { model: 'm', input: 'q', temperature: 3 }, '/temperature', /2/],
    ['a tool without type', { model: 'm', input: 'q', tools: [{ name: 'f' }] }, '/tools/0/type', /type/],
    [
      'a nested function',
      { model: 'm', input: 'q', tools: [{ type: 'function', function: { name: 'f' } }] },
      '/tools/0/name',
      /required/,
    ],
    [
      'a choice nobody has',
      { model: 'm', input: 'q', tool_choice: 'sometimes' },
      '/tool_choice',
      /none, auto or required/,
    ],
    [
      'a schema without name',
      { model: 'm', input: 'q', text: { format: { type: 'json_schema', schema: {} } } },
      '/text/format/name',
      /name/,
    ],
    [
      'a bad schema name',
      { model: 'm', input: 'q', text: { format: { type: 'json_schema', name: 'a b', schema: {} } } },
      '/text/format/name',
      /letters/,
    ],
    ['labels that are no text', { model: 'm', input: 'q', metadata: { a: 1 } }, '/metadata/a', /string/],
    [
      'deep in a result',
      { model: 'm', input: [{ type: 'function_call_output', call_id: 'c', output: [{ type: 'input_text' }] }] },
      '/input/0/output/0/text',
      /required/,
    ],
  ];
  for (const [name, body, path, reason] of faults) {
    test(name, () => {
      const error = (() => {
        try {
          decode(body);
        } catch (thrown) {
          return thrown;
        }
        return undefined;
      })();
      expect(error).toBeInstanceOf(TranslationError);
      expect(error).toMatchObject({ kind: 'invalid_request', dialect: 'responses', path });
      expect(String(error)).toMatch(reason);
    });
  }
});
