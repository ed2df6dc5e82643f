import { describe, expect, test } from '@jest/globals';
import type { Part, ResultPart } from '../../translators/canonical/content.js';
import { TranslationError } from '../../translators/canonical/errors.js';
import type { JsonObject } from '../../translators/canonical/node.js';
import type { CanonicalRequest, ReasoningSettings, Turn } from '../../translators/canonical/request.js';
import type { FunctionTool, HostedTool, ToolChoice } from '../../translators/canonical/tools.js';
import { encodeCarrier } from '../../translators/wire/carrier.js';
import { hex, sha256 } from '../../translators/wire/hash.js';
import { decode, encode } from './support.js';

const at = (ptr: string) => ({ src: { ptr } });
const ask: Turn = { role: 'user', parts: [{ kind: 'text', text: 'hi' }] };
const call = (callId: string, name: string, more: Partial<Part> = {}): Part =>
  ({ kind: 'call', callId, name, args: { text: '{"a":1}' }, ...at(`/call/${callId}`), ...more }) as Part;
const result = (callId: string, more: Partial<ResultPart> = {}): Part => ({
  kind: 'result',
  callId,
  parts: [{ kind: 'text', text: 'ok' }],
  ...at(`/result/${callId}`),
  ...more,
});
const fn = (name: string, more: Partial<FunctionTool> = {}): FunctionTool => ({
  kind: 'function',
  name,
  schema: { type: 'object', properties: { a: { type: 'string' } } },
  ...at(`/tools/${name}`),
  ...more,
});
const hosted = (family: HostedTool['family'], settings: HostedTool['settings'] = {}): HostedTool => ({
  kind: 'hosted',
  family,
  dialect: 'test',
  type: family,
  settings,
  ...at(`/tools/${family}`),
});

function refused(request: Partial<CanonicalRequest>, options?: Parameters<typeof encode>[1]): TranslationError {
  try {
    encode(request, options);
  } catch (thrown) {
    if (thrown instanceof TranslationError) return thrown;
  }
  throw new Error('nothing was refused');
}

const features = (losses: { list: readonly { feature: string; kind: string }[] }): string[] =>
  losses.list.map((loss) => `${loss.feature} ${loss.kind}`);

describe('turns', () => {
  test('results stand alone behind their calls, in the order of the calls; what else the user says follows', () => {
    const { body, losses } = encode({
      turns: [
        ask,
        { role: 'assistant', parts: [call('c1', 'f'), call('c2', 'g')] },
        { role: 'user', parts: [result('c2'), result('c1'), { kind: 'text', text: '<reminder>' }] },
      ],
    });
    expect(body.contents).toMatchObject([
      { role: 'user', parts: [{ text: 'hi' }] },
      {
        role: 'model',
        parts: [{ functionCall: { id: 'c1', name: 'f', args: { a: 1 } } }, { functionCall: { id: 'c2', name: 'g' } }],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'c1', name: 'f', response: { output: 'ok' } } },
          { functionResponse: { id: 'c2', name: 'g' } },
        ],
      },
      { role: 'user', parts: [{ text: '<reminder>' }] },
    ]);
    expect(features(losses)).toContain('result.place moved');
  });

  test('ids: minted ones never leave, others do where the model takes ids', () => {
    const turns: Turn[] = [
      ask,
      { role: 'assistant', parts: [call('', 'f'), call('toolu_1', 'g')] },
      { role: 'user', parts: [result('', { name: 'f' }), result('toolu_1')] },
    ];
    const third = encode({ turns }).body;
    expect(third.contents).toMatchObject([
      {},
      { parts: [{ functionCall: { name: 'f', args: { a: 1 } } }, { functionCall: { id: 'toolu_1' } }] },
      {},
    ]);
    expect(JSON.stringify(third)).not.toContain('call_ilg_');
    expect(JSON.stringify(encode({ turns }, { model: 'gemini-2.5-flash' }).body)).not.toContain('toolu_1');
  });

  test('a missing result is told as a failure', () => {
    const { body, losses } = encode({
      turns: [
        ask,
        { role: 'assistant', parts: [call('c', 'f')] },
        { role: 'user', parts: [{ kind: 'text', text: 'stop' }] },
      ],
    });
    expect(body.contents).toMatchObject([
      {},
      {},
      { parts: [{ functionResponse: { response: { error: 'Tool call was not completed.' } } }] },
      { parts: [{ text: 'stop' }] },
    ]);
    expect(features(losses)).toContain('result.missing invented');
  });

  test('history that begins with a call gets a user turn in front', () => {
    const { body } = encode({
      turns: [
        { role: 'assistant', parts: [call('c', 'f')] },
        { role: 'user', parts: [result('c')] },
      ],
    });
    expect(body.contents).toMatchObject([
      { role: 'user', parts: [{ text: '(conversation continues)' }] },
      { role: 'model' },
      { role: 'user' },
    ]);
  });

  test('a last model turn is continued only by models that do', () => {
    const turns: Turn[] = [ask, { role: 'assistant', parts: [{ kind: 'text', text: 'I' }] }];
    expect(encode({ turns }, { model: 'gemini-3.6-flash' }).body.contents).toMatchObject([
      {},
      {},
      { role: 'user', parts: [{ text: 'Continue.' }] },
    ]);
    expect(encode({ turns }, { model: 'gemini-2.5-pro' }).body.contents).toHaveLength(2);
  });

  test('empty turns vanish, a conversation of nothing is refused', () => {
    const { body } = encode({ turns: [ask, { role: 'assistant', parts: [{ kind: 'text', text: '' }] }, ask] });
    expect(body.contents).toEqual([{ role: 'user', parts: [{ text: 'hi' }, { text: 'hi' }] }]);
    expect(refused({ turns: [] })).toMatchObject({ kind: 'unsupported' });
  });

  test('later instructions become marked notes in their place', () => {
    const { body, losses } = encode({
      instructions: [{ authority: 'system', parts: [{ kind: 'text', text: 'S' }] }],
      turns: [
        ask,
        { role: 'assistant', parts: [{ kind: 'text', text: 'b' }] },
        { role: 'instruction', authority: 'developer', parts: [{ kind: 'text', text: 'D' }] },
        ask,
      ],
    });
    expect(body.systemInstruction).toEqual({ parts: [{ text: 'S' }] });
    expect(body.contents).toMatchObject([
      {},
      { role: 'model' },
      {
        role: 'user',
        parts: [{ text: expect.stringMatching(/^<system_note>\s*D\s*<\/system_note>$/) }, { text: 'hi' }],
      },
    ]);
    expect(features(losses)).toContain('instruction.place approximated');
  });

  test('leading instructions: one part each, developers among them, blanks dropped', () => {
    const { body, losses } = encode({
      instructions: [
        {
          authority: 'system',
          parts: [
            { kind: 'text', text: 'a' },
            { kind: 'text', text: ' \n' },
          ],
          ...at('/system'),
        },
        { authority: 'developer', parts: [{ kind: 'text', text: 'b' }], ...at('/input/0') },
      ],
    });
    expect(body.systemInstruction).toEqual({ parts: [{ text: 'a' }, { text: 'b' }] });
    expect(losses.list).toMatchObject([{ path: '/input/0', feature: 'instruction.authority', kind: 'moved' }]);
  });

  test('a model without a field for instructions reads them first in the user turn', () => {
    const { body } = encode(
      { instructions: [{ authority: 'system', parts: [{ kind: 'text', text: 'S' }] }] },
      { model: 'gemma-3-27b-it' },
    );
    expect(body.systemInstruction).toBeUndefined();
    expect(body.contents).toMatchObject([
      { role: 'user', parts: [{ text: expect.stringContaining('S') }, { text: 'hi' }] },
    ]);
  });
});

