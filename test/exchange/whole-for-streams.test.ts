import { request } from 'node:http';
import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import { createFetch } from '../../src/fetch/index.js';
import type { DialectId } from '../../translators/index.js';
import { CALLED } from '../support/answers.js';
import { tableOf } from '../support/dialects/index.js';
import {
  json,
  type Recorder,
  STREAM,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
  type Tree,
  vendorsAt,
  WHOLE,
} from '../support/gateway/harness.js';
import { PAIRS } from '../support/pairs.js';
import { until } from '../support/until.js';

/*
 * Servers that answer whole although a stream was asked for: with tools, say, or in a mode that they do not stream. The answer is
 * paid, and the client wants a stream.
 */

let recorder: Recorder;
let gateway: TestGateway;

beforeAll(async () => {
  recorder = await startRecorder();
  gateway = await startGateway(vendorsAt(recorder.url));
});
afterAll(async () => {
  await Promise.all([gateway.close(), recorder.close()]);
});

const TEXT_OF = tableOf('textOfEvent');
const COMPLETE = tableOf('ending');

function answer(body: unknown): void {
  recorder.reply = (response) => json(response, 200, body);
}

function dataOf(stream: string): Tree[] {
  return stream.split(/\r?\n/).flatMap((line) => (/^data: \{/.test(line) ? [JSON.parse(line.slice(6))] : []));
}

function textIn(dialect: DialectId, stream: string): string {
  return dataOf(stream)
    .map((event) => TEXT_OF[dialect](event) ?? '')
    .join('');
}

describe.each(PAIRS)('%s to %s', (client, backend) => {
  test('a whole answer becomes a stream', async () => {
    answer(WHOLE[backend]('Hello there.'));
    const { path, body } = STREAM[client](backend);
    const got = await send(gateway.url, path, { body });
    expect([got.status, got.headers['content-type'], got.complete]).toEqual([
      200,
      expect.stringMatching(/^text\/event-stream/),
      true,
    ]);
    expect(textIn(client, got.text)).toBe('Hello there.');
    expect(got.text).toMatch(COMPLETE[client].complete);
  });

  test('and so it does without a server in between', async () => {
    answer(WHOLE[backend]('Hello there.'));
    const { path, body } = STREAM[client](backend);
    const ask = createFetch({ to: backend, baseUrl: recorder.url, apiKey: 'k', model: 'm' });
    const headers = { 'content-type': 'application/json' };
    const got = await ask(`http://127.0.0.1:9${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const text = await got.text();
    expect([got.status, got.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/event-stream/)]);
    expect(textIn(client, text)).toBe('Hello there.');
    expect(text).toMatch(COMPLETE[client].complete);
  });

  test('a call in it comes whole', async () => {
    recorder.reply = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(CALLED[backend]('{"a":1}'));
    };
    const { path, body } = STREAM[client](backend);
    const { status, text } = await send(gateway.url, path, { body });
    expect(status).toBe(200);
    expect(text).toMatch(/look/);
    expect(text).toMatch(/\\?"a\\?":1/);
  });
});

test('many that end at once let the answer of another key wait for a few of them', async () => {
  const keys = ['red', 'blue'].map((name) => ({ name, key: `the-key-of-the-${name}-team` }));
  const shared = await startGateway({ ...vendorsAt(recorder.url), keys });
  const ends: (() => void)[] = [];
  recorder.reply = (response, seen) => {
    const text = JSON.stringify(WHOLE.messages(seen.body.includes('blue') ? 'Hi' : 'x'.repeat(1024 * 1024)));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(text.slice(0, -1));
    ends.push(() => response.end(text.slice(-1)));
  };
  const begun: string[] = [];
  const { path, body } = STREAM.messages('messages');
  const ask = (name: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'x-api-key': `the-key-of-the-${name}-team` };
      const asked = request(`${shared.url}${path}`, { method: 'POST', headers }, (response) => {
        begun.push(name);
        response.on('end', resolve).resume();
      });
      asked.on('error', reject).end(JSON.stringify({ ...body, metadata: { user_id: name } }));
    });
  try {
    const reds = Array.from({ length: 20 }, () => ask('red'));
    await until(() => ends.length === 20);
    const blue = ask('blue');
    await until(() => ends.length === 21);
    // The gateway, which is in this process, has read it all.
    for (let turn = 0; turn < 1000; turn += 1) await new Promise(setImmediate);
    for (const end of ends) end();
    await Promise.all([...reds, blue]);
    expect(begun).toHaveLength(21);
    expect(begun.indexOf('blue')).toBeLessThanOrEqual(9);
  } finally {
    await shared.close();
  }
});

describe('the largest answer that may come whole', () => {
  let narrow: TestGateway;
  beforeAll(async () => {
    narrow = await startGateway({ ...vendorsAt(recorder.url), limits: { eventMb: 0.25 } });
  });
  afterAll(() => narrow.close());

  test.each(PAIRS)('may come for a stream: %s to %s', async (client, backend) => {
    const room = 0.25 * 1024 * 1024 - JSON.stringify(WHOLE[backend]('')).length;
    answer(WHOLE[backend]('x'.repeat(room)));
    const { path, body } = STREAM[client](backend);
    const got = await send(narrow.url, path, { body });
    expect([got.status, textIn(client, got.text).length]).toEqual([200, room]);
    expect(got.text).toMatch(COMPLETE[client].complete);
  });
});

test('what is no answer is an error with a status of its own', async () => {
  answer({ error: { message: 'there is no model m', type: 'invalid_request_error', code: 'model_not_found' } });
  for (const client of ['messages', 'chatCompletions'] as const) {
    const { path, body } = STREAM[client]('chatCompletions');
    const got = await send(gateway.url, path, { body });
    expect([got.status, got.body.error.message]).toEqual([404, expect.stringContaining('no model m')]);
  }
});

describe('official clients that are relayed read the stream', () => {
  test('messages', async () => {
    const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'U2ln' };
    const call = { type: 'tool_use', id: 'toolu_1', name: 'look', input: { a: 1 } };
    const content = [thinking, { type: 'text', text: 'Hi.' }, call];
    answer({ ...WHOLE.messages(''), content, stop_reason: 'tool_use' });
    const client = new Anthropic({ baseURL: gateway.url, apiKey: 'unused', maxRetries: 0 });
    const messages = [{ role: 'user' as const, content: 'Hello' }];
    const message = await client.messages.stream({ model: 'messages', max_tokens: 64, messages }).finalMessage();
    expect(message).toMatchObject({ content, stop_reason: 'tool_use', usage: { output_tokens: 2 } });
  });

  test('responses', async () => {
    const text = { type: 'output_text', text: 'Hi.', annotations: [] };
    const output = [
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm.' }] },
      { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [text] },
      { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'look', arguments: '{"a":1}', status: 'completed' },
    ];
    answer({ ...WHOLE.responses(''), output });
    const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'unused', maxRetries: 0 });
    const stream = client.responses.stream({ model: 'responses', input: 'Hello' });
    const said: string[] = [];
    stream.on('response.output_text.delta', ({ delta }) => said.push(delta));
    stream.on('response.function_call_arguments.delta', ({ delta }) => said.push(delta));
    const final = await stream.finalResponse();
    expect(said).toEqual(['Hi.', '{"a":1}']);
    expect(final.output).toMatchObject(output);
  });

  test('chat completions', async () => {
    const call = { id: 'c', type: 'function', function: { name: 'look', arguments: '{"a":1}' } };
    const body: Tree = WHOLE.chatCompletions('Hi.');
    const message = { ...body.choices[0].message, tool_calls: [call] };
    answer({ ...body, choices: [{ ...body.choices[0], message, finish_reason: 'tool_calls' }] });
    const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'unused', maxRetries: 0 });
    const messages = [{ role: 'user' as const, content: 'Hello' }];
    const final = await client.chat.completions.stream({ model: 'chatCompletions', messages }).finalChatCompletion();
    expect(final.choices[0]).toMatchObject({
      message: { content: 'Hi.', tool_calls: [call] },
      finish_reason: 'tool_calls',
    });
    expect(final.usage).toEqual(body.usage);
  });
});
