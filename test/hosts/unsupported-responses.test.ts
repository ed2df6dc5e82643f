import { describe, expect, test } from '@jest/globals';
import {
  createLosses,
  createStreamRestorer,
  dialects,
  fitRelayed,
  type HostFeature,
  type JsonObject,
  packState,
  packSummary,
  restoreAnswer,
} from '../../translators/index.js';

/** A body for a host that lacks these, with what was lost. */
function forHost(
  body: JsonObject | string,
  unsupported: readonly HostFeature[],
  more: { readonly omitMedia?: boolean } = {},
) {
  const losses = createLosses();
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const profile = dialects.responses.target('gpt-5.5');
  const given = { text, value: JSON.parse(text) };
  const fitted = fitRelayed('responses', given, {
    unsupported: new Set(unsupported),
    losses,
    target: profile,
    ...more,
  });
  return {
    ...fitted,
    given: text,
    body: JSON.parse(fitted.text),
    losses: losses.list.map(({ path, feature, kind }) => `${path} ${feature} ${kind}`),
  };
}

const STATE = { dialect: 'responses', domain: 'other', kind: 'reasoning', payload: '{}' } as const;

const PATCH = {
  type: 'custom',
  name: 'apply_patch',
  description: 'Edits files.',
  format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' },
};
const SHELL = {
  type: 'function',
  name: 'shell',
  strict: false,
  parameters: { type: 'object', properties: { command: { type: 'array', items: { type: 'string' } } } },
};
const SERVER = {
  type: 'namespace',
  name: 'mcp__files',
  description: 'Files of the project.',
  tools: [{ type: 'function', name: 'read', description: 'Reads.', parameters: { type: 'object' }, strict: false }],
};

/** What a coding agent sends in its second turn. */
const AGENT: JsonObject = {
  model: 'gpt-5.5',
  instructions: 'You edit code.',
  input: [
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'fix it' }] },
    { type: 'custom_tool_call', call_id: 'c1', name: 'apply_patch', input: '*** Begin "Patch"\n', id: 'ctc_1' },
    { type: 'custom_tool_call_output', call_id: 'c1', output: 'Done' },
    { type: 'function_call', call_id: 'c2', namespace: 'mcp__files', name: 'read', arguments: '{"p":1.0}' },
    { type: 'function_call_output', call_id: 'c2', output: 'text' },
  ],
  tools: [SHELL, PATCH, SERVER, { type: 'web_search', external_web_access: false }, { type: 'tool_search' }],
  tool_choice: 'auto',
  store: false,
  include: ['reasoning.encrypted_content'],
  client_metadata: { session: 's' },
};