describe('signatures', () => {
  const turns: Turn[] = [
    ask,
    { role: 'assistant', parts: [{ kind: 'text', text: 'let me see' }, call('c1', 'f'), call('c2', 'f')] },
    { role: 'user', parts: [result('c1'), result('c2')] },
    { role: 'assistant', parts: [call('c3', 'f')] },
    { role: 'user', parts: [result('c3')] },
  ];
  const stand = 'skip_thought_signature_validator';

  test('the first unsigned call of every step gets the stand-in where signatures are demanded', () => {
    const { body, losses } = encode({ turns });
    expect(body.contents).toMatchObject([
      {},
      { parts: [{ text: 'let me see' }, { thoughtSignature: stand }, { functionCall: { name: 'f' } }] },
      {},
      { parts: [{ thoughtSignature: stand }] },
      {},
    ]);
    expect(JSON.stringify(body).split(stand)).toHaveLength(3);
    expect(losses.list).toMatchObject([
      { path: '/call/c1', feature: 'reasoning.state', kind: 'invented' },
      { path: '/call/c3', feature: 'reasoning.state', kind: 'invented' },
    ]);
  });

  test('models that only advise get none', () => {
    expect(JSON.stringify(encode({ turns }, { model: 'gemini-2.5-flash' }).body)).not.toContain('thoughtSignature');
  });

  test('the prefix stays the same when turns are added', () => {
    const short = JSON.stringify(encode({ turns: turns.slice(0, 3) }).body.contents).slice(0, -1);
    expect(JSON.stringify(encode({ turns }).body.contents).startsWith(short)).toBe(true);
  });

  test('state of this backend comes home on the very part, whole thoughts as they were', () => {
    const h = hex(sha256('f').subarray(0, 8));
    const entry = { dialect: 'generateContent', domain: 'test' };
    const node = { text: 'hm', thought: true, thoughtSignature: 'VEg=' };
    const carrier = encodeCarrier('generateContent', 'test', [
      { ...entry, kind: 'reasoning', payload: JSON.stringify(node) },
      { ...entry, kind: 'signature', on: 'call', h, payload: 'U0lH' },
    ]);
    const { body, losses } = encode({
      turns: [
        ask,
        { role: 'assistant', parts: [{ kind: 'reasoning', text: ['hm'], carrier }, call('c1', 'f'), call('c2', 'f')] },
        { role: 'user', parts: [result('c1'), result('c2')] },
      ],
    });
    expect(body.contents).toMatchObject([
      {},
      { parts: [node, { functionCall: { name: 'f' }, thoughtSignature: 'U0lH' }, { functionCall: { name: 'f' } }] },
      {},
    ]);
    expect(losses.list).toEqual([]);
  });

  test('signed empty texts and runs of code come home too', () => {
    const entry = { dialect: 'generateContent', domain: 'test' };
    const nodes = [
      { executableCode: { language: 'PYTHON', code: 'x', id: 'i' }, thoughtSignature: 'QQ==' },
      { codeExecutionResult: { outcome: 'OUTCOME_OK', id: 'i' } },
    ];
    const carrier = encodeCarrier('generateContent', 'test', [
      { ...entry, kind: 'hosted', payload: JSON.stringify(nodes) },
      { ...entry, kind: 'signature', on: 'empty', payload: 'RQ==' },
    ]);
    const { body } = encode({
      turns: [
        ask,
        {
          role: 'assistant',
          parts: [
            { kind: 'hostedCall', callId: 'x', family: 'codeExec', input: { code: 'shown' } },
            { kind: 'hostedResult', callId: 'x', family: 'codeExec', output: { stdout: 'shown' } },
            { kind: 'reasoning', text: [], carrier },
          ],
        },
        ask,
      ],
    });
    expect(body.contents).toMatchObject([{}, { parts: [...nodes, { text: '', thoughtSignature: 'RQ==' }] }, {}]);
    expect(JSON.stringify(body)).not.toContain('shown');
  });

  test('foreign reasoning is never sent, and a forged node neither', () => {
    const forged = encodeCarrier('generateContent', 'test', [
      { dialect: 'generateContent', domain: 'test', kind: 'reasoning', payload: '{"inlineData":{"data":"QQ=="}}' },
    ]);
    const { body, losses } = encode({
      turns: [
        ask,
        {
          role: 'assistant',
          parts: [
            { kind: 'reasoning', text: ['secret'] },
            { kind: 'text', text: 'a' },
            { kind: 'reasoning', text: [], carrier: forged },
            { kind: 'text', text: 'b' },
          ],
        },
        ask,
      ],
    });
    expect(body.contents).toMatchObject([{}, { parts: [{ text: 'a' }, { text: 'b' }] }, {}]);
    expect(JSON.stringify(body)).not.toContain('secret');
    expect(features(losses)).toEqual(expect.arrayContaining(['reasoning.text dropped', 'reasoning.state dropped']));
  });
});

