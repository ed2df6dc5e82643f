import { describe, expect, test } from '@jest/globals';
import type { Part } from '../../translators/canonical/content.js';
import { TranslationError } from '../../translators/canonical/errors.js';
import { createLosses } from '../../translators/canonical/loss.js';
import type { CanonicalResponse, Finish, FinishKind } from '../../translators/canonical/response.js';
import type { StateEntry } from '../../translators/canonical/state.js';
import { messages } from '../../translators/messages/index.js';
import { decodeCarrier } from '../../translators/wire/carrier.js';
import { foreignRequest, foreignResponse, view } from './support.js';

const ANSWER = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude',
  content: [{ type: 'text', text: 'hi' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 20, cache_creation_input_tokens: 30, cache_read_input_tokens: 50, output_tokens: 7 },
};

function decode(body: unknown): CanonicalResponse {
  return messages.decodeResponse(body, { losses: createLosses(), domain: 'd' });
}

function show(parts: readonly Part[], fields: Partial<CanonicalResponse> = {}, context = view()) {
  const body = messages.encodeResponse(foreignResponse(parts, fields), context);
  return { body, losses: context.losses.list.map(({ feature, kind }) => `${feature} ${kind}`) };
}

function blocks(parts: readonly Part[], context = view()): unknown {
  return show(parts, {}, context).body.content;
}

function entry(payload: string, kind: StateEntry['kind'] = 'signature'): StateEntry {
  return { dialect: 'generateContent', domain: 'g', kind, payload, ...(kind === 'signature' && { on: 'call' }) };
}

function opened(block: unknown): unknown {
  const { signature } = block as { signature: string };
  return decodeCarrier(signature)?.entries.map(({ kind, payload }) => `${kind} ${payload}`);
}

