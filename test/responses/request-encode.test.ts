import { describe, expect, test } from '@jest/globals';
import type { Part } from '../../translators/canonical/content.js';
import { createLosses, type Loss } from '../../translators/canonical/loss.js';
import type { JsonObject } from '../../translators/canonical/node.js';
import type { CanonicalRequest, Turn } from '../../translators/canonical/request.js';
import type { EncodeRequestContext } from '../../translators/dialect.js';
import { responses } from '../../translators/responses/index.js';
import type { ProfileChoice } from '../../translators/target/profile.js';
import type { Profile } from '../../translators/target/words.js';

interface Encoded {
  readonly body: JsonObject;
  readonly losses: readonly Loss[];
}

const PLAIN: Partial<Profile> = {
  sampling: [],
  thinking: { control: 'none', canDisable: false, levels: [], defaultOn: false },
};

function encode(
  over: Partial<CanonicalRequest>,
  profile: Exclude<ProfileChoice, string> = {},
  more: Partial<EncodeRequestContext> = {},
): Encoded {
  const losses = createLosses();
  const request: CanonicalRequest = {
    source: 'messages',
    model: 'm',
    stream: false,
    instructions: [],
    turns: [user({ kind: 'text', text: 'q' })],
    tools: [],
    ...over,
  };
  const context = {
    losses,
    target: responses.target('m', { host: 'api.openai.com', ...profile }),
    domain: 'd',
    ...more,
  };
  return { body: responses.encodeRequest(request, context).body, losses: losses.list };
}

function user(...parts: Part[]): Turn {
  return { role: 'user', parts: parts.map((part, index) => ({ ...part, src: { ptr: `/p/${index}` } })) };
}

function assistant(...parts: Part[]): Turn {
  return { role: 'assistant', parts: parts.map((part, index) => ({ ...part, src: { ptr: `/a/${index}` } })) };
}

const call = (callId: string, more: Partial<Extract<Part, { kind: 'call' }>> = {}): Part => ({
  kind: 'call',
  callId,
  name: 'f',
  args: { value: { a: 1 } },
  ...more,
});
const result = (callId: string, more: Partial<Extract<Part, { kind: 'result' }>> = {}): Part => ({
  kind: 'result',
  callId,
  parts: [{ kind: 'text', text: 'ok' }],
  ...more,
});
const items = (...turns: Turn[]): unknown => encode({ turns }).body.input;
const told = ({ losses }: Encoded): string[] => losses.map(({ path, feature, kind }) => `${path} ${feature} ${kind}`);

test('the frame of every translated call', () => {
  const { body, losses } = encode({ stream: true });
  expect(body).toEqual({
    model: 'm',
    input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'q' }] }],
    include: ['reasoning.encrypted_content'],
    store: false,
    stream: true,
  });
  expect(losses).toEqual([]);
  expect(encode({}, PLAIN).body.include).toBeUndefined();
});

describe('instructions', () => {
  const one = (text: string, authority: 'system' | 'developer' = 'system') => ({
    authority,
    parts: [{ kind: 'text', text } as const],
  });

  test('one text of the system has the field', () => {
    const { body } = encode({ instructions: [one('be brief')] });
    expect(body.instructions).toBe('be brief');
    expect(body.input).toHaveLength(1);
  });

  test('several stand in front as items with their authority', () => {
    const { body, losses } = encode({ instructions: [one('a'), one(' '), one('b', 'developer')] });
    expect(body.instructions).toBeUndefined();
    expect(body.input).toEqual([
      { type: 'message', role: 'system', content: [{ type: 'input_text', text: 'a' }] },
      { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'b' }] },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'q' }] },
    ]);
    expect(losses).toEqual([]);
  });

  test('hosts that demand the field get one text', () => {
    const encoded = encode({ instructions: [one('a'), one('b')] }, { instructionsField: 'demanded' });
    expect(encoded.body.instructions).toBe('a\n\nb');
    expect(told(encoded)).toEqual([' instruction.join approximated']);
  });

  test('later ones stay where they are', () => {
    const later: Turn = { role: 'instruction', authority: 'developer', parts: [{ kind: 'text', text: 'd' }] };
    expect(
      items(
        user({ kind: 'text', text: 'a' }),
        assistant({ kind: 'text', text: 'b' }),
        later,
        user({ kind: 'text', text: 'c' }),
      ),
    ).toEqual([
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'a' }] },
      {
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'b', annotations: [] }],
      },
      { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'd' }] },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'c' }] },
    ]);
  });
});