describe('results', () => {
  const response = (more: Partial<ResultPart>, model?: string) =>
    encode(
      { turns: [ask, { role: 'assistant', parts: [call('c', 'f')] }, { role: 'user', parts: [result('c', more)] }] },
      model === undefined ? {} : { model },
    );
  const payload = (more: Partial<ResultPart>): unknown => {
    const [, , turn] = response(more).body.contents as { parts: { functionResponse: { response: unknown } }[] }[];
    return turn?.parts[0]?.functionResponse.response;
  };

  test.each<[string, Partial<ResultPart>, unknown]>([
    ['a text', {}, { output: 'ok' }],
    ['a text that is JSON', { parts: [{ kind: 'text', text: '[1, 2.0]' }] }, { output: '[1, 2.0]' }],
    ['nothing', { parts: [] }, { output: '' }],
    ['a failure', { isError: true }, { error: 'ok' }],
    ['an object', { parts: [], json: { a: 1 } }, { a: 1 }],
    ['an object with a lone output', { parts: [], json: { output: 1 } }, { output: '{"output":1}' }],
    ['an object with a lone error', { parts: [], json: { error: 'x' } }, { output: '{"error":"x"}' }],
    ['an object with a reference', { parts: [], json: { a: [{ $ref: '#/x' }] } }, { output: '{"a":[{"$ref":"#/x"}]}' }],
    ['a failed object', { parts: [], json: { a: 1 }, isError: true }, { error: '{"a":1}' }],
    [
      'several texts',
      {
        parts: [
          { kind: 'text', text: 'a' },
          { kind: 'text', text: 'b' },
        ],
      },
      { output: 'a\nb' },
    ],
    [
      'a search hit',
      { parts: [{ kind: 'searchResult', source: 's', title: 't', parts: [{ kind: 'text', text: 'b' }] }] },
      { output: 't\ns\nb' },
    ],
  ])('%s', (_name, more, expected) => {
    expect(payload(more)).toEqual(expected);
  });

  const picture: Partial<ResultPart> = {
    parts: [
      { kind: 'text', text: 'file' },
      { kind: 'media', class: 'image', mime: 'image/png', data: { from: 'base64', base64: 'iVBORw0KGgo=' } },
    ],
  };

  test('media stands inside where the model takes it', () => {
    expect(response(picture).body.contents).toMatchObject([
      {},
      {},
      {
        parts: [
          {
            functionResponse: {
              response: { output: 'file' },
              parts: [{ inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }],
            },
          },
        ],
      },
    ]);
  });

  test('else it follows in a turn of the user', () => {
    const { body, losses } = response(picture, 'gemini-2.5-flash');
    expect(body.contents).toMatchObject([
      {},
      {},
      { parts: [{ functionResponse: { response: { output: 'file' } } }] },
      { role: 'user', parts: [{ text: 'Media returned by f:' }, { inlineData: { data: 'iVBORw0KGgo=' } }] },
    ]);
    expect(JSON.stringify((body.contents as unknown[])[2])).not.toContain('inlineData');
    expect(features(losses)).toContain('result.media moved');
  });
});