describe('reading an answer', () => {
  test('input counts take the cache in [hard case USE-02]', () => {
    expect(decode(ANSWER).usage).toMatchObject({ input: 100, cacheRead: 50, cacheWrite: 30, output: 7 });
  });

  test('reasoning is unknown, not zero, when nothing is said', () => {
    expect(decode(ANSWER).usage?.reasoning).toBeUndefined();
    const usage = {
      ...ANSWER.usage,
      output_tokens_details: { thinking_tokens: 3 },
      server_tool_use: { web_search_requests: 2 },
    };
    expect(decode({ ...ANSWER, usage }).usage).toMatchObject({ reasoning: 3, hosted: { webSearch: 2 } });
  });

  const ends: [string, FinishKind][] = [
    ['end_turn', 'end'],
    ['stop_sequence', 'stop_sequence'],
    ['max_tokens', 'max_tokens'],
    ['model_context_window_exceeded', 'context_window'],
    ['refusal', 'refusal'],
    ['pause_turn', 'pause'],
    ['compaction', 'compaction'],
    ['tool_use', 'end'],
    ['something_new', 'other'],
  ];
  test.each(ends)('%s is %s', (raw, kind) => {
    expect(decode({ ...ANSWER, stop_reason: raw }).finish).toEqual({ kind, raw, dialect: 'messages' });
  });

  test('tool_use with a call, and with nothing at all [hard case STOP-02]', () => {
    const call = { type: 'tool_use', id: 'a', name: 'f', input: {} };
    expect(decode({ ...ANSWER, stop_reason: 'tool_use', content: [call] }).finish.kind).toBe('tool_use');
    expect(decode({ ...ANSWER, stop_reason: 'tool_use', content: [] }).finish.kind).toBe('malformed_call');
  });

  test('details of a refusal', () => {
    const stop_details = { type: 'refusal', category: 'cyber', explanation: 'no' };
    const { finish } = decode({ ...ANSWER, stop_reason: 'refusal', stop_details });
    expect(finish).toMatchObject({ kind: 'refusal', category: 'cyber', detail: 'no' });
  });

  test('a call cut by the limit is marked [hard case STOP-06]', () => {
    const call = { type: 'tool_use', id: 'a', name: 'f', input: { a: 1 } };
    const { parts } = decode({ ...ANSWER, stop_reason: 'max_tokens', content: [call, call] });
    expect(parts.map((part) => part.kind === 'call' && part.truncated === true)).toEqual([false, true]);
  });

  test('state sits on thoughts and on results of hosted calls, with the pair in it', () => {
    const thought = { type: 'thinking', thinking: 't', signature: 'S' };
    const call = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'q' } };
    const open = { ...call, id: 'srvtoolu_2' };
    const result = {
      type: 'web_search_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: [{ type: 'web_search_result', url: 'u', title: 't', encrypted_content: 'E', page_age: null }],
    };
    const { parts } = decode({ ...ANSWER, stop_reason: 'pause_turn', content: [thought, call, result, open] });
    expect(parts.map(({ state }) => state?.map(({ payload }) => JSON.parse(payload)))).toEqual([
      [thought],
      undefined,
      [[call, result]],
      [[open]],
    ]);
    expect(parts[1]).toMatchObject({ family: 'webSearch', input: { action: 'search', query: 'q' } });
    expect(parts[2]).toMatchObject({ family: 'webSearch', output: { sources: [{ url: 'u', title: 't' }] } });
  });

  test('code execution of every form', () => {
    const result = (type: string, content: object) =>
      decode({ ...ANSWER, content: [{ type, tool_use_id: 'srvtoolu_1', content }] }).parts[0];
    const ran = {
      type: 'code_execution_result',
      stdout: 'o',
      stderr: 'e',
      return_code: 1,
      content: [{ type: 'code_execution_output', file_id: 'f' }],
    };
    expect(result('code_execution_tool_result', ran)).toMatchObject({
      family: 'codeExec',
      output: { stdout: 'o', stderr: 'e', exitCode: 1, files: ['f'] },
    });
    const late = { type: 'code_execution_tool_result_error', error_code: 'execution_time_exceeded' };
    expect(result('bash_code_execution_tool_result', late)).toMatchObject({
      output: { timedOut: true },
      isError: true,
      errorCode: 'execution_time_exceeded',
    });
  });

  test.each([
    ['no message', 'text', 'upstream_bad_body'],
    ['no content', { id: 'x' }, 'upstream_bad_body'],
    ['no end', { ...ANSWER, stop_reason: null }, 'upstream_incomplete'],
    ['a malformed block', { ...ANSWER, content: [{ type: 'text' }] }, 'upstream_bad_body'],
  ])('%s is a failure of the backend', (_name, body, code) => {
    expect(() => decode(body)).toThrow(expect.objectContaining({ kind: 'upstream', code }));
  });

  test('an error in place of an answer keeps its kind', () => {
    expect(() => decode({ type: 'error', error: { type: 'overloaded_error', message: 'x' } })).toThrow(
      expect.objectContaining({ kind: 'overloaded' }),
    );
  });
});