describe('tools of a coding agent for a host that has functions only', () => {
  const unsupported = ['customTools', 'namespaces', 'toolSearch', 'hostedTools'] as const;

  test('are functions, and everything else keeps its bytes', () => {
    const { body, losses, text, given } = forHost(AGENT, unsupported);
    expect(body.tools).toEqual([
      SHELL,
      {
        type: 'function',
        name: 'apply_patch',
        description: 'Edits files.\n\nGrammar of the input (lark):\nstart: "x"',
        parameters: { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] },
        strict: false,
      },
      { ...SERVER.tools[0], name: 'mcp__files__read', description: 'Files of the project.\n\nReads.' },
    ]);
    expect(body.input.slice(1, 4)).toEqual([
      {
        type: 'function_call',
        call_id: 'c1',
        name: 'apply_patch',
        id: 'ctc_1',
        arguments: '{"input":"*** Begin \\"Patch\\"\\n"}',
      },
      { type: 'function_call_output', call_id: 'c1', output: 'Done' },
      { type: 'function_call', call_id: 'c2', name: 'mcp__files__read', arguments: '{"p":1.0}' },
    ]);
    expect(losses).toEqual([
      '/tools/4 tool.hosted dropped',
      '/tools/3 tool.hosted dropped',
      '/tools/1 tool.custom approximated',
      '/tools/2/tools/0 tool.namespace moved',
      '/input/1 call.freeform approximated',
    ]);
    const head = given.indexOf('custom_tool_call');
    expect(text.slice(0, head)).toBe(given.slice(0, head));
    expect(text.endsWith(given.slice(given.indexOf('"tool_choice"')))).toBe(true);
  });

  test('come back as what they are', () => {
    const { restore } = forHost(AGENT, unsupported);
    if (restore === undefined) throw new Error('nothing to restore');
    const answer = {
      id: 'resp_1',
      output: [
        { type: 'message', id: 'm', content: [{ type: 'output_text', text: 'x' }] },
        { type: 'function_call', id: 'fc_1', call_id: 'c3', name: 'apply_patch', arguments: '{"input":"a\\nb"}' },
        { type: 'function_call', id: 'fc_2', call_id: 'c4', name: 'mcp__files__read', arguments: '{}' },
        { type: 'function_call', id: 'fc_3', call_id: 'c5', name: 'shell', arguments: '{}' },
      ],
      tools: [{ type: 'function', name: 'apply_patch' }],
      n: 1.0,
    };
    const text = JSON.stringify(answer, undefined, 1).replace('"n": 1', '"n": 1.0');
    const restored = restoreAnswer(text, restore);
    expect(JSON.parse(restored)).toEqual({
      ...answer,
      output: [
        answer.output[0],
        { type: 'custom_tool_call', id: 'fc_1', call_id: 'c3', name: 'apply_patch', input: 'a\nb' },
        { type: 'function_call', id: 'fc_2', call_id: 'c4', name: 'read', namespace: 'mcp__files', arguments: '{}' },
        answer.output[3],
      ],
      tools: AGENT.tools,
    });
    expect(restored).toContain('"n": 1.0');
  });

  test('come back in the events of a stream, piece by piece', () => {
    const { restore } = forHost(AGENT, unsupported);
    if (restore === undefined) throw new Error('nothing to restore');
    const args = JSON.stringify({ input: 'a "b"\n😀' });
    const item = { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'apply_patch', arguments: '' };
    const events: JsonObject[] = [
      { type: 'response.created', response: { id: 'r', output: [], tools: [{ type: 'function' }] } },
      { type: 'response.output_item.added', output_index: 0, item },
      ...[...args].map((delta) => ({
        type: 'response.function_call_arguments.delta',
        output_index: 0,
        item_id: 'fc_1',
        delta,
      })),
      { type: 'response.function_call_arguments.done', output_index: 0, item_id: 'fc_1', arguments: args },
      { type: 'response.output_item.done', output_index: 0, item: { ...item, arguments: args } },
      { type: 'response.output_text.delta', output_index: 1, delta: 'x' },
    ];
    const stream = events
      .map(
        (event, index) =>
          `event: ${event.type}\r\ndata: ${JSON.stringify({ ...event, sequence_number: index })}\r\n\r\n`,
      )
      .join('');
    const restorer = createStreamRestorer(restore);
    const bytes = new TextEncoder().encode(`: hello\n\n${stream}`);
    let out = '';
    for (let at = 0; at < bytes.length; at += 7) out += restorer.push(bytes.subarray(at, at + 7));
    out += restorer.end();
    const told = [...out.matchAll(/event: (.*)\r\ndata: (.*)\r\n\r\n/g)].map(([, name, data]) => {
      const event: JsonObject = JSON.parse(data ?? '');
      expect(event.type).toBe(name);
      return event;
    });
    expect(out.startsWith(': hello\n\n')).toBe(true);
    expect(told.map(({ sequence_number: number }) => number)).toEqual(events.map((_event, index) => index));
    const [created, added, ...rest] = told;
    expect(created?.response).toMatchObject({ tools: AGENT.tools });
    expect(added?.item).toEqual({ type: 'custom_tool_call', id: 'fc_1', call_id: 'c', name: 'apply_patch', input: '' });
    const deltas = rest.filter(({ type }) => type === 'response.custom_tool_call_input.delta');
    expect(deltas.map(({ delta }) => delta).join('')).toBe('a "b"\n😀');
    const [done, item_done, text] = rest.slice(deltas.length);
    expect(done).toMatchObject({ type: 'response.custom_tool_call_input.done', input: 'a "b"\n😀', item_id: 'fc_1' });
    expect(item_done?.item).toMatchObject({ type: 'custom_tool_call', input: 'a "b"\n😀' });
    expect(text).toMatchObject({ type: 'response.output_text.delta', delta: 'x' });
  });

  test('two tools that would have one name are refused', () => {
    const tools = [
      { ...SHELL, name: 'a__b' },
      { type: 'namespace', name: 'a', tools: [{ ...SHELL, name: 'b' }] },
    ];
    expect(() => forHost({ model: 'm', input: 'q', tools }, unsupported)).toThrow(
      'two tools would both be called "a__b"',
    );
  });

  test('of two tools that have one name and type there, the later takes the place of the older', () => {
    const tools = [{ ...PATCH, name: 'edit' }, SHELL, { ...SHELL, name: 'edit' }];
    const { body, losses } = forHost({ model: 'm', input: 'q', tools }, ['customTools']);
    expect(body.tools).toEqual([tools[2], SHELL]);
    expect(losses).toEqual(['/tools/0 tool.custom approximated', '/tools/0 tool.duplicate dropped']);
  });

  test('a body that cannot be read is left to the host', () => {
    const body = { model: 'm', input: 'q', tools: [{ type: 'custom' }] };
    expect(forHost(body, unsupported)).toMatchObject({ text: JSON.stringify(body), losses: [] });
  });

  test('a host that has namespaces gets its custom tools in them as functions', () => {
    const tools = [{ ...SERVER, tools: [...SERVER.tools, PATCH] }];
    const { body } = forHost({ model: 'm', input: 'q', tools }, ['customTools']);
    expect(body.tools[0]).toMatchObject({ type: 'namespace', tools: [SERVER.tools[0], { type: 'function' }] });
  });
});

