import { describe, expect, test } from '@jest/globals';
import { createLosses, dialects, fitRelayed, type HostFeature, type JsonObject } from '../../translators/index.js';

/** A body for a host that lacks these, with what was lost. */
function forHost(
  members: JsonObject,
  unsupported: readonly HostFeature[],
  more: { readonly omitMedia?: boolean; readonly media?: ReadonlyMap<string, { mime: string; base64: string }> } = {},
) {
  const losses = createLosses();
  const body = { model: 'm', max_tokens: 32000, messages: [{ role: 'user', content: 'q' }], ...members };
  const text = JSON.stringify(body, undefined, 1);
  const profile = dialects.messages.target('claude-sonnet-4-5');
  const given = { text, value: JSON.parse(text) };
  const fitted = fitRelayed('messages', given, { unsupported: new Set(unsupported), losses, target: profile, ...more });
  expect(fitted.restore).toBeUndefined();
  expect(JSON.parse(fitted.text)).toEqual(JSON.parse(JSON.stringify(fitted.value)));
  return {
    text: fitted.text,
    given: text,
    body: JSON.parse(fitted.text),
    losses: losses.list.map(({ path, feature, kind }) => `${path} ${feature} ${kind}`),
  };
}

const READ = { name: 'read', input_schema: { type: 'object' } };
const MARK = { type: 'ephemeral' };

test('texts of the assistant that follow one another are one', () => {
  const of = (...texts: string[]) => texts.map((text) => ({ type: 'text', text }));
  const call = { type: 'tool_use', id: 'toolu_1', name: 'read', input: {} };
  const asked = { role: 'user', content: of('q', 'r') };
  const messages = [asked, { role: 'assistant', content: [...of('A', ' b', ' c'), call, ...of('d')] }, asked];
  const { body, losses } = forHost({ messages }, ['messageParts']);
  expect(body.messages).toEqual([asked, { role: 'assistant', content: [...of('A b c'), call, ...of('d')] }, asked]);
  expect(losses).toEqual([]);
});

