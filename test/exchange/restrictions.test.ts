import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  json,
  type Recorder,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
  type Tree,
  WHOLE,
} from '../support/gateway/harness.js';

// What a 400 says is made good once, told as a loss, and remembered of the model ([H §10.3], translation.md 2.1).

let recorder: Recorder;
let gateway: TestGateway;

beforeEach(async () => {
  recorder = await startRecorder();
  const baseUrl = recorder.url;
  const chat = { dialect: 'chatCompletions', baseUrl } as const;
  gateway = await startGateway(
    {
      backends: {
        chat,
        own: { ...chat, profile: { server: { maxTokensField: 'max_tokens', developerRole: true } } },
        claude: { dialect: 'messages', baseUrl },
        gemini: { dialect: 'generateContent', baseUrl },
        openai: { dialect: 'responses', baseUrl },
      },
      models: {
        m: { backend: 'chat' },
        other: { backend: 'chat' },
        'kimi-*': { backend: 'chat' },
        own: { backend: 'own' },
        'claude-*': { backend: 'claude' },
        'gemini-*': { backend: 'gemini' },
        'gpt-*': { backend: 'openai' },
      },
    },
    { largeBytes: 20_000 },
  );
});
afterEach(async () => {
  await gateway.close();
  await recorder.close();
});

const ANSWER = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'm-real',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
};

/** The server refuses what `fault` names, in the words of [H §9.1] for `error`. */
function refuse(fault: (body: Tree) => object | undefined, status = 400): void {
  recorder.reply = (response, seen) => {
    const refusal = fault(JSON.parse(seen.body));
    if (refusal === undefined) json(response, 200, ANSWER);
    else json(response, status, refusal);
  };
}

const error = (message: string, more: object = {}) => ({
  error: { message, type: 'invalid_request_error', param: null, code: null, ...more },
});

const ask = (more: object = {}, model = 'm') => ({
  path: '/v1/messages',
  body: { model, max_tokens: 64, messages: [{ role: 'user', content: 'Hello' }], ...more },
});

async function exchange(more: object = {}, model = 'm', headers: Record<string, string> = {}) {
  recorder.seen.length = 0;
  const { path, body } = ask(more, model);
  const answer = await send(gateway.url, path, { body, headers });
  const sent: Tree[] = recorder.seen.map((seen) => JSON.parse(seen.body));
  return { status: answer.status, sent, losses: String(answer.headers['x-interlingua-loss'] ?? ''), answer };
}

const UNSUPPORTED = error('Unsupported parameter: top_p', { code: 'unsupported_parameter', param: 'top_p' });
const refusesTopP = (body: Tree) => (body.top_p === undefined ? undefined : UNSUPPORTED);

