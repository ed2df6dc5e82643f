import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { DialectId } from '../../translators/index.js';
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
import { png } from '../support/pictures.js';

// What a host of the client's own dialect refuses for a member that it may lack is made good once, and remembered.

let recorder: Recorder;
let pictures: Recorder;
let gateway: TestGateway;
let next = 0;

beforeAll(async () => {
  [recorder, pictures] = await Promise.all([startRecorder(), startRecorder()]);
  pictures.reply = (response) => {
    response.writeHead(200, { 'content-type': 'image/png' });
    response.end(png());
  };
  const baseUrl = recorder.url;
  gateway = await startGateway({
    backends: {
      messages: { dialect: 'messages', baseUrl },
      responses: { dialect: 'responses', baseUrl },
      chat: { dialect: 'chatCompletions', baseUrl },
      claude: { preset: 'anthropic', baseUrl },
      gpt: { preset: 'openai', baseUrl },
    },
    models: {
      'm-*': { backend: 'messages' },
      'r-*': { backend: 'responses' },
      'h-*': { backend: 'chat' },
      'claude-*': { backend: 'claude' },
      'gpt-*': { backend: 'gpt' },
    },
    media: { allowPrivate: ['127.0.0.1'] },
  });
});
beforeEach(() => {
  next += 1;
});
afterAll(async () => {
  await Promise.all([gateway.close(), recorder.close(), pictures.close()]);
});

/** The host refuses what `fault` has words for, and answers the rest. */
function refuse(dialect: DialectId, fault: (body: Tree) => string | undefined, answer: object = {}): void {
  recorder.reply = (response, seen) => {
    const body = JSON.parse(seen.body);
    const message = fault(body);
    const error = { type: 'invalid_request_error', message };
    if (message !== undefined) json(response, 400, dialect === 'messages' ? { type: 'error', error } : { error });
    else if (seen.path.endsWith('/count_tokens')) json(response, 200, { input_tokens: 7 });
    else json(response, 200, { ...WHOLE[dialect]('Hi'), ...answer });
  };
}

const PATHS = {
  messages: '/v1/messages',
  responses: '/v1/responses',
  chatCompletions: '/v1/chat/completions',
} as const;

async function exchange(body: Tree, path: string, headers: Record<string, string> = {}) {
  recorder.seen.length = 0;
  const answer = await send(gateway.url, path, { body, headers });
  return {
    status: answer.status,
    sent: recorder.seen.map((seen): Tree => JSON.parse(seen.body)),
    texts: recorder.seen.map((seen) => seen.body),
    losses: String(answer.headers['x-interlingua-loss'] ?? ''),
    answer,
  };
}

const user = (content: unknown) => ({ role: 'user', content });
const ask = (more: object, model = `m-${next}`): Tree => ({ model, max_tokens: 64, messages: [user('q')], ...more });

const BASH = { tools: [{ type: 'bash_20250124', name: 'bash' }] };
const wantsSchemas = ({ tools = [] }: Tree): string | undefined =>
  tools.some((tool: Tree) => tool.input_schema === undefined) ? 'tools.0.input_schema: Field required' : undefined;