describe('items', () => {
  test('calls, results in their order, then the words of the user; no ids of items', () => {
    expect(
      items(
        assistant({ kind: 'text', text: 'hm', id: 'x' }, call('c'), call('d', { args: { text: '{"b": 1.0}' } })),
        user(result('d'), result('c'), { kind: 'text', text: 'go on' }),
      ),
    ).toEqual([
      {
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'hm', annotations: [] }],
      },
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{"a":1}' },
      { type: 'function_call', call_id: 'd', name: 'f', arguments: '{"b": 1.0}' },
      { type: 'function_call_output', call_id: 'c', output: 'ok' },
      { type: 'function_call_output', call_id: 'd', output: 'ok' },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'go on' }] },
    ]);
  });

  test('an empty text beside a call is left out', () => {
    expect(items(assistant({ kind: 'text', text: '' }, call('c')), user(result('c')))).toEqual([
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{"a":1}' },
      { type: 'function_call_output', call_id: 'c', output: 'ok' },
    ]);
  });

  test('a cut call says so, empty arguments are an object', () => {
    expect(
      items(
        assistant(call('c', { args: { value: {} } }), call('d', { args: { text: '{"a' }, truncated: true })),
        user(result('c'), result('d')),
      ),
    ).toMatchObject([{ arguments: '{}' }, { arguments: '{"a', status: 'incomplete' }, {}, {}]);
  });

  test('free text tools stay what they are', () => {
    const { body } = encode({
      turns: [assistant(call('c', { freeform: 'x', args: { value: {} } })), user(result('c', { custom: true }))],
      tools: [{ kind: 'custom', name: 'f', grammar: { syntax: 'lark', definition: 'y' } }],
    });
    expect(body.tools).toEqual([
      { type: 'custom', name: 'f', format: { type: 'grammar', syntax: 'lark', definition: 'y' } },
    ]);
    expect(body.input).toEqual([
      { type: 'custom_tool_call', call_id: 'c', name: 'f', input: 'x' },
      { type: 'custom_tool_call_output', call_id: 'c', output: 'ok' },
    ]);
  });

  test('a call nobody answered gets a stand-in, open calls at the end are refused', () => {
    const encoded = encode({ turns: [assistant(call('c')), user({ kind: 'text', text: 'stop' })] });
    expect(encoded.body.input).toMatchObject([
      {},
      { type: 'function_call_output', call_id: 'c', output: '[no result: the call was interrupted]' },
      {},
    ]);
    expect(told(encoded)).toEqual(['/a/0 result.missing invented']);
    expect(() => encode({ turns: [assistant(call('c'))] })).toThrow(/no tool output/);
  });

  test('results: failures, objects, media', () => {
    const image: Part = {
      kind: 'media',
      class: 'image',
      mime: 'image/png',
      data: { from: 'base64', base64: 'iVBORw0KGgo=' },
    };
    const one = (more: Partial<Extract<Part, { kind: 'result' }>>): Encoded =>
      encode({ turns: [assistant(call('c')), user(result('c', more))] });
    const outputOf = ({ body }: Encoded): unknown => Object(Object(body.input)[1]).output;
    expect(outputOf(one({ isError: true }))).toBe('[tool error] ok');
    expect(told(one({ isError: true }))).toEqual(['/p/0 result.error moved']);
    expect(outputOf(one({ json: { a: [1] }, parts: [] }))).toBe('{"a":[1]}');
    expect(outputOf(one({ parts: [] }))).toBe('');
    expect(
      outputOf(
        one({
          parts: [
            { kind: 'text', text: '' },
            { kind: 'text', text: 'a' },
          ],
        }),
      ),
    ).toBe('a');
    expect(outputOf(one({ parts: [{ kind: 'text', text: 'a' }, image] }))).toEqual([
      { type: 'input_text', text: 'a' },
      { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'auto' },
    ]);
    expect(one({ parts: [image], isError: true }).body.input).toMatchObject([
      {},
      { output: [{ text: '[tool error]' }, { type: 'input_image' }] },
    ]);
    const apart = encode(
      { turns: [assistant(call('c')), user(result('c', { parts: [image] }))] },
      { toolResultMedia: false },
    );
    expect(apart.body.input).toMatchObject([
      {},
      { output: '' },
      { role: 'user', content: [{ text: 'Media returned by f:' }, { type: 'input_image' }] },
    ]);
  });

  test('citations of the model stay, those of the user go', () => {
    const cited: Part = {
      kind: 'text',
      text: 'é x',
      citations: [{ source: 'web', url: 'https://a', span: { start: 2, end: 3 } }],
    };
    const { body } = encode({ turns: [user(cited), assistant(cited)] });
    expect(body.input).toMatchObject([
      { content: [{ type: 'input_text', text: 'é x' }] },
      {
        content: [
          { annotations: [{ type: 'url_citation', url: 'https://a', title: '', start_index: 2, end_index: 3 }] },
        ],
      },
    ]);
  });
});