describe('a field that a server does not know', () => {
  test('is left out of the second call, and from then on of the first', async () => {
    refuse(refusesTopP);
    const first = await exchange({ top_p: 0.5 });
    expect([first.status, first.sent.map(({ top_p: p }) => p)]).toEqual([200, [0.5, undefined]]);
    expect(first.losses).toContain('sampling.topP;kind=dropped;path="/top_p"');
    const second = await exchange({ top_p: 0.25 });
    expect([second.status, second.sent.map(({ top_p: p }) => p)]).toEqual([200, [undefined]]);
    expect(second.losses).toContain('sampling.topP;kind=dropped;path="/top_p"');
    expect((await exchange()).losses).not.toContain('topP');
  });

  test('is known of one model, and not of others', async () => {
    refuse(refusesTopP);
    await exchange({ top_p: 0.5 });
    expect((await exchange({ top_p: 0.5 }, 'other')).sent).toHaveLength(2);
  });

  test('is refused before any call under strict, once that is known', async () => {
    refuse(refusesTopP);
    await exchange({ top_p: 0.5 });
    const strict = await exchange({ top_p: 0.5 }, 'm', { 'x-interlingua-losses': 'strict' });
    expect([strict.status, strict.sent.length]).toEqual([400, 0]);
  });

  test('keeps its other name', async () => {
    const words =
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    refuse((body) => (body.max_tokens === undefined ? undefined : error(words, { code: 'unsupported_parameter' })));
    expect((await exchange()).sent).toHaveLength(2);
    const { sent, losses } = await exchange();
    expect(sent.map(({ max_completion_tokens: cap }) => cap)).toEqual([64]);
    expect(losses).not.toContain('maxOutput');
  });

  test('is named in a 422 too', async () => {
    const detail = { type: 'extra_forbidden', loc: ['body', 'top_k'], msg: 'Extra inputs are not permitted' };
    refuse((body) => (body.top_k === undefined ? undefined : { object: 'Error', message: [detail] }), 422);
    await gateway.close();
    gateway = await startGateway({
      backends: { chat: { dialect: 'chatCompletions', baseUrl: recorder.url, profile: { sampling: [] } } },
    });
    expect((await exchange({ top_k: 3 })).sent.map(({ top_k: k }) => k)).toEqual([3, undefined]);
    expect((await exchange({ top_k: 3 })).sent).toHaveLength(1);
  });

  test('whose value alone is refused is left out once, and asked for again', async () => {
    refuse((body) => (body.temperature > 0.9 ? error('temperature must be at most 0.9') : undefined));
    expect((await exchange({ temperature: 1 })).sent.map(({ temperature: t }) => t)).toEqual([1, undefined]);
    const { sent, losses } = await exchange({ temperature: 0.3 });
    expect([sent.map(({ temperature: t }) => t), losses]).toEqual([[0.3], '']);
  });

  test('is not remembered where the second call was refused as well', async () => {
    refuse(() => UNSUPPORTED);
    expect([(await exchange({ top_p: 0.5 })).status, recorder.seen.length]).toEqual([400, 2]);
    refuse(() => undefined);
    expect((await exchange({ top_p: 0.5 })).sent.map(({ top_p: p }) => p)).toEqual([0.5]);
  });

  test.each([500, 503, 408])('is nothing that a %d tells', async (status) => {
    refuse(() => UNSUPPORTED, status);
    expect((await exchange({ top_p: 0.5 })).sent).toHaveLength(1);
  });
});

describe('a window that input and cap exceed together', () => {
  const WINDOW = 2000;
  /** What the server counts: about a token for three characters. */
  const counted = ({ messages }: Tree) => Math.ceil(JSON.stringify(messages).length / 3);
  const inWords = (body: Tree) => {
    const input = counted(body);
    if (body.max_tokens === undefined || input + body.max_tokens <= WINDOW) return undefined;
    return error(
      `'max_tokens' or 'max_completion_tokens' is too large: ${body.max_tokens}. This model's maximum context length is ${WINDOW} tokens and your request has ${input} input tokens (${body.max_tokens} > ${WINDOW} - ${input}).`,
      { type: 'BadRequestError', code: 400, param: 'max_tokens' },
    );
  };
  const talk = (words: number) => ({
    messages: [{ role: 'user', content: 'two words '.repeat(words) }],
    max_tokens: 4096,
  });

  test('lowers the cap to what is left', async () => {
    refuse(inWords);
    const { status, sent, losses } = await exchange(talk(100));
    expect(status).toBe(200);
    expect(sent.map(({ max_tokens: cap }) => cap)).toEqual([4096, WINDOW - counted(sent[0]) - 16]);
    expect(losses).toContain('maxOutput;kind=approximated;path="/max_tokens"');
    const second = await exchange(talk(100));
    expect(second.sent.map(({ max_tokens: cap }) => cap)).toEqual([sent[1].max_tokens]);
    expect(second.losses).toContain('maxOutput;kind=approximated');
  });

  test('and later by what is estimated of each request', async () => {
    refuse(inWords);
    await exchange(talk(400));
    const short = await exchange(talk(50));
    expect([short.status, short.sent.length]).toEqual([200, 1]);
    expect(short.sent[0].max_tokens).toBeGreaterThan(1500);
    expect((await exchange({ max_tokens: 10 })).losses).toBe('');
  });

  test('in the words of other servers', async () => {
    refuse(({ max_tokens: cap }) =>
      cap > 500
        ? error(
            `This model's maximum context length is 700 tokens. However, you requested ${cap + 184} tokens (184 in the messages, ${cap} in the completion). Please reduce the length of the messages or completion.`,
            { code: 'context_length_exceeded' },
          )
        : undefined,
    );
    expect((await exchange(talk(10))).sent.map(({ max_tokens: cap }) => cap)).toEqual([4096, 500]);
  });

  test('says nothing when the input alone is too long', async () => {
    refuse(() =>
      error("This model's maximum context length is 700 tokens and your request has 900 input tokens", {
        code: 'context_length_exceeded',
      }),
    );
    expect([(await exchange()).status, recorder.seen.length]).toEqual([400, 1]);
  });

  test('a cap above what the model generates', async () => {
    refuse(({ max_tokens: cap }) =>
      cap > 512 ? error('max_tokens is too large: 4096. This model supports at most 512 completion tokens') : undefined,
    );
    expect((await exchange(talk(1))).sent.map(({ max_tokens: cap }) => cap)).toEqual([4096, 512]);
    expect((await exchange(talk(1))).sent.map(({ max_tokens: cap }) => cap)).toEqual([512]);
  });
});

