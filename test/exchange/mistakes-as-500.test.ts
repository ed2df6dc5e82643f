import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  ASK,
  DIALECTS,
  json,
  messageOf,
  type Recorder,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
  WHOLE,
} from '../support/gateway/harness.js';

// Servers that people run themselves answer 500 to what they do not take; bodies as llama.cpp and llama-cpp-python send them.

const BACKENDS = ['llama-messages', 'llama-chatCompletions'] as const;

let recorder: Recorder;
let gateway: TestGateway;

beforeAll(async () => {
  recorder = await startRecorder();
  const baseUrl = recorder.url;
  gateway = await startGateway({
    backends: {
      'llama-messages': { preset: 'llamacpp', dialect: 'messages', baseUrl },
      'llama-chatCompletions': { preset: 'llamacpp', dialect: 'chatCompletions', baseUrl },
      unknown: { dialect: 'chatCompletions', baseUrl },
      unbroken: { dialect: 'chatCompletions', baseUrl, breaker: false },
      'llama-unbroken': { preset: 'llamacpp', dialect: 'messages', baseUrl, breaker: false },
    },
    models: Object.fromEntries(
      [...BACKENDS, 'unknown', 'unbroken', 'llama-unbroken'].map((name) => [name, { backend: name }]),
    ),
  });
});
afterAll(async () => {
  await Promise.all([gateway.close(), recorder.close()]);
});
beforeEach(() => {
  recorder.seen.length = 0;
});

const PICTURE = 'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj';
const SCHEMA =
  "1 validation error:\n  {'type': 'literal_error', 'loc': ('body', 'response_format', 'type'), 'msg': \"Input should be 'text' or 'json_object'\", 'input': 'json_schema', 'ctx': {'expected': \"'text' or 'json_object'\"}}\n\n  File \"/PATH\", line 376, in create_chat_completion\n    POST /v1/chat/completions";

async function ask(client: (typeof DIALECTS)[number], model: string) {
  const { path, body } = ASK[client](model);
  return send(gateway.url, path, { body });
}

describe.each(DIALECTS)('a client of %s', (client) => {
  test.each(BACKENDS)('gets 400 and the words for a mistake, and nobody is kept away: %s', async (backend) => {
    recorder.reply = (response) =>
      json(response, 500, { error: { code: 500, message: PICTURE, type: 'server_error' } });
    for (let times = 0; times < 7; times += 1) {
      const { status, body } = await ask(client, backend);
      expect([status, messageOf(client, body)]).toEqual([400, PICTURE]);
    }
    expect(recorder.seen).toHaveLength(7);
  });

  test.each(BACKENDS)('is told that a model is being loaded: %s', async (backend) => {
    const message = 'Loading model';
    recorder.reply = (response) => json(response, 503, { error: { message, type: 'unavailable_error', code: 503 } });
    const { status, text } = await ask(client, backend);
    expect([503, 529]).toContain(status);
    expect(text).toContain(message);
    // What failed so far is no failure in a row any more.
    recorder.reply = (response, { path }) =>
      json(response, 200, WHOLE[path.includes('chat') ? 'chatCompletions' : 'messages']('Hi'));
    expect((await ask(client, backend)).status).toBe(200);
  });

  test('gets none of the places in the code of the server', async () => {
    recorder.reply = (response) =>
      json(response, 500, { error: { message: SCHEMA, type: 'internal_server_error', param: null, code: null } });
    const { status, body } = await ask(client, 'unknown');
    expect(status).toBe(400);
    expect(messageOf(client, body)).toContain("Input should be 'text' or 'json_object'");
    expect(messageOf(client, body)).not.toContain('File');
  });

  test('gets our own words for a 500 that is none, but for a server that people run themselves', async () => {
    const message = 'EngineCore encountered an issue';
    recorder.reply = (response) => json(response, 500, { error: { message, type: 'server_error' } });
    const words = [];
    for (const model of ['unbroken', 'llama-unbroken']) {
      const { status, text } = await ask(client, model);
      words.push([status, text.includes(message)]);
    }
    const relayed = client === 'chatCompletions';
    expect(words).toEqual([
      [500, relayed],
      [500, true],
    ]);
  });
});

test('a 500 for a mistake reveals restrictions like a 400', async () => {
  recorder.reply = (response, { body }) =>
    JSON.parse(body).top_p === undefined
      ? json(response, 200, WHOLE.chatCompletions('Hi'))
      : json(response, 500, { error: { message: 'top_p is not supported', type: 'server_error' } });
  const { path, body } = ASK.messages('unknown', { top_p: 0.5 });
  expect([(await send(gateway.url, path, { body })).status, recorder.seen.length]).toEqual([200, 2]);
});