describe('parts', () => {
  const fitted = (part: Part, context: Parameters<typeof encode>[1] = {}) =>
    encode({ turns: [{ role: 'user', parts: [{ kind: 'text', text: 'x' }, part] }] }, context);
  const printed = (part: Part, context: Parameters<typeof encode>[1] = {}): unknown => {
    const [turn] = fitted(part, context).body.contents as { parts: unknown[] }[];
    return turn?.parts.slice(1);
  };
  const image = (more: object = {}): Part => ({
    kind: 'media',
    class: 'image',
    mime: 'image/png',
    data: { from: 'base64', base64: 'iVBORw0KGgo=' },
    ...at('/p'),
    ...more,
  });

  test.each<[string, Part, unknown]>([
    ['a picture', image(), [{ inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }]],
    [
      'a picture to look at closely',
      image({ detail: 'original' }),
      [{ inlineData: {}, mediaResolution: { level: 'MEDIA_RESOLUTION_ULTRA_HIGH' } }],
    ],
    [
      'a part of a film',
      {
        kind: 'media',
        class: 'video',
        mime: 'video/mp4',
        data: { from: 'base64', base64: 'aGk=' },
        clip: { start: '1s', fps: 2 },
      },
      [{ inlineData: {}, videoMetadata: { startOffset: '1s', fps: 2 } }],
    ],
    [
      'a PDF with a title',
      {
        kind: 'media',
        class: 'document',
        mime: 'application/pdf',
        title: 'T',
        data: { from: 'base64', base64: 'aGk=' },
      },
      [{ inlineData: { mimeType: 'application/pdf', displayName: 'T' } }],
    ],
    [
      'a file of data',
      { kind: 'media', class: 'file', mime: 'application/json', data: { from: 'base64', base64: 'aGk=' } },
      [{ inlineData: { mimeType: 'text/plain' } }],
    ],
    [
      'a document',
      { kind: 'textdoc', title: 'T', context: 'C', parts: [{ kind: 'text', text: 'body' }] },
      [{ text: 'T\nC\nbody' }],
    ],
    ['a refusal', { kind: 'refusal', text: 'no' }, [{ text: 'no' }]],
    [
      'a file of this service',
      image({ data: { from: 'file', id: 'gs://x', vendor: 'generateContent' } }),
      [{ fileData: { fileUri: 'gs://x', mimeType: 'image/png' } }],
    ],
  ])('%s', (_name, part, expected) => {
    expect(printed(part)).toMatchObject(expected as object[]);
  });

  test('media by URL: inline when fetched, by address when the model fetches, else refused without the secret', () => {
    const part = image({ mime: undefined, data: { from: 'url', url: 'https://x.example/a.png?token=secret' } });
    const media = new Map([
      ['https://x.example/a.png?token=secret', { mime: 'image/webp', base64: 'UklGRgAAAABXRUJQ' }],
    ]);
    expect(printed(part, { context: { media } })).toEqual([
      { inlineData: { mimeType: 'image/webp', data: 'UklGRgAAAABXRUJQ' } },
    ]);
    expect(printed(part, { profile: { urlMedia: ['image'] } })).toEqual([
      { fileData: { fileUri: 'https://x.example/a.png?token=secret' } },
    ]);
    const error = refused({ turns: [{ role: 'user', parts: [part] }] });
    expect(error).toMatchObject({ kind: 'unsupported', path: '/p' });
    expect(error.message).not.toContain('secret');
  });

  test('what cannot be taken is refused, or told where the host wants that', () => {
    const file: Part = {
      kind: 'media',
      class: 'file',
      mime: 'application/zip',
      data: { from: 'base64', base64: 'aGk=' },
      ...at('/p'),
    };
    expect(refused({ turns: [{ role: 'user', parts: [file] }] })).toMatchObject({ kind: 'unsupported', path: '/p' });
    const { body, losses } = fitted(file, { context: { omitMedia: true } });
    expect(body.contents).toMatchObject([{ parts: [{ text: 'x' }, { text: '[file omitted: application/zip]' }] }]);
    expect(features(losses)).toContain('part.media approximated');
    expect(
      refused({ turns: [{ role: 'user', parts: [image({ data: { from: 'file', id: 'f', vendor: 'other' } })] }] }),
    ).toMatchObject({ kind: 'unsupported' });
  });

  test('calls: free text, arguments that are no object, cut ones with their results', () => {
    const turns: Turn[] = [
      ask,
      {
        role: 'assistant',
        parts: [
          call('a', 'f', { freeform: 'patch' } as Partial<Part>),
          call('b', 'f', { args: { text: '[1]' } } as Partial<Part>),
          call('c', 'f', { args: { text: '' } } as Partial<Part>),
          call('d', 'f', { truncated: true } as Partial<Part>),
        ],
      },
      { role: 'user', parts: [result('a'), result('b'), result('c'), result('d')] },
    ];
    const { body, losses } = encode({ turns });
    const [, model, results] = body.contents as { parts: { functionCall: JsonObject }[] }[];
    expect(model?.parts.map((part) => part.functionCall)).toEqual([
      { id: 'a', name: 'f', args: { input: 'patch' } },
      { id: 'b', name: 'f', args: { _raw_arguments: '[1]' } },
      { id: 'c', name: 'f' },
    ]);
    expect(results?.parts).toHaveLength(3);
    expect(features(losses)).toEqual(
      expect.arrayContaining(['call.freeform approximated', 'call.args approximated', 'call.truncated dropped']),
    );
  });

  test('foreign runs of code are kept, other hosted calls are not', () => {
    const { body, losses } = encode({
      turns: [
        ask,
        {
          role: 'assistant',
          parts: [
            { kind: 'hostedCall', callId: 'x', family: 'codeExec', input: { code: 'print(1)' } },
            {
              kind: 'hostedResult',
              callId: 'x',
              family: 'codeExec',
              output: { stdout: '1', stderr: 'e', exitCode: 2 },
            },
            { kind: 'hostedCall', callId: 'y', family: 'webSearch', input: {} },
            { kind: 'hostedResult', callId: 'y', family: 'webSearch', output: {} },
            { kind: 'text', text: 'done' },
          ],
        },
        ask,
      ],
    });
    expect(body.contents).toMatchObject([
      {},
      {
        parts: [
          { executableCode: { language: 'PYTHON', code: 'print(1)' } },
          { codeExecutionResult: { outcome: 'OUTCOME_FAILED', output: '1\ne' } },
          { text: 'done' },
        ],
      },
      {},
    ]);
    expect(features(losses).sort()).toEqual(['hosted.call approximated', 'hosted.call dropped']);
  });
});