describe('a schema of which a server can make no grammar (translation.md 3)', () => {
  const input_schema = {
    type: 'object',
    properties: {
      zip: { type: 'string', pattern: '^[0-9]{5}$' },
      at: { oneOf: [{ type: 'integer' }, { type: 'null' }] },
    },
    required: ['zip'],
    additionalProperties: false,
  };
  const tools = { tools: [{ name: 'find', description: 'Finds.', input_schema }] };

  test.each([
    ['a grammar builder', 'The provided JSON schema contains features not supported by xgrammar.'],
    [
      'Gemini',
      'Invalid JSON payload received. Unknown name "pattern" at \'tools[0].function_declarations[0].parameters\': Cannot find field.',
    ],
  ])('is sent once more with few keywords: %s', async (_title, message) => {
    refuse((body) => (JSON.stringify(body).includes('"pattern"') ? error(message) : undefined));
    const { status, sent, losses } = await exchange(tools);
    expect([status, sent.length]).toEqual([200, 2]);
    expect(sent[0].tools[0].function.parameters).toEqual(input_schema);
    expect(sent[1].tools[0].function.parameters).toEqual({
      type: 'object',
      properties: {
        zip: { type: 'string', description: '[Note: matches the pattern ^[0-9]{5}$.]' },
        at: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
      },
      required: ['zip'],
      description: '[Note: no other properties.]',
    });
    expect(losses).toContain('tool.schema;kind=approximated;path="/tools/0"');
    const second = await exchange(tools);
    expect([second.sent.length, second.losses]).toEqual([1, losses]);
  });

  test('the schema of an answer', async () => {
    const schema = { type: 'object', properties: { n: { type: 'integer', minimum: 1 } }, required: ['n'] };
    refuse((body) => (JSON.stringify(body).includes('"minimum"') ? error('Invalid grammar: minimum') : undefined));
    const { sent, losses } = await exchange({ output_config: { format: { type: 'json_schema', schema } } });
    expect(sent[1].response_format.json_schema.schema.properties.n).toEqual({
      type: 'integer',
      description: '[Note: at least 1.]',
    });
    expect(losses).toContain('output.schema;kind=approximated');
  });

  test('is not sent again where that would change nothing', async () => {
    refuse(() => error('Invalid schema for function'));
    const plain = { type: 'object', properties: { a: { type: 'string' } } };
    const { status, sent } = await exchange({ tools: [{ name: 'find', input_schema: plain }] });
    expect([status, sent.length]).toEqual([400, 1]);
  });
});