describe('media and documents', () => {
  const content = (
    part: Part,
    profile: Exclude<ProfileChoice, string> = {},
    more: Partial<EncodeRequestContext> = {},
  ): { content: unknown; losses: string[] } => {
    const encoded = encode({ turns: [user(part)] }, profile, more);
    return { content: Object(Object(encoded.body.input)[0]).content, losses: told(encoded) };
  };
  const base64 = { from: 'base64', base64: 'aGk=' } as const;

  const rows: readonly (readonly [string, Part, unknown, string[]])[] = [
    [
      'image',
      {
        kind: 'media',
        class: 'image',
        mime: 'image/gif',
        data: { from: 'base64', base64: 'R0lGODlh' },
        detail: 'high',
      },
      [{ type: 'input_image', image_url: 'data:image/gif;base64,R0lGODlh', detail: 'high' }],
      [],
    ],
    [
      'image by URL',
      { kind: 'media', class: 'image', data: { from: 'url', url: 'https://a/b' } },
      [{ type: 'input_image', image_url: 'https://a/b', detail: 'auto' }],
      [],
    ],
    [
      'image by our id',
      { kind: 'media', class: 'image', data: { from: 'file', id: 'f', vendor: 'responses' } },
      [{ type: 'input_image', file_id: 'f', detail: 'auto' }],
      [],
    ],
    [
      'pdf',
      { kind: 'media', class: 'document', mime: 'application/pdf', data: base64 },
      [{ type: 'input_file', filename: 'document.pdf', file_data: 'data:application/pdf;base64,aGk=' }],
      ['/p/0 part.media.filename invented'],
    ],
    [
      'pdf with title',
      { kind: 'media', class: 'document', mime: 'application/pdf', data: base64, title: 'a.pdf' },
      [{ type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,aGk=' }],
      [],
    ],
    [
      'pdf by URL',
      { kind: 'media', class: 'document', data: { from: 'url', url: 'https://a' }, title: 'T' },
      [{ type: 'input_file', file_url: 'https://a' }],
      ['/p/0 part.media.filename dropped'],
    ],
    [
      'document of blocks',
      {
        kind: 'textdoc',
        title: 'T',
        context: 'C',
        citable: true,
        parts: [
          { kind: 'text', text: 'a' },
          { kind: 'text', text: 'b' },
        ],
      },
      [
        { type: 'input_text', text: 'T\nC\na' },
        { type: 'input_text', text: 'b' },
      ],
      ['/p/0 part.document approximated'],
    ],
    [
      'search hit',
      { kind: 'searchResult', source: 's', title: 't', parts: [{ kind: 'text', text: 'body' }] },
      [{ type: 'input_text', text: 't\ns\nbody' }],
      ['/p/0 part.searchResult approximated'],
    ],
    ['refusal of a user', { kind: 'refusal', text: 'no' }, [{ type: 'input_text', text: 'no' }], []],
  ];
  for (const [name, part, expected, losses] of rows) {
    test(name, () => {
      expect(content(part)).toEqual({ content: expected, losses });
    });
  }

  test('what cannot be taken is refused with its path, or told', () => {
    const audio: Part = { kind: 'media', class: 'audio', mime: 'audio/wav', data: base64 };
    expect(() => content(audio)).toThrow(expect.objectContaining({ kind: 'unsupported', path: '/p/0' }));
    expect(content(audio, {}, { omitMedia: true })).toEqual({
      content: [{ type: 'input_text', text: '[audio omitted: audio/wav]' }],
      losses: ['/p/0 part.media approximated'],
    });
    const foreign: Part = { kind: 'media', class: 'image', data: { from: 'file', id: 'f', vendor: 'messages' } };
    expect(() => content(foreign)).toThrow(/another service/);
    const remote: Part = { kind: 'media', class: 'image', data: { from: 'url', url: 'https://secret' } };
    expect(() => content(remote, { urlMedia: [] })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('secret') }),
    );
    const media = new Map([['https://secret', { mime: 'image/png', base64: 'iVBORw0KGgo=' }]]);
    expect(content(remote, { urlMedia: [] }, { media }).content).toMatchObject([
      { image_url: 'data:image/png;base64,iVBORw0KGgo=' },
    ]);
  });

  test('a picture of the model stands in the next user message', () => {
    const picture: Part = {
      kind: 'media',
      class: 'image',
      mime: 'image/png',
      data: { from: 'base64', base64: 'iVBORw0KGgo=' },
    };
    expect(
      items(user({ kind: 'text', text: 'draw' }), assistant(picture), user({ kind: 'text', text: 'nice' })),
    ).toMatchObject([
      {},
      { role: 'assistant', content: [{ text: '[generated image below]' }] },
      { role: 'user', content: [{ type: 'input_image' }] },
      { role: 'user' },
    ]);
  });
});