describe('showing an answer of another service', () => {
  const caller = { type: 'direct' };

  test('is complete', () => {
    const { body, losses } = show([{ kind: 'text', text: 'hi' }], {
      usage: { input: 100, cacheRead: 50, cacheWrite: 30, cacheWrite1h: 10, output: 7, reasoning: 2 },
    });
    expect(body).toEqual({
      id: expect.stringMatching(/^msg_il[0-9a-f]{32}$/),
      type: 'message',
      role: 'assistant',
      model: 'gemini',
      content: [{ type: 'text', text: 'hi', citations: null }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      stop_details: null,
      container: null,
      diagnostics: null,
      usage: {
        input_tokens: 20,
        cache_creation_input_tokens: 30,
        cache_read_input_tokens: 50,
        cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 10 },
        output_tokens: 7,
        output_tokens_details: { thinking_tokens: 2 },
        server_tool_use: null,
        inference_geo: null,
        service_tier: null,
        speed: null,
      },
    });
    expect(losses).toEqual([]);
  });

  test('the model is named as the client asked for it', () => {
    expect(show([], {}, view({ model: 'fast' })).body).toMatchObject({ model: 'fast', content: [] });
  });

  test('counts that are unknown read as 0 and are reported, clamps too', () => {
    expect(show([], { usage: undefined }).losses).toEqual(['usage.input invented', 'usage.output invented']);
    const clamped = show([], { usage: { input: 1, cacheRead: 5, output: 1 } });
    expect(clamped.body.usage).toMatchObject({ input_tokens: 0, cache_read_input_tokens: 5 });
    expect(clamped.losses).toEqual(['usage approximated']);
  });

  const finish = (kind: FinishKind, fields: Partial<Finish> = {}): { readonly finish: Finish } => ({
    finish: { kind, raw: 'RAW', dialect: 'generateContent', ...fields },
  });
  const ends: [FinishKind, Partial<Finish>, object, string[]][] = [
    ['end', {}, { stop_reason: 'end_turn' }, []],
    ['tool_use', {}, { stop_reason: 'tool_use' }, []],
    ['stop_sequence', { stopSequence: 'E' }, { stop_reason: 'stop_sequence', stop_sequence: 'E' }, []],
    ['max_tokens', {}, { stop_reason: 'max_tokens' }, []],
    ['context_window', {}, { stop_reason: 'model_context_window_exceeded' }, []],
    [
      'refusal',
      { detail: 'no' },
      { stop_reason: 'refusal', stop_details: { type: 'refusal', category: null, explanation: 'no' } },
      [],
    ],
    ['filter', {}, { stop_reason: 'refusal', stop_details: { explanation: 'RAW' } }, ['finish approximated']],
    ['prompt_blocked', {}, { stop_reason: 'refusal', content: [] }, ['finish approximated']],
    ['pause', {}, { stop_reason: 'max_tokens' }, ['finish approximated']],
  ];
  test.each(ends)('%s', (kind, fields, expected, losses) => {
    const shown = show([], finish(kind, fields));
    expect(shown.body).toMatchObject(expected);
    expect(shown.losses).toEqual(losses);
  });

  test.each<FinishKind>(['malformed_call', 'no_image', 'cancelled', 'failed', 'other'])('%s is a failure', (kind) => {
    expect(() => show([], finish(kind))).toThrow(TranslationError);
  });

  test('a failure with a cause keeps it', () => {
    const error = { kind: 'rate_limit', message: 'slow down' } as const;
    expect(() => show([], { ...finish('failed'), error })).toThrow(expect.objectContaining({ kind: 'rate_limit' }));
  });

  test('the words of a refusal are text and explanation [hard case STOP-04]', () => {
    const { body } = show([{ kind: 'refusal', text: 'I can’t' }]);
    expect(body).toMatchObject({
      content: [{ type: 'text', text: 'I can’t' }],
      stop_reason: 'refusal',
      stop_details: { type: 'refusal', category: null, explanation: 'I can’t' },
    });
  });

  test('calls, also without ids or with arguments that are no object', () => {
    const calls: Part[] = [
      { kind: 'call', callId: 'c', name: 'f', args: { text: '{"a":1}' } },
      { kind: 'call', callId: '', name: 'f', args: { value: {} } },
      { kind: 'call', callId: 'd', name: 'f', args: { text: '{"a":' } },
    ];
    const { body, losses } = show(calls, finish('tool_use'));
    expect(body.content).toEqual([
      { type: 'tool_use', id: 'c', name: 'f', input: { a: 1 }, caller },
      { type: 'tool_use', id: expect.stringMatching(/^call_ilg_[a-z2-7]{22}$/), name: 'f', input: {}, caller },
      { type: 'tool_use', id: 'd', name: 'f', input: { _raw_arguments: '{"a":' }, caller },
    ]);
    expect(losses).toEqual(['call.args approximated']);
  });

  test('hosted pairs get ids by which they are known again, and empty encrypted fields', () => {
    const pair = (family: 'webSearch' | 'urlFetch' | 'codeExec' | 'mcp', input: object, output: object): Part[] => [
      { kind: 'hostedCall', callId: 'h', family, input: { ...input } },
      { kind: 'hostedResult', callId: 'h', family, output: { ...output } },
    ];
    expect(
      blocks(pair('webSearch', { action: 'search', query: 'q' }, { sources: [{ url: 'u', title: 't' }] })),
    ).toEqual([
      {
        type: 'server_tool_use',
        id: expect.stringMatching(/^srvtoolu_il[a-z2-7]{20}$/),
        name: 'web_search',
        input: { query: 'q' },
        caller,
      },
      {
        type: 'web_search_tool_result',
        caller,
        tool_use_id: expect.stringMatching(/^srvtoolu_il/),
        content: [{ type: 'web_search_result', url: 'u', title: 't', encrypted_content: '', page_age: null }],
      },
    ]);
    expect(blocks(pair('codeExec', { code: 'x' }, { stdout: 'o', exitCode: 2 }))).toMatchObject([
      { name: 'code_execution', input: { code: 'x' } },
      { type: 'code_execution_tool_result', content: { stdout: 'o', stderr: '', return_code: 2 } },
    ]);
    expect(blocks(pair('codeExec', { code: 'x' }, { timedOut: true }))).toMatchObject([
      {},
      { content: { type: 'code_execution_tool_result_error', error_code: 'execution_time_exceeded' } },
    ]);
    expect(blocks(pair('urlFetch', { url: 'u' }, { url: 'u', text: 'T' }))).toMatchObject([
      { name: 'web_fetch' },
      { type: 'web_fetch_tool_result', content: { type: 'web_fetch_result', content: { source: { data: 'T' } } } },
    ]);
    // Some clients refuse the null that the vendor's schema has here; the service leaves the key out.
    expect(JSON.stringify(blocks(pair('urlFetch', { url: 'u' }, { url: 'u', text: 'T' })))).not.toContain('citations');
    expect(blocks(pair('mcp', { server: 's', name: 'f', arguments: '{"a":1}' }, { text: 'T' }))).toMatchObject([
      { type: 'mcp_tool_use', server_name: 's', name: 'f', input: { a: 1 } },
      { type: 'mcp_tool_result', is_error: false, content: [{ type: 'text', text: 'T' }] },
    ]);
  });

  test('pictures are an extension, other media a note', () => {
    const picture: Part = {
      kind: 'media',
      class: 'image',
      mime: 'image/png',
      data: { from: 'base64', base64: 'AA==' },
    };
    const made: Part[] = [
      { kind: 'hostedCall', callId: 'h', family: 'imageGen', input: {} },
      { kind: 'hostedResult', callId: 'h', family: 'imageGen', output: { base64: 'AA==', mime: 'image/png' } },
    ];
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } };
    expect(blocks([picture])).toEqual([image]);
    expect(show(made)).toMatchObject({ body: { content: [image] }, losses: ['part.media approximated'] });
    const sound: Part = { kind: 'media', class: 'audio', mime: 'audio/wav', data: { from: 'base64', base64: 'AA==' } };
    expect(show([sound, { ...picture, thought: true }])).toMatchObject({
      body: { content: [{ type: 'text', text: '[audio omitted: audio/wav]' }] },
      losses: ['part.media approximated', 'part.media dropped'],
    });
  });

  test('text is cut where citations begin and end [hard case BLT-04]', () => {
    const text = 'Ein Satz. 🙂 Zweiter. Rest';
    const part: Part = {
      kind: 'text',
      text,
      citations: [
        { source: 'web', url: 'u1', title: 't1', span: { start: 0, end: 9 } },
        { source: 'web', url: 'u2', span: { start: 10, end: 21 } },
        { source: 'license', span: { start: 0, end: 1 } },
      ],
    };
    const { body, losses } = show([part]);
    expect(body.content).toEqual([
      {
        type: 'text',
        text: 'Ein Satz. ',
        citations: [
          { type: 'web_search_result_location', url: 'u1', title: 't1', cited_text: 'Ein Satz.', encrypted_index: '' },
        ],
      },
      {
        type: 'text',
        text: '🙂 Zweiter.',
        citations: [
          {
            type: 'web_search_result_location',
            url: 'u2',
            title: null,
            cited_text: '🙂 Zweiter.',
            encrypted_index: '',
          },
        ],
      },
      { type: 'text', text: ' Rest', citations: null },
    ]);
    expect(losses).toEqual(['part.citation dropped']);
  });

  test('places in documents count only when the request holds the document', () => {
    const citation = { source: 'doc', doc: { index: 0, title: 'D', charRange: [1, 2] }, citedText: 'c' } as const;
    const part: Part = { kind: 'text', text: 'x', citations: [citation] };
    const request = foreignRequest({
      source: 'messages',
      turns: [{ role: 'user', parts: [{ kind: 'textdoc', parts: [] }] }],
    });
    expect(blocks([part], view({ request }))).toMatchObject([
      {
        citations: [
          { type: 'char_location', document_index: 0, start_char_index: 1, end_char_index: 2, cited_text: 'c' },
        ],
      },
    ]);
    expect(show([part])).toMatchObject({
      body: { content: [{ type: 'text', text: 'x' }] },
      losses: ['part.citation dropped'],
    });
  });

  test('figures without a counter are one entry', () => {
    const { losses } = show([], {
      ext: { generateContent: { telemetry: { modelStatus: {} } } },
      usage: { input: 1, output: 1, ext: { responses: { speed: 'x' } } },
    });
    expect(losses).toEqual(['telemetry dropped']);
  });
});

