import { describe, expect, test } from '@jest/globals';
import { TranslationError } from '../../translators/canonical/errors.js';
import { createLosses } from '../../translators/canonical/loss.js';
import { generateContent } from '../../translators/generate-content/index.js';
import { encodeCarrier } from '../../translators/wire/carrier.js';
import { decode } from './support.js';

const user = { role: 'user', parts: [{ text: 'hi' }] };

function again(body: unknown): unknown {
  const profile = generateContent.target('gemini-2.5-flash');
  return generateContent.encodeRequest(decode(body), { losses: createLosses(), target: profile, domain: 'd' }).body;
}

function fault(body: unknown): { path: string; kind: string; message: string } {
  try {
    decode(body);
  } catch (thrown) {
    if (thrown instanceof TranslationError) return { path: thrown.path, kind: thrown.kind, message: thrown.message };
  }
  throw new Error('nothing was refused');
}

/** Every legal way to say things that says more about spelling than about meaning. */
const SPELLINGS: Record<string, unknown> = {
  'everything in snake_case': {
    contents: [
      {
        role: 'user',
        parts: [
          { text: 'a', part_metadata: { keep_this: 1 } },
          {
            inline_data: { mime_type: 'image/png', data: 'aGk=', display_name: 'x' },
            media_resolution: { level: 'MEDIA_RESOLUTION_HIGH', num_tokens: 5 },
          },
          {
            file_data: { file_uri: 'https://example.org/a.mp4', mime_type: 'video/mp4' },
            video_metadata: { start_offset: '1s', end_offset: '2s', fps: 2 },
          },
        ],
      },
      {
        role: 'model',
        parts: [{ function_call: { name: 'f', args: { snake_key: { in_side: 1 } } }, thought_signature: 'U0lH' }],
      },
      { role: 'user', parts: [{ function_response: { name: 'f', response: { snake_key: 1 } } }] },
    ],
    system_instruction: { parts: [{ text: 's' }] },
    tools: [
      {
        function_declarations: [
          { name: 'f', parameters_json_schema: { type: 'object', properties: { min_items: {} } } },
        ],
      },
      { google_search: {} },
    ],
    tool_config: {
      function_calling_config: { mode: 'ANY', allowed_function_names: ['f'] },
      include_server_side_tool_invocations: true,
    },
    safety_settings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF', method: 'SEVERITY' }],
    generation_config: {
      max_output_tokens: 10,
      stop_sequences: ['x'],
      thinking_config: { include_thoughts: true, thinking_budget: 5 },
      response_mime_type: 'application/json',
      response_json_schema: { type: 'object', properties: { max_items: {} } },
      image_config: { aspect_ratio: '1:1', image_size: '1K' },
    },
    cached_content: 'cachedContents/1',
  },
  'both spellings mixed, at different depths': {
    contents: [
      {
        parts: [
          { toolCall: { tool_type: 'FILE_SEARCH', id: 'a', args: { some_key: 1 } }, thoughtSignature: 'QQ==' },
          { toolResponse: { toolType: 'FILE_SEARCH', id: 'a', response: { x_y: 1 } } },
        ],
        role: 'model',
      },
      user,
    ],
    generationConfig: { thinkingConfig: { thinking_budget: -1 }, max_output_tokens: 3, topK: 4 },
    tools: [{ fileSearch: { file_search_store_names: ['s'] } }],
  },
  'numbers as strings': {
    contents: [user],
    generationConfig: { maxOutputTokens: '12', seed: '-5', topK: 3, thinkingConfig: { thinkingBudget: '128' } },
  },
  'explicit nulls': {
    contents: [{ role: 'user', parts: [{ text: 'a', thoughtSignature: null, inlineData: null }] }],
    systemInstruction: null,
    generation_config: { temperature: null, thinkingConfig: { thinking_level: null } },
    toolConfig: { functionCallingConfig: null },
    tools: [{ codeExecution: {}, google_search: null }],
  },
  'empty objects and lists': {
    contents: [user, { role: 'model', parts: [] }, user],
    systemInstruction: { parts: [] },
    tools: [{}, { functionDeclarations: [] }],
    toolConfig: {},
    generationConfig: {},
    safetySettings: [],
    labels: {},
  },
  'empty objects inside': {
    contents: [user],
    toolConfig: { functionCallingConfig: {} },
    generationConfig: { thinkingConfig: {}, stopSequences: [], responseModalities: [], imageConfig: {} },
    tools: [{ functionDeclarations: [{ name: 'a' }] }, {}, { urlContext: {} }],
  },
  'a bare text as systemInstruction': { contents: [user], systemInstruction: 'be brief' },
  'a lone part as systemInstruction': { contents: [user], system_instruction: { text: 'be brief' } },
  'roles that only clients know': {
    contents: [
      { parts: [{ text: 'a' }] },
      { role: 'function', parts: [{ functionResponse: { name: 'f', response: {} } }] },
      { role: 'tool', parts: [{ functionResponse: { name: 'f', response: { result: 'x' } } }] },
    ],
  },
  'words in lower case': {
    contents: [user],
    generationConfig: { thinkingConfig: { thinkingLevel: 'low' } },
    toolConfig: { functionCallingConfig: { mode: 'any' } },
  },
  'unknown fields everywhere': {
    contents: [
      {
        role: 'user',
        extra: 1,
        parts: [
          { text: 'a', other: { snake_case: 2 } },
          { newKind: { a: 1 } },
          { functionCall: { name: 'f', args: {}, extra: 3 } },
        ],
      },
    ],
    newField: { some_thing: [1] },
    generationConfig: { newOption: true, thinkingConfig: { newSwitch: 1 } },
    toolConfig: {
      functionCallingConfig: { streamFunctionCallArguments: true },
      retrievalConfig: { latLng: { latitude: 1, longitude: 2 } },
    },
    tools: [
      { newTool: { x: 1 } },
      {
        functionDeclarations: [{ name: 'f', behavior: 'BLOCKING', response: { type: 'STRING' } }],
        googleSearch: { searchTypes: {} },
      },
    ],
    modelArmorConfig: { prompt_template_name: 'x' },
  },
  'a Schema in its own words': {
    contents: [user],
    tools: [
      {
        functionDeclarations: [
          {
            name: 'f',
            parameters: { type: 'OBJECT', properties: { a: { type: 'STRING', nullable: true, minLength: '2' } } },
          },
        ],
      },
    ],
    generationConfig: {
      responseMimeType: 'application/json',
      responseSchema: { type: 'ARRAY', items: { type: 'string' }, minItems: '1' },
    },
  },
  'words to choose from': {
    contents: [user],
    generationConfig: { responseMimeType: 'text/x.enum', responseSchema: { type: 'STRING', enum: ['a', 'b'] } },
  },
  'a schema without its type': { contents: [user], generationConfig: { responseJsonSchema: { type: 'object' } } },
  'a list of formats': {
    contents: [user],
    generationConfig: {
      responseFormat: [{ text: { mimeType: 'application/json', schema: { type: 'object' } } }, { audio: {} }],
    },
  },
  'both JSON Schema fields': {
    contents: [user],
    generationConfig: {
      responseMimeType: 'application/json',
      responseJsonSchema: { type: 'object' },
      _responseJsonSchema: { type: 'array' },
    },
  },
  'results in every wrapping': {
    contents: [
      { role: 'model', parts: [{ functionCall: { name: 'f', id: '' } }] },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'f', response: { output: 'x' } } },
          { functionResponse: { name: 'f', response: { output: '' } } },
          { functionResponse: { name: 'f', response: { result: 'x' } } },
          { functionResponse: { name: 'f', response: { error: 'x' } } },
          { functionResponse: { name: 'f', response: { error: { code: 1 } } } },
          { functionResponse: { name: 'f', response: { output: [1] } } },
          { functionResponse: { name: 'f', response: {} } },
          { functionResponse: { name: 'f', id: '', parts: [] } },
          {
            functionResponse: {
              name: 'f',
              response: { a: 1 },
              scheduling: 'SILENT',
              willContinue: false,
              parts: [{ inlineData: { mimeType: 'image/png', data: 'aGk' } }, { other: 1 }],
            },
          },
        ],
      },
    ],
  },
  'base64 in the other alphabet': {
    contents: [{ role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: '_-8' } }] }],
  },
  'thoughts, signed and not': {
    contents: [
      user,
      {
        role: 'model',
        parts: [
          { text: 'hm', thought: true },
          { text: 'hm', thought: true, thoughtSignature: 'QQ==' },
          { text: 'a', thought: false, thoughtSignature: 'QQ==' },
          { thoughtSignature: 'QQ==' },
          { text: '', thoughtSignature: 'QQ==' },
        ],
      },
      user,
    ],
  },
  'runs of code': {
    contents: [
      user,
      {
        role: 'model',
        parts: [
          { executableCode: { language: 'PYTHON', code: 'x' } },
          { text: '' },
          { codeExecutionResult: { outcome: 'OUTCOME_FAILED' } },
          { codeExecutionResult: { outcome: 'OUTCOME_DEADLINE_EXCEEDED', output: 'y', id: 'z' } },
        ],
      },
      user,
    ],
  },
  'calls that the service answered': {
    contents: [
      user,
      {
        role: 'model',
        parts: [
          { functionCall: { name: 'f', args: { a: 1 } } },
          { functionCall: { name: 'g' } },
          { functionResponse: { name: 'f', response: { r: 1 } } },
        ],
      },
      user,
    ],
  },
  'the rest of the envelope': {
    contents: [user],
    model: 'models/gemini-2.5-flash',
    serviceTier: 'flex',
    store: false,
    labels: { a: 'b' },
    continuationToken: 'dG9r',
    generationConfig: {
      candidateCount: 2,
      responseLogprobs: true,
      logprobs: 3,
      speechConfig: { voice_config: {} },
      mediaResolution: 'MEDIA_RESOLUTION_LOW',
      responseMimeType: 'text/plain',
      enableEnhancedCivicAnswers: true,
    },
  },
  'log probabilities turned off': { contents: [user], generationConfig: { responseLogprobs: false, logprobs: 2 } },
  'servers of tools': {
    contents: [user],
    tools: [
      {
        mcpServers: [
          { name: 'a', streamableHttpTransport: { url: 'https://x.example', headers: { A: 'b' }, timeout: '10s' } },
          { name: 'b' },
        ],
        computer_use: { environment: 'ENVIRONMENT_BROWSER', excludedPredefinedFunctions: ['x'] },
      },
    ],
  },
  'keys with a meaning in JavaScript': JSON.parse(
    '{"contents":[{"role":"user","parts":[{"text":"a","__proto__":{"x":1}}]}],"__proto__":{"y":1},"generationConfig":{"constructor":1}}',
  ),
};