describe('tools', () => {
  const choice = (more: Partial<ToolChoice>): ToolChoice => ({ mode: 'auto', ...at('/tool_choice'), ...more });
  const name = (word: string) => ({ kind: 'function' as const, name: word });

  test('functions share one entry, hosted tools have their own, and the flag is set where it is needed', () => {
    const tools = [
      fn('f'),
      hosted('webSearch'),
      fn('g', { schema: { type: 'object', properties: {} } }),
      hosted('codeExec'),
    ];
    const { body } = encode({ tools });
    expect(body.tools).toEqual([
      {
        functionDeclarations: [
          {
            name: 'f',
            description: '',
            parametersJsonSchema: { type: 'object', properties: { a: { type: 'string' } } },
          },
          { name: 'g', description: '' },
        ],
      },
      { googleSearch: {} },
      { codeExecution: {} },
    ]);
    expect(body.toolConfig).toEqual({ includeServerSideToolInvocations: true });
    expect(encode({ tools }, { profile: { cloud: true } }).body.toolConfig).toBeUndefined();
    expect(encode({ tools: [hosted('webSearch')] }).body.toolConfig).toBeUndefined();
  });

  test('2.x: functions stay, hosted tools go, and a forced one is refused', () => {
    const tools = [fn('f'), hosted('webSearch')];
    const { body, losses } = encode({ tools }, { model: 'gemini-2.5-flash' });
    expect(body.tools).toMatchObject([{ functionDeclarations: [{ name: 'f' }] }]);
    expect(body.tools).toHaveLength(1);
    expect(features(losses)).toEqual(['tool.hosted dropped']);
    const only = [{ kind: 'hosted' as const, family: 'webSearch' as const, type: 'web_search' }];
    expect(
      refused({ tools, toolChoice: choice({ mode: 'required', only }) }, { model: 'gemini-2.5-flash' }),
    ).toMatchObject({ kind: 'unsupported', path: '/tools/webSearch' });
  });

  test.each<[string, ToolChoice | undefined, FunctionTool[], unknown, string[]]>([
    ['nothing', undefined, [fn('f')], undefined, []],
    ['auto', choice({}), [fn('f')], { mode: 'AUTO' }, []],
    ['required', choice({ mode: 'required' }), [fn('f')], { mode: 'ANY' }, []],
    ['none', choice({ mode: 'none' }), [fn('f')], { mode: 'NONE' }, []],
    [
      'one',
      choice({ mode: 'required', only: [name('f')] }),
      [fn('f'), fn('g')],
      { mode: 'ANY', allowedFunctionNames: ['f'] },
      [],
    ],
    [
      'some of them',
      choice({ only: [name('f')] }),
      [fn('f'), fn('g')],
      { mode: 'VALIDATED', allowedFunctionNames: ['f'] },
      ['toolChoice.list approximated'],
    ],
    ['held to schemas', choice({ validated: true }), [fn('f')], { mode: 'VALIDATED' }, []],
    ['a strict tool', undefined, [fn('f', { strict: true })], { mode: 'VALIDATED' }, ['tool.strict approximated']],
    ['one at a time', choice({ parallel: false }), [fn('f')], { mode: 'AUTO' }, ['toolChoice.parallel dropped']],
  ])('choice: %s', (_name, toolChoice, tools, config, expected) => {
    const { body, losses } = encode({ tools, ...(toolChoice !== undefined && { toolChoice }) });
    expect((body.toolConfig as JsonObject | undefined)?.functionCallingConfig).toEqual(config);
    expect(features(losses)).toEqual(expected);
  });

  test('a forced hosted tool is the only one declared', () => {
    const only = [{ kind: 'hosted' as const, family: 'webSearch' as const, type: 'web_search' }];
    const { body, losses } = encode({
      tools: [fn('f'), hosted('webSearch')],
      toolChoice: choice({ mode: 'required', only }),
    });
    expect(body.tools).toEqual([{ googleSearch: {} }]);
    expect(body.toolConfig).toBeUndefined();
    expect(features(losses)).toContain('toolChoice approximated');
  });

  test('a choice without tools vanishes, a forced one without any is refused', () => {
    expect(encode({ toolChoice: choice({}) }).body.toolConfig).toBeUndefined();
    expect(refused({ tools: [hosted('advisor')], toolChoice: choice({ mode: 'required' }) })).toMatchObject({
      kind: 'unsupported',
      path: '/tool_choice',
    });
  });

  test('names that are illegal here are aliased everywhere', () => {
    const long = `mcp__${'x'.repeat(70)}`;
    const { body, losses } = encode({
      tools: [fn(long), fn('9lives')],
      toolChoice: choice({ mode: 'required', only: [name(long)] }),
      turns: [ask, { role: 'assistant', parts: [call('c', long)] }, { role: 'user', parts: [result('c')] }],
    });
    const text = JSON.stringify(body);
    expect(text).not.toContain(long);
    const alias = /"name":"(mcp__[^"]+)"/.exec(text)?.[1] ?? '';
    expect(alias).toHaveLength(64);
    expect(text.split(alias)).toHaveLength(5);
    expect(text).toMatch(/"_9lives_[a-z2-7]{8}"/);
    expect(features(losses).filter((feature) => feature === 'tool.name moved')).toHaveLength(2);
  });

  test('schemas: JSON Schema where the model takes it, else the Schema subset', () => {
    const schema = {
      $schema: 'x',
      type: 'object',
      properties: { t: { $ref: '#/$defs/T' }, n: { type: 'integer', exclusiveMinimum: 0 } },
      $defs: { T: { type: ['string', 'null'] } },
    };
    const [full] = encode({ tools: [fn('f', { schema })] }).body.tools as { functionDeclarations: JsonObject[] }[];
    expect(full?.functionDeclarations[0]?.parametersJsonSchema).toMatchObject({
      properties: { t: { $ref: '#/$defs/T' } },
    });
    expect(JSON.stringify(full)).not.toContain('$schema');
    const { body } = encode({ tools: [fn('f', { schema })] }, { profile: { jsonSchemaField: false } });
    expect(body.tools).toMatchObject([
      {
        functionDeclarations: [
          {
            parameters: {
              type: 'OBJECT',
              properties: { t: { type: 'STRING', nullable: true }, n: { type: 'INTEGER', minimum: 1 } },
            },
          },
        ],
      },
    ]);
  });

  test('examples go to the description, a root that is no object into one', () => {
    const { body, losses } = encode({
      tools: [fn('f', { description: 'd', inputExamples: [{ a: 1 }] }), fn('g', { schema: { type: 'string' } })],
    });
    expect(body.tools).toMatchObject([
      {
        functionDeclarations: [
          { description: 'd\n\nExamples:\n{"a":1}' },
          { parametersJsonSchema: { type: 'object', properties: { value: { type: 'string' } }, required: ['value'] } },
        ],
      },
    ]);
    expect(features(losses)).toEqual(['tool.examples moved', 'schema.root approximated']);
  });

  test('search settings: coordinates and, on the enterprise host, blocked domains', () => {
    const settings = {
      allowedDomains: ['a'],
      blockedDomains: ['b'],
      contextSize: 'low',
      userLocation: { latitude: 1, longitude: 2 },
    };
    const { body, losses } = encode({ tools: [hosted('webSearch', settings)] }, { profile: { cloud: true } });
    expect(body.tools).toEqual([{ googleSearch: { excludeDomains: ['b'] } }]);
    expect(body.toolConfig).toEqual({ retrievalConfig: { latLng: { latitude: 1, longitude: 2 } } });
    expect(losses.list).toMatchObject([
      { feature: 'tool.hosted.settings', detail: expect.stringContaining('allowedDomains') },
      { feature: 'tool.hosted.settings', detail: expect.stringContaining('contextSize') },
    ]);
  });

  test('tool servers: by URL, without consent and without lists', () => {
    const server = { label: 's', url: 'https://x.example/mcp', approval: 'never' };
    const { body } = encode({ tools: [hosted('mcp', { server: { ...server, authorization: 't' } })] });
    expect(body.tools).toEqual([
      {
        mcpServers: [
          {
            name: 's',
            streamableHttpTransport: { url: 'https://x.example/mcp', headers: { Authorization: 'Bearer t' } },
          },
        ],
      },
    ]);
    for (const wrong of [
      { ...server, approval: 'always' },
      { ...server, approval: undefined },
      { ...server, allowedTools: ['a'] },
      { label: 's', approval: 'never' },
    ]) {
      expect(refused({ tools: [hosted('mcp', { server: wrong })] })).toMatchObject({
        kind: 'unsupported',
        path: '/tools/mcp',
      });
    }
  });

  test('pictures: a modality of models that make them', () => {
    const { body } = encode(
      { tools: [hosted('imageGen', { image: { size: '1536x1024' } })] },
      { model: 'gemini-3-pro-image-preview' },
    );
    expect(body).toMatchObject({
      generationConfig: { responseModalities: ['TEXT', 'IMAGE'], imageConfig: { aspectRatio: '3:2' } },
    });
    expect(features(encode({ tools: [hosted('imageGen')] }).losses)).toEqual(['tool.hosted dropped']);
  });

  test('more than 512 functions are refused', () => {
    expect(refused({ tools: Array.from({ length: 513 }, (_, index) => fn(`f${index}`)) })).toMatchObject({
      kind: 'unsupported',
    });
  });
});