test('the choice names the tools as the host has them, or is left out with them', () => {
  const choose = (tool_choice: unknown) =>
    forHost({ ...AGENT, tool_choice }, ['customTools', 'namespaces', 'hostedTools', 'toolSearch']).body.tool_choice;
  expect(choose({ type: 'custom', name: 'apply_patch' })).toEqual({ type: 'function', name: 'apply_patch' });
  expect(choose({ type: 'function', namespace: 'mcp__files', name: 'read' })).toEqual({
    type: 'function',
    name: 'mcp__files__read',
  });
  expect(choose({ type: 'web_search' })).toBeUndefined();
  expect(
    choose({
      type: 'allowed_tools',
      mode: 'auto',
      tools: [{ type: 'web_search' }, { type: 'custom', name: 'apply_patch' }, { type: 'function', name: 'shell' }],
    }),
  ).toEqual({
    type: 'allowed_tools',
    mode: 'auto',
    tools: [
      { type: 'function', name: 'apply_patch' },
      { type: 'function', name: 'shell' },
    ],
  });
});

test('tools that an item declares, or that were found, are declared from the start', () => {
  const found = { ...SHELL, name: 'found', defer_loading: true };
  const body = {
    model: 'm',
    input: [
      { type: 'additional_tools', role: 'developer', tools: [SHELL, { type: 'tool_search' }] },
      { type: 'message', role: 'user', content: 'q' },
      { type: 'tool_search_call', execution: 'client', call_id: 's', arguments: { query: 'f' } },
      { type: 'tool_search_output', execution: 'client', call_id: 's', tools: [found] },
    ],
  };
  const fitted = forHost(body, ['additionalTools', 'toolSearch']);
  expect(fitted.body).toEqual({
    model: 'm',
    input: [body.input[1]],
    tools: [SHELL, { ...SHELL, name: 'found' }],
  });
  expect(fitted.losses).toEqual([
    '/input/0 part.toolChange moved',
    '/input/2 tool.hosted dropped',
    '/input/3 tool.hosted dropped',
    '/input/0/tools/1 tool.hosted dropped',
    '/input/3/tools/0/defer_loading ext.defer_loading moved',
  ]);
  expect(fitted.restore?.answer({ tools: [SHELL], output: [] })).toEqual({ tools: [], output: [] });
  expect(fitted.pathOf('/input/0/content')).toBe('/input/1/content');
});

test('hosted calls and items of the service alone are left out, calls of built-in tools are those of functions', () => {
  const input = [
    { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'q' } },
    { type: 'agent_message', content: [] },
    { type: 'context_compaction', encrypted_content: 'x' },
    { type: 'local_shell_call', id: 'l', call_id: 'c', status: 'completed', action: { command: ['ls'] } },
    { type: 'local_shell_call_output', call_id: 'c', output: 'a.txt' },
    { role: 'user', content: 'q' },
  ];
  const { body, losses } = forHost({ model: 'm', input }, ['hostedTools', 'codexItems']);
  expect(body.input).toEqual([
    { type: 'function_call', call_id: 'c', name: 'local_shell', arguments: '{"action":{"command":["ls"]}}' },
    { type: 'function_call_output', call_id: 'c', output: 'a.txt' },
    input[5],
  ]);
  expect(losses).toEqual([
    '/input/0 hosted.call dropped',
    '/input/1 part.opaque dropped',
    '/input/2 part.compaction dropped',
    '/input/3 call.family approximated',
    '/input/4 call.family approximated',
  ]);
});