describe('a host of messages that nobody knows', () => {
  test('gets a built-in tool as a function after it refused it, and from then on at once', async () => {
    refuse('messages', wantsSchemas);
    const given = { ...ask(BASH), metadata: { big: 12345678901234567890n.toString() } };
    const first = await exchange(given, PATHS.messages);
    expect([first.status, first.sent.length]).toEqual([200, 2]);
    expect(first.sent[0]).toEqual(given);
    expect(first.sent[1]).toEqual({
      ...given,
      tools: [expect.objectContaining({ name: 'bash', input_schema: expect.anything() })],
    });
    expect(first.losses).toContain('tool.client;kind=approximated;path="/tools/0"');
    const second = await exchange(given, PATHS.messages);
    expect([second.status, second.texts]).toEqual([200, [first.texts[1]]]);
    expect(second.losses).toBe(first.losses);
    const counted = await exchange(given, '/v1/messages/count_tokens');
    expect([counted.status, counted.sent.length, counted.sent[0].tools]).toEqual([200, 1, first.sent[1].tools]);
  });

  test('gets a cap that it can keep, after it told which', async () => {
    const words = (cap: number) => `max_completion_tokens=${cap} cannot be greater than max_model_len=4096.`;
    refuse('messages', ({ max_tokens: cap }) => (cap > 4096 ? words(cap) : undefined));
    const given = { ...ask({}), max_tokens: 32_000, metadata: { big: 12345678901234567890n.toString() } };
    const first = await exchange(given, PATHS.messages);
    expect([first.status, first.sent]).toEqual([200, [given, { ...given, max_tokens: 4096 }]]);
    expect(first.losses).toContain('maxOutput;kind=approximated;path="/max_tokens"');
    expect((await exchange(given, PATHS.messages)).texts).toEqual(first.texts.slice(1));
    const small = { ...given, max_tokens: 64 };
    expect(await exchange(small, PATHS.messages)).toMatchObject({ sent: [small], losses: '' });
    const strict = await exchange(given, PATHS.messages, { 'x-interlingua-losses': 'strict' });
    expect([strict.status, strict.sent.length]).toEqual([400, 0]);
    next += 1;
    const vendor = { ...given, model: 'claude-sonnet-4-5' };
    expect((await exchange(vendor, PATHS.messages)).sent).toEqual([vendor]);
  });

  test('learns from a refused count too', async () => {
    refuse('messages', wantsSchemas);
    const counted = await exchange(ask(BASH), '/v1/messages/count_tokens');
    expect([counted.status, counted.sent.length, counted.answer.text]).toEqual([200, 2, '{"input_tokens":7}']);
    expect((await exchange(ask(BASH), PATHS.messages)).sent).toHaveLength(1);
  });

  test('is asked once more for each member that it refuses, three times at most', async () => {
    const faults: ((body: Tree) => string | undefined)[] = [
      wantsSchemas,
      ({ thinking }) =>
        thinking?.type === 'adaptive' ? "thinking.type: Input should be 'enabled' or 'disabled'" : undefined,
      ({ messages }) =>
        messages.some(({ role }: Tree) => role === 'system')
          ? "messages.1.role: Input should be 'user' or 'assistant'"
          : undefined,
      ({ tool_choice: choice }) => (choice?.type === 'tool' ? 'tool_choice: names are not supported' : undefined),
    ];
    refuse('messages', (body) => faults.map((fault) => fault(body)).find((words) => words !== undefined));
    const messages = [user('q'), { role: 'system', content: 'now' }];
    const given = { ...ask({ ...BASH, messages, thinking: { type: 'adaptive' } }), max_tokens: 9000 };
    const mended = await exchange(given, PATHS.messages);
    expect([mended.status, mended.sent.length]).toEqual([200, 4]);
    expect((await exchange(given, PATHS.messages)).sent).toHaveLength(1);
    next += 1;
    const choice = { tool_choice: { type: 'tool', name: 'bash' } };
    const more = await exchange({ ...given, ...choice, model: `m-${next}` }, PATHS.messages);
    expect([more.status, more.sent.length]).toEqual([400, 4]);
    expect(more.answer.text).toContain('tool_choice: names are not supported');
  });

  test('gets the bytes of a picture whose URL it refused', async () => {
    const isLink = ({ messages }: Tree) => messages[0].content[0].source.type === 'url';
    refuse('messages', (body) => (isLink(body) ? 'image source url is not supported' : undefined));
    const given = ask({ messages: [user([{ type: 'image', source: { type: 'url', url: `${pictures.url}/a.png` } }])] });
    const { status, sent } = await exchange(given, PATHS.messages);
    const source = { type: 'base64', media_type: 'image/png', data: png().toString('base64') };
    expect([status, sent.at(-1)?.messages[0].content[0].source]).toEqual([200, source]);
    expect((await exchange(given, PATHS.messages)).sent).toHaveLength(1);
  });

  test.each([
    [
      'cannot be done without',
      {
        messages: [
          user([{ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' } }]),
        ],
      },
      "Input tag 'document' found using 'type'",
    ],
    ['is not refused for an unsupported feature', BASH, 'top_p: must be less than 1'],
    [
      'holds a value that is wrong',
      { output_config: { format: { type: 'json_schema', schema: {} } } },
      'output_config.format.schema: invalid',
    ],
    ['is not in the request', {}, 'tools.0.input_schema: Field required'],
  ])('tells the client in its own words of a member that %s', async (_name, more, words) => {
    refuse('messages', () => words);
    const { status, sent, answer } = await exchange(ask(more), PATHS.messages);
    expect([status, sent, JSON.parse(answer.text).error.message]).toEqual([400, [ask(more)], words]);
  });

  test('is not asked under strict, which names all that would be lost at once', async () => {
    const words = 'max_completion_tokens=32000 cannot be greater than max_model_len=4096.';
    refuse('messages', (body) => wantsSchemas(body) ?? (body.max_tokens > 4096 ? words : undefined));
    const given = { ...ask(BASH), max_tokens: 32_000 };
    expect((await exchange(given, PATHS.messages)).sent).toHaveLength(3);
    const { status, sent, answer } = await exchange(given, PATHS.messages, { 'x-interlingua-losses': 'strict' });
    expect([status, sent]).toEqual([400, []]);
    expect(answer.text).toMatch(/refused: \/tools\/0 tool.client approximated; \/max_tokens maxOutput approximated;/);
  });

  test('is not asked again where strict refuses what would be lost', async () => {
    refuse('messages', wantsSchemas);
    const strict = { 'x-interlingua-losses': 'strict' };
    const first = await exchange(ask(BASH), PATHS.messages, strict);
    expect([first.status, first.sent.length]).toEqual([400, 1]);
    expect(first.answer.text).toContain('tools.0.input_schema: Field required');
  });

  test('tells nothing about a host that is the vendor itself', async () => {
    refuse('messages', wantsSchemas);
    const { status, sent } = await exchange(ask(BASH, 'claude-sonnet-4-5'), PATHS.messages);
    expect([status, sent.length]).toEqual([400, 1]);
    refuse('responses', () => 'tools.0.type is invalid');
    const body = { model: 'gpt-5', input: 'q', tools: [{ type: 'custom', name: 'patch' }] };
    expect((await exchange(body, PATHS.responses)).sent).toHaveLength(1);
  });
});

describe('a host of chat completions that nobody knows', () => {
  const history = [
    user('q'),
    { role: 'assistant', content: 'a', reasoning_content: 'Hm.' },
    user('r'),
    { role: 'assistant', content: 'b', reasoning: 'Hm.', reasoning_details: [{ type: 'reasoning.text', text: 'Hm.' }] },
    user('s'),
  ];
  const REASONING = ['reasoning_content', 'reasoning', 'reasoning_details'];
  const keysIn = ({ messages }: Tree): string[] =>
    messages.flatMap((message: Tree) => REASONING.filter((key) => message[key] !== undefined));

  // [H §8.1]: Groq, Cerebras, DeepSeek R1, a server that checks bodies with a schema, and one of the vendor's manner.
  test.each([
    [
      'Groq',
      "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is unsupported)]",
    ],
    [
      'Cerebras',
      "messages.1.assistant.reasoning_content: property 'messages.1.assistant.reasoning_content' is unsupported",
    ],
    ['DeepSeek', 'Please remove the reasoning_content from your message'],
    ['a schema', 'messages.3.assistant.reasoning: Extra inputs are not permitted'],
    ['the vendor', "Unknown parameter: 'messages[3].reasoning'."],
    ['details', "property 'reasoning_details' is unsupported"],
  ])('gets a history without reasoning after it refused that, as %s says it', async (_name, words) => {
    refuse('chatCompletions', (body) => (keysIn(body).length > 0 ? words : undefined));
    const body = { model: `h-${next}`, messages: history };
    const first = await exchange(body, PATHS.chatCompletions);
    expect([first.status, first.sent.length, keysIn(first.sent[1])]).toEqual([200, 2, []]);
    expect(first.sent[1].messages.map(({ content }: Tree) => content)).toEqual(['q', 'a', 'r', 'b', 's']);
    expect(first.losses).toContain('reasoning.state;kind=dropped;path="/messages/1"');
    const second = await exchange(body, PATHS.chatCompletions);
    expect([second.status, second.texts]).toEqual([200, [first.texts[1]]]);
    const strict = await exchange(body, PATHS.chatCompletions, { 'x-interlingua-losses': 'strict' });
    expect([strict.status, strict.sent.length]).toEqual([400, 0]);
  });

  test('gets the reasoning that it demands of a history as it came', async () => {
    refuse('chatCompletions', () => 'The reasoning_content in the thinking mode must be passed back to the API.');
    const { status, sent } = await exchange({ model: `h-${next}`, messages: history }, PATHS.chatCompletions);
    expect([status, sent.map(keysIn)]).toEqual([400, [keysIn({ messages: history })]]);
  });

  test.each([
    [
      'lists those that it takes',
      "Invalid 'reasoning_effort': expected one of 'low', 'medium', 'high', received 'xhigh'",
    ],
    [
      'says only that it does not know it',
      "Unsupported value: 'reasoning_effort' does not support 'xhigh' with this model.",
    ],
  ])('gets the nearest effort in the place of one that it refused, where it %s', async (_name, words) => {
    refuse('chatCompletions', ({ reasoning_effort: effort }) => (effort === 'xhigh' ? words : undefined));
    const body = { model: `h-${next}`, messages: [user('q')], reasoning_effort: 'xhigh' };
    const first = await exchange(body, PATHS.chatCompletions);
    expect([first.status, first.sent.map(({ reasoning_effort: effort }) => effort)]).toEqual([200, ['xhigh', 'high']]);
    expect(first.losses).toContain('reasoning.effort;kind=approximated;path="/reasoning_effort"');
    expect((await exchange(body, PATHS.chatCompletions)).sent).toMatchObject([{ reasoning_effort: 'high' }]);
    const low = { ...body, reasoning_effort: 'low' };
    expect(await exchange(low, PATHS.chatCompletions)).toMatchObject({ sent: [low], losses: '' });
  });

  test('gets no effort after it refused them all', async () => {
    refuse('chatCompletions', ({ reasoning_effort: effort }) =>
      effort === undefined ? undefined : "Unsupported parameter: 'reasoning_effort' is not supported with this model.",
    );
    const body = { model: `h-${next}`, messages: [user('q')], reasoning_effort: 'xhigh' };
    const { status, sent, losses } = await exchange(body, PATHS.chatCompletions);
    expect([status, sent.map(({ reasoning_effort: effort }) => effort)]).toEqual([200, ['xhigh', 'high', undefined]]);
    expect(losses).toContain('reasoning.effort');
  });

  test('is not told by a word that it does not know that it shall not think', async () => {
    refuse('chatCompletions', ({ reasoning_effort: effort }) =>
      effort === undefined ? undefined : "Unrecognized request argument supplied: 'reasoning_effort'.",
    );
    const body = { model: `h-${next}`, messages: [user('q')], reasoning_effort: 'none' };
    const first = await exchange(body, PATHS.chatCompletions);
    expect([first.status, first.sent.map(({ reasoning_effort: effort }) => effort)]).toEqual([
      200,
      ['none', undefined],
    ]);
    expect(first.losses).toContain('reasoning.mode;kind=approximated;path="/reasoning_effort"');
    expect((await exchange(body, PATHS.chatCompletions)).sent).toEqual(first.sent.slice(1));
  });
});

describe('a host of responses that nobody knows', () => {
  const tools = [
    { type: 'function', name: 'f', parameters: {} },
    { type: 'custom', name: 'patch' },
    { type: 'web_search' },
  ];
  const call = {
    type: 'function_call',
    id: 'fc_1',
    call_id: 'c1',
    name: 'patch',
    arguments: '{"input":"a"}',
    status: 'completed',
  };
  const knowsFunctions = (body: Tree): string | undefined => {
    const index = (body.tools ?? []).findIndex(({ type }: Tree) => type !== 'function');
    return index === -1 ? undefined : `Invalid: tools.${index}.type`;
  };

  test('gives calls of a free text tool back as what the client declared', async () => {
    refuse('responses', knowsFunctions, { output: [call] });
    const body = { model: `r-${next}`, input: 'q', tools };
    const { status, sent, losses, answer } = await exchange(body, PATHS.responses);
    expect([status, sent.length]).toEqual([200, 2]);
    expect(sent[1].tools.map(({ type, name }: Tree) => `${type} ${name}`)).toEqual(['function f', 'function patch']);
    expect(losses).toContain('tool.custom;kind=approximated;path="/tools/1"');
    expect(JSON.parse(answer.text).output).toMatchObject([{ type: 'custom_tool_call', name: 'patch', input: 'a' }]);
  });

  test('gets an effort that every host knows in the place of one that it refused', async () => {
    refuse('responses', ({ reasoning }) =>
      reasoning?.effort === 'xhigh' ? 'reasoning.effort: xhigh is not supported' : undefined,
    );
    const body = { model: `r-${next}`, input: 'q', reasoning: { effort: 'xhigh' } };
    const { status, sent, losses } = await exchange(body, PATHS.responses);
    expect([status, sent.map(({ reasoning }) => reasoning.effort)]).toEqual([200, ['xhigh', 'high']]);
    expect(losses).toContain('reasoning.effort');
  });

  test('is known to clients of other dialects as well', async () => {
    refuse('responses', knowsFunctions, { output: [call] });
    await exchange({ model: `r-${next}`, input: 'q', tools }, PATHS.responses);
    const custom = { type: 'custom', custom: { name: 'patch' } };
    const body = { model: `r-${next}`, messages: [user('q')], tools: [custom] };
    const { status, sent, answer } = await exchange(body, PATHS.chatCompletions);
    expect([status, sent.length]).toEqual([200, 1]);
    expect(JSON.parse(answer.text).choices[0].message.tool_calls).toMatchObject([
      { custom: { name: 'patch', input: 'a' } },
    ]);
  });
});
