import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ConfigInput } from '../../src/config/schema.js';
import {
  type Answer,
  ASK,
  DIALECTS,
  EVENT_STREAM,
  FRAMES,
  json,
  likeVendor,
  messageOf,
  type Recorder,
  type Seen,
  STREAM,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
  WHOLE,
} from '../support/gateway/harness.js';

/** `x-interlingua-explain`: what would be sent, and nothing is (http.md#what-would-be-sent). */

const KEY = 'a-key-that-nobody-may-see';
const CALLER = 'the-key-of-the-usual-caller';
const OTHER = 'the-key-of-another-caller';
/** Configured, under names that no list of words for credentials holds. */
const SECRETS = { 'x-password': 'pa55', 'x-session': '5e55ion', 'x-signature': '5ignature', 'x-team': 'blue' };
const EXPLAIN = { 'x-interlingua-explain': 'true' };
const ADMITTED = { 'x-api-key': CALLER };

let recorder: Recorder;
let gateway: TestGateway;
/** The same, with every request in a thread. */
let threads: TestGateway;

beforeAll(async () => {
  recorder = await startRecorder();
  const config: ConfigInput = {
    backends: {
      ...Object.fromEntries(
        DIALECTS.map((id) => [id, { ...likeVendor(id), baseUrl: recorder.url, apiKey: KEY, retries: 0 }]),
      ),
      secretive: {
        dialect: 'messages',
        baseUrl: `${recorder.url}/root?api-version=1&api-key=${KEY}&sig=5ig&zone=inner`,
        headers: { 'x-team-token': 'Bearer what-a-team-has', ...SECRETS, 'anthropic-version': '2023-06-01' },
      },
      always: { dialect: 'messages', baseUrl: recorder.url, stream: 'always' },
      keeper: { dialect: 'responses', baseUrl: recorder.url, state: 'none' },
      cloud: { dialect: 'generateContent', baseUrl: recorder.url, auth: 'google' },
      b: { dialect: 'responses', baseUrl: recorder.url, videos: 'b' },
      pictures: { dialect: 'generateContent', baseUrl: recorder.url },
      built: { dialect: 'messages', simulator: true },
      anthropic: { preset: 'anthropic', baseUrl: recorder.url, apiKey: KEY },
      openai: { preset: 'openai', baseUrl: recorder.url, apiKey: KEY },
    },
    models: {
      ...Object.fromEntries(DIALECTS.map((id) => [`to-${id}`, { backend: id, model: 'real-model' }])),
      secretive: { backend: 'secretive' },
      always: { backend: 'always' },
      keeper: { backend: 'keeper', model: 'real-model' },
      cloud: { backend: 'cloud' },
      built: { backend: 'built' },
      'claude-opus-4-5': { backend: 'anthropic' },
      'gpt-5': { backend: 'openai' },
      'gpt-image-1': { backend: 'responses' },
      drawn: { backend: 'pictures', model: 'gemini-image' },
      'sora-2': { backend: 'responses' },
      wan: { backend: 'b' },
    },
    keys: [
      { name: 'usual', key: CALLER, explain: 'full', requestsPerMinute: 10_000, tokensPerMinute: 10_000_000 },
      { name: 'other', key: OTHER },
    ],
    media: { families: { 'img-multi': ['drawn'] } },
  };
  gateway = await startGateway(config, { largeBytes: Number.POSITIVE_INFINITY });
  threads = await startGateway(config, { largeBytes: -1 });
});
beforeEach(() => {
  recorder.seen.length = 0;
});
afterAll(async () => {
  await Promise.all([gateway.close(), threads.close()]);
  await recorder.close();
});

interface Asked {
  readonly path: string;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
}

/** Sends a request with the header, and sees that nothing was called. */
async function explained({ path, body, headers }: Asked, at = gateway): Promise<Answer> {
  const answer = await send(at.url, path, { body, headers: { ...ADMITTED, ...headers, ...EXPLAIN } });
  expect(recorder.seen).toEqual([]);
  return answer;
}

