import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  ASK,
  DIALECTS,
  EVENT_STREAM,
  FRAMES,
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
      messages: { dialect: 'messages', baseUrl: recorder.url, headers: { 'x-extra': 'ours' } },
      responses: { dialect: 'responses', baseUrl: recorder.url, state: 'own' },
      generateContent: { dialect: 'generateContent', baseUrl: recorder.url },
      chatCompletions: { dialect: 'chatCompletions', baseUrl: recorder.url },
      keeping: { dialect: 'responses', baseUrl: recorder.url },
      picky: { dialect: 'messages', baseUrl: recorder.url, betas: ['good-2025-01-01'] },
      bare: { dialect: 'messages', baseUrl: recorder.url, betas: 'none' },
      always: { dialect: 'messages', baseUrl: recorder.url, stream: 'always' },
    },
    models: {
      messages: { backend: 'messages' },
      responses: { backend: 'responses' },
      generateContent: { backend: 'generateContent' },
      chatCompletions: { backend: 'chatCompletions' },
      'mine-*': { backend: 'messages', model: 'their-*-model' },
      'r-*': { backend: 'responses', model: '*' },
      'g-*': { backend: 'generateContent', model: '*-real' },
      keeping: { backend: 'keeping' },
      picky: { backend: 'picky' },
      bare: { backend: 'bare' },
      always: { backend: 'always', model: 'streamer' },
    },
    limits: { heartbeatSeconds: 0.05 },
    listen: { cors: ['https://canary-origin.example'] },
  });
});
beforeEach(() => {
  recorder.seen.length = 0;
});
afterAll(async () => {
  await gateway.close();
  await recorder.close();
});

const ODD =
  '{"model":"messages",\n  "big": 12345678901234567890, "e":1e400, "x_new":{"\\u0061":[1.0,-0]}, "messages":[]  }';

describe('the request', () => {
  test('arrives byte for byte', async () => {
    await send(gateway.url, '/v1/messages', { body: ODD });
    expect(recorder.seen[0]?.body).toBe(ODD);
  });

  test('with another model name, and nothing else, changed', async () => {
    await send(gateway.url, '/v1/messages', { body: ODD.replace('"messages",', '"mine-x",') });
    expect(recorder.seen[0]?.body).toBe(ODD.replace('"messages",', '"their-x-model",'));
  });

  test('with the model in the path where the dialect has it there', async () => {
    const { body } = ASK.generateContent('');
    await send(gateway.url, '/v1beta/models/g-2:generateContent?$fields=a', { body });
    expect(recorder.seen[0]?.path).toBe('/v1beta/models/2-real:generateContent?$fields=a');
    expect(recorder.seen[0]?.body).toBe(JSON.stringify(body));
    await send(gateway.url, '/v1beta/models/g-2:countTokens', {
      body: '{"generateContentRequest":{"model":"models/g-2","contents":[], "n":1.50}}',
    });
    expect(recorder.seen[1]?.body).toBe('{"generateContentRequest":{"model":"models/2-real","contents":[], "n":1.50}}');
  });

  test('with headers of the allow-list only', async () => {
    const canaries = Object.fromEntries(
      [
        'cookie',
        'proxy-authorization',
        'x-forwarded-for',
        'forwarded',
        'x-stainless-os',
        'referer',
        'x-custom',
        'te',
        'via',
      ].map((name) => [name, `canary-${name}`]),
    );
    await send(gateway.url, '/v1/messages', {
      body: ASK.messages('messages').body,
      headers: {
        ...canaries,
        origin: 'https://canary-origin.example',
        connection: 'close, x-hop',
        'x-hop': 'canary-hop',
        'anthropic-version': '2026-10-21',
        'anthropic-beta': 'a-1,b-2',
      },
    });
    const [seen] = recorder.seen;
    expect(JSON.stringify(seen)).not.toContain('canary');
    expect(Object.keys(seen?.headers ?? {}).sort()).toEqual([
      'accept-encoding',
      'anthropic-beta',
      'anthropic-version',
      'connection',
      'content-length',
      'content-type',
      'host',
      'user-agent',
      'x-extra',
    ]);
    expect(seen?.headers).toMatchObject({
      'accept-encoding': 'identity',
      'anthropic-version': '2026-10-21',
      'anthropic-beta': 'a-1,b-2',
      'x-extra': 'ours',
    });
  });

  test('names the configured version when the client names none', async () => {
    await send(gateway.url, '/v1/messages', { body: ASK.messages('messages').body });
    expect(recorder.seen[0]?.headers['anthropic-version']).toBe('2023-06-01');
  });

  test('GW-04: keeps the feature names that are allowed, and without the others their fields', async () => {
    const body = '{"model":"M","context_management":{"edits":[]},"mcp_servers":[],"keep":1}';
    const headers = { 'anthropic-beta': 'good-2025-01-01, context-management-2025-06-27' };
    await send(gateway.url, '/v1/messages', { body: body.replace('M', 'picky'), headers });
    await send(gateway.url, '/v1/messages', { body: body.replace('M', 'bare'), headers });
    expect(recorder.seen[0]?.headers['anthropic-beta']).toBe('good-2025-01-01');
    expect(recorder.seen[0]?.body).toBe('{"model":"picky","mcp_servers":[],"keep":1}');
    expect(recorder.seen[1]?.headers['anthropic-beta']).toBeUndefined();
    expect(recorder.seen[1]?.body).toBe('{"model":"bare","mcp_servers":[],"keep":1}');
  });
});

