import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import {
  json,
  type Recorder,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
  WHOLE,
} from '../support/gateway/harness.js';

// A body that goes on as it came is read where it lies: nothing that is beyond ASCII in it may come to harm, and nothing that is
// no JSON may pass.

let recorder: Recorder;
let gateway: TestGateway;

beforeAll(async () => {
  recorder = await startRecorder();
  recorder.reply = (response, { path }) =>
    json(response, 200, path.includes('chat') ? WHOLE.chatCompletions('a') : WHOLE.messages('a'));
  gateway = await startGateway({
    backends: {
      messages: { dialect: 'messages', baseUrl: recorder.url },
      chat: { dialect: 'chatCompletions', baseUrl: recorder.url },
    },
    models: {
      plain: { backend: 'messages' },
      alias: { backend: 'messages', model: 'échte' },
      worn: { backend: 'messages', model: 'real' },
      'modèle-*': { backend: 'messages', model: '*' },
      chat: { backend: 'chat' },
    },
  });
});
beforeEach(() => {
  recorder.seen.length = 0;
});
afterAll(async () => {
  await gateway.close();
  await recorder.close();
});

const rest = (text: string): string => `"max_tokens":9,"messages":[{"role":"user","content":"${text}"}]`;

async function exchange(body: string): Promise<{ status: number; text: string; sent: string | undefined }> {
  const { status, text } = await send(gateway.url, '/v1/messages', { body });
  return { status, text, sent: recorder.seen[0]?.body };
}

test.each([
  ['as it came', `{ "model":"plain",${rest('ünïcode — 漢 🙂 \\u00e9')}}`, undefined],
  ['without the mark of its byte order', `\ufeff{"model":"plain",${rest('é')}}`, `{"model":"plain",${rest('é')}}`],
  ['with another model', `{"model":"worn",${rest('漢')}}`, `{"model":"real",${rest('漢')}}`],
  ['with a model beyond ASCII', `{"model":"alias",${rest('漢')}}`, `{"model":"échte",${rest('漢')}}`],
  ['by a model beyond ASCII', `{"model":"modèle-ü",${rest('漢')}}`, `{"model":"ü",${rest('漢')}}`],
  [
    'by the last of its models',
    `{"model":"chat","model":"worn",${rest('漢')}}`,
    `{"model":"real","model":"real",${rest('漢')}}`,
  ],
  [
    'by its own model',
    `{"metadata":{"model":"chat"},"model":"worn",${rest('é')}}`,
    `{"metadata":{"model":"chat"},"model":"real",${rest('é')}}`,
  ],
  [
    'by its own model behind one of others',
    `{"metadata":{"model":"plain"},"model":"modèle-ü",${rest('é')}}`,
    `{"metadata":{"model":"plain"},"model":"ü",${rest('é')}}`,
  ],
])('a body goes on %s', async (_name, body, expected = body) => {
  expect(await exchange(body)).toMatchObject({ status: 200, sent: expected });
});

test('a body that seems to pass is translated where its own model says so', async () => {
  const { status, sent = '' } = await exchange(`{"metadata":{"model":"plain"},"model":"chat",${rest('ünï — 漢')}}`);
  expect([status, JSON.parse(sent).messages[0].content]).toEqual([200, 'ünï — 漢']);
});

test.each([
  ['ünï — 漢 🙂', 'ünï — 漢 🙂'],
  [`${'plain words '.repeat(20_000)}— 🙂${' and more'.repeat(2000)}`, undefined],
  ['漢字'.repeat(2000), undefined],
  [String.raw`\u00e9 \\ü \n— \ud83d\ude42`, 'é \\ü \n— 🙂'],
])('a translated body says what it said: %#', async (content, said = content) => {
  const { status, sent = '' } = await exchange(`{"model":"chat",${rest(content)}}`);
  expect([status, JSON.parse(sent).messages[0].content]).toEqual([200, said]);
});

test.each([
  ['ends early and is translated', `{"model":"chat",${rest('é —')}`, /not valid JSON/],
  [
    'has more than one value and is translated',
    `{"model":"chat",${rest('é —')}} 1`,
    /not valid JSON: fault at character 77/,
  ],
  [
    'has a backslash that escapes nothing',
    `{"model":"chat",${rest('\\é')}}`,
    /not valid JSON: fault at character \d\d/,
  ],
  [
    'is translated and nested too deeply',
    `{"model":"chat","x":"é","y":${'['.repeat(2000)}${']'.repeat(2000)}}`,
    /levels deep/,
  ],
  ['ends early', `{"model":"plain",${rest('é')}`, /not valid JSON/],
  ['has more than one value', `{"model":"plain",${rest('é')}} 1`, /not valid JSON: fault at character 76/],
  ['is nested too deeply', `{"model":"plain","x":${'['.repeat(2000)}${']'.repeat(2000)}}`, /levels deep/],
  ['names no model that there is', `{"model":"none","x":{"model":"plain"},${rest('é')}}`, /model: none/],
  ['names a model that is no text', `{"x":{"model":"plain"},"model":1,${rest('é')}}`, /model: must be a string/],
])('a body does not go on that %s', async (_name, body, words) => {
  const { status, text, sent } = await exchange(body);
  expect([status >= 400, sent]).toEqual([true, undefined]);
  expect(JSON.parse(text).error.message).toMatch(words);
});