/** Sends a request with and without the header, and holds what was told against what was sent. */
async function held(asked: Asked, at = gateway): Promise<{ readonly told: Answer; readonly sent: Seen }> {
  const told = await explained(asked, at);
  expect(told.status).toBe(200);
  const { path, body, headers } = asked;
  await send(at.url, path, { body, headers: { ...ADMITTED, ...headers } });
  const [sent] = recorder.seen;
  if (sent === undefined) throw new Error('nothing was sent');
  expect(told.body).toMatchObject({ method: sent.method, url: recorder.url + sent.path, refusal: null });
  for (const [name, value] of Object.entries<string>(told.body.headers)) {
    expect(name).toBe(name.toLowerCase());
    if (!value.includes('***')) expect([name, sent.headers[name]]).toEqual([name, value]);
  }
  expect(told.text).not.toContain(KEY);
  return { told, sent };
}

/** The bytes of the body in an explanation. */
function bodyIn({ text }: Answer): string {
  return text.slice(text.indexOf('"body":') + '"body":'.length, text.lastIndexOf(',"losses":'));
}

describe.each(DIALECTS)('a %s client', (client) => {
  test.each(DIALECTS)('sees what %s would get, whole and streamed', async (backend) => {
    for (const asked of [ASK[client](`to-${backend}`), STREAM[client](`to-${backend}`)]) {
      recorder.seen.length = 0;
      recorder.reply = (response) => json(response, 200, WHOLE[backend]('Yes.'));
      const { told, sent } = await held(asked);
      expect(bodyIn(told)).toBe(sent.body);
      expect(Object.keys(told.body)).toEqual([
        ...[
          'target',
          'backend',
          'dialect',
          'method',
          'url',
          'headers',
          'body',
          'losses',
          'tokens',
          'restrictions',
          'endpoints',
          'refusal',
        ],
      ]);
      expect(told.body).toMatchObject({ target: `to-${backend}`, backend, dialect: backend });
      expect(told.body.tokens).toBeGreaterThan(2);
      const hidden = Object.entries<string>(told.body.headers).filter(([, value]) => value.includes('***'));
      expect(hidden.map(([name, value]) => sent.headers[name] === value.replace('***', KEY))).toEqual([true]);
      expect(told.headers).toMatchObject({
        'x-interlingua-backend': backend,
        'x-interlingua-dialect': backend,
        'x-interlingua-model': 'real-model',
        'content-type': 'application/json',
      });
    }
  });

  test('gets key checks, unknown models and broken JSON as ever', async () => {
    const { path, body } = ASK[client]('to-messages');
    const stranger = await send(gateway.url, path, { body, headers: { 'x-api-key': 'wrong', ...EXPLAIN } });
    const unknown = await explained(ASK[client]('nobody-has-it'));
    const broken = await explained({ path, body: '{"model":' });
    const odd = await send(gateway.url, path, {
      body,
      headers: { ...ADMITTED, 'x-interlingua-explain': 'yes, please' },
    });
    expect([stranger, broken, odd].map(({ status }) => status)).toEqual([401, 400, 400]);
    expect(messageOf(client, unknown.body)).toContain('nobody-has-it');
    for (const answer of [stranger, unknown, broken, odd]) messageOf(client, answer.body);
    expect(messageOf(client, odd.body)).toContain('x-interlingua-explain');
    expect(recorder.seen).toEqual([]);
  });
});

test('false means no', async () => {
  recorder.reply = (response) => json(response, 200, WHOLE.messages('Yes.'));
  const { path, body } = ASK.messages('to-messages');
  const answer = await send(gateway.url, path, { body, headers: { ...ADMITTED, 'x-interlingua-explain': 'false' } });
  expect([answer.status, answer.body.content[0].text, recorder.seen.length]).toEqual([200, 'Yes.', 1]);
});

test('the body is told byte for byte: order, numbers and members that JSON.parse would change', async () => {
  const body =
    '{ "z": 1.00, "model":"to-messages", "10": 12345678901234567890, "2": [], "max_tokens": 1e2,\n' +
    '"messages":[{"role":"user","content":"caf\\u00e9 \\/ ünï"}], "metadata": {"user_id": "u"} }';
  const { told, sent } = await held({ path: '/v1/messages', body });
  expect(bodyIn(told)).toBe(sent.body);
  expect(sent.body).toContain('"10": 12345678901234567890, "2": []');
});