describe('the same dialect', () => {
  test.each(Object.entries(SPELLINGS))('prints %s again', (_name, body) => {
    const before = JSON.stringify(body);
    expect(again(body)).toEqual(body);
    expect(JSON.stringify(body)).toBe(before);
  });
});

test('a thought before arguments in pieces is printed once', () => {
  const contents = [
    user,
    { role: 'model', parts: [{ text: 'Hm.', thought: true }] },
    { role: 'model', parts: [{ functionCall: { name: 'f', willContinue: true } }] },
    { role: 'model', parts: [{ functionCall: { partialArgs: [{ jsonPath: '$.a', stringValue: 'b' }] } }] },
  ];
  // A request of which something changed is printed turn by turn.
  const request = { ...decode({ contents }), maxOutput: 9 };
  const profile = generateContent.target('gemini-2.5-flash');
  const { body } = generateContent.encodeRequest(request, { losses: createLosses(), target: profile, domain: 'd' });
  expect(JSON.stringify(body).split('Hm.')).toHaveLength(2);
});

describe('refusals', () => {
  test.each([
    ['no object', 3, ''],
    ['no contents', {}, '/contents'],
    ['empty contents', { contents: [] }, '/contents'],
    [
      'both spellings at the top',
      { contents: [user], generationConfig: {}, generation_config: {} },
      '/generation_config',
    ],
    [
      'both spellings in a part',
      { contents: [{ parts: [{ inlineData: { mimeType: 'a/b', mime_type: 'a/b', data: '' } }] }] },
      '/contents/0/parts/0/inlineData/mime_type',
    ],
    [
      'both spellings in thinkingConfig',
      { contents: [user], generationConfig: { thinking_config: { thinkingBudget: 1, thinking_budget: 1 } } },
      '/generationConfig/thinking_config/thinking_budget',
    ],
    [
      'two data members',
      { contents: [{ parts: [{ text: 'a', functionCall: { name: 'f' } }] }] },
      '/contents/0/parts/0/functionCall',
    ],
    ['a wrong role', { contents: [{ role: 'system', parts: [{ text: 'a' }] }] }, '/contents/0/role'],
    ['a number for a text', { contents: [{ parts: [{ text: 4 }] }] }, '/contents/0/parts/0/text'],
    ['a part that is no object', { contents: [{ parts: ['hi'] }] }, '/contents/0/parts/0'],
    ['parts that are no list', { contents: [{ parts: 'hi' }] }, '/contents/0/parts'],
    [
      'arguments that are a list',
      { contents: [{ role: 'model', parts: [{ function_call: { name: 'f', args: [] } }] }] },
      '/contents/0/parts/0/function_call/args',
    ],
    [
      'a call without a name',
      { contents: [{ role: 'model', parts: [{ functionCall: { name: '' } }] }] },
      '/contents/0/parts/0/functionCall/name',
    ],
    [
      'bad base64',
      { contents: [{ parts: [{ inlineData: { data: 'a*b', mimeType: 'image/png' } }] }] },
      '/contents/0/parts/0/inlineData/data',
    ],
    [
      'a word for a number',
      { contents: [user], generationConfig: { max_output_tokens: 'many' } },
      '/generationConfig/max_output_tokens',
    ],
    ['a tool that is no object', { contents: [user], tools: ['x'] }, '/tools/0'],
    [
      'declarations that are no list',
      { contents: [user], tools: [{ functionDeclarations: 'f' }] },
      '/tools/0/functionDeclarations',
    ],
    [
      'a picture of the system',
      { contents: [user], systemInstruction: { parts: [{ functionCall: { name: 'f' } }] } },
      '/systemInstruction/parts/0',
    ],
    ['labels that are no texts', { contents: [user], labels: { a: 1 } }, '/labels/a'],
  ])('%s', (_name, body, path) => {
    expect(fault(body)).toMatchObject({ kind: 'invalid_request', path });
  });
});