describe('tools', () => {
  test('of the client that have versions are functions of the same names', () => {
    const tools = [
      READ,
      { type: 'bash_20250124', name: 'bash' },
      { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool', cache_control: MARK },
      { type: 'computer_20250124', name: 'computer', display_width_px: 800, display_height_px: 600 },
    ];
    const { body, losses } = forHost({ tools }, ['clientTools']);
    expect(body.tools).toMatchObject([
      READ,
      { name: 'bash', input_schema: { properties: { command: { type: 'string' }, restart: { type: 'boolean' } } } },
      { name: 'str_replace_based_edit_tool', input_schema: { required: ['command', 'path'] }, cache_control: MARK },
      { name: 'computer', input_schema: { required: ['action'] } },
    ]);
    for (const tool of body.tools) expect(tool).not.toHaveProperty('type');
    expect(losses).toEqual([1, 2, 3].map((index) => `/tools/${index} tool.client approximated`));
  });

  test('that the service runs are left out with their calls, and a message that held nothing else goes', () => {
    const found = { type: 'tool_reference', tool_name: 'read' };
    const result = { type: 'tool_result', tool_use_id: 't', content: [found] };
    const messages = [
      { role: 'user', content: 'q' },
      {
        role: 'assistant',
        content: [
          { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
          { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
        ],
      },
      { role: 'user', content: [result] },
    ];
    const tools = [
      { type: 'web_search_20250305', name: 'web_search' },
      { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' },
      { ...READ, defer_loading: true },
    ];
    const { body, losses } = forHost({ messages, tools, tool_choice: { type: 'tool', name: 'web_search' } }, [
      'hostedTools',
    ]);
    expect(body.tools).toEqual([READ]);
    expect(body.tool_choice).toBeUndefined();
    expect(body.messages).toEqual([
      messages[0],
      { role: 'user', content: [{ ...result, content: [{ type: 'text', text: 'Found the tool read.' }] }] },
    ]);
    expect(losses).toEqual([
      '/tools/0 tool.hosted dropped',
      '/tools/1 tool.hosted dropped',
      '/tools/2/defer_loading ext.defer_loading moved',
      '/messages/1/content/0 hosted.call dropped',
      '/messages/1/content/1 hosted.call dropped',
      '/messages/2/content/0/content/0 result.part approximated',
      '/tool_choice toolChoice dropped',
    ]);
  });

  test('of servers of the MCP protocol go with their servers', () => {
    const { body, losses } = forHost(
      {
        mcp_servers: [{ type: 'url', name: 's', url: 'https://example.com' }],
        tools: [READ, { type: 'mcp_toolset', mcp_server_name: 's' }],
      },
      ['mcp'],
    );
    expect(body).toMatchObject({ tools: [READ] });
    expect(body.mcp_servers).toBeUndefined();
    expect(losses).toEqual(['/mcp_servers tool.hosted dropped', '/tools/1 tool.hosted dropped']);
  });
});

test('a choice of a tool of a server of the MCP protocol goes with the server', () => {
  const { body, losses } = forHost(
    {
      mcp_servers: [{ type: 'url', name: 's', url: 'https://example.com' }],
      tools: [READ, { type: 'mcp_toolset', mcp_server_name: 's' }],
      tool_choice: { type: 'tool', name: 'remote' },
    },
    ['mcp'],
  );
  expect(body).not.toHaveProperty('tool_choice');
  expect(losses).toContain('/tool_choice toolChoice dropped');
});

test('an empty list of tools, and a choice of a tool that nobody declared, are left to the host', () => {
  const members = { tools: [], tool_choice: { type: 'tool', name: 'x' } };
  const { text, given } = forHost(members, ['hostedTools', 'clientTools', 'mcp']);
  expect(text).toBe(given);
});

describe('media', () => {
  const file = (source: JsonObject, more: JsonObject = {}) => ({ type: 'document', source, ...more });
  const ask = (...content: JsonObject[]) => ({ messages: [{ role: 'user', content }] });

  test('documents of text are text, with their titles and marks', () => {
    const { body, losses } = forHost(
      ask(
        file({ type: 'text', media_type: 'text/plain', data: 'a' }, { title: 't', cache_control: MARK }),
        file({ type: 'content', content: [{ type: 'text', text: 'b' }] }),
        { type: 'search_result', title: 'hit', source: 'https://e.com', content: [{ type: 'text', text: 'c' }] },
      ),
      ['documents'],
    );
    expect(body.messages[0].content).toEqual([
      { type: 'text', text: 't\na', cache_control: MARK },
      { type: 'text', text: 'b' },
      { type: 'text', text: 'hit\nhttps://e.com\nc' },
    ]);
    expect(losses).toEqual([
      '/messages/0/content/0 part.document approximated',
      '/messages/0/content/1 part.document approximated',
      '/messages/0/content/2 part.searchResult approximated',
    ]);
  });

  test('other documents are refused, or notes where media may be omitted', () => {
    const pdf = file({ type: 'base64', media_type: 'application/pdf', data: 'AAAA' });
    expect(() => forHost(ask(pdf), ['documents'])).toThrow('the host does not accept documents');
    expect(forHost(ask(pdf), ['documents'], { omitMedia: true }).body.messages[0].content).toEqual([
      { type: 'text', text: '[document omitted: application/pdf]' },
    ]);
  });

  test('texts in the place of files and pictures have their marks, as they came', () => {
    const marks = [MARK, { type: 'ephemeral', ttl: '1h' }, { type: 'ephemeral', scope: 'global' }, null];
    const blocks = (cache_control: unknown) => [
      file({ type: 'base64', media_type: 'text/plain', data: 'YQ==' }, { cache_control }),
      file({ type: 'base64', media_type: 'application/pdf', data: 'AAAA' }, { cache_control }),
      { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' }, cache_control },
      file({ type: 'text', media_type: 'text/plain', data: '' }, { cache_control }),
      file({ type: 'text', media_type: 'text/plain', data: 'd' }, { cache_control }),
      { type: 'search_result', title: 't', source: 's', content: [{ type: 'text', text: 'c' }], cache_control },
    ];
    const texts = ['a', '[document omitted: application/pdf]', '[image omitted: unknown type]'];
    const given = marks.map(blocks);
    const { body } = forHost(ask(...given.flat()), ['documents', 'images'], { omitMedia: true });
    expect(body.messages[0].content).toEqual(
      marks.flatMap((cache_control) =>
        [...texts, '[empty document]', 'd', 't\ns\nc'].map((text) => ({ type: 'text', text, cache_control })),
      ),
    );
    const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } };
    const inner = file({
      type: 'content',
      content: [
        { ...picture, cache_control: MARK },
        { type: 'text', text: 'b' },
      ],
    });
    const within = forHost(ask(inner), ['documents', 'images'], { omitMedia: true }).body.messages[0].content;
    expect(within).toContainEqual({ type: 'text', text: '[image omitted: image/png]', cache_control: MARK });
  });

  test('a search result or a text that cannot be read stays as it came, and everything else is done', () => {
    const unread = [
      { type: 'search_result', title: 't', source: 's', content: 'c' },
      { type: 'search_result', title: 't', source: 's', content: [{ type: 'text' }] },
      file({ type: 'text', media_type: 'text/plain' }),
      file({ type: 'content', content: [{ type: 'text' }] }),
    ];
    const read = file({ type: 'text', media_type: 'text/plain', data: 'a' });
    const { body, losses } = forHost({ ...ask(...unread, read), container: 'c' }, ['documents', 'containers']);
    expect(body.messages[0].content).toEqual([...unread, { type: 'text', text: 'a' }]);
    expect(body).not.toHaveProperty('container');
    expect(losses).toEqual(['/messages/0/content/4 part.document approximated', '/container ext.container dropped']);
  });

  test('documents and search results are not looked at for a host that lacks pictures alone', () => {
    const file5 = file({ type: 'base64', media_type: 'application/pdf', data: 5 });
    const hit = { type: 'search_result', content: 5 };
    const members = { ...ask(file5, hit, file({ type: 'text' })), container: 'c' };
    const { body, losses } = forHost(members, ['images', 'imageUrls', 'containers']);
    expect(body.messages[0].content).toEqual([file5, hit, file({ type: 'text' })]);
    expect(losses).toEqual(['/container ext.container dropped']);
  });

  test('a picture or a file that cannot be read leaves the body to the host', () => {
    for (const block of [
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 5 } },
      file({ type: 'base64', media_type: 'application/pdf', data: 5 }),
    ]) {
      const tools = [{ type: 'web_search_20250305', name: 'web_search' }];
      const features = ['hostedTools', 'images', 'documents', 'containers'] as const;
      const { text, given, losses } = forHost({ ...ask(block), tools, container: 'c' }, features);
      expect(text).toBe(given);
      expect(losses).toEqual([]);
    }
  });

  test('pictures by URL are sent with the bytes that were fetched', () => {
    const url = 'https://example.com/a.png';
    const picture = { type: 'image', source: { type: 'url', url }, cache_control: MARK };
    const media = new Map([[url, { mime: 'image/png', base64: 'iVBORw0KGgo=' }]]);
    const { body, losses } = forHost(ask(picture), ['imageUrls'], { media });
    expect(body.messages[0].content).toEqual([
      { ...picture, source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
    ]);
    expect(losses).toEqual(['/messages/0/content/0 part.media moved']);
  });

  test('in results follows them in the same message', () => {
    const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } };
    const result = { type: 'tool_result', tool_use_id: 't', content: [picture] };
    const { body } = forHost(ask(result, { type: 'text', text: 'q' }), ['resultMedia']);
    expect(body.messages[0].content).toEqual([
      { ...result, content: [{ type: 'text', text: '[media below]' }] },
      { type: 'text', text: 'Media returned by the tool:' },
      picture,
      { type: 'text', text: 'q' },
    ]);
  });
});