test('an output of the older shell tool names the item of its call, or the call, by its own id', () => {
  const call = (id: string, callId: string) => ({ type: 'local_shell_call', id, call_id: callId, action: {} });
  const output = (id: string) => ({ type: 'local_shell_call_output', id, output: id });
  const input = [call('l1', 'c1'), output('l1'), call('l2', 'c2'), output('c2')];
  const { body } = forHost({ model: 'm', input }, ['codexItems']);
  expect(body.input).toMatchObject([
    { type: 'function_call', call_id: 'c1' },
    { type: 'function_call_output', call_id: 'c1', output: 'l1' },
    { type: 'function_call', call_id: 'c2' },
    { type: 'function_call_output', call_id: 'c2', output: 'c2' },
  ]);
});

test('what is read elsewhere stays: summaries that were made here, and carriers', () => {
  const input = [
    { type: 'compaction', encrypted_content: packSummary('what was said') },
    { type: 'reasoning', summary: [], encrypted_content: packState([STATE]) },
    { role: 'user', content: 'q' },
  ];
  expect(forHost({ model: 'm', input }, ['codexItems', 'encryptedReasoning']).body.input).toEqual(input);
});

test('encrypted reasoning of any length is taken out', () => {
  const input = [
    { type: 'reasoning', summary: [], encrypted_content: 'x'.repeat(8_000_000) },
    { role: 'user', content: 'q' },
  ];
  expect(forHost({ model: 'm', input }, ['encryptedReasoning']).body.input).toEqual(input.slice(1));
});

test('an empty list of tools, and a choice of a tool that nobody declared, are left to the host', () => {
  const body = { model: 'm', input: 'q', tools: [], tool_choice: { type: 'web_search' } };
  const fitted = forHost(body, ['hostedTools', 'toolSearch', 'additionalTools', 'mcp', 'customTools', 'namespaces']);
  expect(fitted.text).toBe(fitted.given);
});

test.each<[HostFeature, JsonObject, JsonObject]>([
  ['mcp', { type: 'mcp', server_label: 's' }, { type: 'mcp', server_label: 's', name: 'ask' }],
  ['mcp', { type: 'mcp', server_label: 's' }, { type: 'mcp', server_label: 'another' }],
  ['hostedTools', { type: 'web_search' }, { type: 'web_search_preview' }],
])('without %s and its tool %j, the choice %j is left out, whatever it calls the tool', (feature, tool, choice) => {
  const body = { model: 'm', input: 'q', tools: [SHELL, tool] };
  expect(forHost({ ...body, tool_choice: choice }, [feature])).toMatchObject({
    body: { model: 'm', input: 'q', tools: [SHELL] },
    losses: ['/tools/1 tool.hosted dropped', '/tool_choice toolChoice dropped'],
  });
  expect(forHost({ ...body, tool_choice: choice }, [feature]).body).not.toHaveProperty('tool_choice');
  const tools = [choice, { type: 'function', name: 'shell' }];
  const listed = forHost({ ...body, tool_choice: { type: 'allowed_tools', mode: 'auto', tools } }, [feature]);
  expect(listed.body.tool_choice).toEqual({ type: 'allowed_tools', mode: 'auto', tools: tools.slice(1) });
  expect(listed.losses).toContain('/tool_choice toolChoice.list approximated');
});

test('where tools are only added, or a function is chosen by a name that is not among the outermost, the choice stays', () => {
  const added = { type: 'additional_tools', role: 'developer', tools: [SHELL] };
  const search = { type: 'web_search_preview' };
  const more = { model: 'm', input: [added], tools: [PATCH], tool_choice: search };
  expect(forHost(more, ['additionalTools']).body.tool_choice).toEqual(search);
  const named = { type: 'function', name: 'read' };
  const within = { model: 'm', input: 'q', tools: [SERVER, { type: 'web_search' }], tool_choice: named };
  expect(forHost(within, ['hostedTools']).body.tool_choice).toEqual(named);
  const unread = { type: 'allowed_tools', mode: 'auto' };
  expect(forHost({ ...within, tool_choice: unread }, ['hostedTools']).body.tool_choice).toEqual(unread);
});