describe('meaning', () => {
  test('calls, results and their ids', () => {
    const { turns } = decode({
      contents: [
        {
          role: 'model',
          parts: [{ functionCall: { name: 'f', args: { a: 1 }, id: 'i1' } }, { functionCall: { name: 'g' } }],
        },
        {
          role: 'tool',
          parts: [
            { functionResponse: { id: 'i1', name: 'f', response: { output: 'x' } } },
            { functionResponse: { name: 'g', response: { error: 'bad' } } },
          ],
        },
      ],
    });
    expect(turns).toMatchObject([
      {
        role: 'assistant',
        parts: [
          { kind: 'call', callId: 'i1', args: { value: { a: 1 } } },
          { kind: 'call', callId: '', args: { value: {} } },
        ],
      },
      {
        role: 'user',
        parts: [
          { kind: 'result', callId: 'i1', name: 'f', parts: [{ kind: 'text', text: 'x' }] },
          { kind: 'result', callId: '', isError: true, parts: [{ text: 'bad' }] },
        ],
      },
    ]);
  });

  test('an object that only looks wrapped stays a JSON result', () => {
    const { turns } = decode({
      contents: [{ parts: [{ functionResponse: { name: 'f', response: { output: 'x', more: 1 } } }] }],
    });
    expect(turns[0]?.parts[0]).toMatchObject({ kind: 'result', json: { output: 'x', more: 1 }, parts: [] });
  });

  test('integers beyond 2^53 are reported', () => {
    const losses = createLosses();
    decode({ contents: [{ role: 'model', parts: [{ functionCall: { name: 'f', args: { id: 2 ** 60 } } }] }] }, losses);
    expect(losses.list).toMatchObject([
      { feature: 'call.args', kind: 'approximated', path: '/contents/0/parts/0/functionCall' },
    ]);
  });

  test('pointers name fields as they were spelled', () => {
    const request = decode({
      contents: [user],
      generation_config: { top_k: 3, thinking_config: { thinking_budget: 0 } },
    });
    expect(request.at).toMatchObject({ 'sampling.topK': '/generation_config/top_k', turns: '/contents' });
    expect(request.reasoning).toMatchObject({ mode: 'off', src: { ptr: '/generation_config/thinking_config' } });
  });

  test('a Schema becomes JSON Schema, whatever its spelling', () => {
    const { tools, output } = decode({
      contents: [user],
      tools: [
        {
          functionDeclarations: [
            {
              name: 'f',
              parameters: { type: 'OBJECT', properties: { a: { type: 'INTEGER', nullable: true } }, required: ['a'] },
            },
          ],
        },
      ],
      generationConfig: { responseMimeType: 'text/x.enum', responseSchema: { type: 'STRING', enum: ['x', 'y'] } },
    });
    expect(tools[0]).toMatchObject({
      kind: 'function',
      schema: { type: 'object', properties: { a: { type: ['integer', 'null'] } }, required: ['a'] },
    });
    expect(output).toMatchObject({ kind: 'enum', enum: ['x', 'y'], schema: { type: 'string', enum: ['x', 'y'] } });
  });

  test.each([
    [{ mode: 'AUTO' }, { mode: 'auto' }],
    [{ mode: 'ANY' }, { mode: 'required' }],
    [{ mode: 'NONE' }, { mode: 'none' }],
    [{ mode: 'VALIDATED' }, { mode: 'auto', validated: true }],
    [
      { mode: 'ANY', allowedFunctionNames: ['f'] },
      { mode: 'required', only: [{ kind: 'function', name: 'f' }] },
    ],
  ])('tool choice %j', (functionCallingConfig, choice) => {
    expect(decode({ contents: [user], toolConfig: { functionCallingConfig } }).toolChoice).toMatchObject(choice);
  });

  test.each([
    [{ thinkingBudget: 0 }, { mode: 'off', show: 'none' }],
    [
      { thinkingBudget: -1, includeThoughts: true },
      { mode: 'on', budget: -1, show: 'summary' },
    ],
    [{ thinkingLevel: 'high' }, { mode: 'on', effort: 'high', show: 'none' }],
    [{ includeThoughts: true }, { mode: 'default', show: 'summary' }],
  ])('thinking %j', (thinkingConfig, reasoning) => {
    expect(decode({ contents: [user], generationConfig: { thinkingConfig } }).reasoning).toMatchObject(reasoning);
  });

  test.each([
    ['https://example.org/a.png', undefined, 'image', { from: 'url', url: 'https://example.org/a.png' }],
    ['https://www.youtube.com/watch?v=x', undefined, 'video', { from: 'url' }],
    [
      'gs://bucket/a.pdf',
      'application/pdf',
      'document',
      { from: 'file', id: 'gs://bucket/a.pdf', vendor: 'generateContent' },
    ],
    [
      'https://generativelanguage.googleapis.com/v1beta/files/abc',
      'audio/mp3',
      'audio',
      { from: 'file', vendor: 'generateContent' },
    ],
    ['https://evil.example/generativelanguage.googleapis.com/files/x.png', undefined, 'image', { from: 'url' }],
  ])('the file %s', (fileUri, mimeType, mediaClass, data) => {
    const part = decode({ contents: [{ parts: [{ fileData: { fileUri, mimeType } }] }] }).turns[0]?.parts[0];
    expect(part).toMatchObject({ kind: 'media', class: mediaClass, data });
  });

  test('opaque state: bare signatures, carriers on any part', () => {
    const carrier = encodeCarrier('messages', 'd', [{ dialect: 'messages', domain: 'd', kind: 'none', payload: '' }]);
    const { turns } = decode({
      contents: [
        {
          role: 'model',
          parts: [
            { text: 'hm', thought: true, thoughtSignature: 'QQ==' },
            { functionCall: { name: 'f' }, thoughtSignature: 'U0lH' },
            { functionCall: { name: 'g' }, thoughtSignature: carrier },
            { text: '', thoughtSignature: carrier },
          ],
        },
      ],
    });
    const unknown = { dialect: 'generateContent', domain: 'unknown:generateContent' };
    expect(turns[0]?.parts).toMatchObject([
      {
        kind: 'reasoning',
        text: ['hm'],
        state: [{ ...unknown, kind: 'reasoning', payload: '{"text":"hm","thought":true,"thoughtSignature":"QQ=="}' }],
      },
      { kind: 'call', state: [{ ...unknown, kind: 'signature', on: 'call', payload: 'U0lH' }] },
      { kind: 'call', carrier },
      { kind: 'text', text: '', carrier },
    ]);
  });

  test('tools that the service runs are hosted parts with one id for call and result', () => {
    const { turns } = decode({
      contents: [
        {
          role: 'model',
          parts: [
            { executableCode: { language: 'PYTHON', code: 'print(1)' } },
            { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1\n' } },
            { toolCall: { id: 'a', toolType: 'GOOGLE_SEARCH_WEB', args: { queries: ['q'] } } },
            { toolResponse: { id: 'a', toolType: 'GOOGLE_SEARCH_WEB' } },
            { functionCall: { name: 's_get', args: { x: 1 } } },
            { functionResponse: { name: 's_get', response: { result: 'ok' } } },
          ],
        },
      ],
    });
    expect(turns[0]?.parts).toMatchObject([
      { kind: 'hostedCall', callId: 'hosted_0', family: 'codeExec', input: { code: 'print(1)', language: 'python' } },
      { kind: 'hostedResult', callId: 'hosted_0', family: 'codeExec', output: { stdout: '1\n', exitCode: 0 } },
      { kind: 'hostedCall', callId: 'a', family: 'webSearch', input: { action: 'search', queries: ['q'] } },
      { kind: 'hostedResult', callId: 'a', family: 'webSearch' },
      { kind: 'hostedCall', callId: 'served_4', family: 'mcp', input: { name: 's_get', arguments: '{"x":1}' } },
      { kind: 'hostedResult', callId: 'served_4', family: 'mcp', output: { text: 'ok' } },
    ]);
  });

  test('the model of the URL counts, with or without its collection', () => {
    const request = (model?: string) =>
      generateContent.decodeRequest({ contents: [user], model: 'models/b' }, { losses: createLosses(), model });
    expect(request('models/models/a').model).toBe('a');
    expect(request('tunedModels/t').model).toBe('tunedModels/t');
    expect(request().model).toBe('b');
  });
});