describe('tools', () => {
  const object = {
    type: 'object',
    properties: { a: { type: 'string' } },
    required: ['a'],
    additionalProperties: false,
  };

  test('strict is always written', () => {
    const { body, losses } = encode({
      tools: [
        { kind: 'function', name: 'a', schema: object, description: 'd' },
        { kind: 'function', name: 'b' },
        { kind: 'function', name: 'c', schema: object, strict: true },
        { kind: 'function', name: 'd', schema: object, strict: false },
      ],
    });
    expect(body.tools).toEqual([
      { type: 'function', name: 'a', description: 'd', parameters: object, strict: false },
      { type: 'function', name: 'b', parameters: { type: 'object', properties: {} }, strict: false },
      { type: 'function', name: 'c', parameters: object, strict: true },
      { type: 'function', name: 'd', parameters: object, strict: false },
    ]);
    expect(losses).toEqual([]);
  });

  test('a strict schema is projected, or strictness is given up', () => {
    const open = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'integer' } }, required: ['a'] };
    const encoded = encode({ tools: [{ kind: 'function', name: 'a', schema: open, strict: true }] });
    expect(encoded.body.tools).toMatchObject([
      { strict: true, parameters: { required: ['a', 'b'], additionalProperties: false } },
    ]);
    expect(told(encoded)).toEqual([' tool.schema approximated']);
    const map = { type: 'object', properties: { m: { type: 'object', additionalProperties: { type: 'string' } } } };
    const given = encode({ tools: [{ kind: 'function', name: 'a', schema: map, strict: true }] });
    expect(given.body.tools).toMatchObject([{ strict: false, parameters: map }]);
    expect(told(given)).toEqual([' tool.strict approximated']);
  });

  test('a schema that is no object is wrapped', () => {
    const encoded = encode({
      tools: [{ kind: 'function', name: 'a', schema: { type: 'array', items: { type: 'string' } } }],
    });
    expect(encoded.body.tools).toMatchObject([{ parameters: { type: 'object', required: ['value'] } }]);
    expect(told(encoded)).toContain(' schema.root approximated');
  });

  test('validated makes strict what fits as it is', () => {
    const encoded = encode({
      tools: [
        { kind: 'function', name: 'a', schema: object },
        { kind: 'function', name: 'b', schema: { type: 'object', properties: { x: { type: 'string' } } } },
      ],
      toolChoice: { mode: 'auto', validated: true, src: { ptr: '/t' } },
    });
    expect(encoded.body.tools).toMatchObject([{ strict: true }, { strict: false }]);
    expect(told(encoded)).toEqual(['/t toolChoice approximated']);
  });

  test('hosted tools of others become ours, or go', () => {
    const hosted = (
      family: 'webSearch' | 'codeExec' | 'urlFetch' | 'mcp' | 'imageGen' | 'maps',
      settings = {},
      type = family as string,
    ) => ({ kind: 'hosted', family, dialect: 'messages', type, settings, src: { ptr: `/tools/${family}` } }) as const;
    const encoded = encode({
      tools: [
        hosted(
          'webSearch',
          { allowedDomains: ['a'], blockedDomains: ['b'], userLocation: { city: 'x' }, maxUses: 3 },
          'web_search_20250305',
        ),
        hosted('codeExec'),
        hosted('urlFetch'),
        hosted('mcp', { server: { label: 's', url: 'https://s', authorization: 't' } }),
        hosted('imageGen'),
        hosted('maps'),
      ],
    });
    expect(encoded.body.tools).toEqual([
      { type: 'web_search', filters: { allowed_domains: ['a'] }, user_location: { type: 'approximate', city: 'x' } },
      { type: 'code_interpreter', container: { type: 'auto' } },
      { type: 'mcp', server_label: 's', server_url: 'https://s', authorization: 't', require_approval: 'never' },
      { type: 'image_generation' },
    ]);
    expect(told(encoded)).toEqual([
      '/tools/webSearch tool.hosted.settings approximated',
      '/tools/webSearch tool.hosted.settings dropped',
      '/tools/urlFetch tool.hosted dropped',
      '/tools/maps tool.hosted dropped',
    ]);
  });

  describe('choice', () => {
    const tools = [
      { kind: 'function', name: 'a' },
      { kind: 'custom', name: 'b' },
      { kind: 'hosted', family: 'webSearch', dialect: 'messages', type: 'web_search_20250305', settings: {} },
      { kind: 'hosted', family: 'maps', dialect: 'generateContent', type: 'googleMaps', settings: {} },
    ] as const;
    const choice = (toolChoice: CanonicalRequest['toolChoice']): unknown =>
      encode({ tools, toolChoice }).body.tool_choice;

    test('forms', () => {
      expect(choice(undefined)).toBeUndefined();
      expect(choice({ mode: 'auto' })).toBe('auto');
      expect(choice({ mode: 'none' })).toBe('none');
      expect(choice({ mode: 'required' })).toBe('required');
      expect(choice({ mode: 'required', only: [{ kind: 'function', name: 'a' }] })).toEqual({
        type: 'function',
        name: 'a',
      });
      expect(choice({ mode: 'required', only: [{ kind: 'custom', name: 'b' }] })).toEqual({
        type: 'custom',
        name: 'b',
      });
      expect(choice({ mode: 'auto', only: [{ kind: 'function', name: 'a' }] })).toEqual({
        type: 'allowed_tools',
        mode: 'auto',
        tools: [{ type: 'function', name: 'a' }],
      });
      expect(
        choice({ mode: 'required', only: [{ kind: 'hosted', family: 'webSearch', type: 'web_search_20250305' }] }),
      ).toEqual({ type: 'web_search' });
    });

    test('the parallel switch goes along; without tools nothing is said', () => {
      expect(encode({ tools, toolChoice: { mode: 'auto', parallel: false } }).body).toMatchObject({
        tool_choice: 'auto',
        parallel_tool_calls: false,
      });
      const { body } = encode({ toolChoice: { mode: 'auto', parallel: false } });
      expect(body).not.toHaveProperty('tool_choice');
      expect(body).not.toHaveProperty('parallel_tool_calls');
    });

    test('a tool that is not there cannot be forced', () => {
      expect(() =>
        choice({ mode: 'required', only: [{ kind: 'hosted', family: 'maps', type: 'googleMaps' }] }),
      ).toThrow(/forces/);
      expect(() => encode({ tools: [tools[3]], toolChoice: { mode: 'required' } })).toThrow(/forces/);
      expect(() => choice({ mode: 'required', only: [{ kind: 'function', name: 'zzz' }] })).toThrow(/not declared/);
    });
  });
});

