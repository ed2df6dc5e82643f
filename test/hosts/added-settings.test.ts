import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
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

// What vLLM and llama.cpp take in responses beside the dialect (their chat requests are made of the whole body).

let recorder: Recorder;
let gateway: TestGateway;
beforeAll(async () => {
  recorder = await startRecorder();
  recorder.reply = (response) => json(response, 200, WHOLE.responses('Hi'));
  const host = (preset: 'vllm' | 'llamacpp') => ({ preset, dialect: 'responses' as const, baseUrl: recorder.url });
  gateway = await startGateway({
    backends: { vllm: host('vllm'), llamacpp: host('llamacpp') },
    models: { vllm: { backend: 'vllm' }, llamacpp: { backend: 'llamacpp' } },
  });
});
beforeEach(() => {
  recorder.seen.length = 0;
});
afterAll(async () => {
  await Promise.all([gateway.close(), recorder.close()]);
});

async function exchange(path: string, body: Tree) {
  const answer = await send(gateway.url, path, { body, headers: { 'x-interlingua-losses': 'strict' } });
  const [sent] = recorder.seen;
  return { status: answer.status, sent: JSON.parse(sent?.body ?? '{}'), text: sent?.body, answer };
}

describe.each(['vllm', 'llamacpp'])('%s', (model) => {
  test('gets the settings of other dialects that it takes, under strict', async () => {
    const settings = { seed: 7, stop: ['END'], presence_penalty: 0.5, frequency_penalty: 0.25 };
    const chat = await exchange('/v1/chat/completions', {
      model,
      messages: [{ role: 'user', content: 'q' }],
      ...settings,
    });
    expect([chat.status, chat.sent]).toEqual([200, expect.objectContaining(settings)]);
    recorder.seen.length = 0;
    const messages = await exchange('/v1/messages', {
      model,
      max_tokens: 64,
      top_k: 3,
      stop_sequences: ['END'],
      messages: [{ role: 'user', content: 'q' }],
    });
    expect([messages.status, messages.sent]).toEqual([200, expect.objectContaining({ top_k: 3, stop: ['END'] })]);
  });

  test('gets them of its own dialect byte for byte', async () => {
    const body = { model, input: 'q', seed: 7, top_k: 3, stop: ['END'], min_p: 0.1, store: false };
    expect((await exchange('/v1/responses', body)).text).toBe(JSON.stringify(body));
  });
});

test('llama.cpp is told in messages not to think where it reads that', async () => {
  const host = { preset: 'llamacpp' as const, dialect: 'messages' as const, baseUrl: recorder.url };
  const other = await startGateway({ backends: { m: host }, models: { m: { backend: 'm' } } });
  recorder.reply = (response) => json(response, 200, WHOLE.messages('Hi'));
  try {
    const messages = [{ role: 'user', content: 'q' }];
    const relayed = { model: 'm', max_tokens: 64, thinking: { type: 'disabled' }, messages };
    const off = { chat_template_kwargs: { enable_thinking: false } };
    await send(other.url, '/v1/messages', { body: relayed });
    await send(other.url, '/v1/chat/completions', { body: { model: 'm', reasoning_effort: 'none', messages } });
    const [first, second] = recorder.seen.map(({ body }): Tree => JSON.parse(body));
    expect(first).toEqual({ ...relayed, ...off });
    expect(second).toMatchObject(off);
  } finally {
    recorder.reply = (response) => json(response, 200, WHOLE.responses('Hi'));
    await other.close();
  }
});

const FORMAT = {
  type: 'json_schema',
  name: 'age',
  schema: { type: 'object', properties: { age: { type: 'integer' } } },
};

test('llama.cpp gets a schema where it reads one, and the client its own form back', async () => {
  const body = { model: 'llamacpp', input: 'q', store: false, text: { format: FORMAT } };
  const { type, ...schema } = FORMAT;
  const relayed = await exchange('/v1/responses', body);
  expect([relayed.status, relayed.sent]).toEqual([200, { ...body, response_format: { type, json_schema: schema } }]);
  recorder.seen.length = 0;
  const translated = await exchange('/v1/messages', {
    model: 'llamacpp',
    max_tokens: 64,
    messages: [{ role: 'user', content: 'q' }],
    output_config: { format: { type, schema: FORMAT.schema } },
  });
  expect([translated.status, translated.sent.response_format.json_schema.schema]).toEqual([200, FORMAT.schema]);
});