test('servers of the MCP protocol are hosted tools of their own', () => {
  const tools = [{ type: 'mcp', server_label: 's', server_url: 'https://example.com' }];
  const body = { model: 'm', input: 'q', tools, tool_choice: 'required' };
  expect(forHost(body, ['hostedTools']).body).toEqual(body);
  expect(forHost(body, ['mcp'])).toMatchObject({
    body: { model: 'm', input: 'q' },
    losses: ['/tools/0 tool.hosted dropped', '/tool_choice toolChoice dropped'],
  });
});

test('reasoning: what another service encrypted is not sent, what a host wrote in its place is', () => {
  const plain = { type: 'reasoning', id: 'r1', summary: [], encrypted_content: 'First I look at the file.' };
  const told = { type: 'reasoning', id: 'r2', summary: [{ type: 'summary_text', text: 'thought' }] };
  const state = `gAAAAA${'x'.repeat(60)}`;
  const input = [plain, { ...told, encrypted_content: state }, { ...plain, encrypted_content: state }];
  const body = { model: 'm', input, include: ['reasoning.encrypted_content', 'message.output_text.logprobs'] };
  expect(forHost(body, ['encryptedReasoning'])).toMatchObject({
    body: { model: 'm', input: [plain, told], include: ['message.output_text.logprobs'] },
    losses: ['/input/1 reasoning.state dropped', '/input/2 reasoning.state dropped', '/include include.detail dropped'],
  });
  expect(forHost({ model: 'm', input: [plain, told] }, ['summaryReasoning']).body.input).toEqual([
    { ...told, content: [{ type: 'reasoning_text', text: 'thought' }] },
  ]);
});

test('messages of the assistant are written out, which says the same', () => {
  const whole = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'A' }] };
  const input = [{ role: 'user', content: 'q' }, { role: 'assistant', content: 'A' }, whole];
  const { body, losses } = forHost({ model: 'm', input }, ['shortMessages']);
  expect(body.input).toEqual([input[0], whole, whole]);
  expect(losses).toEqual([]);
});

test('a message of the assistant in parts is one part, where all of them are texts', () => {
  const part = (text: string) => ({ type: 'output_text', text, annotations: [] });
  const of = (...content: object[]) => ({ type: 'message', role: 'assistant', content });
  const refusal = of(part('A'), { type: 'refusal', refusal: 'no' });
  const asked = {
    role: 'user',
    content: [
      { type: 'input_text', text: 'q' },
      { type: 'input_text', text: 'r' },
    ],
  };
  const input = [asked, of(part('A'), part(' b'), part(' c')), of(part('A')), refusal];
  const { body, losses } = forHost({ model: 'm', input }, ['messageParts']);
  expect(body.input).toEqual([asked, of(part('A b c')), of(part('A')), refusal]);
  expect(losses).toEqual([]);
});

