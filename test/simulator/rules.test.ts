import { describe, expect, test } from '@jest/globals';
import {
  checkGenerate,
  checkMessages,
  checkResponses,
  type JsonObject,
  type MessagesReading,
  type Violation,
} from '../../src/simulator/rules/index.js';
import { createIssuedState } from '../support/fake-backend/issued-state.js';

const state = createIssuedState();
const first = ([violation]: readonly Violation[]): string => violation?.message ?? 'accepted';
const closed = (properties: object = {}) => ({ type: 'object', properties, additionalProperties: false });

describe('messages', () => {
  const reading: MessagesReading = { version: '2023-06-01', beta: false, generation: '4.6', state };
  const check = (body: object, more: Partial<MessagesReading> = {}): string =>
    first(
      checkMessages({ model: 'm', max_tokens: 100, messages: ask, ...body } as JsonObject, { ...reading, ...more }),
    );

  const user = (...content: unknown[]) => ({ role: 'user', content });
  const assistant = (...content: unknown[]) => ({ role: 'assistant', content });
  const text = (words = 'hi') => ({ type: 'text', text: words });
  const ask = [user(text())];
  const call = (id = 'a', more: object = {}) => ({ type: 'tool_use', id, name: 'f', input: {}, ...more });
  const result = (id = 'a', more: object = {}) => ({ type: 'tool_result', tool_use_id: id, content: 'x', ...more });
  const tool = (more: object = {}) => ({ name: 'f', input_schema: { type: 'object' }, ...more });
  const mark = (ttl?: string) => ({ cache_control: { type: 'ephemeral', ...(ttl ? { ttl } : {}) } });
  const image = (data: string, media = 'image/png') => ({
    type: 'image',
    source: { type: 'base64', media_type: media, data },
  });
  const signature = state.issue('Hm.');
  const thinking = { type: 'thinking', thinking: 'Hm.', signature };
  const budget = { thinking: { type: 'enabled', budget_tokens: 1024 }, max_tokens: 2000 };

  test.each<[string, object]>([
    ['plain', {}],
    ['same role twice (2)', { messages: [user(text()), user(text())] }],
    ['assistant first (3)', { messages: [assistant(text()), user(text())] }],
    [
      'pairs over split user messages (13)',
      {
        messages: [...ask, assistant(call('a'), call('b')), user(result('a')), user(result('b'), text())],
      },
    ],
    ['tools no longer sent (19)', { messages: [...ask, assistant(call()), user(result())] }],
    ['result without content', { messages: [...ask, assistant(call()), user(result('a', { content: undefined }))] }],
    ['signed thinking (29)', { messages: [...ask, assistant(thinking, text()), user(text())] }],
    ['system behind user (8)', { messages: [...ask, { role: 'system', content: 'Be brief.' }] }],
    ['four marks (33)', { messages: [user(...Array.from({ length: 4 }, () => ({ ...text(), ...mark() })))] }],
    [
      'one hour before five minutes (35)',
      {
        tools: [{ ...tool(), ...mark('1h') }],
        messages: [user({ ...text(), ...mark('5m') })],
      },
    ],
    [
      'paused turn resumed (6)',
      {
        messages: [...ask, assistant({ type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} })],
      },
    ],
    ['closed output schema', { output_config: { format: { type: 'json_schema', schema: closed() } } }],
    [
      'adaptive with forced choice (26)',
      {
        thinking: { type: 'adaptive' },
        tools: [tool()],
        tool_choice: { type: 'any' },
      },
    ],
    ['built-in tool', { tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 2 }] }],
  ])('accepts: %s', (_name, body) => {
    expect(check(body)).toBe('accepted');
  });

  test.each<[string, object, string]>([
    ['no messages (1)', { messages: [] }, 'at least one message'],
    ['no max_tokens (1)', { max_tokens: undefined }, 'max_tokens: Field required'],
    ['unknown field (2.1)', { n: 2 }, 'n: Extra inputs are not permitted'],
    ['unknown block field', { messages: [user({ ...text(), id: 'x' })] }, 'messages.0.content.0.text.id: Extra inputs'],
    ['unknown role', { messages: [{ role: 'tool', content: 'x' }] }, "messages.0.role: Input should be 'user'"],
    ['unknown block', { messages: [user({ type: 'input_text', text: 'x' })] }, 'messages.0.content.0.type'],
    ['beta field without beta', { context_management: {} }, 'context_management: Extra inputs'],
    ['wrong type', { temperature: 'warm' }, 'temperature: Input should be a valid number'],
    ['empty content (4)', { messages: [user()] }, 'must have non-empty content'],
    ['empty string content (4)', { messages: [{ role: 'user', content: '' }, ...ask] }, 'must have non-empty content'],
    ['empty text (5)', { messages: [user(text(''))] }, 'text content blocks must be non-empty'],
    ['blank text (5)', { messages: [user(text(' \n'))] }, 'must contain non-whitespace text'],
    ['empty system (5)', { system: '' }, 'system: text content blocks must be non-empty'],
    [
      'empty text in a result (5)',
      {
        messages: [...ask, assistant(call()), user(result('a', { content: [text('')] }))],
      },
      'must be non-empty',
    ],
    ['prefill (6)', { messages: [...ask, assistant(text('It is'))] }, 'must end with a user message'],
    ['call by the user (7)', { messages: [user(call())] }, '`tool_use` blocks can only be in `assistant` messages'],
    ['image by the assistant (7)', { messages: [...ask, assistant(image('AAAA')), ...ask] }, 'only be in `user`'],
    ['system first (8)', { messages: [{ role: 'system', content: 'x' }, ...ask] }, "role 'system' is not allowed"],
    ['system before user (8)', { messages: [...ask, { role: 'system', content: 'x' }, ...ask] }, "role 'system'"],
    [
      'unanswered call (9)',
      { messages: [...ask, assistant(call()), ...ask] },
      'without `tool_result` blocks immediately after: a',
    ],
    ['call at the end (9)', { messages: [...ask, assistant(call())] }, 'must end with a user message'],
    ['stray result (10)', { messages: [user(result())] }, 'unexpected `tool_use_id`'],
    [
      'result of an older call (10)',
      {
        messages: [...ask, assistant(call()), user(result()), assistant(text()), user(result())],
      },
      'messages.4.content.0: unexpected `tool_use_id`',
    ],
    [
      'two results (11)',
      { messages: [...ask, assistant(call()), user(result(), result())] },
      'must have a single result',
    ],
    [
      'repeated call id (11)',
      {
        messages: [...ask, assistant(call(), call()), user(result())],
      },
      '`tool_use` ids must be unique',
    ],
    [
      'text before the result (12)',
      { messages: [...ask, assistant(call()), user(text(), result())] },
      'without `tool_result`',
    ],
    [
      'arguments as text (14)',
      { messages: [...ask, assistant(call('a', { input: '{}' })), user(result())] },
      'tool_use.input: Input should be a valid dictionary',
    ],
    [
      'failed result with an image (15)',
      {
        messages: [...ask, assistant(call()), user(result('a', { is_error: true, content: [image('AAAA')] }))],
      },
      'if `is_error` is true',
    ],
    [
      'server tool id (16)',
      {
        messages: [
          ...ask,
          assistant({ type: 'server_tool_use', id: 'ws_1', name: 'web_search', input: {} }, text()),
          ...ask,
        ],
      },
      'srvtoolu_',
    ],
    [
      'server result without its call (16)',
      {
        messages: [
          ...ask,
          assistant({ type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] }, text()),
          ...ask,
        ],
      },
      'unexpected `tool_use_id`',
    ],
    [
      'call id (18)',
      { messages: [...ask, assistant(call('a.b')), user(result('a.b'))] },
      "match pattern '^[a-zA-Z0-9_-]+$'",
    ],
    [
      'choice of an absent tool (19)',
      { tools: [tool()], tool_choice: { type: 'tool', name: 'g' } },
      "Tool 'g' not found",
    ],
    ['tool name (20)', { tools: [tool({ name: 'a.b' })] }, '{1,128}'],
    ['same name twice (20)', { tools: [tool(), tool()] }, 'Tool names must be unique'],
    ['schema without type (21)', { tools: [tool({ input_schema: {} })] }, 'input_schema.type: Field required'],
    ['root combinator (21)', { tools: [tool({ input_schema: { type: 'object', anyOf: [{}] } })] }, 'at the top level'],
    [
      'boolean exclusiveMinimum (21)',
      {
        tools: [tool({ input_schema: { type: 'object', properties: { a: { exclusiveMinimum: true } } } })],
      },
      'draft 2020-12',
    ],
    [
      'open strict tool (22)',
      { tools: [tool({ strict: true })] },
      "'additionalProperties' must be explicitly set to false",
    ],
    [
      'open output schema',
      { output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } },
      'additionalProperties',
    ],
    [
      'output schema with a name',
      { output_config: { format: { type: 'json_schema', schema: closed(), name: 'x' } } },
      'name: Extra inputs',
    ],
    [
      'recursive output schema',
      {
        output_config: {
          format: {
            type: 'json_schema',
            schema: { $defs: { a: closed({ a: { $ref: '#/$defs/a' } }) }, ...closed({ a: { $ref: '#/$defs/a' } }) },
          },
        },
      },
      'Recursive schemas',
    ],
    [
      'deferred with a mark (23)',
      { tools: [tool({ defer_loading: true, ...mark() }), tool({ name: 'g' })] },
      'cannot use prompt caching',
    ],
    [
      'small budget (24)',
      { ...budget, thinking: { type: 'enabled', budget_tokens: 1000 } },
      'greater than or equal to 1024',
    ],
    ['budget not below the cap (24)', { ...budget, max_tokens: 1024 }, 'must be greater than `thinking.budget_tokens`'],
    ['temperature with thinking (25)', { ...budget, temperature: 0.5 }, 'may only be set to 1'],
    [
      'forced choice with a budget (26)',
      { ...budget, tools: [tool()], tool_choice: { type: 'any' } },
      'forces tool use',
    ],
    [
      'loop that does not begin with thinking (27)',
      {
        ...budget,
        messages: [...ask, assistant(text(), call()), user(result())],
      },
      'Expected `thinking` or `redacted_thinking`, but found `text`',
    ],
    [
      'changed thinking (28)',
      {
        messages: [...ask, assistant({ ...thinking, thinking: 'Ha.' }, text()), ...ask],
      },
      'cannot be modified',
    ],
    [
      'emptied thinking (28)',
      { messages: [...ask, assistant({ ...thinking, thinking: '' }, text()), ...ask] },
      'cannot be modified',
    ],
    [
      'foreign signature (29)',
      {
        messages: [...ask, assistant({ ...thinking, signature: 'AAAA' }, text()), ...ask],
      },
      'Invalid `signature`',
    ],
    [
      'no signature (29)',
      {
        messages: [...ask, assistant({ type: 'thinking', thinking: 'x' }, text()), ...ask],
      },
      'thinking.signature: Field required',
    ],
    ['thinking at the end (30)', { messages: [...ask, assistant(text(), thinking), ...ask] }, 'cannot be `thinking`'],
    [
      'five marks (33)',
      {
        messages: [user(...Array.from({ length: 4 }, () => ({ ...text(), ...mark() })))],
        ...mark(),
      },
      'Found 5',
    ],
    [
      'mark on thinking (34)',
      { messages: [...ask, assistant({ ...thinking, ...mark() }, text()), ...ask] },
      'Extra inputs',
    ],
    [
      'five minutes before one hour (35)',
      {
        system: [{ ...text(), ...mark() }],
        messages: [user({ ...text(), ...mark('1h') })],
      },
      "a ttl='1h' cache_control block must not come after",
    ],
    ['image type (36)', { messages: [user(image('AAAA', 'image/bmp'))] }, "Input should be 'image/jpeg'"],
    ['data URL as data (37)', { messages: [user(image('data:image/png;base64,AAAA'))] }, 'Invalid base64'],
    [
      'citations on some documents (39)',
      {
        messages: [
          user(
            {
              type: 'document',
              source: { type: 'text', media_type: 'text/plain', data: 'a' },
              citations: { enabled: true },
            },
            { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'b' } },
          ),
        ],
      },
      'on all documents',
    ],
    ['temperature with top_p (41)', { temperature: 0.5, top_p: 0.5 }, 'cannot both be specified'],
    ['temperature of another dialect', { temperature: 1.5 }, 'temperature: range: 0..1'],
    ['blank stop sequence (42)', { stop_sequences: ['\n'] }, 'must contain non-whitespace'],
    ['metadata key', { metadata: { user: 'x' } }, 'metadata.user: Extra inputs'],
  ])('refuses: %s', (_name, body, message) => {
    expect(check(body)).toContain(message);
  });

  test('goes by version and generation', () => {
    expect(check({ temperature: 1 })).toBe('accepted');
    expect(check({ temperature: 1 }, { version: '2026-10-21' })).toContain('temperature: Extra inputs');
    expect(check({ temperature: 0.5 }, { generation: '4.7' })).toContain('not supported');
    expect(check(budget, { generation: '4.7' })).toContain('adaptive');
    expect(check({ thinking: { type: 'adaptive' } }, { generation: '4.5' })).toContain('not supported');
    const prefill = { messages: [...ask, assistant(text('It is'))] };
    expect(check(prefill, { generation: '4.5' })).toBe('accepted');
    const trailing = { messages: [...ask, assistant(text('It is '))] };
    expect(check(trailing, { generation: '4.5' })).toContain('trailing whitespace');
  });
});