test('losses are those of the request, and a stranger to strict is told with its status', async () => {
  const { path, body } = ASK.messages('to-responses', { top_k: 40 });
  const { body: told } = await explained({ path, body });
  expect(told.losses).toEqual([
    { path: '/top_k', feature: 'sampling.topK', kind: 'dropped', detail: expect.any(String) },
  ]);
  const strict = await explained({ path, body, headers: { 'x-interlingua-losses': 'strict' } });
  expect(strict.status).toBe(200);
  expect(strict.body).toMatchObject({
    target: 'to-responses',
    backend: 'responses',
    dialect: 'responses',
    method: 'POST',
    url: `${recorder.url}/v1/responses`,
    body: null,
    refusal: {
      by: 'gateway',
      status: 400,
      kind: 'unsupported',
      path: '/top_k',
      message: expect.stringContaining('sampling.topK'),
    },
  });
  expect(strict.body.losses).toEqual(told.losses);
});

test('what is not valid is a refusal without a body', async () => {
  const { path } = ASK.messages('');
  const { body: told } = await explained({ path, body: { model: 'to-responses', max_tokens: 8, messages: 'none' } });
  expect(told).toMatchObject({ body: null, tokens: null, refusal: { status: 400, path: '/messages' } });
});

test('what the service of the backend refuses is said, where its rules are known', async () => {
  const blank = { stop_sequences: [' '] };
  const refusal = { by: 'service', status: 400, kind: 'invalid_request', path: '', message: expect.any(String) };
  for (const model of ['built', 'claude-opus-4-5']) {
    const { body: told } = await explained(ASK.messages(model, blank));
    expect(told).toMatchObject({ body: blank, refusal });
    expect(told.refusal.message).toContain('stop_sequences');
  }
  // Another host of the dialect has rules of its own.
  expect((await explained(ASK.messages('always', blank))).body.refusal).toBeNull();
  const { body: wrong } = await explained({
    path: '/v1/responses',
    body: { model: 'gpt-5', input: [{ type: 'function_call_output', call_id: 'c1', output: '4' }] },
  });
  expect(wrong.refusal).toMatchObject({ by: 'service', path: '/input', message: expect.stringContaining('c1') });
});

test('secrets in addresses, headers and queries are not told, whatever they are called', async () => {
  const told = await explained({ ...ASK.messages('secretive'), headers: { 'anthropic-beta': 'some-beta' } });
  expect(told.body.url).toBe(`${recorder.url}/root/v1/messages?api-version=1&api-key=***&sig=***&zone=***`);
  expect(told.body.headers).toMatchObject({
    'x-team-token': '***',
    ...Object.fromEntries(Object.keys(SECRETS).map((name) => [name, '***'])),
    'content-type': 'application/json',
    'anthropic-beta': 'some-beta',
  });
  for (const secret of ['what-a-team-has', '5ig', 'inner', ...Object.values(SECRETS)])
    expect(told.text).not.toContain(secret);
  const cloud = await explained(ASK.messages('cloud'));
  expect(cloud.body.headers.authorization).toBe('Bearer ***');
  const built = await explained(ASK.responses('built'));
  expect(built.body.url).toBe('simulator:/v1/messages');
});

test('a caller with a key gets the path without the host, unless its key has explain: full', async () => {
  const asked = ASK.generateContent('to-messages');
  const full = await explained(asked);
  const other = await explained({ ...asked, headers: { 'x-api-key': OTHER } });
  expect([full.body.url, other.body.url]).toEqual([`${recorder.url}/v1/messages`, '/v1/messages']);
  expect(other.text).not.toContain(new URL(recorder.url).host);
  expect({ ...other.body, url: full.body.url }).toEqual(full.body);
  const secretive = await explained({ ...ASK.messages('secretive'), headers: { 'x-api-key': OTHER } });
  expect(secretive.body.url).toBe('/root/v1/messages?api-version=1&api-key=***&sig=***&zone=***');
});

test('without keys the address is whole, but not for everybody from everywhere', async () => {
  const { path, body } = ASK.messages('any');
  const backends = { only: { dialect: 'messages', baseUrl: recorder.url } } as const;
  const urls = [];
  for (const open of [false, true]) {
    const keyless = await startGateway({ backends, open });
    try {
      urls.push((await send(keyless.url, path, { body, headers: EXPLAIN })).body.url);
    } finally {
      await keyless.close();
    }
  }
  expect(urls).toEqual([`${recorder.url}/v1/messages`, '/v1/messages']);
});

