import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startGateway, type TestGateway } from '../support/gateway/harness.js';
import { post } from './ask.js';

/** The simulator behind a gateway that relays: what is refused is refused by it. */
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({
    backends: {
      messages: { dialect: 'messages', simulator: true },
      responses: { dialect: 'responses', simulator: true },
      generateContent: { dialect: 'generateContent', simulator: true },
    },
    models: {
      m: { backend: 'messages' },
      r: { backend: 'responses' },
      g: { backend: 'generateContent' },
    },
  });
});
afterAll(() => gateway.close());

/** What a probe is about, with the place in the sheet that forbids it; what is put into a valid body; what is told. */
type Probe = readonly [about: string, change: object, told: string];

const many = (count: number, make: (index: number) => unknown): unknown[] =>
  Array.from({ length: count }, (_, i) => make(i));
const closed = (properties: object = {}) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

describe('messages', () => {
  const user = (...content: unknown[]) => ({ role: 'user', content });
  const assistant = (...content: unknown[]) => ({ role: 'assistant', content });
  const text = (words = 'hi') => ({ type: 'text', text: words });
  const ask = [user(text())];
  const call = (id = 'a', more: object = {}) => ({ type: 'tool_use', id, name: 'f', input: {}, ...more });
  const result = (id = 'a', more: object = {}) => ({ type: 'tool_result', tool_use_id: id, content: 'x', ...more });
  const tool = (more: object = {}) => ({ name: 'f', input_schema: { type: 'object' }, ...more });
  const image = (data: string, media_type = 'image/png') => ({
    type: 'image',
    source: { type: 'base64', media_type, data },
  });
  const body = { model: 'm', max_tokens: 100, messages: ask };

  const PROBES: readonly Probe[] = [
    ['no max_tokens [M §3.1]', { max_tokens: undefined }, 'max_tokens: Field required'],
    ['max_tokens 0 without a cache mark [M §2.1]', { max_tokens: 0 }, 'max_tokens: Input should be greater'],
    ['max_tokens as a fraction [M §2.1]', { max_tokens: 1.5 }, 'max_tokens: Input should be a valid integer'],
    ['no messages [M §3.1]', { messages: undefined }, 'messages: Field required'],
    ['an empty list [M §3.1]', { messages: [] }, 'at least one message'],
    ['an unknown field [M §2.1]', { n: 2 }, 'n: Extra inputs are not permitted'],
    ['an unknown field of a block [M §8.35]', { messages: [user({ ...text(), status: 'x' })] }, 'text.status: Extra'],
    ['an unknown role [M §2.2]', { messages: [{ role: 'tool', content: 'x' }] }, 'messages.0.role'],
    ['an unknown block [M §2.3]', { messages: [user({ type: 'input_text', text: 'x' })] }, 'messages.0.content.0.type'],
    ['empty content [M §3.4]', { messages: [user()] }, 'must have non-empty content'],
    ['empty text [M §3.5]', { messages: [user(text(''))] }, 'text content blocks must be non-empty'],
    ['blank text [M §3.5]', { messages: [user(text(' \n'))] }, 'must contain non-whitespace text'],
    ['white space behind a prefill [M §3.6]', { messages: [...ask, assistant(text('So '))] }, 'trailing whitespace'],
    ['a call by the user [M §3.7]', { messages: [user(call())] }, 'only be in `assistant` messages'],
    ['a system message first [M §3.8]', { messages: [{ role: 'system', content: 'x' }, ...ask] }, "role 'system'"],
    ['an unanswered call [M §3.9]', { messages: [...ask, assistant(call()), ...ask] }, 'immediately after: a'],
    ['a stray result [M §3.10]', { messages: [user(result())] }, 'unexpected `tool_use_id`'],
    [
      'two results of a call [M §3.11]',
      { messages: [...ask, assistant(call()), user(result(), result())] },
      'single result',
    ],
    [
      'a call id twice [M §3.11]',
      { messages: [...ask, assistant(call(), call()), user(result())] },
      'ids must be unique',
    ],
    [
      'text before a result [M §3.12]',
      { messages: [...ask, assistant(call()), user(text(), result())] },
      'without `tool_result`',
    ],
    [
      'arguments as text [M §3.14]',
      { messages: [...ask, assistant(call('a', { input: '{}' })), user(result())] },
      'tool_use.input',
    ],
    [
      'a failed result with a picture [M §3.15]',
      { messages: [...ask, assistant(call()), user(result('a', { is_error: true, content: [image('AAAA')] }))] },
      'if `is_error` is true',
    ],
    [
      'a call id with a dot [M §3.18]',
      { messages: [...ask, assistant(call('a.b')), user(result('a.b'))] },
      '^[a-zA-Z0-9_-]+$',
    ],
    ['an empty call id [M §2.3]', { messages: [...ask, assistant(call('')), user(result(''))] }, '^[a-zA-Z0-9_-]+$'],
    [
      'a choice of an absent tool [M §3.19]',
      { tools: [tool()], tool_choice: { type: 'tool', name: 'g' } },
      "'g' not found",
    ],
    ['a choice without tools [M §2.6]', { tool_choice: { type: 'any' } }, 'while providing tools'],
    ['an unknown choice [M §2.6]', { tools: [tool()], tool_choice: { type: 'required' } }, 'tool_choice.type'],
    ['a tool name with a dot [M §3.20]', { tools: [tool({ name: 'a.b' })] }, '{1,128}'],
    ['one name twice [M §3.20]', { tools: [tool(), tool()] }, 'Tool names must be unique'],
    ['a schema without type [M §3.21]', { tools: [tool({ input_schema: {} })] }, 'input_schema.type: Field required'],
    [
      'a union at the root [M §3.21]',
      { tools: [tool({ input_schema: { type: 'object', anyOf: [{}] } })] },
      'at the top level',
    ],
    [
      'a property key with a dollar [M §3.21]',
      { tools: [tool({ input_schema: { type: 'object', properties: { $filter: { type: 'string' } } } })] },
      'Property keys should match',
    ],
    ['an open strict tool [M §3.22]', { tools: [tool({ strict: true })] }, 'additionalProperties'],
    ['all tools deferred [M §3.23]', { tools: [tool({ defer_loading: true })] }, 'defer_loading=false'],
    ['a budget below 1024 [M §3.24]', { thinking: { type: 'enabled', budget_tokens: 100 } }, 'equal to 1024'],
    [
      'a budget as large as max_tokens [M §3.24]',
      { thinking: { type: 'enabled', budget_tokens: 1024 }, max_tokens: 1024 },
      'must be greater than',
    ],
    [
      'temperature beside thinking [M §3.25]',
      { thinking: { type: 'enabled', budget_tokens: 1024 }, max_tokens: 2000, temperature: 0 },
      'only be set to 1',
    ],
    [
      'a forced choice beside thinking [M §3.26]',
      {
        thinking: { type: 'enabled', budget_tokens: 1024 },
        max_tokens: 2000,
        tools: [tool()],
        tool_choice: { type: 'any' },
      },
      'forces tool use',
    ],
    ['an unknown kind of thinking [M §2.7]', { thinking: { type: 'deep' } }, 'thinking.type'],
    [
      'a foreign signature [M §3.29]',
      { messages: [...ask, assistant({ type: 'thinking', thinking: 'Hm', signature: 'Zm9v' }, text()), ...ask] },
      'Invalid `signature`',
    ],
    [
      'five cache marks [M §3.33]',
      { messages: [user(...many(5, () => ({ ...text(), cache_control: { type: 'ephemeral' } })))] },
      'maximum of 4',
    ],
    ['an unknown picture [M §3.36]', { messages: [user(image('AAAA', 'image/bmp'))] }, 'media_type'],
    [
      'bytes of another kind [M §3.36]',
      { messages: [user(image('/9j/4AAQ', 'image/png'))] },
      'appears to be a image/jpeg',
    ],
    ['a data URL as base64 [M §3.37]', { messages: [user(image('data:image/png;base64,AAAA'))] }, 'Invalid base64'],
    [
      'a picture on a disk [M §2.3]',
      { messages: [user({ type: 'image', source: { type: 'url', url: 'file:///a.png' } })] },
      'Only HTTP',
    ],
    ['a blank stop sequence [M §3.42]', { stop_sequences: [' '] }, 'stop_sequences.0'],
    ['temperature 2 [M §2.1]', { temperature: 2 }, 'temperature'],
    ['top_k 0 [M §2.1]', { top_k: 0 }, 'top_k'],
    ['a long user id [M §2.1]', { metadata: { user_id: 'x'.repeat(257) } }, 'metadata.user_id'],
    ['other metadata [M §2.1]', { metadata: { team: 'x' } }, 'metadata.team: Extra'],
    ['an unknown tier [M §2.1]', { service_tier: 'flex' }, 'service_tier'],
    ['an unknown level of effort [M §2.8]', { output_config: { effort: 'huge' } }, 'output_config.effort'],
    [
      'an open answer schema [M §2.8]',
      { output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } },
      'additionalProperties',
    ],
    [
      'an answer format without schema [M §2.8]',
      { output_config: { format: { type: 'json_schema' } } },
      'schema: Field required',
    ],
    ['a thread [M §2.1]', { thread: { type: 'create' } }, 'thread_unsupported_request'],
    ['MCP servers without their beta [M §2.1]', { mcp_servers: [] }, 'mcp_servers: Extra inputs'],
  ];

  test('there are at least thirty', () => expect(PROBES.length).toBeGreaterThanOrEqual(30));

  test.each(PROBES)('%s', async (_about, change, told) => {
    const { status, text: answer } = await post(gateway.url, '/v1/messages', { ...body, ...change });
    expect([status, JSON.parse(answer)]).toEqual([
      400,
      expect.objectContaining({ type: 'error', error: expect.objectContaining({ type: 'invalid_request_error' }) }),
    ]);
    expect(answer.replaceAll('\\"', '"').replaceAll('\\\\', '\\')).toContain(told);
  });

  test.each([
    ['an unknown version [M §0]', { 'anthropic-version': '2022-01-01' }, {}, 'is not a valid version'],
    [
      'sampling in the newer version [M §0]',
      { 'anthropic-version': '2026-10-21' },
      { temperature: 1 },
      'temperature: Extra',
    ],
    [
      'a computer without its beta [M §2.5]',
      {},
      { tools: [{ type: 'computer_20250124', name: 'computer', display_width_px: 9, display_height_px: 9 }] },
      'tools.0',
    ],
  ])('%s', async (_about, headers, change, told) => {
    const { status, text: answer } = await post(
      gateway.url,
      '/v1/messages',
      { ...body, ...change },
      headers as Record<string, string>,
    );
    expect([status, answer]).toEqual([400, expect.stringContaining(told)]);
  });

  test('count requests take no fields of answers [M §1.1]', async () => {
    const { status, text: answer } = await post(gateway.url, '/v1/messages/count_tokens', body);
    expect([status, answer]).toEqual([400, expect.stringContaining('max_tokens: Extra inputs')]);
  });
});

