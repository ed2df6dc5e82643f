import { describe, expect, test } from '@jest/globals';
import type { Part } from '../../translators/canonical/content.js';
import type { CanonicalRequest, OutputFormat, ReasoningSettings, Turn } from '../../translators/canonical/request.js';
import type { FunctionTool, Tool } from '../../translators/canonical/tools.js';
import { MODEL, send, settings, user } from './support.js';

const TOOL: FunctionTool = {
  kind: 'function',
  name: 'f',
  schema: { type: 'object', properties: {} },
  src: { ptr: '/t/0' },
};
const REQUIRED = { mode: 'required', src: { ptr: '/choice' } } as const;

function assistant(...parts: Part[]): Turn {
  return { role: 'assistant', parts, src: { ptr: '/in/1' } };
}

function thinking(fields: Partial<ReasoningSettings>): ReasoningSettings {
  return { mode: 'on', show: 'default', src: { ptr: '/reasoning' }, ...fields };
}

describe('the cap, which the service demands', () => {
  test.each([
    ['the ceiling of the model when the client gives none', MODEL, undefined, 64_000, ['maxOutput invented']],
    ['64,000 for models that are not known', 'claude-future-9', undefined, 64_000, ['maxOutput invented']],
    ['a smaller ceiling', 'claude-opus-4-1', undefined, 32_000, ['maxOutput invented']],
    ['the client’s own', MODEL, 1, 1, []],
    ['the ceiling for more than the model can', 'claude-3-5-haiku', 9000, 8192, ['maxOutput approximated']],
  ])('is %s', (_name, model, maxOutput, expected, losses) => {
    const sent = send({ model, maxOutput });
    expect(sent.body.max_tokens).toBe(expected);
    expect(sent.losses).toEqual(losses);
  });
});

