import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  json,
  type Recorder,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
} from '../support/gateway/harness.js';

// Servers that answer a failure with 200 ([H §9.1], hard case H-ERR-01): the client has an error, relayed or translated.

let recorder: Recorder;
let gateway: TestGateway;

beforeAll(async () => {
  recorder = await startRecorder();
  gateway = await startGateway({ backends: { chat: { dialect: 'chatCompletions', baseUrl: recorder.url } } });
});
beforeEach(() => {
  recorder.seen.length = 0;
});
afterAll(async () => {
  await gateway.close();
  await recorder.close();
});

const BODY = { model: 'm', max_tokens: 16, messages: [{ role: 'user', content: 'Hello' }] };
const outcome = (status_code: number, status_msg: string) => ({
  id: '',
  choices: null,
  created: 0,
  model: 'MiniMax-M2',
  object: '',
  usage: { total_tokens: 0 },
  base_resp: { status_code, status_msg },
});
const routed = (code: number, message: string, metadata: object = {}) => ({
  error: { code, message, metadata: { provider_name: 'Google', ...metadata } },
  user_id: 'user_1',
});

const CASES: readonly (readonly [title: string, body: object, status: number, message: RegExp])[] = [
  ['MiniMax: a limit', outcome(1002, 'rate limit'), 429, /rate limit/],
  ['MiniMax: a parameter', outcome(2013, 'invalid params, model is empty'), 400, /model is empty/],
  ['MiniMax: a window', outcome(2013, 'invalid params, context window exceeds limit'), 400, /context window/],
  ['MiniMax: content', outcome(1026, 'input new_sensitive'), 400, /new_sensitive/],
  ['MiniMax: our key', outcome(2049, 'invalid api key'), 502, /credentials of this gateway/],
  ['MiniMax: a number nobody knows', outcome(9999, 'It broke.'), 502, /the backend failed/],
  ['OpenRouter: a limit', routed(429, 'Provider returned error', { raw: 'try later' }), 429, /Provider returned error/],
  ['OpenRouter: its host', routed(502, 'Provider returned error'), 500, /the backend failed/],
  ['an error that is a text', { error: 'model is overloaded' }, 502, /the backend failed/],
];

describe.each(CASES)('%s', (_title, body, status, message) => {
  test.each(['/v1/chat/completions', '/v1/messages'])('%s', async (path) => {
    recorder.reply = (response) => json(response, 200, body);
    const answer = await send(gateway.url, path, { body: BODY });
    expect({ status: answer.status, message: answer.body.error.message }).toEqual({
      status,
      message: expect.stringMatching(message),
    });
  });
});

test.each([
  ['/v1/chat/completions', 429],
  ['/v1/messages', 402],
])('MiniMax: no balance, %s', async (path, status) => {
  recorder.reply = (response) => json(response, 200, outcome(1008, 'insufficient balance'));
  const answer = await send(gateway.url, path, { body: BODY });
  expect([answer.status, answer.body.error.message]).toEqual([status, 'insufficient balance']);
});

test('an outcome that is a success is relayed as it is', async () => {
  const choices = [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }];
  const whole = { ...outcome(0, ''), choices };
  recorder.reply = (response) => json(response, 200, whole);
  const { status, text } = await send(gateway.url, '/v1/chat/completions', { body: BODY });
  expect([status, text]).toEqual([200, JSON.stringify(whole)]);
});