test('a plain request to a backend that is always asked for a stream keeps its own words', async () => {
  recorder.reply = (response) => {
    response.writeHead(200, EVENT_STREAM);
    response.end(FRAMES.messages('folded').join(''));
  };
  const answer = await send(gateway.url, '/v1/messages', {
    body: '{"model":"always", "max_tokens":9, "x_new": 1.0, "messages":[{"role":"user","content":"x"}]}',
    headers: { 'anthropic-version': '2026-10-21', 'anthropic-beta': 'a-1' },
  });
  expect(answer.body).toMatchObject({
    type: 'message',
    content: [{ type: 'text', text: 'folded' }],
    stop_reason: 'end_turn',
  });
  expect(recorder.seen[0]?.body).toBe(
    '{"model":"streamer", "max_tokens":9, "x_new": 1.0, "messages":[{"role":"user","content":"x"}],"stream":true}',
  );
  expect(recorder.seen[0]?.headers).toMatchObject({ 'anthropic-version': '2026-10-21', 'anthropic-beta': 'a-1' });
});

describe.each(DIALECTS)('the answer of %s', (dialect) => {
  const plain = ASK[dialect](dialect);
  const streamed = STREAM[dialect](dialect);

  test('passes byte for byte, with its own headers and ours', async () => {
    const text = `${JSON.stringify({ ...WHOLE[dialect]('hi'), unknown: 'x' }, null, 1)}\n`.replace(
      '"unknown"',
      '"unk\\u006eown"',
    );
    recorder.reply = (response) => {
      response.writeHead(200, {
        'content-type': 'application/json; charset=utf-8',
        'request-id': 'up-1',
        'anthropic-ratelimit-requests-limit': '10',
        'x-ratelimit-limit-requests': '20',
        'set-cookie': 'a=b',
        server: 'canary',
        'retry-after': '3',
      });
      response.end(text);
    };
    const answer = await send(gateway.url, plain.path, { body: plain.body });
    expect(answer.text).toBe(text);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(text)),
      'x-interlingua-backend': dialect,
      'x-interlingua-dialect': dialect,
      'x-interlingua-model': dialect,
      'x-interlingua-losses': '0',
      'x-interlingua-upstream-request-id': 'up-1',
      'x-request-id': expect.stringMatching(/^req_/),
      'retry-after': '3',
    });
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(answer.headers.server).toBeUndefined();
    expect(answer.headers['x-ratelimit-limit-requests']).toBe('20');
  });

  test('streams byte for byte, cut anywhere, with no heartbeat put in', async () => {
    const text = `: hello\n\n${FRAMES[dialect]('Grüße 😀').join('')}: bye\n\n`;
    recorder.reply = async (response) => {
      response.writeHead(200, EVENT_STREAM);
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; at += 7) response.write(bytes.subarray(at, at + 7));
      await new Promise((resolve) => setTimeout(resolve, 200));
      response.end();
    };
    const answer = await send(gateway.url, streamed.path, { body: streamed.body });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/event-stream');
    // Or a proxy in front keeps it back until its end.
    expect(answer.headers['x-accel-buffering']).toBe('no');
    expect(answer.text).toBe(text);
  });

  test('a stream that ends without its last word gets an error frame', async () => {
    // Two frames of messages are missing: with the first of them it has said how it ends.
    const frames = FRAMES[dialect]('half').slice(0, dialect === 'messages' ? -2 : -1);
    recorder.reply = (response) => {
      response.writeHead(200, EVENT_STREAM);
      response.end(frames.join(''));
    };
    const answer = await send(gateway.url, streamed.path, { body: streamed.body, mayBreak: true });
    expect(answer.complete).toBe(dialect === 'responses');
    expect(answer.text.startsWith(frames.join(''))).toBe(true);
    const added = answer.text.slice(frames.join('').length);
    const errors = [...added.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ''));
    expect(errors.length).toBeGreaterThan(0);
    if (dialect === 'messages') expect(errors[0]).toMatchObject({ type: 'error', error: { type: 'api_error' } });
    if (dialect === 'responses') expect(errors[0]).toMatchObject({ type: 'error' });
    if (dialect === 'chatCompletions') expect(errors[0]).toMatchObject({ error: { type: 'server_error' } });
    if (dialect === 'generateContent') expect(errors[0]).toMatchObject({ error: { code: 503, status: 'UNAVAILABLE' } });
  });

  test('ERR-03: a stream cut within an event breaks', async () => {
    const text = FRAMES[dialect]('half').join('');
    recorder.reply = (response) => {
      response.writeHead(200, EVENT_STREAM);
      response.end(text.slice(0, text.length - 30));
    };
    const answer = await send(gateway.url, streamed.path, { body: streamed.body, mayBreak: true });
    expect(answer.complete).toBe(false);
  });

  test('a stream whose connection breaks after its last word ended well', async () => {
    const text = FRAMES[dialect]('whole').join('');
    recorder.reply = (response) => {
      response.writeHead(200, EVENT_STREAM);
      response.write(text, () => setTimeout(() => response.destroy(), 50));
    };
    expect((await send(gateway.url, streamed.path, { body: streamed.body })).text).toBe(text);
  });

  test('a refusal in the shape of the dialect passes with its status', async () => {
    const text = JSON.stringify({
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'no such thing',
        param: null,
        code: dialect === 'generateContent' ? 400 : null,
        status: 'INVALID_ARGUMENT',
      },
      request_id: 'up',
    });
    recorder.reply = (response) => {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(text);
    };
    const answer = await send(gateway.url, plain.path, { body: plain.body });
    expect([answer.status, answer.text]).toEqual([400, text]);
    expect(answer.headers['x-interlingua-backend']).toBe(dialect);
  });

  test('a refusal in no shape gets the shape of the dialect', async () => {
    recorder.reply = (response) => {
      response.writeHead(500, { 'content-type': 'text/html' });
      response.end('<html>nginx at backend-host-canary</html>');
    };
    const answer = await send(gateway.url, streamed.path, { body: streamed.body });
    expect(answer.status).toBe(500);
    expect(messageOf(dialect, answer.body)).not.toContain('canary');
  });

  test('a refusal of our own key is told as a failure of ours', async () => {
    recorder.reply = (response) => json(response, 401, { error: { message: 'Incorrect API key provided: sk-ours' } });
    const answer = await send(gateway.url, plain.path, { body: plain.body });
    expect(answer.status).toBe(dialect === 'generateContent' ? 503 : 502);
    expect(answer.text).not.toContain('sk-ours');
    if (dialect !== 'generateContent') expect(answer.headers['x-should-retry']).toBe('false');
  });
});