describe('thinking by generation (translation.md 2.12, [M §2.7])', () => {
  const cases: [string, string, Partial<ReasoningSettings>, unknown, unknown, string[]][] = [
    [
      'effort becomes a budget',
      MODEL,
      { mode: 'default', effort: 'low' },
      { type: 'enabled', budget_tokens: 2048 },
      undefined,
      [],
    ],
    [
      'effort of every level',
      MODEL,
      { mode: 'on', effort: 'xhigh' },
      { type: 'enabled', budget_tokens: 32768 },
      undefined,
      [],
    ],
    [
      'a budget is raised to the least',
      MODEL,
      { budget: 10 },
      { type: 'enabled', budget_tokens: 1024 },
      undefined,
      ['reasoning.budget approximated'],
    ],
    [
      'on without a size',
      MODEL,
      {},
      { type: 'enabled', budget_tokens: 8192 },
      undefined,
      ['reasoning.budget invented'],
    ],
    ['off is the default', MODEL, { mode: 'off' }, undefined, undefined, []],
    [
      'between tools',
      MODEL,
      { interleave: 'between_tools', effort: 'low' },
      { type: 'enabled', budget_tokens: 2048 },
      undefined,
      ['reasoning.interleave dropped'],
    ],
    [
      'a summary is shown',
      MODEL,
      { effort: 'low', show: 'auto' },
      { type: 'enabled', budget_tokens: 2048, display: 'summarized' },
      undefined,
      [],
    ],
    ['4.6: effort', 'claude-opus-4-6', { effort: 'high' }, { type: 'adaptive' }, 'high', []],
    [
      '4.6: a budget is kept',
      'claude-opus-4-6',
      { budget: 5000 },
      { type: 'enabled', budget_tokens: 5000 },
      undefined,
      [],
    ],
    [
      '4.6: no xhigh',
      'claude-sonnet-4-6',
      { effort: 'xhigh' },
      { type: 'adaptive' },
      'high',
      ['reasoning.effort approximated'],
    ],
    [
      '4.7: a budget becomes an effort',
      'claude-opus-4-7',
      { budget: 5000 },
      { type: 'adaptive' },
      'medium',
      ['reasoning.budget approximated'],
    ],
    ['4.8: off', 'claude-opus-4-8', { mode: 'off' }, { type: 'disabled' }, undefined, []],
    [
      '5: minimal',
      'claude-sonnet-5',
      { effort: 'minimal' },
      { type: 'adaptive' },
      'low',
      ['reasoning.effort approximated'],
    ],
    [
      '5: shown',
      'claude-opus-5',
      { mode: 'default', show: 'detailed' },
      { type: 'adaptive', display: 'summarized' },
      undefined,
      ['reasoning.show approximated'],
    ],
    ['5: hidden', 'claude-opus-5', { show: 'none' }, { type: 'adaptive', display: 'omitted' }, undefined, []],
    [
      'fable cannot be kept from thinking',
      'claude-fable-5',
      { mode: 'off' },
      undefined,
      'low',
      ['reasoning.mode approximated'],
    ],
    ['unknown newer ones are adaptive', 'claude-opus-9', { effort: 'max' }, { type: 'adaptive' }, 'max', []],
    ['3.5 does not think', 'claude-3-5-sonnet', { effort: 'high' }, undefined, undefined, ['reasoning.mode dropped']],
  ];
  test.each(cases)('%s', (_name, model, reasoning, expected, effort, losses) => {
    const sent = send({ model, reasoning: thinking(reasoning), maxOutput: 50_000 });
    const capped = sent.losses.filter((loss) => !loss.startsWith('maxOutput'));
    expect(sent.body.thinking).toEqual(expected);
    expect(sent.body.output_config).toEqual(effort === undefined ? undefined : { effort });
    expect(capped).toEqual(losses);
  });

  test('a budget leaves room for the answer under the client’s cap', () => {
    const sent = send({ reasoning: thinking({ effort: 'high' }), maxOutput: 2000 });
    expect(sent.body).toMatchObject({ max_tokens: 2000, thinking: { type: 'enabled', budget_tokens: 1744 } });
    expect(sent.losses).toEqual(['reasoning.budget approximated']);
  });

  test('a cap without room for it switches thinking off', () => {
    const sent = send({ reasoning: thinking({ effort: 'high' }), maxOutput: 1000 });
    expect(sent.body.thinking).toBeUndefined();
    expect(sent.losses).toEqual(['reasoning.mode approximated']);
  });

  test('without a cap the budget stands on top, up to the ceiling', () => {
    const sent = send({ model: 'claude-opus-4-1', reasoning: thinking({ effort: 'high' }) });
    expect(sent.body).toMatchObject({ max_tokens: 32_000, thinking: { budget_tokens: 24576 } });
  });

  test('a forced call switches thinking off', () => {
    const sent = send({ tools: [TOOL], toolChoice: REQUIRED, reasoning: thinking({ effort: 'low' }) });
    expect(sent.body).toMatchObject({ thinking: { type: 'disabled' }, tool_choice: { type: 'any' } });
    expect(sent.losses).toContain('reasoning.mode approximated');
  });

  test('a forced call is weakened where thinking cannot be switched off', () => {
    const sent = send({ model: 'claude-mythos-5', tools: [TOOL], toolChoice: { ...REQUIRED, parallel: false } });
    expect(sent.body.tool_choice).toEqual({ type: 'auto', disable_parallel_tool_use: true });
    expect(sent.losses).toContain('toolChoice approximated');
  });

  test('4.6 takes a forced call beside adaptive thinking', () => {
    const sent = send({
      model: 'claude-opus-4-6',
      tools: [TOOL],
      toolChoice: REQUIRED,
      reasoning: thinking({ effort: 'low' }),
    });
    expect(sent.body).toMatchObject({ thinking: { type: 'adaptive' }, tool_choice: { type: 'any' } });
  });

  const call: Part = { kind: 'call', callId: 'c1', name: 'f', args: { text: '{}' }, src: { ptr: '/in/1' } };
  const result: Turn = {
    role: 'user',
    parts: [{ kind: 'result', callId: 'c1', parts: [{ kind: 'text', text: 'ok' }], src: { ptr: '/in/2' } }],
  };

  test('an open loop whose thinking is lost goes on without', () => {
    const sent = send({
      turns: [user('q'), assistant(call), result],
      tools: [TOOL],
      reasoning: thinking({ effort: 'low' }),
    });
    expect(sent.body.thinking).toEqual({ type: 'disabled' });
    expect(sent.losses).toContain('reasoning.mode approximated');
  });

  test('an open loop of an adaptive model needs nothing', () => {
    const turns = [user('q'), assistant(call), result];
    const sent = send({ model: 'claude-sonnet-5', turns, tools: [TOOL], reasoning: thinking({ effort: 'low' }) });
    expect(sent.body.thinking).toEqual({ type: 'adaptive' });
  });

  test('an open loop with its thinking keeps it, and a forced call is weakened', () => {
    const node = { type: 'thinking', thinking: 't', signature: 's' };
    const state = [{ dialect: 'messages', domain: 'd', kind: 'reasoning', payload: JSON.stringify(node) } as const];
    const turns = [user('q'), assistant({ kind: 'reasoning', text: ['t'], state }, call), result];
    const sent = send({ turns, tools: [TOOL], toolChoice: REQUIRED, reasoning: thinking({ effort: 'low' }) });
    expect(sent.body).toMatchObject({ thinking: { type: 'enabled' }, tool_choice: { type: 'auto' } });
    expect(sent.body.messages).toMatchObject([{}, { content: [node, { type: 'tool_use' }] }, {}]);
  });
});