describe('responses', () => {
  const reading = {
    context: [],
    issued: { reasoningOf: new Map([['fc_known', 'rs_known']]), stored: new Set(['msg_stored']) },
    state,
  };
  const check = (body: object): Violation | undefined =>
    checkResponses({ model: 'm', input: 'hi', ...body } as JsonObject, reading)[0];

  const call = (call_id = 'a', more: object = {}) => ({
    type: 'function_call',
    call_id,
    name: 'f',
    arguments: '{}',
    ...more,
  });
  const output = (call_id = 'a', more: object = {}) => ({
    type: 'function_call_output',
    call_id,
    output: 'x',
    ...more,
  });
  const message = (role: string, ...content: unknown[]) => ({ role, content });
  const token = state.issue('rs_known');
  const reasoning = { type: 'reasoning', id: 'rs_known', summary: [], encrypted_content: token };
  const tool = (more: object = {}) => ({ type: 'function', name: 'f', parameters: closed(), strict: false, ...more });

  test.each<[string, object]>([
    ['a string', {}],
    ['pairs in any order behind each other', { input: [call('a'), call('b'), output('b'), output('a')] }],
    ['a stored item by reference', { input: [{ type: 'item_reference', id: 'msg_stored' }, message('user')] }],
    ['reasoning with its call', { input: [reasoning, call('a', { id: 'fc_known' }), output()] }],
    ['reasoning without id', { input: [{ ...reasoning, id: undefined }, call(), output()] }],
    ['a known call without id and reasoning', { input: [call(), output()] }],
    [
      'easy messages',
      { input: [{ role: 'assistant', content: 'x' }, message('developer', { type: 'input_text', text: 'x' })] },
    ],
    ['a strict tool', { tools: [tool({ strict: true })] }],
    ['JSON mode', { input: 'Answer in JSON.', text: { format: { type: 'json_object' } } }],
    ['hosted choice', { tools: [{ type: 'web_search' }], tool_choice: { type: 'web_search' } }],
    [
      'an image',
      { input: [message('user', { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'low' })] },
    ],
  ])('accepts: %s', (_name, body) => {
    expect(check(body)).toBeUndefined();
  });

  test.each<[string, object, Partial<Violation>]>([
    ['unanswered call (1)', { input: [call()] }, { param: 'input' }],
    ['stray output (2)', { input: [output()] }, { param: 'input' }],
    ['reasoning at the end (4)', { input: [reasoning] }, { param: 'input' }],
    ['reasoning before a user message (4)', { input: [reasoning, message('user')] }, { param: 'input' }],
    ['known call without its reasoning (5)', { input: [call('a', { id: 'fc_known' }), output()] }, { param: 'input' }],
    [
      'id prefix (7)',
      { input: [call('a', { id: 'toolu_1' }), output()] },
      { param: 'input[0].id', code: 'invalid_value' },
    ],
    [
      'id characters (8)',
      { input: [call('a', { id: 'fc_a.b' }), output()] },
      { param: 'input[0].id', code: 'invalid_value' },
    ],
    [
      'id length (8)',
      { input: [call('a', { id: `fc_${'x'.repeat(62)}` }), output()] },
      { code: 'string_above_max_length' },
    ],
    ['call_id length (9)', { input: [call('x'.repeat(65)), output('x'.repeat(65))] }, { param: 'input[0].call_id' }],
    [
      'same id twice (10)',
      { input: [call('a', { id: 'fc_1' }), output(), call('b', { id: 'fc_1' }), output('b')] },
      { param: 'input' },
    ],
    ['unknown reference (11)', { input: [{ type: 'item_reference', id: 'msg_none' }] }, { status: 404 }],
    [
      'bare reasoning id (11)',
      { input: [{ type: 'reasoning', id: 'rs_x', summary: [] }, call(), output()] },
      { status: 404 },
    ],
    [
      'two sources of state (13)',
      { previous_response_id: 'resp_a', conversation: 'conv_a' },
      { code: 'mutually_exclusive_parameters' },
    ],
    [
      'foreign state (14)',
      { input: [{ ...reasoning, encrypted_content: 'AAAA' }, call(), output()] },
      { code: 'invalid_encrypted_content' },
    ],
    [
      'state under another id (14)',
      { input: [{ ...reasoning, id: 'rs_other' }, call(), output()] },
      { code: 'invalid_encrypted_content' },
    ],
    ['token cap (19)', { max_output_tokens: 15 }, { param: 'max_output_tokens', code: 'integer_below_min_value' }],
    ['temperature (20)', { temperature: -0.1 }, { param: 'temperature', code: 'decimal_below_min_value' }],
    ['unknown name (21)', { max_tokens: 5 }, { param: 'max_tokens', code: 'unknown_parameter' }],
    ['moved name (21)', { response_format: {} }, { param: 'response_format', code: 'unsupported_parameter' }],
    [
      'foreign item key (22)',
      { input: [call('a', { cache_control: {} }), output()] },
      { param: 'input[0].cache_control', code: 'unknown_parameter' },
    ],
    [
      'foreign part key (22)',
      { input: [message('user', { type: 'input_text', text: 'x', cache_control: {} })] },
      { param: 'input[0].content[0].cache_control' },
    ],
    [
      'namespace on a message (22)',
      { input: [{ ...message('user'), namespace: 'x' }] },
      { param: 'input[0].namespace' },
    ],
    [
      'part type of another dialect (23)',
      { input: [message('user', { type: 'text', text: 'x' })] },
      { param: 'input[0].content[0]', code: 'invalid_value' },
    ],
    [
      'input part in an assistant turn (23)',
      { input: [message('assistant', { type: 'input_text', text: 'x' })] },
      { param: 'input[0].content[0]' },
    ],
    [
      'output part in a user turn (23)',
      { input: [message('user', { type: 'output_text', text: 'x' })] },
      { code: 'invalid_value' },
    ],
    ['role tool (24)', { input: [message('tool')] }, { param: 'input[0].role', code: 'invalid_value' }],
    [
      'nested tool (25)',
      { tools: [{ type: 'function', function: { name: 'f' } }] },
      { param: 'tools[0].name', code: 'missing_required_parameter' },
    ],
    ['tool name (26)', { tools: [tool({ name: 'a.b' })] }, { param: 'tools[0].name', code: 'invalid_value' }],
    [
      'format without name (27)',
      { text: { format: { type: 'json_schema', schema: closed() } } },
      { param: 'text.format.name', code: 'missing_required_parameter' },
    ],
    [
      'choice of an absent tool (28)',
      { tools: [tool()], tool_choice: { type: 'function', name: 'g' } },
      { param: 'tool_choice' },
    ],
    ['JSON mode without the word (29)', { text: { format: { type: 'json_object' } } }, { param: 'input' }],
    [
      'root of parameters (30)',
      { tools: [tool({ parameters: { anyOf: [] } })] },
      { code: 'invalid_function_parameters' },
    ],
    [
      'open strict tool (31)',
      { tools: [tool({ strict: true, parameters: { type: 'object', properties: {} } })] },
      { code: 'invalid_function_parameters' },
    ],
    [
      'optional property in a strict tool (31)',
      { tools: [tool({ strict: true, parameters: closed({ a: {} }) })] },
      { code: 'invalid_function_parameters' },
    ],
    [
      'combinator in a strict schema (32)',
      {
        text: {
          format: {
            type: 'json_schema',
            name: 'x',
            strict: true,
            schema: { ...closed({ a: { oneOf: [] } }), required: ['a'] },
          },
        },
      },
      { param: 'text.format.schema', code: 'invalid_json_schema' },
    ],
    [
      'bare base64 file (33)',
      { input: [message('user', { type: 'input_file', filename: 'a.pdf', file_data: 'AAAA' })] },
      { param: 'input[0].content[0].file_data' },
    ],
    [
      'image object',
      { input: [message('user', { type: 'input_image', image_url: { url: 'x' } })] },
      { code: 'invalid_type' },
    ],
    [
      'arguments as object',
      { input: [call('a', { arguments: {} }), output()] },
      { param: 'input[0].arguments', code: 'invalid_type' },
    ],
    ['stream options alone (38)', { stream_options: { include_obfuscation: false } }, { param: 'stream_options' }],
    ['nothing to answer', { input: undefined }, { param: 'input', code: 'missing_required_parameter' }],
    ['metadata values', { metadata: { a: 1 } }, { param: 'metadata' }],
  ])('refuses: %s', (_name, body, expected) => {
    expect(check(body)).toMatchObject(expected);
  });
});

