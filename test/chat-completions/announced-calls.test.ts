import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  ASK,
  EVENT_STREAM,
  json,
  type Recorder,
  STREAM,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
} from '../support/gateway/harness.js';

// Hard case H-RESP-02: a server says that there are calls, and there are none.

let recorder: Recorder;
let gateway: TestGateway;

beforeAll(async () => {
  recorder = await startRecorder();
  const chat = { dialect: 'chatCompletions', baseUrl: recorder.url } as const;
  gateway = await startGateway({
    backends: { chat, always: { ...chat, stream: 'always' } },
    models: { chat: { backend: 'chat' }, always: { backend: 'always' } },
  });
});
beforeEach(() => {
  recorder.seen.length = 0;
});
afterAll(async () => {
  await gateway.close();
  await recorder.close();
});

const USAGE = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };

const answer = (content: string | null, finish: string) => ({
  id: `chatcmpl-${recorder.seen.length}`,
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'm-real',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: finish }],
  usage: USAGE,
});

function frames(delta: object, finish: string): string {
  const chunk = (choices: readonly object[], more: object = {}) =>
    `data: ${JSON.stringify({ id: `chatcmpl-${recorder.seen.length}`, object: 'chat.completion.chunk', created: 1, model: 'm', choices, ...more })}\n\n`;
  return [
    chunk([{ index: 0, delta: { role: 'assistant' }, finish_reason: null }]),
    chunk([{ index: 0, delta, finish_reason: null }]),
    chunk([{ index: 0, delta: {}, finish_reason: finish }]),
    chunk([], { usage: USAGE }),
    'data: [DONE]\n\n',
  ].join('');
}

/** The first so many answers announce calls, the others say something. */
function announce(times: number, delta: object = {}): void {
  recorder.reply = (response, seen) => {
    const announced = recorder.seen.length <= times;
    if (JSON.parse(seen.body).stream !== true)
      return json(response, 200, announced ? answer(null, 'tool_calls') : answer('Here.', 'stop'));
    response.writeHead(200, EVENT_STREAM);
    response.end(announced ? frames(delta, 'tool_calls') : frames({ content: 'Here.' }, 'stop'));
  };
}

const CLIENTS = ['messages', 'responses', 'generateContent'] as const;

describe.each(CLIENTS)('for a %s client', (client) => {
  test.each(['chat', 'always'])('a whole answer is asked for once more (%s)', async (model) => {
    announce(1);
    const { path, body } = ASK[client](model);
    const { status, text } = await send(gateway.url, path, { body });
    expect([status, recorder.seen.length, text.includes('Here.')]).toEqual([200, 2, true]);
    expect(recorder.seen[1]?.body).toBe(recorder.seen[0]?.body);
  });

  test.each(['chat', 'always'])('and no more than once (%s)', async (model) => {
    announce(2);
    const { path, body } = ASK[client](model);
    const { status } = await send(gateway.url, path, { body });
    expect([status, recorder.seen.length]).toEqual([500, 2]);
  });

  test('a stream is asked for once more, and is one stream', async () => {
    announce(1);
    const { path, body } = STREAM[client]('chat');
    const { status, text } = await send(gateway.url, path, { body });
    expect([status, recorder.seen.length, text.match(/Here\./g) !== null]).toEqual([200, 2, true]);
    expect(recorder.seen[1]?.body).toBe(recorder.seen[0]?.body);
    expect(text.match(/event: (?:message_start|response\.created)\n/g) ?? []).toHaveLength(
      client === 'generateContent' ? 0 : 1,
    );
    expect(text).not.toMatch(/"type":"tool_use"|"error":\{/);
  });

  test('a stream that announces calls a second time ends as an error', async () => {
    announce(2);
    const { path, body } = STREAM[client]('chat');
    const { text } = await send(gateway.url, path, { body, mayBreak: true });
    expect(recorder.seen).toHaveLength(2);
    expect(text).toMatch(/"error"/);
  });

  test('a stream in which something was shown is not', async () => {
    announce(1, { reasoning_content: 'I call it.' });
    const { path, body } = STREAM[client]('chat');
    const { text } = await send(gateway.url, path, { body, mayBreak: true });
    expect(recorder.seen).toHaveLength(1);
    expect(text).toMatch(/"error"/);
  });

  test('with text it is the end of an answer', async () => {
    announce(1, { content: 'Done.' });
    const { path, body } = STREAM[client]('chat');
    const { text } = await send(gateway.url, path, { body });
    expect([recorder.seen.length, text.includes('Done.')]).toEqual([1, true]);
    expect(text).not.toMatch(/"error":\{|"type":"tool_use"/);
  });
});

test('what both answers cost is counted', async () => {
  announce(1);
  const { path, body } = STREAM.messages('chat');
  const { text } = await send(gateway.url, path, { body });
  expect(text).toMatch(/event: message_delta\ndata: .*"output_tokens":4/);
});

test('a client of the same dialect gets what the server says', async () => {
  announce(1);
  const { path, body } = ASK.chatCompletions('chat');
  const { status, body: shown } = await send(gateway.url, path, { body });
  expect([status, recorder.seen.length, shown.choices[0].finish_reason]).toEqual([200, 1, 'tool_calls']);
});