describe('sampling', () => {
  const cases: [string, string, CanonicalRequest['sampling'], Record<string, unknown>, string[]][] = [
    [
      'temperature is clamped, not rescaled',
      'claude-3-7-sonnet',
      { temperature: 1.7 },
      { temperature: 1 },
      ['sampling.temperature approximated'],
    ],
    [
      'all of an early model',
      'claude-3-7-sonnet',
      { temperature: 0.5, topP: 0.9, topK: 5 },
      { temperature: 0.5, top_p: 0.9, top_k: 5 },
      [],
    ],
    ['temperature or top_p', MODEL, { temperature: 0.5, topP: 0.9 }, { temperature: 0.5 }, ['sampling.topP dropped']],
    [
      'none on newer models',
      'claude-opus-4-8',
      { temperature: 0.5, topP: 0.5, topK: 5 },
      {},
      ['sampling.temperature dropped', 'sampling.topP dropped', 'sampling.topK dropped'],
    ],
    ['neutral values vanish on newer models', 'claude-opus-4-8', { temperature: 1, topP: 1 }, {}, []],
    [
      'what has no field',
      MODEL,
      { seed: 3, presencePenalty: 1, frequencyPenalty: 0 },
      {},
      ['sampling.seed dropped', 'sampling.presencePenalty dropped'],
    ],
  ];
  test.each(cases)('%s', (_name, model, sampling, expected, losses) => {
    const sent = send({ model, sampling, maxOutput: 100 });
    expect(settings(sent.body)).toEqual(expected);
    expect(sent.losses).toEqual(losses);
  });

  test('a thinking model takes none of it', () => {
    const reasoning = thinking({ effort: 'low' });
    const sent = send({ reasoning, maxOutput: 9000, sampling: { temperature: 0.2, topK: 3, topP: 0.5 } });
    expect(Object.keys(settings(sent.body))).toEqual(['thinking']);
    expect(sent.losses).toEqual(['sampling.temperature dropped', 'sampling.topP dropped', 'sampling.topK dropped']);
  });

  test.each([
    ['claude-opus-4-7', undefined, 'the model does not support sampling settings'],
    ['claude-opus-4-7', thinking({ effort: 'low' }), 'the model does not support sampling settings'],
    ['claude-sonnet-4-5', thinking({ effort: 'low' }), 'the model does not accept this top_p while it reasons'],
  ])('%s says why a low top_p goes, with reasoning %j', (model, reasoning, detail) => {
    const { list } = send({ model, reasoning, maxOutput: 9000, sampling: { topP: 0.5 } });
    expect(list.filter(({ feature }) => feature === 'sampling.topP')).toMatchObject([{ kind: 'dropped', detail }]);
  });

  test('blank stop strings are left out', () => {
    const sent = send({ stop: ['END', ' '], maxOutput: 1 });
    expect(sent.body.stop_sequences).toEqual(['END']);
    expect(sent.losses).toEqual(['stop dropped']);
  });
});