test('instructions between the turns are notes of the user, behind the results that come right after their calls', () => {
  const call = { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'read', input: {} }] };
  const result = { type: 'tool_result', tool_use_id: 't', content: 'r' };
  const messages = [
    { role: 'user', content: 'q' },
    { role: 'system', content: 'one' },
    call,
    { role: 'system', content: [{ type: 'text', text: 'two', cache_control: MARK }] },
    { role: 'user', content: [result] },
    { role: 'system', content: 'three' },
  ];
  const note = (text: string) => ({ type: 'text', text: `<system_note>${text}</system_note>` });
  const { body, losses } = forHost({ messages }, ['systemTurns']);
  expect(body.messages).toEqual([
    messages[0],
    { role: 'user', content: [note('one')] },
    call,
    { role: 'user', content: [result, { ...note('two'), cache_control: MARK }] },
    { role: 'user', content: [note('three')] },
  ]);
  expect(losses).toEqual([1, 3, 5].map((index) => `/messages/${index} instruction.place approximated`));
});

const FORMAT = { type: 'json_schema', schema: { type: 'object' } };
const IN_WORDS = 'Reply with one JSON value that validates against this schema and nothing else.\n{"type":"object"}';

test.each<[readonly HostFeature[], JsonObject, JsonObject, readonly string[]]>([
  [
    ['outputFormat'],
    { system: 's', output_config: { format: FORMAT, effort: 'low' } },
    { system: `s\n\n${IN_WORDS}`, output_config: { effort: 'low' } },
    ['/output_config/format output.schema approximated'],
  ],
  [
    ['outputFormat'],
    { system: [{ type: 'text', text: 's' }], output_config: { format: FORMAT } },
    {
      system: [
        { type: 'text', text: 's' },
        { type: 'text', text: IN_WORDS },
      ],
    },
    ['/output_config/format output.schema approximated'],
  ],
  // Not a form of the dialect: the host says so.
  [
    ['outputFormat'],
    { output_config: { format: { type: 'json_object' } } },
    { output_config: { format: { type: 'json_object' } } },
    [],
  ],
  [
    ['outputFormat'],
    { system: 's', output_format: { type: 'json_schema' } },
    { system: 's\n\nReply with one JSON object and nothing else.' },
    ['/output_format output.format approximated'],
  ],
  [
    ['adaptive', 'effort'],
    { thinking: { type: 'adaptive' }, output_config: { effort: 'medium' } },
    { thinking: { type: 'enabled', budget_tokens: 8192 } },
    ['/thinking reasoning.mode approximated', '/output_config/effort reasoning.effort dropped'],
  ],
  [
    ['adaptive'],
    { max_tokens: 500, thinking: { type: 'adaptive' } },
    { max_tokens: 500 },
    ['/thinking reasoning.mode dropped'],
  ],
  [['toolChoice'], { tools: [READ], tool_choice: { type: 'none' } }, {}, ['/tool_choice toolChoice approximated']],
  [
    ['namedToolChoice'],
    { tools: [READ, { ...READ, name: 'b' }], tool_choice: { type: 'tool', name: 'b' } },
    { tools: [{ ...READ, name: 'b' }], tool_choice: { type: 'any' } },
    ['/tool_choice toolChoice approximated'],
  ],
  [['containers'], { container: 'c' }, {}, ['/container ext.container dropped']],
  [['tiers'], { service_tier: 'standard_only' }, {}, ['/service_tier tier dropped']],
  [
    ['unknownKeys'],
    { context_management: { edits: [] }, inference_geo: null, metadata: {} },
    { metadata: {} },
    ['/context_management ext.context_management dropped'],
  ],
])('%j: %j', (unsupported, members, expected, losses) => {
  const fitted = forHost(members, unsupported);
  expect(fitted.body).toEqual({
    model: 'm',
    max_tokens: 32000,
    messages: [{ role: 'user', content: 'q' }],
    ...expected,
  });
  expect(fitted.losses).toEqual(losses);
});