test('an array of chunks is relayed as one', async () => {
  const text = `[${JSON.stringify(WHOLE.generateContent('hi'))}\n]`;
  recorder.reply = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(text);
  };
  const { body } = ASK.generateContent('');
  const answer = await send(gateway.url, '/v1beta/models/g-1:streamGenerateContent', { body });
  expect(answer.text).toBe(text);
  expect(recorder.seen[0]?.path).toBe('/v1beta/models/1-real:streamGenerateContent');
});

test('an answer that begins with a byte order mark is stored, and passes as it is where nothing is stored', async () => {
  const whole = JSON.stringify(WHOLE.responses('Hello'));
  recorder.reply = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(`\uFEFF${whole}`);
  };
  const { path, body } = ASK.responses('keeping');
  const { status, body: answer } = await send(gateway.url, path, { body: { ...body, store: true } });
  expect([status, answer.output[0].content[0].text]).toEqual([200, 'Hello']);
  const kept = await send(gateway.url, `${path}/${answer.id}`);
  expect([kept.status, kept.body.id]).toEqual([200, answer.id]);
  const other = ASK.messages('messages');
  const headers = { 'content-type': 'application/json' };
  const passed = await fetch(gateway.url + other.path, { method: 'POST', headers, body: JSON.stringify(other.body) });
  expect(Buffer.from(await passed.arrayBuffer()).toString()).toBe(`\uFEFF${whole}`);
});