describe('instructions', () => {
  const text = (words: string) => ({ kind: 'text', text: words }) as const;

  test('one text is a string', () => {
    const sent = send({ instructions: [{ authority: 'system', parts: [text('S')] }], maxOutput: 1 });
    expect(sent.body.system).toBe('S');
    expect(sent.losses).toEqual([]);
  });

  test('several are blocks, in order; developers speak as the system; blank ones go [hard case ROLE-03]', () => {
    const instructions = [
      { authority: 'system', parts: [text('A'), text(' ')] },
      { authority: 'developer', parts: [{ ...text('B'), cache: {} }] },
    ] as const;
    const sent = send({ instructions, maxOutput: 1 });
    expect(sent.body.system).toEqual([
      { type: 'text', text: 'A' },
      { type: 'text', text: 'B', cache_control: { type: 'ephemeral' } },
    ]);
    expect(sent.losses).toEqual(['instruction.authority moved']);
  });

  test('later ones keep their place where the model lets them, else are notes', () => {
    const late: Turn = { role: 'instruction', authority: 'system', parts: [text('D')], src: { ptr: '/in/1' } };
    const turns = [user('a'), late];
    expect(send({ model: 'claude-opus-4-8', turns }).body.messages).toEqual([
      { role: 'user', content: 'a' },
      { role: 'system', content: 'D' },
    ]);
    const noted = send({ turns });
    expect(JSON.stringify(noted.body.messages)).toContain('<system_note>');
    expect(noted.losses).toContain('instruction.place approximated');
  });

  test('JSON without a schema is asked for in the last block [hard case STR-02]', () => {
    const sent = send({
      output: { kind: 'json' },
      instructions: [{ authority: 'system', parts: [text('S')] }],
      maxOutput: 1,
    });
    expect(sent.body.system).toEqual([
      { type: 'text', text: 'S' },
      { type: 'text', text: 'Reply with one JSON object and nothing else.' },
    ]);
    expect(sent.losses).toEqual(['output.format approximated']);
  });
});

describe('the form of the answer', () => {
  const schema = { type: 'object', properties: { a: { type: 'string', minLength: 2 } }, required: ['a'] };

  test('a schema is closed and stripped of what the grammar cannot hold [hard case STR-01]', () => {
    const sent = send({ output: { kind: 'schema', schema, name: 'r', strict: true }, maxOutput: 1 });
    const format = sent.body.output_config;
    expect(format).toMatchObject({ format: { type: 'json_schema', schema: { additionalProperties: false } } });
    expect(JSON.stringify(format)).not.toContain('"minLength"');
    expect(sent.losses).toEqual(['output.name dropped', 'output.schema approximated']);
  });

  test('a model without it is asked for a call of a hidden function', () => {
    const output: OutputFormat = { kind: 'schema', schema, name: 'response' };
    const sent = send({ model: 'claude-3-7-sonnet', output, maxOutput: 1 });
    expect(sent.body.output_config).toBeUndefined();
    expect(sent.body.system).toBeUndefined();
    expect(sent.body.tools).toMatchObject([{ name: 'il_final_answer', input_schema: schema }]);
    expect(sent.losses).toEqual(['output.format approximated']);
  });

  test.each<[string, Partial<CanonicalRequest>]>([
    ['beside tools', { tools: [{ kind: 'function', name: 'f', schema: { type: 'object', properties: {} } }] }],
    ['while it thinks', { reasoning: { mode: 'on', budget: 2000, show: 'default' } }],
  ])('a model without it is asked in words %s', (_when, more) => {
    const output: OutputFormat = { kind: 'schema', schema, name: 'response' };
    const sent = send({ model: 'claude-3-7-sonnet', output, maxOutput: 9000, ...more });
    expect(sent.body.output_config).toBeUndefined();
    expect(JSON.stringify(sent.body.tools ?? '')).not.toContain('il_final_answer');
    expect(sent.body.system).toContain('"minLength":2');
    expect(sent.losses).toEqual(['output.schema approximated']);
  });

  test('a list of words stands in an object', () => {
    const sent = send({ output: { kind: 'enum', enum: ['a', 'b'] }, maxOutput: 1 });
    expect(sent.body.output_config).toMatchObject({
      format: { schema: { properties: { value: { enum: ['a', 'b'] } } } },
    });
    expect(sent.losses).toEqual(['output.format approximated']);
  });

  test('citations are off beside a schema', () => {
    const document: Part = { kind: 'textdoc', citable: true, parts: [{ kind: 'text', text: 'D' }] };
    const sent = send({
      output: { kind: 'schema', schema },
      turns: [{ role: 'user', parts: [document] }],
      maxOutput: 1,
    });
    expect(sent.body.messages).toMatchObject([{ content: [{ citations: { enabled: false } }] }]);
    expect(sent.losses).toContain('part.citation approximated');
  });
});

