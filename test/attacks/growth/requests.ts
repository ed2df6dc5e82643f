import type { DialectId, JsonObject } from '../../../translators/index.js';

/** A request body in which one list has `n` entries. */
export interface GrowingRequest {
  readonly name: string;
  readonly from: DialectId;
  readonly body: (n: number) => JsonObject;
}

/** A list of `n` entries. */
export function times<T>(n: number, entry: (index: number) => T): T[] {
  return Array.from({ length: n }, (_, index) => entry(index));
}

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const OBJECT = { type: 'object', properties: { q: { type: 'string' } } };

function messages(name: string, body: (n: number) => JsonObject): GrowingRequest {
  const hello = { model: 'claude-sonnet-4-5', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] };
  return { name, from: 'messages', body: (n) => ({ ...hello, ...body(n) }) };
}

function blocks(name: string, block: (index: number) => JsonObject): GrowingRequest {
  return messages(`blocks: ${name}`, (n) => ({ messages: [{ role: 'user', content: times(n, block) }] }));
}

/** Assistant turns of one block each, with a user's turn behind each. */
function exchanges(
  name: string,
  asked: (index: number) => JsonObject[],
  answered: (index: number) => JsonObject[],
): GrowingRequest {
  return messages(`turns: ${name}`, (n) => ({
    tools: [{ name: 'look', input_schema: OBJECT }],
    messages: [
      { role: 'user', content: 'hi' },
      ...times(n, (index) => [
        { role: 'assistant', content: asked(index) },
        { role: 'user', content: answered(index) },
      ]).flat(),
    ],
  }));
}

const use = (index: number): JsonObject => ({
  type: 'tool_use',
  id: `toolu_${index}`,
  name: 'look',
  input: { q: 'x' },
});
const result = (index: number): JsonObject => ({
  type: 'tool_result',
  tool_use_id: `toolu_${index}`,
  content: 'found',
});
const text = (index: number): JsonObject => ({ type: 'text', text: `words ${index}` });

const MESSAGES: readonly GrowingRequest[] = [
  messages('turns of one speaker', (n) => ({
    messages: times(n, (index) => ({ role: 'user', content: `t${index}` })),
  })),
  messages('system messages between turns', (n) => ({
    messages: [
      { role: 'user', content: 'hi' },
      ...times(n, (index) => ({ role: 'system', content: `note ${index}` })),
      { role: 'assistant', content: 'ok' },
      { role: 'user', content: 'go on' },
    ],
  })),
  messages('calls of one turn', (n) => ({
    tools: [{ name: 'look', input_schema: OBJECT }],
    messages: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: times(n, use) },
      { role: 'user', content: times(n, result) },
    ],
  })),
  messages('calls without results', (n) => ({
    tools: [{ name: 'look', input_schema: OBJECT }],
    messages: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: times(n, use) },
      { role: 'user', content: [result(0), text(0)] },
    ],
  })),
  messages('served calls', (n) => ({
    messages: [
      { role: 'user', content: 'hi' },
      {
        role: 'assistant',
        content: times(n, (index) => [
          { type: 'server_tool_use', id: `srvtoolu_${index}`, name: 'web_search', input: { query: 'q' } },
          { type: 'web_search_tool_result', tool_use_id: `srvtoolu_${index}`, content: [] },
        ]).flat(),
      },
      { role: 'user', content: 'and?' },
    ],
  })),
  messages('tools', (n) => ({ tools: times(n, (index) => ({ name: `look_${index}`, input_schema: OBJECT })) })),
  messages('tools with long names', (n) => ({
    tools: times(n, (index) => ({ name: `${'look_'.repeat(20)}${index}`, input_schema: OBJECT })),
  })),
  messages('calls of as many tools', (n) => ({
    tools: times(n, (index) => ({ name: `look_${index}`, input_schema: OBJECT })),
    messages: [
      { role: 'user', content: 'hi' },
      ...times(n, (index) => [
        { role: 'assistant', content: [{ ...use(index), name: `look_${index}` }] },
        { role: 'user', content: [result(index)] },
      ]).flat(),
    ],
  })),
  messages('MCP servers', (n) => ({
    mcp_servers: times(n, (index) => ({ type: 'url', name: `s${index}`, url: `https://mcp.example.org/${index}` })),
    tools: times(n, (index) => ({ type: 'mcp_toolset', mcp_server_name: `s${index}` })),
  })),
  messages('system blocks', (n) => ({ system: times(n, text) })),
  messages('stop sequences', (n) => ({ stop_sequences: times(n, (index) => `stop ${index}`) })),
  messages('unknown members', (n) => Object.fromEntries(times(n, (index) => [`x_${index}`, index]))),
  messages('cache marks', (n) => ({
    system: times(n, (index) => ({ ...text(index), cache_control: { type: 'ephemeral' } })),
  })),
  messages('entries of one unknown member', (n) => ({ x_list: times(n, (index) => ({ index })) })),
  blocks('text', text),
  blocks('unknown', (index) => ({ type: 'x_block', index })),
  blocks('image', () => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } })),
  blocks('image by URL', (index) => ({
    type: 'image',
    source: { type: 'url', url: `https://example.org/${index}.png` },
  })),
  blocks('document', (index) => ({
    type: 'document',
    title: `d${index}`,
    source: { type: 'text', media_type: 'text/plain', data: 'words' },
    citations: { enabled: true },
  })),
  blocks('unknown members of blocks', (index) => ({ ...text(index), x_mark: index })),
  exchanges(
    'call and result',
    (index) => [use(index)],
    (index) => [result(index)],
  ),
  exchanges(
    'thinking',
    (index) => [{ type: 'thinking', thinking: `thought ${index}`, signature: `c2lnbmF0dXJl${index}` }, text(index)],
    (index) => [text(index)],
  ),
  exchanges(
    'redacted thinking',
    (index) => [{ type: 'redacted_thinking', data: `abc${index}` }, text(index)],
    (index) => [text(index)],
  ),
];

