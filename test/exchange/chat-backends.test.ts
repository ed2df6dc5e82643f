import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  json,
  type Recorder,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
} from '../support/gateway/harness.js';
import { png } from '../support/pictures.js';

let recorder: Recorder;
let gateway: TestGateway;

beforeAll(async () => {
  recorder = await startRecorder();
  const chat = { dialect: 'chatCompletions', baseUrl: recorder.url } as const;
  gateway = await startGateway({
    backends: {
      chat,
      counting: { ...chat, countTokens: 'native' },
      strict: { ...chat, baseUrl: `${recorder.url}/strict`, profile: { server: { reasoningReplay: 'never' } } },
      demanding: { ...chat, baseUrl: `${recorder.url}/demanding`, profile: { server: { reasoningReplay: 'must' } } },
    },
    models: {
      chat: { backend: 'chat' },
      counting: { backend: 'counting' },
      chain: [{ backend: 'strict' }, { backend: 'demanding' }],
    },
    media: { allowPrivate: ['127.0.0.0/8'] },
  });
});
beforeEach(() => {
  recorder.seen.length = 0;
  recorder.reply = (response) => json(response, 200, answer('Hi'));
});
afterAll(async () => {
  await gateway.close();
  await recorder.close();
});

const answer = (content: string) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'm-real',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop', logprobs: null }],
  usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
});

const ask = (model: string) => ({ model, max_tokens: 64, messages: [{ role: 'user', content: 'Hello' }] });
const bodies = () => recorder.seen.map(({ body }) => JSON.parse(body));

/** Refuses the first request. */
function refuseOnce(error: object): void {
  recorder.reply = (response) =>
    recorder.seen.length === 1 ? json(response, 400, { error }) : json(response, 200, answer('Hi'));
}

describe('a refusal that another try mends', () => {
  test('the cap under its other name, and nothing is lost [H §2.2]', async () => {
    refuseOnce({
      message:
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      code: 'unsupported_parameter',
      param: 'max_tokens',
    });
    const { status, headers } = await send(gateway.url, '/v1/messages', { body: ask('chat') });
    expect([status, headers['x-interlingua-losses']]).toEqual([200, '0;minor=0']);
    expect(bodies().map(({ max_tokens: old, max_completion_tokens: cap }) => [old, cap])).toEqual([
      [64, undefined],
      [undefined, 64],
    ]);
  });

  test('a call that the model wrote badly: the same request, once', async () => {
    const error = { message: 'Failed to call a function', code: 'tool_use_failed', failed_generation: '<f' };
    refuseOnce(error);
    expect((await send(gateway.url, '/v1/messages', { body: ask('chat') })).status).toBe(200);
    expect(recorder.seen[1]?.body).toBe(recorder.seen[0]?.body);
    recorder.seen.length = 0;
    recorder.reply = (response) => json(response, 400, { error });
    const { status } = await send(gateway.url, '/v1/messages', { body: ask('chat') });
    expect([status, recorder.seen.length]).toEqual([500, 2]);
  });
});

describe('token counts', () => {
  test('are estimated, and the backend is not asked', async () => {
    const { status, headers, body } = await send(gateway.url, '/v1/messages/count_tokens', { body: ask('chat') });
    expect([status, headers['x-interlingua-estimate'], recorder.seen.length]).toEqual([200, 'true', 0]);
    expect(body.input_tokens).toBeGreaterThan(0);
  });

  test('are not found where only the backend may count', async () => {
    const { status, body } = await send(gateway.url, '/v1/messages/count_tokens', { body: ask('counting') });
    expect([status, body.error.type, recorder.seen.length]).toEqual([404, 'not_found_error', 0]);
  });
});