describe('cache marks', () => {
  const marked = (text: string, ttl?: string): Part => ({
    kind: 'text',
    text,
    cache: ttl === undefined ? {} : { ttl },
  });
  const marksIn = (body: unknown): unknown[] => JSON.stringify(body).match(/"cache_control":\{[^}]*\}/g) ?? [];

  test('the last four are kept', () => {
    const parts = ['a', 'b', 'c', 'd', 'e'].map((text) => marked(text));
    const sent = send({ turns: [{ role: 'user', parts }], tools: [{ ...TOOL, cache: {} }], maxOutput: 1 });
    expect(marksIn(sent.body)).toHaveLength(4);
    expect(JSON.stringify(sent.body.tools)).not.toContain('cache_control');
    expect(sent.losses).toEqual(['cache.mark dropped']);
  });

  test('the automatic one counts', () => {
    const parts = ['a', 'b', 'c', 'd'].map((text) => marked(text));
    const sent = send({ turns: [{ role: 'user', parts }], cache: { auto: true, ttl: '24h' }, maxOutput: 1 });
    expect(sent.body.cache_control).toEqual({ type: 'ephemeral', ttl: '1h' });
    expect(marksIn(sent.body)).toHaveLength(4);
  });

  test('an hour never stands behind five minutes', () => {
    const parts = [marked('a', '1h'), marked('b', '5m'), marked('c', '1h')];
    const sent = send({ turns: [{ role: 'user', parts }], maxOutput: 1 });
    expect(marksIn(sent.body).map((mark) => /1h|5m/.exec(String(mark))?.[0])).toEqual(['1h', '5m', undefined]);
    expect(sent.losses).toEqual(['cache.ttl approximated']);
  });
});

describe('account fields', () => {
  test('user, tier and labels', () => {
    const sent = send({
      user: 'u'.repeat(300),
      tier: { dialect: 'responses', value: 'priority' },
      metadata: { a: 'b' },
      cache: { key: 'k' },
      verbosity: 'low',
      truncate: true,
      maxOutput: 1,
    });
    expect(sent.body).toMatchObject({
      service_tier: 'auto',
      metadata: { user_id: expect.stringMatching(/^[a-z2-7]{52}$/) },
    });
    expect(sent.losses.sort()).toEqual([
      'cache.key dropped',
      'metadata dropped',
      'tier approximated',
      'truncate dropped',
      'user approximated',
      'verbosity dropped',
    ]);
  });

  test.each([
    ['more than one answer', { candidates: 2 }],
    ['a cached prompt', { cache: { resource: 'c' } }],
    ['a template', { state: { template: {} } }],
    ['speech only', { modalities: ['audio'] }],
  ])('%s is refused', (_name, fields) => {
    expect(() => send(fields)).toThrow(expect.objectContaining({ kind: 'unsupported' }));
  });
});