describe('generateContent', () => {
  const check = (body: object, model = 'gemini-3-x', gemini3 = false, host: 'dev' | 'cloud' = 'dev'): string =>
    first(checkGenerate({ contents: ask, ...body } as JsonObject, { model, host, gemini3, state }));

  const user = (...parts: unknown[]) => ({ role: 'user', parts });
  const model = (...parts: unknown[]) => ({ role: 'model', parts });
  const ask = [user({ text: 'hi' })];
  const call = (more: object = {}) => ({ functionCall: { name: 'f', args: {} }, ...more });
  const answer = (more: object = {}) => ({ functionResponse: { name: 'f', response: { output: 1 }, ...more } });
  const declare = (more: object = {}) => ({ tools: [{ functionDeclarations: [{ name: 'f', ...more }] }] });
  const config = (generationConfig: object) => ({ generationConfig });
  const signature = state.issue('call ["f",{}]');

  test.each<[string, object]>([
    ['plain', {}],
    ['snake case', { system_instruction: { parts: [{ text: 'x' }] }, generation_config: { max_output_tokens: 5 } }],
    ['null fields', { systemInstruction: null, generationConfig: { temperature: null } }],
    ['a loop', { contents: [...ask, model(call(), call()), user(answer(), answer())] }],
    ['a signed call', { contents: [...ask, model(call({ thoughtSignature: signature })), user(answer())] }],
    [
      'free keys in args',
      { contents: [...ask, model({ functionCall: { name: 'f', args: { any_key: { x: 1 } } } }), user(answer())] },
    ],
    [
      'schema properties named like keywords',
      declare({ parameters: { type: 'OBJECT', properties: { title: { type: 'STRING' }, const: { type: 'STRING' } } } }),
    ],
    ['JSON Schema with anything', declare({ parametersJsonSchema: { type: 'object', $defs: {}, oneOf: [] } })],
    ['signed empty text', { contents: [...ask, model({ text: '', thoughtSignature: state.issue('text') }), ...ask] }],
  ])('accepts: %s', (_name, body) => {
    expect(check(body)).toBe('accepted');
  });

  test.each<[string, object, string]>([
    ['no contents (1)', { contents: [] }, 'contents is not specified'],
    ['no parts (2)', { contents: [user()] }, 'must not be empty'],
    ['empty part (3)', { contents: [user({})] }, "required oneof field 'data'"],
    [
      'signature alone (3)',
      { contents: [...ask, model({ thoughtSignature: signature }), ...ask] },
      "required oneof field 'data'",
    ],
    [
      'two members (4)',
      { contents: [user({ text: 'x', inlineData: { mimeType: 'image/png', data: '' } })] },
      'oneof field',
    ],
    ['empty text (5)', { contents: [user({ text: '' }, { text: 'x' })] }, 'non-empty text parameter'],
    ['role (6)', { contents: [{ role: 'assistant', parts: [{ text: 'x' }] }] }, 'Please use a valid role'],
    ['call first (7)', { contents: [model(call()), user(answer())] }, 'function call turn comes immediately after'],
    [
      'call behind model text (7)',
      { contents: [...ask, model({ text: 'x' }), model(call()), user(answer())] },
      'function call turn',
    ],
    ['response without call (8)', { contents: [user(answer())] }, 'function response turn comes immediately after'],
    ['too few responses (9)', { contents: [...ask, model(call(), call()), user(answer())] }, 'equal to the number'],
    ['unanswered call (9)', { contents: [...ask, model(call()), ...ask] }, 'equal to the number'],
    ['ends with model (11)', { contents: [...ask, model({ text: 'x' })] }, 'ending with a model turn'],
    [
      'foreign signature (13)',
      { contents: [...ask, model(call({ thoughtSignature: 'AAAA' })), user(answer())] },
      'Corrupted thought signature',
    ],
    [
      'signature on another call (13)',
      {
        contents: [...ask, model({ functionCall: { name: 'g' }, thoughtSignature: signature }), user(answer())],
      },
      'Thought signature is not valid',
    ],
    [
      'nameless response (14)',
      { contents: [...ask, model(call()), user(answer({ name: '' }))] },
      'Name cannot be empty',
    ],
    [
      'response id',
      {
        contents: [...ask, model({ functionCall: { name: 'f', id: 'one' } }), user(answer({ id: 'two' }))],
      },
      "'two' does not match",
    ],
    ['function name (15)', declare({ name: '1f' }), 'Invalid function name'],
    [
      'parameter name (16)',
      declare({ parametersJsonSchema: { type: 'object', properties: { 'a-b': {} } } }),
      'Invalid parameter name',
    ],
    [
      'same name twice (17)',
      { tools: [{ functionDeclarations: [{ name: 'f' }, { name: 'f' }] }] },
      'Duplicate function',
    ],
    [
      'built-in beside functions (19)',
      { tools: [{ functionDeclarations: [{ name: 'f' }], googleSearch: {} }] },
      'include_server_side_tool_invocations',
    ],
    [
      'names with AUTO (22)',
      {
        ...declare(),
        toolConfig: { functionCallingConfig: { mode: 'AUTO', allowedFunctionNames: ['f'] } },
      },
      'only be set when mode is ANY',
    ],
    [
      'schema without mime type (23)',
      config({ responseJsonSchema: { type: 'object' } }),
      'Response schema is not supported',
    ],
    ['logprobs alone (24)', config({ logprobs: 2 }), 'response_logprobs'],
    ['budget and level', config({ thinkingConfig: { thinkingBudget: 1, thinkingLevel: 'LOW' } }), 'only set one of'],
    ['unknown top field', { messages: [] }, 'Unknown name "messages": Cannot find field.'],
    [
      'unknown part field',
      { contents: [user({ text: 'x', cache_control: {} })] },
      'Unknown name "cache_control" at \'contents[0].parts[0]\'',
    ],
    ['wrong case', { generationconfig: {} }, 'Unknown name "generationconfig"'],
    [
      'JSON Schema word in Schema',
      declare({ parameters: { type: 'OBJECT', additionalProperties: false } }),
      'Unknown name "additionalProperties"',
    ],
    [
      'the same below properties',
      declare({ parameters: { type: 'OBJECT', properties: { a: { const: 1 } } } }),
      'Unknown name "const" at \'tools[0].function_declarations[0].parameters.properties.a\'',
    ],
    ['list of types', declare({ parameters: { type: ['string', 'null'] } }), 'cannot start list'],
    [
      'required but not defined',
      declare({ parameters: { type: 'OBJECT', properties: {}, required: ['a'] } }),
      'property is not defined',
    ],
    [
      'list without items',
      declare({ parameters: { type: 'OBJECT', properties: { a: { type: 'ARRAY' } } } }),
      'items: missing field',
    ],
    [
      'bad base64',
      { contents: [user({ inlineData: { mimeType: 'image/png', data: 'a b' } })] },
      'Base64 decoding failed',
    ],
    ['wrong scalar', config({ maxOutputTokens: 'many' }), '(TYPE_INT32), "many"'],
    ['response as text', { contents: [...ask, model(call()), user(answer({ response: 'x' }))] }, 'Invalid value'],
    ['both spellings', { contents: ask, generationConfig: {}, generation_config: {} }, 'has already been set'],
    [
      'cached content with tools (25)',
      { ...declare(), cachedContent: 'cachedContents/x' },
      'CachedContent can not be used',
    ],
    ['temperature', config({ temperature: 3 }), 'temperature'],
  ])('refuses: %s', (_name, body, message) => {
    expect(check(body)).toContain(message);
  });

  test('lists every violation with its snake_case path', () => {
    const [violation] = checkGenerate(
      { contents: [{ parts: [{ text: 'x', foo: 1 }] }], bar: 2 },
      {
        model: 'm',
        host: 'dev',
        gemini3: false,
        state,
      },
    );
    expect(violation?.details).toEqual([
      {
        '@type': 'type.googleapis.com/google.rpc.BadRequest',
        fieldViolations: [
          { field: 'contents[0].parts[0]', description: expect.stringContaining('"foo"') },
          { field: '', description: expect.stringContaining('"bar"') },
        ],
      },
    ]);
  });

  test('goes by model and host', () => {
    const json = { ...declare(), ...config({ responseMimeType: 'application/json' }) };
    expect(check(json)).toBe('accepted');
    expect(check(json, 'gemini-2.5-flash')).toContain('unsupported');
    expect(check({ contents: [...ask, model({ text: 'x' })] }, 'gemini-2.5-flash')).toBe('accepted');
    const mixed = { tools: [{ functionDeclarations: [{ name: 'f' }], googleSearch: {} }] };
    expect(check(mixed, 'gemini-2.5-flash')).toContain('Tool use with function calling is unsupported');
    expect(check(mixed, 'gemini-3-x', false, 'cloud')).toBe('accepted');
    const flag = { toolConfig: { includeServerSideToolInvocations: true } };
    expect(check({ ...mixed, ...flag })).toBe('accepted');
    expect(check({ ...mixed, ...flag }, 'gemini-3-x', false, 'cloud')).toContain('not supported');
  });

  test('gemini3: the first call of every step in the current turn needs a signature', () => {
    const signed = call({ thoughtSignature: signature });
    const dummy = call({ thoughtSignature: 'skip_thought_signature_validator' });
    const strict = (...contents: object[]): string => check({ contents }, 'gemini-3-x', true);
    const question = user({ text: 'again' });
    expect(strict(...ask, model(call()), user(answer()))).toContain('`default_api:f`, position 2');
    expect(strict(...ask, model(signed, call()), user(answer(), answer()))).toBe('accepted');
    expect(strict(...ask, model(dummy), user(answer()))).toBe('accepted');
    expect(strict(...ask, model(signed), user(answer()), model(call()), user(answer()))).toContain('position 4');
    expect(strict(...ask, model(call()), user(answer()), question)).toBe('accepted');
  });
});