function responses(name: string, body: (n: number) => JsonObject): GrowingRequest {
  return { name, from: 'responses', body: (n) => ({ model: 'gpt-5.1', input: 'hi', store: false, ...body(n) }) };
}

function items(name: string, item: (index: number) => JsonObject[]): GrowingRequest {
  return responses(`items: ${name}`, (n) => ({
    tools: [{ type: 'function', name: 'look', parameters: OBJECT, strict: false }],
    input: [{ role: 'user', content: 'hi' }, ...times(n, item).flat(), { role: 'user', content: 'go on' }],
  }));
}

const call = (index: number): JsonObject => ({
  type: 'function_call',
  call_id: `call_${index}`,
  name: 'look',
  arguments: '{"q":"x"}',
});
const output = (index: number): JsonObject => ({
  type: 'function_call_output',
  call_id: `call_${index}`,
  output: 'found',
});

const RESPONSES: readonly GrowingRequest[] = [
  items('user messages', (index) => [{ role: 'user', content: `t${index}` }]),
  items('assistant messages', (index) => [{ role: 'assistant', content: `t${index}` }]),
  items('speakers in turn', (index) => [{ role: index % 2 === 0 ? 'assistant' : 'user', content: `t${index}` }]),
  items('developer messages', (index) => [{ role: 'developer', content: `t${index}` }]),
  items('developer messages between others', (index) => [
    { role: index % 2 === 0 ? 'developer' : 'user', content: `t${index}` },
  ]),
  items('call and output', (index) => [call(index), output(index)]),
  items('calls without output', (index) => [call(index)]),
  items('reasoning', (index) => [
    {
      type: 'reasoning',
      id: `rs_${index}`,
      summary: [{ type: 'summary_text', text: 't' }],
      encrypted_content: 'gAAAA',
    },
    { role: 'assistant', content: `t${index}` },
  ]),
  items('web searches', (index) => [
    { type: 'web_search_call', id: `ws_${index}`, status: 'completed', action: { type: 'search', query: 'q' } },
  ]),
  items('custom calls', (index) => [
    { type: 'custom_tool_call', call_id: `c_${index}`, name: 'patch', input: 'x' },
    { type: 'custom_tool_call_output', call_id: `c_${index}`, output: 'ok' },
  ]),
  items('MCP calls', (index) => [
    { type: 'mcp_call', id: `mcp_${index}`, server_label: 's', name: 'look', arguments: '{}', output: 'ok' },
  ]),
  items('unknown', (index) => [{ type: 'x_item', index }]),
  responses('calls, then their outputs', (n) => ({
    tools: [{ type: 'function', name: 'look', parameters: OBJECT, strict: false }],
    input: [{ role: 'user', content: 'hi' }, ...times(n, call), ...times(n, output)],
  })),
  responses('parts of one message', (n) => ({
    input: [{ role: 'user', content: times(n, (index) => ({ type: 'input_text', text: `t${index}` })) }],
  })),
  responses('images of one message', (n) => ({
    input: [
      {
        role: 'user',
        content: times(n, () => ({ type: 'input_image', detail: 'low', image_url: `data:image/png;base64,${PNG}` })),
      },
    ],
  })),
  responses('tools', (n) => ({
    tools: times(n, (index) => ({ type: 'function', name: `look_${index}`, parameters: OBJECT, strict: true })),
  })),
  responses('custom tools', (n) => ({ tools: times(n, (index) => ({ type: 'custom', name: `look_${index}` })) })),
  responses('namespaces', (n) => ({
    tools: times(n, (index) => ({
      type: 'namespace',
      name: `room_${index}`,
      description: 'd',
      tools: [{ type: 'function', name: 'look', parameters: OBJECT, strict: false }],
    })),
  })),
  responses('MCP tools', (n) => ({
    tools: times(n, (index) => ({
      type: 'mcp',
      server_label: `s${index}`,
      server_url: `https://mcp.example.org/${index}`,
      require_approval: 'never',
    })),
  })),
  responses('allowed tools', (n) => ({
    tools: times(n, (index) => ({ type: 'function', name: `look_${index}`, parameters: OBJECT, strict: false })),
    tool_choice: {
      type: 'allowed_tools',
      mode: 'auto',
      tools: times(n, (index) => ({ type: 'function', name: `look_${index}` })),
    },
  })),
  responses('include', (n) => ({ include: times(n, (index) => `x.${index}`) })),
  responses('metadata', (n) => ({ metadata: Object.fromEntries(times(n, (index) => [`k${index}`, 'v'])) })),
  responses('unknown members', (n) => Object.fromEntries(times(n, (index) => [`x_${index}`, index]))),
];