describe('tools', () => {
  const hosted = (family: 'webSearch' | 'urlFetch' | 'codeExec' | 'imageGen' | 'fileSearch', extra = {}): Tool => ({
    kind: 'hosted',
    family,
    dialect: 'responses',
    type: 'x',
    settings: extra,
    src: { ptr: '/t/1' },
  });

  test('a function without parameters [hard case TOOL-18]', () => {
    const sent = send({ tools: [{ kind: 'function', name: 'list' }], maxOutput: 1 });
    expect(sent.body.tools).toEqual([{ name: 'list', input_schema: { type: 'object', properties: {} } }]);
    expect(sent.losses).toEqual([]);
  });

  test('free text tools are functions of one string [hard case TOOL-12]', () => {
    const grammar = { syntax: 'lark', definition: 'start: "x"' };
    const sent = send({ tools: [{ kind: 'custom', name: 'patch', description: 'P', grammar }], maxOutput: 1 });
    expect(sent.body.tools).toMatchObject([
      { name: 'patch', input_schema: { properties: { input: { type: 'string' } }, required: ['input'] } },
    ]);
    expect(JSON.stringify(sent.body.tools)).toContain('lark');
  });

  test('names the service cannot take get another', () => {
    const sent = send({
      tools: [{ ...TOOL, name: 'a.b/c' }],
      toolChoice: { mode: 'required', only: [{ kind: 'function', name: 'a.b/c' }] },
    });
    expect(sent.body.tools).toMatchObject([{ name: expect.stringMatching(/^a_b_c_[a-z2-7]{8}$/) }]);
    expect(sent.body.tool_choice).toEqual({ type: 'tool', name: (sent.body.tools as { name: string }[])[0]?.name });
  });

  test('strict tools stop at the budget of the grammar', () => {
    const schema = { type: 'object', properties: {}, additionalProperties: false };
    const tools = Array.from({ length: 22 }, (_, index) => ({ ...TOOL, schema, name: `f${index}`, strict: true }));
    const sent = send({ tools, maxOutput: 1 });
    expect((sent.body.tools as { strict?: boolean }[]).filter(({ strict }) => strict === true)).toHaveLength(20);
    expect(sent.losses).toEqual(['tool.strict approximated', 'tool.strict approximated']);
  });

  test('strict is lost on models that do not know it', () => {
    const sent = send({ model: 'claude-3-7-sonnet', tools: [{ ...TOOL, strict: true }], maxOutput: 1 });
    expect(sent.body.tools).toEqual([{ name: 'f', input_schema: TOOL.schema }]);
    expect(sent.losses).toEqual(['tool.strict dropped']);
  });

  test('web search, fetch and code execution', () => {
    const tools = [
      hosted('webSearch', { allowedDomains: ['a.example'], contextSize: 'high', userLocation: { city: 'Bern' } }),
      hosted('urlFetch'),
      hosted('codeExec'),
    ];
    const sent = send({ tools, maxToolCalls: 3, maxOutput: 1 });
    expect(sent.body.tools).toEqual([
      {
        type: 'web_search_20250305',
        name: 'web_search',
        allowed_domains: ['a.example'],
        user_location: { type: 'approximate', city: 'Bern' },
        max_uses: 3,
      },
      { type: 'web_fetch_20250910', name: 'web_fetch', max_uses: 3 },
      { type: 'code_execution_20250825', name: 'code_execution' },
    ]);
    expect(sent.losses).toContain('tool.hosted.settings dropped');
  });

  test('what the service has not is left out, and refused when forced [hard case TOOL-13]', () => {
    const sent = send({ tools: [TOOL, hosted('imageGen')], maxOutput: 1 });
    expect(sent.body.tools).toHaveLength(1);
    expect(sent.losses).toEqual(['tool.hosted dropped']);
    const only = [{ kind: 'hosted', family: 'imageGen', type: 'image_generation' }] as const;
    expect(() => send({ tools: [TOOL, hosted('imageGen')], toolChoice: { mode: 'required', only } })).toThrow(/forced/);
    expect(() => send({ tools: [hosted('fileSearch')], toolChoice: REQUIRED })).toThrow(/none of the tools/);
    expect(() => send({ tools: [hosted('codeExec', { fileIds: ['file_1'] })] })).toThrow(/files of another service/);
  });

  test('MCP servers are two halves', () => {
    const server = {
      label: 'docs',
      url: 'https://mcp.example/sse',
      headers: { Authorization: 'Bearer T', 'x-more': '1' },
      allowedTools: ['a'],
      approval: 'never',
    };
    const tool: Tool = {
      kind: 'hosted',
      family: 'mcp',
      dialect: 'responses',
      type: 'mcp',
      settings: { server },
      src: { ptr: '/t/0' },
    };
    const sent = send({ tools: [tool], maxOutput: 1 });
    expect(sent.body.mcp_servers).toEqual([
      { type: 'url', name: 'docs', url: 'https://mcp.example/sse', authorization_token: 'T' },
    ]);
    expect(sent.body.tools).toEqual([
      {
        type: 'mcp_toolset',
        mcp_server_name: 'docs',
        default_config: { enabled: false },
        configs: { a: { enabled: true } },
      },
    ]);
    expect(sent.losses).toEqual(['tool.hosted.settings dropped']);
    const asking = { ...tool, settings: { server: { ...server, approval: undefined } } };
    expect(() => send({ tools: [asking] })).toThrow(/consent/);
  });

  describe('choice', () => {
    const second: FunctionTool = { ...TOOL, name: 'g' };
    const cases: [string, CanonicalRequest['toolChoice'], unknown, number][] = [
      ['none stays declared', { mode: 'none', parallel: false }, { type: 'none' }, 2],
      [
        'no parallel calls [hard case TOOL-19]',
        { mode: 'auto', parallel: false },
        { type: 'auto', disable_parallel_tool_use: true },
        2,
      ],
      ['one', { mode: 'required', only: [{ kind: 'function', name: 'g' }] }, { type: 'tool', name: 'g' }, 2],
      ['a list filters', { mode: 'auto', only: [{ kind: 'function', name: 'g' }] }, { type: 'auto' }, 1],
    ];
    test.each(cases)('%s', (_name, toolChoice, expected, count) => {
      const { body } = send({ tools: [TOOL, second], toolChoice });
      expect(body.tool_choice).toEqual(expected);
      expect(body.tools).toHaveLength(count);
    });

    test('is left out without tools', () => {
      expect(send({ toolChoice: { mode: 'auto', parallel: false } }).body.tool_choice).toBeUndefined();
    });

    test('held to schemas', () => {
      const sent = send({ tools: [TOOL], toolChoice: { mode: 'auto', validated: true }, maxOutput: 1 });
      expect(sent.body.tools).toMatchObject([{ strict: true }]);
      expect(sent.losses).toEqual(['tool.schema approximated', 'toolChoice approximated']);
    });
  });
});