// hard case H-REAS-05
test('each target of a chain gets the reasoning that it takes', async () => {
  recorder.reply = (response, { path }) =>
    path.startsWith('/strict') ? json(response, 503, {}) : json(response, 200, answer('Hi'));
  const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } };
  const messages = [
    { role: 'user', content: 'q' },
    { role: 'assistant', content: null, reasoning: 'because', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call_1', content: 'r' },
  ];
  const tools = [{ type: 'function', function: { name: 'f' } }];
  const { status } = await send(gateway.url, '/v1/chat/completions', { body: { model: 'chain', messages, tools } });
  expect(status).toBe(200);
  const [first, second] = bodies().map(({ messages: [, assistant] }) => assistant);
  expect(first).toEqual({ role: 'assistant', content: null, tool_calls: [call] });
  expect(second).toEqual({ ...messages[1], reasoning_content: '' });
});

test('a picture behind a URL is fetched for a server that takes its data alone', async () => {
  const picture = png({ width: 2, height: 2 });
  recorder.reply = (response, { path }) => {
    if (path !== '/a.png') return json(response, 200, answer('Hi'));
    response.writeHead(200, { 'content-type': 'image/png' }).end(picture);
  };
  const url = `${recorder.url}/a.png`;
  const content = [{ type: 'image', source: { type: 'url', url } }];
  const body = { ...ask('chat'), messages: [{ role: 'user', content }] };
  expect((await send(gateway.url, '/v1/messages', { body })).status).toBe(200);
  expect(JSON.parse(recorder.seen.at(-1)?.body ?? '').messages).toEqual([
    {
      role: 'user',
      content: [
        { type: 'image_url', image_url: { url: `data:image/png;base64,${Buffer.from(picture).toString('base64')}` } },
      ],
    },
  ]);
});

test('conversations are kept for a backend that keeps none', async () => {
  const first = await send(gateway.url, '/v1/responses', { body: { model: 'chat', input: 'one' } });
  recorder.reply = (response) => json(response, 200, answer('Again'));
  const second = await send(gateway.url, '/v1/responses', {
    body: { model: 'chat', input: 'two', previous_response_id: first.body.id },
  });
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(bodies()[1].messages).toEqual([
    { role: 'user', content: 'one' },
    { role: 'assistant', content: 'Hi' },
    { role: 'user', content: 'two' },
  ]);
});

test('a relayed stream without its last line is given one, and a broken one an error (translation.md 6.5)', async () => {
  const chunk = (delta: object, finish: string | null = null) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const stream = (text: string) => {
    recorder.reply = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(text);
    };
    return send(gateway.url, '/v1/chat/completions', { body: { ...ask('chat'), stream: true }, mayBreak: true });
  };
  const said = chunk({ role: 'assistant', content: 'Hi' });
  const done = chunk({}, 'stop');
  expect((await stream(`${said}${done}data: [DONE]\n\n`)).text).toBe(`${said}${done}data: [DONE]\n\n`);
  expect((await stream(`${said}${done}`)).text.trimEnd()).toMatch(/data: \[DONE\]$/);
  const broken = await stream(said);
  expect(broken.text).toMatch(/\n\ndata: \{"error":\{[^\n]*\}\}\n\n$/);
  expect([broken.complete, broken.text.includes('[DONE]')]).toEqual([false, false]);
});

test.each([{ profile: 'vllm' }, { preset: 'vllm' }, { preset: 'vllm', profile: 'qwen3' }] as const)(
  '%j: it is asked to go on in its own way [H §2.2]',
  async (named) => {
    const other = await startGateway({
      backends: { local: { dialect: 'chatCompletions', baseUrl: recorder.url, ...named } },
    });
    const messages = [
      { role: 'user', content: 'Count.' },
      { role: 'assistant', content: 'One, two' },
    ];
    const body = { model: 'Qwen/Qwen3-32B', max_tokens: 64, top_k: 20, messages };
    const { status, headers } = await send(other.url, '/v1/messages', { body });
    await other.close();
    expect([status, headers['x-interlingua-losses']]).toEqual([200, '0;minor=0']);
    expect(bodies()[0]).toMatchObject({
      top_k: 20,
      messages,
      continue_final_message: true,
      add_generation_prompt: false,
    });
  },
);