describe('the manners of a server', () => {
  test('a choice of tools that it does not know', async () => {
    const message = 'deepseek-reasoner does not support this tool_choice';
    refuse((body) => (body.tool_choice === 'required' ? error(message) : undefined));
    const tools = [{ name: 'find', input_schema: { type: 'object', properties: {} } }];
    const { status, sent, losses } = await exchange({ tools, tool_choice: { type: 'any' } });
    expect([status, sent.map(({ tool_choice: choice }) => choice)]).toEqual([200, ['required', 'auto']]);
    expect(losses).toContain('toolChoice');
  });

  test('the length of its ids', async () => {
    const message = 'Tool call id was toolu_000000001 but must be a-z, A-Z, 0-9, with a length of 9.';
    refuse((body) => (/"id":"[A-Za-z0-9]{9}"/.test(JSON.stringify(body.messages)) ? undefined : error(message)));
    const messages = [
      { role: 'user', content: 'q' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_000000001', name: 'f', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_000000001', content: 'r' }] },
    ];
    const tools = [{ name: 'f', input_schema: { type: 'object', properties: {} } }];
    const { status, sent } = await exchange({ messages, tools });
    expect([status, sent.length]).toEqual([200, 2]);
    const [, call, result] = sent[1].messages;
    expect(result.tool_call_id).toBe(call.tool_calls[0].id);
  });

  test('reasoning that it wants back, for which one space stands where nothing is refused (hard case H-REAS-06)', async () => {
    const refusal = error(
      'thinking is enabled but reasoning_content is missing in assistant tool call message at index 1',
    );
    refuse(({ messages }) => (messages[1].reasoning_content?.length > 0 ? undefined : refusal));
    const messages = [
      { role: 'user', content: 'q' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'f', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'r' }] },
    ];
    const tools = [{ name: 'f', input_schema: { type: 'object', properties: {} } }];
    const { status, sent, losses } = await exchange({ messages, tools }, 'kimi-k2-thinking');
    expect(status).toBe(200);
    expect(sent.map((body) => body.messages[1].reasoning_content)).toEqual(['', ' ']);
    expect(losses).toContain('reasoning.state;kind=invented');
    expect((await exchange({ messages, tools }, 'kimi-k2-thinking')).sent).toHaveLength(1);
  });

  test('reasoning that it wants back with every message of its own, once tools are declared', async () => {
    const refusal = error('The `reasoning_content` in the thinking mode must be passed back to the API.');
    refuse(({ messages }) =>
      messages.every((message: Tree) => message.role !== 'assistant' || message.reasoning_content !== undefined)
        ? undefined
        : refusal,
    );
    const messages = [
      { role: 'user', content: 'q' },
      { role: 'assistant', content: [{ type: 'text', text: 'a' }] },
      { role: 'user', content: 'r' },
    ];
    const tools = [{ name: 'f', input_schema: { type: 'object', properties: {} } }];
    const { status, sent } = await exchange({ messages, tools });
    expect([status, sent.map((body) => body.messages[1].reasoning_content)]).toEqual([200, [undefined, '']]);
  });

  test('are what the operator says they are', async () => {
    refuse(() => error("developer is not one of ['system', 'assistant', 'user'] - 'messages.0.role'"));
    recorder.seen.length = 0;
    const input = [
      { role: 'developer', content: 'Be brief.' },
      { role: 'user', content: 'Hello' },
    ];
    const { status } = await send(gateway.url, '/v1/responses', { body: { model: 'own', input } });
    expect([status, recorder.seen.length]).toEqual([400, 1]);
  });

  test('of a backend of another dialect: a model that does not think', async () => {
    recorder.reply = (response, seen) => {
      const refusal = { type: 'invalid_request_error', message: '"claude-x" does not support thinking' };
      if (JSON.parse(seen.body).thinking === undefined) json(response, 200, WHOLE.messages('Hi'));
      else json(response, 400, { type: 'error', error: refusal });
    };
    const think = async () => {
      recorder.seen.length = 0;
      const body = { model: 'claude-sonnet-4-5', input: 'Hello', reasoning: { effort: 'high' } };
      const { status, headers } = await send(gateway.url, '/v1/responses', { body });
      return [status, recorder.seen.length, String(headers['x-interlingua-loss']).includes('reasoning')];
    };
    expect(await think()).toEqual([200, 2, true]);
    expect(await think()).toEqual([200, 1, true]);
  });
});