describe('parts', () => {
  const one = (part: Part, context = {}): ReturnType<typeof send> =>
    send({ turns: [{ role: 'user', parts: [{ kind: 'text', text: 'q' }, part] }], maxOutput: 1 }, { context });
  const media = (fields: object): Part =>
    ({
      kind: 'media',
      class: 'image',
      data: { from: 'base64', base64: 'iVBORw0KGgo=' },
      src: { ptr: '/m' },
      ...fields,
    }) as Part;
  const second = ({ body }: ReturnType<typeof send>): unknown =>
    (body.messages as { content: unknown[] }[])[0]?.content[1];

  test('images inline, by URL and of unnamed type', () => {
    expect(second(one(media({ mime: 'image/png' })))).toEqual({
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' },
    });
    expect(second(one(media({})))).toMatchObject({ source: { media_type: 'image/png' } });
    expect(second(one(media({ data: { from: 'url', url: 'https://x.example/y.png' } })))).toEqual({
      type: 'image',
      source: { type: 'url', url: 'https://x.example/y.png' },
    });
  });

  test('PDF with its name, text files as documents', () => {
    const pdf = media({
      class: 'file',
      mime: 'application/pdf',
      filename: 'a.pdf',
      data: { from: 'base64', base64: 'JVBERi0=' },
    });
    expect(second(one(pdf))).toMatchObject({
      type: 'document',
      title: 'a.pdf',
      source: { media_type: 'application/pdf' },
    });
    const csv = one(
      media({ class: 'file', mime: 'text/csv', filename: 'a.csv', data: { from: 'base64', base64: 'YSxi' } }),
    );
    expect(second(csv)).toEqual({
      type: 'document',
      title: 'a.csv',
      source: { type: 'text', media_type: 'text/plain', data: 'a,b' },
    });
    expect(csv.losses).toEqual(['part.media approximated']);
  });

  test('media without a form is refused, or omitted where the host wants that', () => {
    const audio = media({ class: 'audio', mime: 'audio/wav' });
    expect(() => one(audio)).toThrow(expect.objectContaining({ kind: 'unsupported', path: '/m' }));
    expect(second(one(audio, { omitMedia: true }))).toEqual({ type: 'text', text: '[audio omitted: audio/wav]' });
    expect(() => one(media({ data: { from: 'base64', base64: 'SUkqAAgAAAA=' } }))).toThrow(/image\/tiff/);
    expect(() => one(media({ data: { from: 'file', id: 'f', vendor: 'responses' } }))).toThrow(/responses/);
    expect(() => one(media({ class: 'video', data: { from: 'url', url: 'https://x.example/v?key=secret' } }))).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('secret') }),
    );
  });

  test('what the host fetched stands inline', () => {
    const fetched = new Map([['gs://b/o', { mime: 'image/png', base64: 'iVBORw0KGgo=' }]]);
    const sent = one(media({ data: { from: 'url', url: 'gs://b/o' } }), { media: fetched });
    expect(second(sent)).toMatchObject({ source: { type: 'base64', media_type: 'image/png' } });
    expect(sent.losses).toEqual(['part.media moved']);
  });

  test('blank text is left out, foreign citations too [hard case TEXT-02]', () => {
    const turns: Turn[] = [
      user('q'),
      assistant({ kind: 'text', text: '\n\n' }, { kind: 'text', text: 'a', citations: [{ source: 'web', url: 'u' }] }),
      user('r', 2),
    ];
    const sent = send({ turns, maxOutput: 1 });
    expect(sent.body.messages).toMatchObject([{}, { role: 'assistant', content: 'a' }, {}]);
    expect(sent.losses).toEqual(['text.blank approximated', 'part.citation dropped']);
  });

  test('calls with arguments that are no object [hard case CALL-14]', () => {
    const bad: Part = { kind: 'call', callId: 'c1', name: 'f', args: { text: '{"a": ' } };
    const none: Part = { kind: 'call', callId: 'c2', name: 'f', args: { text: '' } };
    const results: Turn = {
      role: 'user',
      parts: ['c1', 'c2'].map((callId) => ({ kind: 'result', callId, parts: [{ kind: 'text', text: '' }] })),
    };
    const sent = send({ turns: [user('q'), assistant(bad, none), results], maxOutput: 1 });
    expect(sent.body.messages).toMatchObject([
      {},
      { content: [{ input: { _raw_arguments: '{"a": ' } }, { input: {} }] },
      {
        content: [
          { type: 'tool_result', tool_use_id: 'c1' },
          { type: 'tool_result', tool_use_id: 'c2' },
        ],
      },
    ]);
    expect(JSON.stringify(sent.body.messages)).not.toContain('"content":""');
    expect(sent.losses).toEqual(['call.args approximated']);
  });

  test('missing results are filled in, first in the next turn [hard case CALL-01]', () => {
    const call = (callId: string): Part => ({ kind: 'call', callId, name: 'f', args: { text: '{}' } });
    const next: Turn = {
      role: 'user',
      parts: [
        { kind: 'text', text: 'stop that' },
        { kind: 'result', callId: 'c1', parts: [{ kind: 'text', text: 'ok' }] },
      ],
    };
    const sent = send({ turns: [user('q'), assistant(call('c1'), call('c2')), next], maxOutput: 1 });
    expect(sent.body.messages).toMatchObject([
      {},
      {},
      {
        content: [
          { type: 'tool_result', tool_use_id: 'c1', content: 'ok' },
          { type: 'tool_result', tool_use_id: 'c2', is_error: true, content: 'Tool call was not completed.' },
          { type: 'text', text: 'stop that' },
        ],
      },
    ]);
  });

  test('pictures of a failed result stand behind it, an object is told as JSON', () => {
    const result: Part = {
      kind: 'result',
      callId: 'c1',
      isError: true,
      json: { a: 1 },
      parts: [media({ mime: 'image/png' }) as never],
    };
    const call: Part = { kind: 'call', callId: 'c1', name: 'f', args: { value: {} } };
    const sent = send({ turns: [user('q'), assistant(call), { role: 'user', parts: [result] }], maxOutput: 1 });
    expect(sent.body.messages).toMatchObject([
      {},
      {},
      { content: [{ is_error: true, content: '{"a":1}' }, { type: 'image' }] },
    ]);
    expect(sent.losses).toEqual(['result.json moved', 'result.media moved']);
  });

  test('a turn of the assistant at the end is followed by a user’s', () => {
    const sent = send({
      model: 'claude-3-5-haiku',
      turns: [user('q'), assistant({ kind: 'text', text: 'a' })],
      maxOutput: 1,
    });
    expect(sent.body.messages).toMatchObject([{}, { role: 'assistant' }, { role: 'user', content: 'Continue.' }]);
    expect(sent.losses).toEqual(['turn.inserted invented']);
  });

  test('a cache mark on blank text moves to what stands before [hard case TEXT-03]', () => {
    const parts: Part[] = [
      { kind: 'text', text: 'a' },
      { kind: 'text', text: ' ', cache: { ttl: '1h' }, src: { ptr: '/blank' } },
    ];
    const sent = send({ turns: [{ role: 'user', parts }], maxOutput: 1 });
    expect(sent.body.messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral', ttl: '1h' } }] },
    ]);
    expect(sent.losses).toEqual(['cache.mark moved', 'text.blank approximated']);
    const call: Part = { kind: 'call', callId: 'c', name: 'f', args: { value: {} } };
    const blank: Part = { kind: 'result', callId: 'c', parts: [{ kind: 'text', text: '', cache: {} }] };
    const inside = send({ turns: [user('q'), assistant(call), { role: 'user', parts: [blank] }], maxOutput: 1 });
    expect(inside.body.messages).toMatchObject([
      {},
      {},
      { content: [{ type: 'tool_result', tool_use_id: 'c', cache_control: { type: 'ephemeral' } }] },
    ]);
  });

  test('foreign bags cost an entry per key', () => {
    const tool: Tool = { ...TOOL, ext: { responses: { async: true } } };
    expect(send({ tools: [tool], ext: { responses: { moderation: {} } }, maxOutput: 1 }).losses.sort()).toEqual([
      'ext.async dropped',
      'ext.moderation dropped',
    ]);
  });
});