describe('output', () => {
  const output = (format: CanonicalRequest['output'], turns?: readonly Turn[]): Encoded =>
    encode({ output: format, ...(turns && { turns }) });

  test('JSON without schema speaks of JSON', () => {
    const encoded = output({ kind: 'json' });
    expect(encoded.body.text).toEqual({ format: { type: 'json_object' } });
    expect(Object(encoded.body.input).at(0)).toEqual({
      type: 'message',
      role: 'developer',
      content: [{ type: 'input_text', text: 'Answer in JSON.' }],
    });
    expect(told(encoded)).toEqual([' output.format invented']);
    expect(output({ kind: 'json' }, [user({ kind: 'text', text: 'as Json please' })]).body.input).toHaveLength(1);
  });

  test('schemas have a name and are strict only when told', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
      additionalProperties: false,
    };
    const encoded = output({ kind: 'schema', schema });
    expect(encoded.body.text).toEqual({ format: { type: 'json_schema', name: 'response', schema, strict: false } });
    expect(told(encoded)).toEqual([' output.name invented']);
    expect(output({ kind: 'schema', schema, name: 'n', description: 'd', strict: true }).body.text).toEqual({
      format: { type: 'json_schema', name: 'n', description: 'd', schema, strict: true },
    });
    expect(Object(output({ kind: 'schema', schema, name: 'größe 1' }).body.text).format.name).toMatch(
      /^gr__e_1_[a-z2-7]{8}$/,
    );
  });

  test('a list of words becomes a schema', () => {
    const encoded = output({ kind: 'enum', enum: ['a', 'b'], name: 'n' });
    expect(encoded.body.text).toMatchObject({ format: { schema: { properties: { value: { enum: ['a', 'b'] } } } } });
    expect(told(encoded)).toEqual([' output.format approximated']);
  });
});