describe('what servers of other dialects say', () => {
  const invalid = {
    messages: (message: string) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
    generateContent: (message: string) => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
    responses: (message: string) => error(message),
  };
  const parameters = {
    type: 'object',
    properties: { a: { type: 'string' } },
    required: ['a'],
    additionalProperties: false,
  };
  const tools = [{ type: 'function', function: { name: 'f', strict: true, parameters } }];
  const cases: readonly (readonly [keyof typeof invalid, model: string, ask: object, mark: string, words: string])[] = [
    ['messages', 'claude-9', { reasoning_effort: 'high' }, '"adaptive"', "thinking: Input tag 'adaptive' found"],
    ['messages', 'claude-9', { tools }, '"strict"', 'tools.0.custom.strict: Extra inputs are not permitted'],
    [
      'generateContent',
      'gemini-9',
      { reasoning_effort: 'high' },
      '"thinkingLevel"',
      'Thinking level is not supported for this model.',
    ],
    [
      'generateContent',
      'gemini-9',
      { tools },
      '"parametersJsonSchema"',
      'Unknown name "parametersJsonSchema" at \'tools[0].function_declarations[0]\': Cannot find field.',
    ],
    [
      'responses',
      'gpt-9',
      { reasoning_effort: 'high' },
      '"effort"',
      "Unsupported parameter: 'reasoning.effort' is not supported with this model.",
    ],
    ['responses', 'gpt-9', { prompt_cache_key: 'k' }, '"prompt_cache_key"', 'Unsupported parameter: prompt_cache_key'],
  ];

  test.each(cases)('%s, %s, %j', async (dialect, model, more, mark, words) => {
    recorder.reply = (response, seen) =>
      seen.body.includes(mark)
        ? json(response, 400, invalid[dialect](words))
        : json(response, 200, WHOLE[dialect]('Hi'));
    const body = { model, messages: [{ role: 'user', content: 'Hello' }], ...more };
    for (const calls of [2, 1]) {
      recorder.seen.length = 0;
      const { status } = await send(gateway.url, '/v1/chat/completions', { body });
      expect([status, recorder.seen.length]).toEqual([200, calls]);
    }
  });
});

test('a body of the same dialect is sent as it is, whatever is known of the server', async () => {
  refuse(refusesTopP);
  await exchange({ top_p: 0.5 });
  recorder.seen.length = 0;
  const body = { model: 'm', top_p: 0.5, messages: [{ role: 'user', content: 'Hello' }] };
  const { status } = await send(gateway.url, '/v1/chat/completions', { body });
  expect([status, recorder.seen.map((seen) => seen.body)]).toEqual([400, [JSON.stringify(body)]]);
});

test('threads know what was learned outside of them, and tell what they learn', async () => {
  refuse(refusesTopP);
  const large = { messages: [{ role: 'user', content: 'word '.repeat(10_000) }], top_p: 0.5 };
  expect((await exchange(large)).sent).toHaveLength(2);
  expect((await exchange({ top_p: 0.5 })).sent).toHaveLength(1);
  expect((await exchange(large)).sent).toHaveLength(1);
});

test('streams are mended before anything is sent', async () => {
  recorder.reply = (response, seen) => {
    const refusal = refusesTopP(JSON.parse(seen.body));
    if (refusal !== undefined) return json(response, 400, refusal);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' };
    const choice = { index: 0, delta: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' };
    response.end(`data: ${JSON.stringify({ ...chunk, choices: [choice] })}\n\ndata: [DONE]\n\n`);
  };
  const { status, sent, answer } = await exchange({ top_p: 0.5, stream: true });
  expect([status, sent.length, answer.text.includes('event: message_stop')]).toEqual([200, 2, true]);
});