test('settings of media, and filters, from their words in the model', () => {
  const settings: Partial<CanonicalRequest> = {
    modalities: ['text', 'image'],
    image: { aspectRatio: '16:9', size: '2K' },
    speech: { voice: 'Kore', language: 'en-US' },
    mediaResolution: 'original',
    safety: [{ category: 'harassment', threshold: 'block_none' }],
  };
  const wire = {
    generationConfig: {
      responseModalities: ['TEXT', 'IMAGE'],
      imageConfig: { aspectRatio: '16:9', imageSize: '2K' },
      speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } }, languageCode: 'en-US' },
      mediaResolution: 'MEDIA_RESOLUTION_ULTRA_HIGH',
    },
    safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
  };
  expect(encode(settings).body).toMatchObject(wire);
  const decoded = decode({ contents: [{ role: 'user', parts: [{ text: 'q' }] }], ...wire });
  expect(decoded).toMatchObject(settings);
  expect(encode({ ...decoded, ...settings }).body).toMatchObject(wire);
});

describe('settings', () => {
  const config = (request: Partial<CanonicalRequest>, options?: Parameters<typeof encode>[1]) => {
    const { body, losses } = encode(request, options);
    return { config: body.generationConfig as JsonObject | undefined, losses: features(losses), body };
  };

  test.each<[string, ReasoningSettings, string, unknown, string[]]>([
    [
      'effort, levels',
      { mode: 'on', effort: 'medium', show: 'auto' },
      'gemini-3-flash-preview',
      { thinkingLevel: 'MEDIUM', includeThoughts: true },
      [],
    ],
    [
      'effort above all levels',
      { mode: 'on', effort: 'max', show: 'default' },
      'gemini-3-flash-preview',
      { thinkingLevel: 'HIGH' },
      ['reasoning.effort approximated'],
    ],
    [
      'effort that the model lacks',
      { mode: 'on', effort: 'medium', show: 'default' },
      'gemini-3-pro-preview',
      { thinkingLevel: 'HIGH' },
      ['reasoning.effort approximated'],
    ],
    [
      'a budget for levels',
      { mode: 'on', budget: 2000, show: 'none' },
      'gemini-3-flash-preview',
      { thinkingLevel: 'LOW', includeThoughts: false },
      ['reasoning.budget approximated'],
    ],
    [
      'off, levels',
      { mode: 'off', show: 'default' },
      'gemini-3-flash-preview',
      { thinkingLevel: 'MINIMAL' },
      ['reasoning.mode approximated'],
    ],
    ['off, budgets', { mode: 'off', show: 'default' }, 'gemini-2.5-flash', { thinkingBudget: 0 }, []],
    [
      'off, where it cannot be',
      { mode: 'off', show: 'default' },
      'gemini-2.5-pro',
      { thinkingBudget: 128 },
      ['reasoning.mode approximated'],
    ],
    [
      'effort for budgets',
      { mode: 'on', effort: 'high', show: 'detailed' },
      'gemini-2.5-flash',
      { thinkingBudget: 24576, includeThoughts: true },
      ['reasoning.show approximated'],
    ],
    [
      'a budget out of range',
      { mode: 'on', budget: 100000, show: 'default' },
      'gemini-2.5-pro',
      { thinkingBudget: 32768 },
      ['reasoning.budget approximated'],
    ],
    [
      'both',
      { mode: 'on', effort: 'low', budget: 9000, show: 'default' },
      'gemini-2.5-flash',
      { thinkingBudget: 9000 },
      [],
    ],
    ['on without a size', { mode: 'on', show: 'default' }, 'gemini-2.5-flash', { thinkingBudget: -1 }, []],
    ['on without a size, levels', { mode: 'on', show: 'default' }, 'gemini-3-flash-preview', undefined, []],
    [
      'a model that does not think',
      { mode: 'on', effort: 'low', show: 'auto' },
      'gemini-2.0-flash',
      undefined,
      ['reasoning.mode dropped'],
    ],
  ])('thinking: %s', (_name, reasoning, model, expected, losses) => {
    const printed = config({ reasoning }, { model });
    expect(printed.config?.thinkingConfig).toEqual(expected);
    expect(printed.losses).toEqual(losses);
  });

  test('formats', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    expect(config({ output: { kind: 'json' } }).config).toEqual({ responseMimeType: 'application/json' });
    const named = config({ output: { kind: 'schema', schema, name: 'n', strict: true } });
    expect(named.config).toEqual({ responseMimeType: 'application/json', responseJsonSchema: schema });
    expect(named.losses).toEqual(['output.name dropped', 'output.strict dropped']);
    expect(
      config({ output: { kind: 'schema', schema } }, { profile: { jsonSchemaField: false } }).config,
    ).toMatchObject({ responseSchema: { type: 'OBJECT' } });
    expect(
      config({ output: { kind: 'enum', schema: { type: 'string', enum: ['a'] }, enum: ['a'] } }).config,
    ).toMatchObject({ responseMimeType: 'text/x.enum' });
  });

  test('a format beside functions that cannot be had is told', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    const { body, losses } = encode(
      {
        output: { kind: 'schema', schema },
        tools: [fn('f')],
        instructions: [{ authority: 'system', parts: [{ kind: 'text', text: 'S' }] }],
      },
      { model: 'gemini-2.5-flash' },
    );
    expect(body.generationConfig).toBeUndefined();
    expect(body.systemInstruction).toMatchObject({
      parts: [{ text: 'S' }, { text: expect.stringContaining(JSON.stringify(schema)) }],
    });
    expect(features(losses)).toEqual(['output.format approximated']);
    expect(encode({ output: { kind: 'schema', schema }, tools: [fn('f')] }).body).toMatchObject({
      tools: [{}],
      generationConfig: { responseJsonSchema: schema },
    });
  });

  test('sampling by profile; what says nothing is not reported', () => {
    const sampling = {
      temperature: 0.5,
      topP: 0.9,
      topK: 40,
      seed: 2 ** 40 + 5,
      presencePenalty: 0,
      frequencyPenalty: 1,
    };
    const third = config({ sampling });
    expect(third.config).toEqual({ temperature: 0.5, topP: 0.9, topK: 40, seed: (2 ** 40 + 5) % 2 ** 31 });
    expect(third.losses).toEqual(['sampling.seed approximated', 'sampling.frequencyPenalty dropped']);
    const latest = config({ sampling: { temperature: 1, topP: 0.5 } }, { model: 'gemini-3.6-flash' });
    expect(latest.config).toBeUndefined();
    expect(latest.losses).toEqual(['sampling.topP dropped']);
  });

  test('stop strings: five, the rest is cut on its way', () => {
    const stop = ['1', '2', '3', '4', '5', '6'];
    expect(config({ stop: stop.slice(0, 5) })).toMatchObject({
      config: { stopSequences: stop.slice(0, 5) },
      losses: [],
    });
    expect(config({ stop }, { context: { cutsStop: true } })).toMatchObject({
      config: { stopSequences: stop.slice(0, 5) },
      losses: ['stop approximated'],
    });
    expect(config({ stop })).toMatchObject({ losses: ['stop dropped'] });
  });

  test('the rest of the envelope', () => {
    const { body, losses } = config({
      maxOutput: 100,
      logprobs: { top: 3 },
      verbosity: 'low',
      maxToolCalls: 2,
      user: 'u',
      metadata: { a: 'b' },
      tier: { dialect: 'test', value: 'flex' },
      cache: { key: 'k', ttl: '1h' },
      truncate: true,
      include: ['reasoning.encrypted_content', 'message.input_image.image_url'],
      at: { user: '/user' },
    });
    expect(body).toMatchObject({
      generationConfig: { maxOutputTokens: 100, responseLogprobs: true, logprobs: 3 },
      serviceTier: 'flex',
    });
    expect(losses.sort()).toEqual([
      'cache.key dropped',
      'cache.ttl dropped',
      'include.detail dropped',
      'metadata dropped',
      'tier approximated',
      'truncate dropped',
      'user dropped',
      'verbosity dropped',
    ]);
    expect(config({ metadata: { a: 'b' } }, { profile: { cloud: true } }).body.labels).toEqual({ a: 'b' });
    expect(config({ maxOutput: 99999 }, { model: 'gemini-2.0-flash' })).toMatchObject({
      config: { maxOutputTokens: 8192 },
      losses: ['maxOutput approximated'],
    });
  });

  test.each<[string, CanonicalRequest['state']]>([
    ['a conversation', { conversation: 'conv_1' }],
    ['the background', { background: true }],
    ['a template', { template: { id: 'p' } }],
  ])('%s is refused', (_name, state) => {
    expect(refused({ ...(state !== undefined && { state }) })).toMatchObject({ kind: 'unsupported' });
  });

  test('keys that only another dialect has are reported, on nodes too', () => {
    const ext = { test: { odd: 1 } };
    const { losses } = encode({
      tools: [fn('f', { ext })],
      toolChoice: { mode: 'auto', ext },
      reasoning: { mode: 'default', show: 'default', ext },
      output: { kind: 'json', ext },
      ext,
    });
    expect(features(losses)).toEqual(Array.from({ length: 5 }, () => 'ext.odd dropped'));
  });
});