function generateContent(name: string, body: (n: number) => JsonObject): GrowingRequest {
  const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];
  return { name, from: 'generateContent', body: (n) => ({ contents, ...body(n) }) };
}

function contents(name: string, of: (index: number) => JsonObject[]): GrowingRequest {
  return generateContent(`contents: ${name}`, (n) => ({
    tools: [{ functionDeclarations: [{ name: 'look', parameters: OBJECT }] }],
    contents: [
      { role: 'user', parts: [{ text: 'hi' }] },
      ...times(n, of).flat(),
      { role: 'user', parts: [{ text: 'go on' }] },
    ],
  }));
}

const asked = (index: number): JsonObject => ({ functionCall: { name: 'look', args: { q: `${index}` } } });
const told = (): JsonObject => ({ functionResponse: { name: 'look', response: { output: 'found' } } });

const GENERATE_CONTENT: readonly GrowingRequest[] = [
  contents('one speaker', (index) => [{ role: 'user', parts: [{ text: `t${index}` }] }]),
  contents('the model alone', (index) => [{ role: 'model', parts: [{ text: `t${index}` }] }]),
  contents('speakers in turn', (index) => [
    { role: index % 2 === 0 ? 'model' : 'user', parts: [{ text: `t${index}` }] },
  ]),
  contents('call and result', (index) => [
    { role: 'model', parts: [asked(index)] },
    { role: 'user', parts: [told()] },
  ]),
  contents('call and result with ids', (index) => [
    { role: 'model', parts: [{ functionCall: { id: `c${index}`, name: 'look', args: {} } }] },
    { role: 'user', parts: [{ functionResponse: { id: `c${index}`, name: 'look', response: { output: 'found' } } }] },
  ]),
  contents('served calls in contents of their own', (index) => [
    { role: 'model', parts: [{ functionCall: { id: `c${index}`, name: 'srv', args: {} } }] },
    { role: 'model', parts: [{ functionResponse: { id: `c${index}`, name: 'srv', response: { output: 'found' } } }] },
  ]),
  contents('results with ids of the client', (index) => [
    { role: 'model', parts: [asked(index)] },
    { role: 'user', parts: [{ functionResponse: { id: `own${index}`, name: 'look', response: { output: 'found' } } }] },
  ]),
  contents('signatures', (index) => [
    { role: 'model', parts: [{ text: `t${index}`, thoughtSignature: 'c2lnbmF0dXJl' }] },
    { role: 'user', parts: [{ text: 'and?' }] },
  ]),
  contents('executed code', (index) => [
    {
      role: 'model',
      parts: [
        { executableCode: { language: 'PYTHON', code: `${index}` } },
        { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
      ],
    },
  ]),
  generateContent('calls of one content', (n) => ({
    tools: [{ functionDeclarations: [{ name: 'look', parameters: OBJECT }] }],
    contents: [
      { role: 'user', parts: [{ text: 'hi' }] },
      { role: 'model', parts: times(n, asked) },
      { role: 'user', parts: times(n, told) },
    ],
  })),
  generateContent('parts', (n) => ({
    contents: [{ role: 'user', parts: times(n, (index) => ({ text: `t${index}` })) }],
  })),
  generateContent('pictures', (n) => ({
    contents: [{ role: 'user', parts: times(n, () => ({ inlineData: { mimeType: 'image/png', data: PNG } })) }],
  })),
  generateContent('unknown parts', (n) => ({
    contents: [{ role: 'user', parts: [{ text: 'hi' }, ...times(n, (index) => ({ xPart: { index } }))] }],
  })),
  generateContent('declarations', (n) => ({
    tools: [{ functionDeclarations: times(n, (index) => ({ name: `look_${index}`, parameters: OBJECT })) }],
  })),
  generateContent('tools', (n) => ({
    tools: times(n, (index) => ({ functionDeclarations: [{ name: `look_${index}`, parameters: OBJECT }] })),
  })),
  generateContent('allowed names', (n) => ({
    tools: [{ functionDeclarations: times(n, (index) => ({ name: `look_${index}`, parameters: OBJECT })) }],
    toolConfig: {
      functionCallingConfig: { mode: 'ANY', allowedFunctionNames: times(n, (index) => `look_${index}`) },
    },
  })),
  generateContent('MCP servers', (n) => ({
    tools: [
      {
        mcpServers: times(n, (index) => ({
          name: `s${index}`,
          streamableHttpTransport: { url: `https://mcp.example.org/${index}` },
        })),
      },
    ],
  })),
  generateContent('safety settings', (n) => ({
    safetySettings: times(n, () => ({ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' })),
  })),
  generateContent('stop sequences', (n) => ({
    generationConfig: { stopSequences: times(n, (index) => `stop ${index}`) },
  })),
  generateContent('unknown members', (n) => Object.fromEntries(times(n, (index) => [`x${index}`, index]))),
];

/** One tool of which the schema grows, in each dialect that declares tools by a schema. */
function schemas(name: string, schema: (n: number) => JsonObject): GrowingRequest[] {
  return [
    messages(`schema: ${name}`, (n) => ({ tools: [{ name: 'look', strict: true, input_schema: schema(n) }] })),
    responses(`schema: ${name}`, (n) => ({
      tools: [{ type: 'function', name: 'look', strict: true, parameters: schema(n) }],
    })),
    generateContent(`schema: ${name}`, (n) => ({
      tools: [{ functionDeclarations: [{ name: 'look', parametersJsonSchema: schema(n) }] }],
    })),
  ];
}

const property = (index: number): [string, JsonObject] => [`p${index}`, { type: 'string', minLength: 1 }];

const SCHEMAS: readonly GrowingRequest[] = [
  ...schemas('properties', (n) => ({
    type: 'object',
    properties: Object.fromEntries(times(n, property)),
    required: times(n, (index) => `p${index}`),
    additionalProperties: false,
  })),
  ...schemas('optional properties', (n) => ({ type: 'object', properties: Object.fromEntries(times(n, property)) })),
  ...schemas('words of an enum', (n) => ({
    type: 'object',
    properties: { q: { enum: times(n, (index) => `w${index}`) } },
  })),
  ...schemas('branches of a union', (n) => ({
    type: 'object',
    properties: { q: { anyOf: times(n, (index) => ({ const: index })) } },
  })),
  ...schemas('branches of a union at the root', (n) => ({
    anyOf: times(n, (index) => ({ type: 'object', properties: { [`p${index}`]: { type: 'string' } } })),
  })),
  ...schemas('definitions, each used', (n) => ({
    type: 'object',
    properties: Object.fromEntries(times(n, (index) => [`p${index}`, { $ref: `#/$defs/d${index}` }])),
    $defs: Object.fromEntries(times(n, (index) => [`d${index}`, { type: 'string' }])),
  })),
  ...schemas('parts of allOf', (n) => ({
    type: 'object',
    properties: { a: { type: 'string' } },
    allOf: times(n, (index) => ({ properties: { [`p${index}`]: { type: 'string' } }, required: [`p${index}`] })),
  })),
  ...schemas('uses of one definition', (n) => ({
    type: 'object',
    properties: Object.fromEntries(times(n, (index) => [`p${index}`, { $ref: '#/$defs/d' }])),
    $defs: { d: { type: 'object', properties: { q: { type: 'string' } } } },
  })),
];

/** Every list of a request that a caller makes as long as it likes. */
export const GROWING_REQUESTS: readonly GrowingRequest[] = [...MESSAGES, ...RESPONSES, ...GENERATE_CONTENT, ...SCHEMAS];