describe('media', () => {
  const text = Buffer.from('a,b').toString('base64');
  const input = [
    {
      role: 'user',
      content: [
        { type: 'input_text', text: 'q' },
        { type: 'input_file', filename: 't.csv', file_data: `data:text/csv;base64,${text}` },
        { type: 'input_image', image_url: 'https://example.com/a.png' },
      ],
    },
  ];

  test('a text file is given in words, a picture by URL as a note where media may be omitted', () => {
    const { body, losses } = forHost({ model: 'm', input }, ['documents', 'imageUrls'], { omitMedia: true });
    expect(body.input[0].content).toEqual([
      input[0]?.content[0],
      { type: 'input_text', text: 't.csv\na,b' },
      { type: 'input_text', text: '[image omitted: unknown type]' },
    ]);
    expect(losses).toEqual([
      '/input/0/content/1 part.media approximated',
      '/input/0/content/2 part.media approximated',
    ]);
  });

  test('texts in the place of files and pictures have their marks, as they came', () => {
    const marks = [{ mode: 'explicit' }, { mode: 'explicit', ttl: '1h' }, { mode: 'explicit', scope: 'global' }, null];
    const parts = marks.flatMap((prompt_cache_breakpoint) => [
      { type: 'input_file', filename: 't.csv', file_data: `data:text/csv;base64,${text}`, prompt_cache_breakpoint },
      { type: 'input_image', image_url: 'https://example.com/a.png', prompt_cache_breakpoint },
    ]);
    const given = [
      { role: 'user', content: parts },
      { type: 'function_call_output', call_id: 'a', output: parts },
    ];
    const { body } = forHost({ model: 'm', input: given }, ['documents', 'images'], { omitMedia: true });
    const texts = marks.flatMap((prompt_cache_breakpoint) =>
      ['t.csv\na,b', '[image omitted: unknown type]'].map((words) => ({
        type: 'input_text',
        text: words,
        prompt_cache_breakpoint,
      })),
    );
    expect(body.input).toEqual([
      { role: 'user', content: texts },
      { ...given[1], output: texts },
    ]);
  });

  test('a picture that cannot be read leaves the body to the host: nothing is lost, and nothing is restored', () => {
    const unread = { ...AGENT, input: [{ role: 'user', content: [{ type: 'input_image' }] }], service_tier: 'flex' };
    const fitted = forHost(unread, ['customTools', 'namespaces', 'hostedTools', 'images', 'tiers']);
    expect(fitted).toMatchObject({ text: fitted.given, losses: [] });
    expect(fitted.restore).toBeUndefined();
  });

  test('else the request is refused', () => {
    expect(() => forHost({ model: 'm', input }, ['images'])).toThrow('the host does not accept images');
  });

  test('media in results follows them', () => {
    const picture = { type: 'input_image', image_url: 'data:image/png;base64,AA==' };
    const calls = [
      { type: 'function_call_output', call_id: 'a', output: [{ type: 'input_text', text: 'seen' }, picture] },
      { type: 'function_call_output', call_id: 'b', output: 'x' },
      { role: 'user', content: 'q' },
    ];
    expect(forHost({ model: 'm', input: calls }, ['resultMedia']).body.input).toEqual([
      { type: 'function_call_output', call_id: 'a', output: 'seen' },
      calls[1],
      {
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text: 'Media returned by the tool:' }, picture],
      },
      calls[2],
    ]);
  });
});

test.each<[readonly HostFeature[], JsonObject, JsonObject, readonly string[]]>([
  [['effort'], { reasoning: { effort: 'xhigh' } }, {}, ['/reasoning/effort reasoning.effort dropped']],
  [
    ['summaryWords'],
    { reasoning: { effort: 'low', summary: 'detailed' } },
    { reasoning: { effort: 'low', summary: 'auto' } },
    ['/reasoning/summary reasoning.show approximated'],
  ],
  [['tiers'], { service_tier: 'flex' }, {}, ['/service_tier tier dropped']],
  [['tiers'], { service_tier: 'default' }, { service_tier: 'default' }, []],
  [['background'], { background: true }, {}, ['/background ext.background dropped']],
  [['storeTrue'], { store: true }, { store: false }, []],
  [
    ['unknownKeys'],
    { client_metadata: {}, safety_identifier: 'u', prompt: null },
    {},
    ['/client_metadata ext.client_metadata dropped', '/safety_identifier user dropped'],
  ],
  [
    ['toolChoice'],
    { tools: [SHELL, PATCH], tool_choice: { type: 'function', name: 'shell' } },
    { tools: [SHELL], tool_choice: 'required' },
    ['/tool_choice toolChoice approximated'],
  ],
  [['toolChoice'], { tools: [SHELL], tool_choice: 'none' }, {}, ['/tool_choice toolChoice approximated']],
  [['namedToolChoice'], { tools: [SHELL], tool_choice: 'required' }, { tools: [SHELL], tool_choice: 'required' }, []],
  [
    ['outputFormat'],
    { instructions: 'Be brief.', text: { format: { type: 'json_schema', name: 'n', schema: { type: 'object' } } } },
    {
      instructions:
        'Be brief.\n\nReply with one JSON value that validates against this schema and nothing else.\n{"type":"object"}',
    },
    ['/text/format output.schema approximated'],
  ],
])('%j: %j', (unsupported, members, expected, losses) => {
  const fitted = forHost({ model: 'm', input: 'q', ...members }, unsupported);
  expect(fitted.body).toEqual({ model: 'm', input: 'q', ...expected });
  expect(fitted.losses).toEqual(losses);
});