describe('responses', () => {
  const call = (more: object = {}) => ({ type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}', ...more });
  const output = (more: object = {}) => ({ type: 'function_call_output', call_id: 'c1', output: 'x', ...more });
  const tool = (more: object = {}) => ({ type: 'function', name: 'f', parameters: { type: 'object' }, ...more });
  const part = (content: object) => ({ input: [{ role: 'user', content: [content] }] });
  const format = (more: object) => ({
    text: { format: { type: 'json_schema', name: 'a', schema: closed(), ...more } },
  });
  const body = { model: 'r', input: 'hi' };

  const PROBES: readonly (readonly [...Probe, param: string | null])[] = [
    ['no source of context [R §7.1]', { input: undefined }, 'Missing required parameter', 'input'],
    ['input of another type [R §2.1]', { input: 5 }, "Invalid type for 'input'", 'input'],
    ['an unknown field [R §3.21]', { max_tokens: 5 }, "Unknown parameter: 'max_tokens'", 'max_tokens'],
    ['a moved field [R §3.21]', { response_format: {} }, "moved to 'text.format'", 'response_format'],
    ['16 tokens are the least [R §3.19]', { max_output_tokens: 15 }, 'integer below minimum', 'max_output_tokens'],
    ['temperature above 2 [R §3.20]', { temperature: 2.1 }, 'decimal above maximum', 'temperature'],
    ['top_p above 1 [R §2.1]', { top_p: 1.1 }, 'decimal above maximum', 'top_p'],
    ['top_logprobs above 20 [R §2.1]', { top_logprobs: 21 }, 'integer above maximum', 'top_logprobs'],
    [
      '17 pairs of metadata [R §3.37]',
      { metadata: Object.fromEntries(many(17, (i) => [`k${i}`, 'v']) as [string, string][]) },
      'at most 16',
      'metadata',
    ],
    ['metadata that is no text [R §2.1]', { metadata: { a: 1 } }, "Invalid 'metadata'", 'metadata'],
    ['an unknown word in include [R §2.4]', { include: ['everything'] }, "Invalid value: 'everything'", 'include[0]'],
    ['an unknown effort [R §2.2]', { reasoning: { effort: 'huge' } }, "Invalid value: 'huge'", 'reasoning.effort'],
    ['an unknown verbosity [R §2.2]', { text: { verbosity: 'loud' } }, "Invalid value: 'loud'", 'text.verbosity'],
    [
      'an unknown format [R §2.2]',
      { text: { format: { type: 'nonsense' } } },
      "Invalid value: 'nonsense'",
      'text.format.type',
    ],
    ['a format without schema [R §2.2]', format({ schema: undefined }), 'Missing required', 'text.format.schema'],
    ['a format without name [R §3.27]', format({ name: undefined }), 'Missing required', 'text.format.name'],
    ['a name with a blank [R §2.2]', format({ name: 'a b' }), 'does not match pattern', 'text.format.name'],
    [
      'an open strict schema [R §3.31]',
      format({ strict: true, schema: { type: 'object' } }),
      'additionalProperties',
      'text.format.schema',
    ],
    ['JSON mode without the word [R §3.29]', { text: { format: { type: 'json_object' } } }, "the word 'json'", 'input'],
    ['stream_options without stream [R §3.38]', { stream_options: {} }, 'only allowed when', 'stream_options'],
    ['an unknown tier [R §2.1]', { service_tier: 'cheap' }, "Invalid value: 'cheap'", 'service_tier'],
    ['an unknown truncation [R §2.1]', { truncation: 'middle' }, "Invalid value: 'middle'", 'truncation'],
    ['an unknown earlier answer [R §3.12]', { previous_response_id: 'resp_1' }, 'not found', 'previous_response_id'],
    [
      'a short threshold [R §2.1]',
      { context_management: [{ type: 'compaction', compact_threshold: 10 }] },
      'below minimum',
      'context_management[0].compact_threshold',
    ],
    ['an unanswered call [R §3.1]', { input: [call()] }, 'No tool output found', 'input'],
    ['an output without its call [R §3.2]', { input: [output()] }, 'No tool call found', 'input'],
    [
      'an empty call id [R §3.9]',
      { input: [call({ call_id: '' }), output({ call_id: '' })] },
      'minimum length 1',
      'input[0].call_id',
    ],
    [
      'a long call id [R §3.9]',
      { input: [call({ call_id: 'c'.repeat(65) }), output({ call_id: 'c'.repeat(65) })] },
      'maximum length 64',
      'input[0].call_id',
    ],
    [
      'arguments as an object [R §2.5]',
      { input: [call({ arguments: {} }), output()] },
      'Invalid type',
      'input[0].arguments',
    ],
    ['a foreign item id [R §3.7]', { input: [call({ id: 'toolu_1' }), output()] }, "begins with 'fc'", 'input[0].id'],
    [
      'an item id with a dot [R §3.8]',
      { input: [call({ id: 'fc_a.b' }), output()] },
      'additional characters',
      'input[0].id',
    ],
    [
      'one item id twice [R §3.10]',
      { input: [call({ id: 'fc_1' }), call({ id: 'fc_1', call_id: 'c2' }), output()] },
      'Duplicate item',
      'input',
    ],
    [
      'reasoning without what follows [R §3.4]',
      {
        input: [
          { type: 'reasoning', summary: [] },
          { role: 'user', content: 'x' },
        ],
      },
      'without its required following item',
      'input',
    ],
    [
      'foreign encrypted reasoning [R §3.14]',
      { input: [{ type: 'reasoning', summary: [], encrypted_content: 'Zm9v' }, call(), output()] },
      'could not be verified',
      'input',
    ],
    [
      'a foreign key of an item [R §3.22]',
      { input: [call({ cache_control: {} }), output()] },
      'Unknown parameter',
      'input[0].cache_control',
    ],
    [
      'a part of the wrong role [R §3.23]',
      { input: [{ role: 'assistant', content: [{ type: 'input_text', text: 'x' }] }] },
      "Supported values are: 'output_text'",
      'input[0].content[0]',
    ],
    [
      'the role of a tool [R §3.24]',
      { input: [{ role: 'tool', content: 'x' }] },
      "Invalid value: 'tool'",
      'input[0].role',
    ],
    [
      'a picture without a source [R §2.5]',
      part({ type: 'input_image' }),
      'Missing required',
      'input[0].content[0].image_url',
    ],
    [
      'a picture that is not a URL [R §2.5]',
      part({ type: 'input_image', image_url: 'aGk=' }),
      'Expected a valid URL',
      'input[0].content[0].image_url',
    ],
    [
      'a page as a picture [R §2.5]',
      part({ type: 'input_image', image_url: 'data:text/html;base64,aGk=' }),
      'Expected a valid URL',
      'input[0].content[0].image_url',
    ],
    [
      'bare base64 as a file [R §3.33]',
      part({ type: 'input_file', file_data: 'aGk=', filename: 'a.pdf' }),
      'Invalid file data',
      'input[0].content[0].file_data',
    ],
    [
      'a nested tool [R §3.25]',
      { tools: [{ type: 'function', function: { name: 'f' } }] },
      'Missing required',
      'tools[0].name',
    ],
    ['a tool name with a dot [R §3.26]', { tools: [tool({ name: 'a.b' })] }, 'does not match pattern', 'tools[0].name'],
    ['a long tool name [R §3.26]', { tools: [tool({ name: 'f'.repeat(65) })] }, 'maximum length 64', 'tools[0].name'],
    [
      'a union at the root [R §3.30]',
      { tools: [tool({ parameters: { type: 'object', anyOf: [] } })] },
      'Invalid schema for function',
      'tools[0].parameters',
    ],
    [
      'an open strict tool [R §3.31]',
      { tools: [tool({ strict: true })] },
      'additionalProperties',
      'tools[0].parameters',
    ],
    ['an unknown tool [R §2.6]', { tools: [{ type: 'teleport' }] }, "Invalid value: 'teleport'", 'tools[0].type'],
    [
      '51 results of a file search [R §2.6]',
      { tools: [{ type: 'file_search', vector_store_ids: ['a'], max_num_results: 51 }] },
      'between 1 and 50',
      'tools[0].max_num_results',
    ],
    [
      'a file search in nothing [R §2.6]',
      { tools: [{ type: 'file_search' }] },
      'Missing required',
      'tools[0].vector_store_ids',
    ],
    [
      'a choice of an absent tool [R §3.28]',
      { tools: [tool()], tool_choice: { type: 'function', name: 'g' } },
      "'g' not found",
      'tool_choice',
    ],
    ['a choice without tools [R §3.28]', { tool_choice: 'required' }, "with 'tools' parameter", 'tool_choice'],
    ['an unknown choice [R §2.3]', { tools: [tool()], tool_choice: 'any' }, "Invalid value: 'any'", 'tool_choice'],
  ];

  test('there are at least thirty', () => expect(PROBES.length).toBeGreaterThanOrEqual(30));

  test.each(PROBES)('%s', async (_about, change, told, param) => {
    const { status, text } = await post(gateway.url, '/v1/responses', { ...body, ...change });
    const { error } = JSON.parse(text);
    expect([status, error.type, error.param]).toEqual([400, 'invalid_request_error', param]);
    expect(error.message).toContain(told);
  });

  test('an item that was never kept is not found [R §3.11]', async () => {
    const { status, text } = await post(gateway.url, '/v1/responses', {
      model: 'r',
      input: [{ type: 'item_reference', id: 'msg_1' }],
    });
    expect([status, JSON.parse(text).error.param]).toEqual([404, 'input']);
  });
});

describe('generateContent', () => {
  const user = (...parts: unknown[]) => ({ role: 'user', parts });
  const model = (...parts: unknown[]) => ({ role: 'model', parts });
  const ask = user({ text: 'hi' });
  const call = (more: object = {}) => ({ functionCall: { name: 'f', args: {}, ...more } });
  const result = (more: object = {}) => ({ functionResponse: { name: 'f', response: {}, ...more } });
  const functions = (...functionDeclarations: unknown[]) => ({ tools: [{ functionDeclarations }] });
  const config = (generationConfig: object) => ({ generationConfig });
  const bytes = (mimeType: unknown, data: unknown) => ({ contents: [user({ inlineData: { mimeType, data } })] });
  const schema = (parameters: object) => functions({ name: 'f', parameters });
  const choice = (functionCallingConfig: object) => ({
    ...functions({ name: 'f' }),
    toolConfig: { functionCallingConfig },
  });
  const body = { contents: [ask] };

  const PROBES: readonly Probe[] = [
    [
      'no contents [G §4.1]',
      { contents: undefined, systemInstruction: { parts: [{ text: 'x' }] } },
      'contents is not specified',
    ],
    ['no parts [G §4.2]', { contents: [{ role: 'user' }] }, 'contents[0].parts: contents.parts must not be empty'],
    ['a part without data [G §4.3]', { contents: [user({})] }, 'contents[0].parts[0].data: required oneof field'],
    ['two kinds of data [G §4.4]', { contents: [user({ text: 'x', ...call() })] }, "oneof field 'data' is already set"],
    [
      'an empty text beside others [G §4.5]',
      { contents: [user({ text: '' }, { text: 'x' })] },
      'must have a non-empty text parameter',
    ],
    [
      'an unknown role [G §4.6]',
      { contents: [{ role: 'assistant', parts: [{ text: 'x' }] }] },
      'Please use a valid role',
    ],
    [
      'a call at the beginning [G §4.7]',
      { contents: [model(call()), user(result())] },
      'function call turn comes immediately after',
    ],
    [
      'a response without a call [G §4.8]',
      { contents: [ask, user(result())] },
      'function response turn comes immediately after',
    ],
    [
      'fewer responses than calls [G §4.9]',
      { contents: [ask, model(call(), call()), user(result())] },
      'number of function response parts',
    ],
    [
      'an unknown call id [G §2.4]',
      { contents: [ask, model(call({ id: 'a' })), user(result({ id: 'b' }))] },
      "id 'b' does not match",
    ],
    [
      'a foreign signature [G §4.13]',
      { contents: [ask, model({ text: 'x', thoughtSignature: 'Zm9v' }), ask] },
      'Corrupted thought signature',
    ],
    [
      'a response without a name [G §4.14]',
      { contents: [ask, model(call()), user(result({ name: '' }))] },
      'Name cannot be empty',
    ],
    [
      'a response that is a list [G §2.4]',
      { contents: [ask, model(call()), user(result({ response: [] }))] },
      'Proto field is not repeating',
    ],
    ['an unknown field [G §2.1]', { stream: true }, 'Unknown name \\"stream\\"'],
    [
      'a field of a part in other letters [G §2.1]',
      { contents: [user({ inlinedata: {} })] },
      'Unknown name \\"inlinedata\\"',
    ],
    ['a field twice [G §2.1]', { generationConfig: { topP: 1, top_p: 1 } }, 'has already been set'],
    [
      'a number as text [G §2.6]',
      config({ maxOutputTokens: 'many' }),
      "Invalid value at 'generation_config.max_output_tokens' (TYPE_INT32)",
    ],
    ['no tokens [G §2.6]', config({ maxOutputTokens: 0 }), 'max_output_tokens: must be at least 1'],
    ['temperature above 2 [G §2.6]', config({ temperature: 2.1 }), 'temperature: must be in the range'],
    ['topP above 1 [G §2.6]', config({ topP: 1.5 }), 'top_p: must be in the range'],
    ['six stop sequences [G §2.6]', config({ stopSequences: many(6, String) }), 'stop_sequences: at most 5'],
    ['a seed beyond int32 [G §2.6]', config({ seed: 2 ** 40 }), 'generation_config.seed'],
    ['a penalty of 3 [G §2.6]', config({ presencePenalty: 3 }), 'presence_penalty: must be in the range'],
    ['two answers [G §2.6]', config({ candidateCount: 2 }), 'Multiple candidates is not enabled'],
    ['logprobs without their switch [G §4.24]', config({ logprobs: 3 }), 'response_logprobs is true'],
    ['an unknown type of answer [G §2.6]', config({ responseMimeType: 'text/html' }), 'response_mime_type'],
    [
      'an answer schema for text [G §4.23]',
      config({ responseSchema: { type: 'STRING' } }),
      'Response schema is not supported',
    ],
    [
      'two answer schemas [G §2.6]',
      config({ responseMimeType: 'application/json', responseSchema: { type: 'STRING' }, responseJsonSchema: {} }),
      'mutually exclusive',
    ],
    ['an unknown modality [G §2.6]', config({ responseModalities: ['SMELL'] }), 'TYPE_ENUM'],
    [
      'budget and level [G §2.6]',
      config({ thinkingConfig: { thinkingBudget: 1, thinkingLevel: 'LOW' } }),
      'only set one of thinking budget',
    ],
    [
      'a budget out of range [G §2.6]',
      config({ thinkingConfig: { thinkingBudget: -5 } }),
      'thinking budget -5 is invalid',
    ],
    ['an unknown level [G §2.6]', config({ thinkingConfig: { thinkingLevel: 'HUGE' } }), 'thinking_level'],
    ['a function name with a slash [G §4.15]', functions({ name: 'a/b' }), 'Invalid function name'],
    ['one name twice [G §4.17]', functions({ name: 'f' }, { name: 'f' }), 'Duplicate function declaration found: f'],
    [
      'a parameter name with a dollar [G §4.16]',
      schema({ type: 'OBJECT', properties: { $a: { type: 'STRING' } } }),
      "Invalid parameter name '$a'",
    ],
    [
      'two parameter schemas [G §2.5]',
      functions({ name: 'f', parameters: { type: 'OBJECT' }, parametersJsonSchema: { type: 'object' } }),
      'mutually exclusive',
    ],
    [
      'a reference in a Schema [G §3.1]',
      schema({ type: 'OBJECT', properties: { a: { $ref: '#' } } }),
      'Unknown name \\"$ref\\"',
    ],
    ['a list of types [G §3.1]', schema({ type: ['OBJECT', 'NULL'] }), 'Proto field is not repeating'],
    [
      'required, but not defined [G §3.1]',
      schema({ type: 'OBJECT', properties: {}, required: ['a'] }),
      'property is not defined: a',
    ],
    [
      'a list without items [G §3.1]',
      schema({ type: 'OBJECT', properties: { a: { type: 'ARRAY' } } }),
      '.items: missing field',
    ],
    [
      '513 functions [G §2.5]',
      functions(...many(513, (i) => ({ name: `f${i}` }))),
      'function_declarations: at most 512',
    ],
    ['an unknown calling mode [G §2.5]', choice({ mode: 'REQUIRED' }), 'function_calling_config.mode'],
    [
      'allowed names with AUTO [G §4.22]',
      choice({ mode: 'AUTO', allowedFunctionNames: ['f'] }),
      'only be set when mode is ANY',
    ],
    [
      'an allowed name that is not declared [G §4.22]',
      choice({ mode: 'ANY', allowedFunctionNames: ['g'] }),
      "'g' is not declared",
    ],
    ['a computer without a place [G §2.5]', { tools: [{ computerUse: {} }] }, 'environment is required'],
    ['bad base64 [G §2.1]', bytes('image/png', '***'), 'Base64 decoding failed'],
    ['bytes without a type [G §2.4]', bytes(undefined, 'AAAA'), 'inline_data.mime_type'],
    ['no bytes [G §2.4]', bytes('image/png', ''), 'inline_data.data'],
    ['a GIF [G §8]', bytes('image/gif', 'R0lGODlh'), 'Unsupported MIME type: image/gif'],
    [
      'a file without an address [G §2.4]',
      { contents: [user({ fileData: { mimeType: 'image/png' } })] },
      'file_data.file_uri',
    ],
    ['an unknown category [G §2.7]', { safetySettings: [{ category: 'RUDENESS', threshold: 'OFF' }] }, 'TYPE_ENUM'],
    [
      'an unknown threshold [G §2.7]',
      { safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'SOME' }] },
      'TYPE_ENUM',
    ],
    [
      'one category twice [G §2.2]',
      { safetySettings: many(2, () => ({ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' })) },
      'duplicate category',
    ],
    [
      'a cache beside instructions [G §2.7]',
      { cachedContent: 'cachedContents/1', systemInstruction: { parts: [{ text: 'x' }] } },
      'CachedContent can not be used',
    ],
    ['instructions as text [G §2.3]', { systemInstruction: 'Be brief.' }, 'system_instruction'],
  ];

  test('there are at least thirty', () => expect(PROBES.length).toBeGreaterThanOrEqual(30));

  test.each(PROBES)('%s', async (_about, change, told) => {
    const { status, text } = await post(gateway.url, '/v1beta/models/g:generateContent', { ...body, ...change });
    expect([status, JSON.parse(text)]).toEqual([
      400,
      { error: expect.objectContaining({ code: 400, status: 'INVALID_ARGUMENT' }) },
    ]);
    expect(JSON.parse(text).error.message).toContain(told.replaceAll('\\"', '"'));
  });

  test('what the parser refuses names each field in the details [G §7]', async () => {
    const { text } = await post(gateway.url, '/v1beta/models/g:generateContent', { ...body, n: 1, user: 'x' });
    const [detail] = JSON.parse(text).error.details;
    expect(detail).toMatchObject({ '@type': 'type.googleapis.com/google.rpc.BadRequest' });
    expect(detail.fieldViolations).toHaveLength(2);
  });

  test('counting takes contents or a whole request, not both [G §1]', async () => {
    const inner = { model: 'models/g', contents: [ask] };
    const both = { contents: [ask], generateContentRequest: inner };
    const { status, text } = await post(gateway.url, '/v1beta/models/g:countTokens', both);
    expect([status, text]).toEqual([400, expect.stringContaining('Only one of contents')]);
  });

  test.each([
    [
      'one object in place of each list [G §2.1]',
      {
        contents: { parts: { text: 'hi' } },
        system_instruction: { parts: { text: 'x' } },
        tools: { function_declarations: { name: 'f' } },
      },
    ],
    [
      'turns as chats keep them from streams [G §9.13]',
      { contents: [ask, model({ text: 'a' }), model(call()), model({ text: '' }), user(result())] },
    ],
    [
      'a call that the service ran [G §9.41]',
      { contents: [ask, model(call()), model(result()), model({ text: 'x' }), ask] },
    ],
    [
      'results in turns of the older role [G §2.3]',
      { contents: [ask, model(call()), { role: 'function', parts: [result()] }] },
    ],
  ])('taken: %s', async (_about, change) => {
    expect((await post(gateway.url, '/v1beta/models/g:generateContent', { ...body, ...change })).status).toBe(200);
  });
});