describe('state of other services rides in thinking (translation.md 4.3)', () => {
  const call = (state?: StateEntry[]): Part => ({
    kind: 'call',
    callId: 'c',
    name: 'f',
    args: { value: {} },
    ...(state && { state }),
  });

  test('with the thoughts it belongs to, and with what the next part carries [hard cases RSN-01, RSN-04]', () => {
    const thought: Part = { kind: 'reasoning', text: ['a', 'b'], state: [entry('{}', 'reasoning')] };
    const content = blocks([thought, call([entry('SIG')])]) as unknown[];
    expect(content).toMatchObject([{ type: 'thinking', thinking: 'a\n\nb' }, { type: 'tool_use' }]);
    expect(opened(content[0])).toEqual(['reasoning {}', 'signature SIG']);
  });

  test('alone in an empty block right before its part [hard case RSN-05]', () => {
    const content = blocks([{ kind: 'text', text: 'The answer is 4', state: [entry('SIG')] }]) as unknown[];
    expect(content).toMatchObject([
      { type: 'thinking', thinking: '' },
      { type: 'text', text: 'The answer is 4' },
    ]);
    expect(opened(content[0])).toEqual(['signature SIG']);
  });

  test('thoughts without state are marked as foreign', () => {
    const content = blocks([{ kind: 'reasoning', text: ['a'] }, call()]) as unknown[];
    expect(opened(content[0])).toEqual(['none ']);
  });

  test('of hosted pairs: behind them, or with the next thoughts', () => {
    const pair: Part[] = [
      { kind: 'hostedCall', callId: 'h', family: 'webSearch', input: {} },
      { kind: 'hostedResult', callId: 'h', family: 'webSearch', output: {}, state: [entry('[]', 'hosted')] },
    ];
    const alone = blocks([...pair, { kind: 'text', text: 'x' }]) as unknown[];
    expect(alone).toMatchObject([{}, {}, { type: 'thinking', thinking: '' }, { type: 'text' }]);
    expect(opened(alone[2])).toEqual(['hosted []']);
    const joined = blocks([
      ...pair,
      { kind: 'reasoning', text: ['t'], state: [entry('{}', 'reasoning')] },
      call(),
    ]) as unknown[];
    expect(opened(joined[2])).toEqual(['hosted []', 'reasoning {}']);
  });

  test('at the end is dropped by default', () => {
    const parts: Part[] = [
      { kind: 'text', text: 'x' },
      { kind: 'text', text: '', state: [{ ...entry('SIG'), on: 'empty' }] },
    ];
    expect(show(parts)).toMatchObject({ body: { content: [{ type: 'text' }] }, losses: ['reasoning.state dropped'] });
    expect(blocks(parts, view({ trailingState: 'emit' }))).toMatchObject([{ type: 'text' }, { type: 'thinking' }]);
  });

  test('is not shown to clients that ask for neither tools nor thinking', () => {
    const parts: Part[] = [
      { kind: 'reasoning', text: ['t'], state: [entry('{}', 'reasoning')] },
      { kind: 'text', text: 'x' },
    ];
    const plain = view({ request: foreignRequest({ source: 'messages' }) });
    expect(show(parts, {}, plain)).toMatchObject({
      body: { content: [{ type: 'text', text: 'x' }] },
      losses: ['reasoning.state dropped'],
    });
    const asking = foreignRequest({ source: 'messages', reasoning: { mode: 'on', show: 'summary' } });
    expect(blocks(parts, view({ request: asking }))).toHaveLength(2);
  });

  test('thoughts alone are shown when the limit was hit [hard case RSN-17]', () => {
    const finish = { kind: 'max_tokens', raw: 'MAX_TOKENS', dialect: 'generateContent' } as const;
    expect(show([{ kind: 'reasoning', text: ['t'] }], { finish }).body).toMatchObject({
      content: [{ type: 'thinking', thinking: 't' }],
      stop_reason: 'max_tokens',
    });
  });
});