describe('settings', () => {
  const at = {
    'sampling.temperature': '/t',
    'sampling.topP': '/p',
    'sampling.topK': '/k',
    'sampling.seed': '/s',
    maxOutput: '/max',
    stop: '/stop',
    user: '/u',
    tier: '/tier',
  };

  test('sampling only where the model takes it', () => {
    const sampling = { temperature: 0.3, topP: 1, topK: 4, seed: 7, presencePenalty: 1, frequencyPenalty: 0 };
    const plain = encode({ sampling, at }, PLAIN);
    expect(plain.body).toMatchObject({ temperature: 0.3, top_p: 1 });
    expect(told(plain)).toEqual([
      '/k sampling.topK dropped',
      '/s sampling.seed dropped',
      ' sampling.presencePenalty dropped',
    ]);
    const reasoning = encode({ sampling, at });
    expect(reasoning.body).not.toHaveProperty('temperature');
    expect(told(reasoning)).toContain('/t sampling.temperature dropped');
    expect(told(reasoning)).not.toContain('/p sampling.topP dropped');
    const off = { sampling, reasoning: { mode: 'off', show: 'default' } } as const;
    expect(encode(off, { model: 'gpt-5.6-sol' }).body).toMatchObject({
      temperature: 0.3,
      reasoning: { effort: 'none' },
    });
    expect(encode(off).body).toMatchObject({ reasoning: { effort: 'low' } });
    expect(encode(off).body).not.toHaveProperty('temperature');
  });

  test('stop strings have no field', () => {
    expect(told(encode({ stop: ['X'], at }))).toEqual(['/stop stop dropped']);
    expect(told(encode({ stop: ['X'], at }, {}, { cutsStop: true }))).toEqual(['/stop stop approximated']);
  });

  test('caps', () => {
    const low = encode({ maxOutput: 5, at });
    expect(low.body.max_output_tokens).toBe(16);
    expect(told(low)).toEqual(['/max maxOutput approximated']);
    expect(encode({ maxOutput: 500 }, { maxOutput: 100 }).body.max_output_tokens).toBe(100);
    expect(encode({ maxOutput: 50 }).body.max_output_tokens).toBe(50);
  });

  const effort = (reasoning: CanonicalRequest['reasoning'], model: string): unknown => {
    const losses = createLosses();
    const request: CanonicalRequest = {
      source: 'messages',
      model,
      stream: false,
      instructions: [],
      turns: [user({ kind: 'text', text: 'q' })],
      tools: [],
      reasoning,
    };
    const { body } = responses.encodeRequest(request, { losses, target: responses.target(model), domain: 'd' });
    return [body.reasoning, losses.list.map(({ feature, kind }) => `${feature} ${kind}`)];
  };
  const rows: readonly (readonly [string, CanonicalRequest['reasoning'], string, unknown])[] = [
    ['nothing', undefined, 'gpt-5', [undefined, []]],
    ['off, which the model can', { mode: 'off', show: 'default' }, 'gpt-5.2', [{ effort: 'none' }, []]],
    [
      'off, which it cannot',
      { mode: 'off', show: 'default' },
      'gpt-5',
      [{ effort: 'minimal' }, ['reasoning.mode approximated']],
    ],
    ['an effort', { mode: 'on', effort: 'high', show: 'summary' }, 'gpt-5', [{ effort: 'high', summary: 'auto' }, []]],
    [
      'an effort beyond the model',
      { mode: 'on', effort: 'max', show: 'none' },
      'gpt-5',
      [{ effort: 'high' }, ['reasoning.effort approximated']],
    ],
    [
      'a budget',
      { mode: 'on', budget: 8000, show: 'detailed' },
      'gpt-5',
      [{ effort: 'medium', summary: 'detailed' }, ['reasoning.budget approximated']],
    ],
    ['a budget the model chooses', { mode: 'on', budget: -1, show: 'default' }, 'gpt-5', [undefined, []]],
    ['both', { mode: 'on', effort: 'low', budget: 30000, show: 'default' }, 'gpt-5', [{ effort: 'low' }, []]],
    [
      'between tools',
      { mode: 'on', interleave: 'between_tools', show: 'default' },
      'gpt-5',
      [undefined, ['reasoning.interleave dropped']],
    ],
    [
      'a model that does not reason',
      { mode: 'on', effort: 'low', show: 'auto' },
      'gpt-4o',
      [undefined, ['reasoning.mode dropped']],
    ],
  ];
  for (const [name, reasoning, model, expected] of rows) {
    test(`reasoning: ${name}`, () => {
      expect(effort(reasoning, model)).toEqual(expected);
    });
  }

  test('identity', () => {
    const encoded = encode({
      user: 'u'.repeat(65),
      cache: { key: 'session', ttl: '1h', auto: true },
      metadata: { a: 'b' },
      tier: { dialect: 'messages', value: 'standard_only' },
      at,
    });
    expect(encoded.body).toMatchObject({ prompt_cache_key: 'session', metadata: { a: 'b' } });
    expect(encoded.body.safety_identifier).toMatch(/^[a-z2-7]{52}$/);
    expect(encoded.body).not.toHaveProperty('service_tier');
    expect(told(encoded)).toEqual([
      '/u user approximated',
      '/u cache.key invented',
      ' cache.ttl dropped',
      '/tier tier dropped',
    ]);
    expect(encode({ tier: { dialect: 'generateContent', value: 'FLEX' } }).body.service_tier).toBe('flex');
  });

  test('cache marks need a model that takes them', () => {
    const turns = [user(...['a', 'b', 'c', 'd', 'e'].map((text): Part => ({ kind: 'text', text, cache: {} })))];
    const without = encode({ turns }, { cacheBreakpoints: false });
    expect(told(without)).toEqual(['/p/0 cache.mark dropped']);
    expect(JSON.stringify(without.body)).not.toContain('breakpoint');
    const content = Object(Object(encode({ turns }, { cacheBreakpoints: true }).body.input)[0]).content;
    expect(content.map((part: JsonObject) => part.prompt_cache_breakpoint)).toEqual([
      ...Array(4).fill({ mode: 'explicit' }),
      undefined,
    ]);
  });

  test('pictures as answers are a tool, other media are refused', () => {
    const encoded = encode({ modalities: ['text', 'image'], image: { aspectRatio: '16:9' } });
    expect(encoded.body.tools).toEqual([{ type: 'image_generation', size: '1536x1024' }]);
    expect(told(encoded)).toEqual([' modalities approximated']);
    expect(() => encode({ modalities: ['audio'] })).toThrow(/text and images/);
  });

  test('what would make the answer wrong is refused', () => {
    expect(() => encode({ candidates: 2 })).toThrow(/one answer/);
    expect(() => encode({ cache: { resource: 'cachedContents/1' } })).toThrow(/cached/);
    expect(() => encode({ state: { continuation: 't' } })).toThrow(/only by the service/);
    expect(encode({ candidates: 1 }).losses).toEqual([]);
  });

  test('bags of others are reported key by key', () => {
    const encoded = encode({
      ext: { messages: { speed: 'fast' } },
      tools: [{ kind: 'function', name: 'f', ext: { messages: { defer_loading: true } }, src: { ptr: '/tools/0' } }],
    });
    expect(told(encoded)).toEqual(['/speed ext.speed dropped', '/tools/0/defer_loading ext.defer_loading moved']);
  });
});