test('a backend that is always asked for a stream, and one that keeps no answers', async () => {
  recorder.reply = (response) => {
    response.writeHead(200, EVENT_STREAM);
    response.end(FRAMES.messages('Yes.').join(''));
  };
  for (const asked of [ASK.messages('always'), ASK.responses('always')]) {
    recorder.seen.length = 0;
    const { told, sent } = await held(asked);
    expect(bodyIn(told)).toBe(sent.body);
    expect(told.body.body.stream).toBe(true);
  }
  recorder.seen.length = 0;
  recorder.reply = (response) => json(response, 200, WHOLE.responses('Yes.'));
  const kept = await held(ASK.responses('keeper'));
  expect(bodyIn(kept.told)).toBe(kept.sent.body);
});

test('an answer in the background and a compaction: nothing is promised, nothing begun', async () => {
  const { path, body } = ASK.responses('to-messages', { background: true });
  const background = await explained({ path, body });
  expect(background.body).toMatchObject({ backend: 'messages', body: { stream: true }, refusal: null });
  recorder.reply = (response) => json(response, 200, WHOLE.messages('A summary.'));
  for (const asked of [
    { path: '/v1/responses/compact', body: { model: 'to-messages', input: 'Hello' } },
    { path, body: { model: 'to-messages', input: [{ role: 'user', content: 'Hi' }, { type: 'compaction_trigger' }] } },
  ]) {
    recorder.seen.length = 0;
    const { told, sent } = await held(asked);
    expect(bodyIn(told)).toBe(sent.body);
  }
});

test('counts', async () => {
  recorder.reply = (response) => json(response, 200, { input_tokens: 5 });
  const { body } = ASK.generateContent('to-messages');
  const { told, sent } = await held({ path: '/v1beta/models/to-messages:countTokens', body });
  expect(bodyIn(told)).toBe(sent.body);
  expect(told.body.url).toBe(`${recorder.url}/v1/messages/count_tokens`);
  recorder.seen.length = 0;
  const local = await explained({ path: '/v1/messages/count_tokens', body: ASK.messages('to-chatCompletions').body });
  expect(local.body.body).toBeNull();
});

describe('media', () => {
  test.each([
    ['pictures by the same routes', '/v1/images/generations', { model: 'gpt-image-1', prompt: 'A cat.', n: 2 }],
    ['pictures by another protocol', '/v1/images/generations', { model: 'drawn', prompt: 'A cat.', n: 2 }],
    ['a video in the same format', '/v1/videos', { model: 'sora-2', prompt: 'A cat.', seconds: '8' }],
    ['a video in the other format', '/v1/videos', { model: 'wan', prompt: 'A cat.' }],
  ])('%s', async (_name, path, body) => {
    recorder.reply = (response) => json(response, 400, { error: { message: 'no' } });
    const { told, sent } = await held({ path, body });
    expect(bodyIn(told)).toBe(sent.body);
    expect(told.body.tokens).toBeNull();
  });

  test('a form has no body that JSON could hold, and a broken rule is a refusal', async () => {
    const boundary = 'b0undary';
    const form = ['model', 'prompt']
      .map((name) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n`)
      .map((head, index) => head + (index === 0 ? 'sora-2' : 'A cat.'))
      .join('\r\n');
    const asked = { path: '/v1/videos', body: `${form}\r\n--${boundary}--\r\n` };
    const type = { 'content-type': `multipart/form-data; boundary=${boundary}` };
    const told = await explained({ ...asked, headers: type });
    expect(told.body).toMatchObject({ body: null, refusal: null, dialect: 'responses' });
    expect(told.body.headers['content-type']).toContain('multipart/form-data');
    const refused = await explained({
      path: '/v1/images/generations',
      body: { model: 'gpt-image-1', prompt: '?', n: 99 },
    });
    expect(refused.body).toMatchObject({ body: null, refusal: { status: 400, path: '/n' } });
  });
});

test('in a thread it is the same', async () => {
  recorder.reply = (response) => json(response, 200, WHOLE.messages('Yes.'));
  for (const asked of [ASK.messages('to-messages'), ASK.generateContent('to-messages')]) {
    recorder.seen.length = 0;
    const { told, sent } = await held(asked, threads);
    expect(bodyIn(told)).toBe(sent.body);
    const { text } = await send(gateway.url, asked.path, { body: asked.body, headers: { ...ADMITTED, ...EXPLAIN } });
    expect(text).toBe(told.text);
  }
});
