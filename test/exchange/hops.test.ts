import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  ASK,
  EVENT_STREAM,
  json,
  messageOf,
  type Recorder,
  STREAM,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
  WHOLE,
} from '../support/gateway/harness.js';

let recorder: Recorder;
let gateway: TestGateway;

beforeAll(async () => {
  recorder = await startRecorder();
  gateway = await startGateway({
    backends: {
      messages: { dialect: 'messages', baseUrl: recorder.url },
      generateContent: { dialect: 'generateContent', baseUrl: recorder.url },
    },
    models: {
      m: { backend: 'messages', model: 'claude-sonnet-4-5' },
      g: { backend: 'generateContent', model: 'gemini-2.5-pro' },
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

const SEARCH = { tools: [{ type: 'web_search' }] };

describe('an answer that pauses is resumed for a client that knows no pauses', () => {
  const paused = { ...WHOLE.messages('first '), stop_reason: 'pause_turn' };

  test('plain', async () => {
    recorder.reply = (response) => json(response, 200, recorder.seen.length === 1 ? paused : WHOLE.messages('second'));
    const { path, body } = ASK.responses('m', SEARCH);
    const answer = await send(gateway.url, path, { body });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('first ');
    expect(answer.text).toContain('second');
    expect(answer.body.usage).toMatchObject({ input_tokens: 6, output_tokens: 4 });
    expect(recorder.seen).toHaveLength(2);
    expect(JSON.parse(recorder.seen[1]?.body ?? '').messages.at(-1)).toMatchObject({
      role: 'assistant',
      content: [{ type: 'text', text: 'first ' }],
    });
  });

  test('streamed, as one stream with one end', async () => {
    const frames = (text: string, stop: string) =>
      [
        ['message_start', { message: { ...WHOLE.messages(''), content: [], stop_reason: null } }],
        ['content_block_start', { index: 0, content_block: { type: 'text', text: '' } }],
        ['content_block_delta', { index: 0, delta: { type: 'text_delta', text } }],
        ['content_block_stop', { index: 0 }],
        ['message_delta', { delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 2 } }],
        ['message_stop', {}],
      ]
        .map(([type, data]) => `event: ${type}\ndata: ${JSON.stringify({ type, ...(data as object) })}\n\n`)
        .join('');
    recorder.reply = (response) => {
      response.writeHead(200, EVENT_STREAM);
      response.end(recorder.seen.length === 1 ? frames('first ', 'pause_turn') : frames('second', 'end_turn'));
    };
    const { path, body } = STREAM.responses('m');
    const answer = await send(gateway.url, path, { body: { ...body, ...SEARCH } });
    expect(answer.text.match(/event: response\.created\n/g)).toHaveLength(1);
    expect(answer.text.match(/event: response\.completed\n/g)).toHaveLength(1);
    const deltas = [...answer.text.matchAll(/"type":"response\.output_text\.delta"[^\n]*"delta":"([^"]*)"/g)];
    expect(deltas.map(([, delta]) => delta).join('')).toBe('first second');
    expect(recorder.seen).toHaveLength(2);
  });

  test('a refusal of the second hop ends the stream as an error', async () => {
    recorder.reply = (response) => {
      if (recorder.seen.length > 1)
        return json(response, 529, {
          type: 'error',
          error: { type: 'overloaded_error', message: 'busy' },
          request_id: null,
        });
      response.writeHead(200, EVENT_STREAM);
      const start = { type: 'message_start', message: { ...WHOLE.messages(''), content: [], stop_reason: null } };
      const block = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } };
      const delta = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'half' } };
      const stop = { type: 'message_delta', delta: { stop_reason: 'pause_turn' }, usage: { output_tokens: 2 } };
      for (const event of [
        start,
        block,
        delta,
        { type: 'content_block_stop', index: 0 },
        stop,
        { type: 'message_stop' },
      ]) {
        response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      }
      response.end();
    };
    const { path, body } = STREAM.responses('m');
    const answer = await send(gateway.url, path, { body: { ...body, ...SEARCH } });
    expect(answer.text).toContain('half');
    expect(answer.text).toContain('event: response.failed\n');
    expect(answer.text).not.toContain('event: response.completed\n');
  });

  test('at most five times', async () => {
    recorder.reply = (response) => json(response, 200, paused);
    const { path, body } = ASK.responses('m', SEARCH);
    const answer = await send(gateway.url, path, { body });
    expect(recorder.seen).toHaveLength(6);
    expect(answer.body).toMatchObject({ status: 'incomplete' });
  });
});

describe('a call that the model itself broke', () => {
  const broken = {
    ...WHOLE.generateContent(''),
    candidates: [{ content: {}, finishReason: 'MALFORMED_FUNCTION_CALL', index: 0 }],
  };

  test('is asked for once more', async () => {
    recorder.reply = (response) =>
      json(response, 200, recorder.seen.length === 1 ? broken : WHOLE.generateContent('well'));
    const { path, body } = ASK.messages('g');
    const answer = await send(gateway.url, path, { body });
    expect([answer.status, answer.body.content[0].text]).toEqual([200, 'well']);
  });

  test.each(['messages', 'responses'] as const)(
    'and then is an error of a %s client, never an empty success',
    async (client) => {
      recorder.reply = (response) => json(response, 200, broken);
      const { path, body } = ASK[client]('g');
      const answer = await send(gateway.url, path, { body });
      expect(answer.status).toBe(500);
      messageOf(client, answer.body);
      expect(recorder.seen).toHaveLength(2);
    },
  );
});