describe('state of this service comes home', () => {
  const node = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'E' };
  const reasoning = (domain: string): Part => ({
    kind: 'reasoning',
    text: ['x'],
    state: [{ dialect: 'responses', domain, kind: 'reasoning', payload: JSON.stringify(node) }],
  });

  test('reasoning is sent whole, without its id, in front of what it led to', () => {
    expect(items(assistant(reasoning('d'), { kind: 'text', text: 'a' }))).toEqual([
      { type: 'reasoning', summary: [], encrypted_content: 'E' },
      {
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'a', annotations: [] }],
      },
    ]);
  });

  test('reasoning that leads to nothing is left out', () => {
    const encoded = encode({
      turns: [assistant({ kind: 'text', text: 'a' }, reasoning('d')), user({ kind: 'text', text: 'b' })],
    });
    expect(encoded.body.input).toHaveLength(2);
    expect(told(encoded)).toEqual(['/a/1 reasoning.state dropped']);
  });

  test('reasoning of others is never told', () => {
    const foreign: Part = {
      kind: 'reasoning',
      text: ['secret thoughts'],
      state: [{ dialect: 'messages', domain: 'x', kind: 'reasoning', payload: '{}' }],
    };
    expect(JSON.stringify(items(assistant(foreign, { kind: 'text', text: 'a' })))).not.toContain('secret');
  });
});
