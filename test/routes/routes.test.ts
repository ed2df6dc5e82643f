import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { DialectId } from '../../translators/index.js';
import { dialectAt } from '../support/dialect-at.js';
import { openApplication, type TestApplication } from '../support/gateway/application.js';
import { ASK, DIALECTS, json, messageOf, type Recorder, startRecorder, WHOLE } from '../support/gateway/harness.js';

let recorder: Recorder;
let gateway: TestApplication;

beforeAll(async () => {
  recorder = await startRecorder();
  gateway = openApplication({
    backends: {
      messages: { dialect: 'messages', baseUrl: recorder.url },
      responses: { dialect: 'responses', baseUrl: `${recorder.url}/v1` },
      generateContent: { dialect: 'generateContent', baseUrl: `${recorder.url}/v1beta/` },
      chatCompletions: { dialect: 'chatCompletions', baseUrl: recorder.url },
    },
    models: {
      ...Object.fromEntries(DIALECTS.map((dialect) => [nameOf(dialect), { backend: dialect }])),
      'g*': { backend: 'generateContent' },
    },
    limits: { bodyMb: 1 },
  });
});
beforeEach(() => {
  recorder.seen.length = 0;
  recorder.reply = (response, { path }) => {
    json(response, 200, WHOLE[dialectAt(path)]('hi'));
  };
});
afterAll(async () => {
  await gateway.close();
  await recorder.close();
});

/** The model that leads to the backend of a dialect. */
function nameOf(dialect: DialectId): string {
  return dialect.slice(0, 1);
}

/** Posts text and bytes as they are, as JSON unless the headers say otherwise. */
function postBytes(path: string, body: string | Buffer, headers: Record<string, string> = {}) {
  return gateway.http
    .post(path)
    .send(body)
    .set({ 'content-type': 'application/json', ...headers })
    .serialize((sent) => sent);
}

describe('every form of a path leads to its route', () => {
  test.each([
    '/v1/messages',
    '/messages',
    '/v1beta/messages',
    '/v1/messages/',
    '/v1/v1/messages',
    '/v1beta/v1/v1/messages',
    '//v1/messages',
    '/v1/messages?beta=true',
  ])('messages: %s', async (path) => {
    await gateway.http.post(path).send(ASK.messages('m').body).expect(200);
    expect(recorder.seen[0]?.path).toBe(path.includes('?') ? '/v1/messages?beta=true' : '/v1/messages');
  });

  test.each(['/v1/responses', '/responses', '/responses/', '/v1beta1/responses', '/openai/v1/v1/responses'])(
    'responses: %s',
    async (path) => {
      await gateway.http.post(path).send(ASK.responses('r').body).expect(200);
      expect(recorder.seen[0]?.path).toBe('/v1/responses');
    },
  );

  test.each([
    '/v1beta/models/g:generateContent',
    '/v1/models/g:generateContent',
    '/models/g:generateContent',
    '/v1beta1/models/g:generateContent',
    '/v1alpha/models/g:generateContent',
    '/v1beta/models/models/g:generateContent',
    '/v1beta1/publishers/google/models/g:generateContent',
    '/v1beta1/projects/p/locations/l/publishers/google/models/g:generateContent',
    '/v1beta/models/g:generateContent/',
    '/v1beta/v1beta/models/g:generateContent',
    '/v1/v1beta/models/g:generateContent',
  ])('generateContent: %s', async (path) => {
    await gateway.http.post(path).send(ASK.generateContent('g').body).expect(200);
    expect(recorder.seen[0]?.path).toBe('/v1beta/models/g:generateContent');
  });

  test.each(['/v1/messages/count_tokens', '/messages/count_tokens?beta=true'])('count: %s', async (path) => {
    recorder.reply = (response) => json(response, 200, { input_tokens: 7 });
    await gateway.http.post(path).send(ASK.messages('m').body).expect(200, { input_tokens: 7 });
  });
});

describe('model names never leave their segment', () => {
  test.each([
    'g/../../admin',
    'g?x=1',
    'g#frag',
    'g@evil.example',
    'g%2F..%2F..%2Fadmin',
    'g\\..\\admin',
    'g:generateContent?key=1#',
    'g//evil.example/',
    'gü€😀',
    'g%00'.replace('%00', ' '),
  ])('%s', async (name) => {
    const path = `/v1beta/models/${encodeURIComponent(name)}:generateContent`;
    const { status } = await gateway.http.post(path).send(ASK.generateContent('x').body);
    if (status === 200) {
      expect(recorder.seen[0]?.path).toBe(path);
    } else {
      expect(status).toBe(400);
      expect(recorder.seen).toHaveLength(0);
    }
  });

  test.each(['', 'x'.repeat(257), 'a\u0000b', 'a\nb'])('refused: %j', async (name) => {
    const { body } = await gateway.http.post('/v1/messages').send(ASK.messages(name).body).expect(400);
    expect(messageOf('messages', body)).toMatch(/model/);
  });

  test('broken percent-encoding', async () => {
    const { body } = await gateway.http
      .post('/v1beta/models/%zz:generateContent')
      .send(ASK.generateContent('x').body)
      .expect(400);
    messageOf('generateContent', body);
  });
});

describe.each(DIALECTS)('refusals in the shape of %s', (dialect) => {
  const ask = ASK[dialect](nameOf(dialect));
  const refused = async (body: string | Buffer, headers = {}) => {
    const answer = await postBytes(ask.path, body, headers);
    expect(recorder.seen).toHaveLength(0);
    return { ...answer, message: messageOf(dialect, answer.body) };
  };

  test.each([
    ['cut short', '{"model":"m"', /not valid JSON/],
    ['empty', '', /empty/],
    ['white space', '  \n', /empty/],
    ['no UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), /UTF-8/],
    [
      'nested too deeply',
      `{"model":"${nameOf(dialect)}","x":${'['.repeat(200)}${']'.repeat(200)}}`,
      /nested more than 128/,
    ],
    ['nested without end', '['.repeat(400_000), /nested/],
  ])('a body that is %s: 400', async (_name, body, message) => {
    const answer = await refused(body);
    expect(answer.status).toBe(400);
    expect(answer.message).toMatch(message);
    expect(answer.headers['x-request-id']).toMatch(/^req_[0-9a-f]{32}$/);
  });

  test('a type that is no JSON: 415', async () => {
    expect((await refused('a=b', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415);
    expect((await refused('{}', { 'content-type': 'application/json; charset=utf-16' })).status).toBe(415);
    expect((await refused('{}', { 'content-encoding': 'zstd' })).status).toBe(415);
  });

  test('too large, told or found: 413', async () => {
    const large = JSON.stringify({ ...ask.body, pad: 'x'.repeat(2_000_000) });
    expect((await refused(large)).status).toBe(413);
    expect((await refused(gzipSync(large), { 'content-encoding': 'gzip' })).status).toBe(413);
    expect((await refused(brotliCompressSync(large), { 'content-encoding': 'br' })).status).toBe(413);
  });

  test('data that is not what its encoding says: 400', async () => {
    expect((await refused('{}', { 'content-encoding': 'gzip' })).status).toBe(400);
    expect((await refused(gzipSync('{}').subarray(0, 12), { 'content-encoding': 'gzip' })).status).toBe(400);
  });

  test('an unknown model: 404 in the words of the dialect', async () => {
    const { path, body } = ASK[dialect]('nobody');
    const answer = await gateway.http
      .post(path)
      .send(body)
      .expect(dialect === 'responses' ? 400 : 404);
    expect(messageOf(dialect, answer.body)).toMatch(/nobody/);
    if (dialect === 'responses') expect(answer.body.error).toMatchObject({ code: 'model_not_found', param: 'model' });
  });

  test('a wrong method: 405 with allow', async () => {
    const answer = await gateway.http
      .put(ask.path)
      .send({})
      .expect(405)
      .expect('allow', /^POST\b/);
    messageOf(dialect, answer.body);
  });
});

test.each(['/v1/chat/completions', '/v1/messages', '/v1/responses', '/v1beta/models/g:generateContent'])(
  'opened in a browser, %s tells the method to use',
  async (path) => {
    const { body } = await gateway.http.get(path).expect(405).expect('allow', 'POST');
    expect(body.error.message).toMatch(/ takes POST, not GET/);
  },
);

test('what no backend serves is told with what to write', async () => {
  const { body } = await gateway.http.post('/v1/embeddings').send({ input: 'x' }).expect(404);
  expect(messageOf('responses', body)).toMatch(/write passthrough: \{ responses: BACKEND \} in the configuration$/);
});

describe('unknown routes', () => {
  test('far from any, those of conversations are named, and how many others there are', async () => {
    const { body } = await gateway.http.post('/v1/zzz').send({}).expect(404);
    expect(messageOf('responses', body)).toMatch(
      /; known: POST \/v1\/messages, POST \/v1\/responses, .*:streamGenerateContent and \d+ others \(GET \/openapi\.json\)$/,
    );
    expect(messageOf('responses', body)).not.toMatch(/images|videos|files/);
  });

  test('the nearest right path is named', async () => {
    const { body } = await gateway.http.post('/v1/mesages').send({}).expect(404);
    expect(messageOf('responses', body)).toContain('POST /v1/messages');
    const other = await gateway.http.post('/v1/embedings').send({});
    expect(messageOf('responses', other.body)).toMatch(/; did you mean POST \/v1\/embeddings\?$/);
  });

  test('their shape follows the caller', async () => {
    const shape = async (path: string, headers = {}) => (await gateway.http.get(path).set(headers)).body;
    messageOf('messages', await shape('/v1/nothing', { 'anthropic-version': '2023-06-01' }));
    messageOf('generateContent', await shape('/v1/nothing', { 'x-goog-api-client': 'x' }));
    messageOf('generateContent', await shape('/v1beta/nothing'));
    messageOf('messages', await shape('/v1/messages/batches'));
    messageOf('generateContent', (await gateway.http.post('/v1/models/g:unknownVerb').send({})).body);
    messageOf('responses', await shape('/v1/nothing'));
  });
});

describe('encodings of bodies', () => {
  const text = JSON.stringify(ASK.messages('m').body);
  test.each([
    ['gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
    ['identity', Buffer.from(text)],
  ])('%s', async (encoding, body) => {
    await postBytes('/v1/messages', body, { 'content-encoding': encoding }).expect(200);
    expect(recorder.seen[0]?.body).toBe(text);
    expect(recorder.seen[0]?.headers['content-encoding']).toBeUndefined();
  });

  test.each(['text/plain', 'application/vnd.api+json', 'application/json; charset=UTF-8', ''])('type %j', (type) =>
    postBytes('/v1/messages', text, { 'content-type': type }).expect(200),
  );

  test('a byte order mark is not part of the body', () => postBytes('/v1/messages', `\ufeff${text}`).expect(200));
});

test('keys of the prototype are data', async () => {
  const body = `{"model":"m","max_tokens":5,"messages":[{"role":"user","content":"x","__proto__":{"polluted":1}}],"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}`;
  await postBytes('/v1/messages', body).expect(200);
  expect(recorder.seen[0]?.body).toBe(body);
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
});

describe('operations', () => {
  test.each(['/', '/healthz', '/readyz'])('%s', async (path) => {
    await gateway.http.get(path).expect(200);
    expect((await gateway.http.head(path).expect(200)).text).toBeUndefined();
  });

  test('an id of the client is kept, an odd one is not', async () => {
    const id = async (given: string) =>
      (await gateway.http.get('/v1/nothing').set('x-request-id', given)).headers['x-request-id'];
    expect(await id('my.id-1_2')).toBe('my.id-1_2');
    expect(await id('a b')).toMatch(/^req_/);
    expect(await id('x'.repeat(129))).toMatch(/^req_/);
  });

  test('a messages client finds the id under its own name too', async () => {
    const answer = await postBytes('/v1/messages', '{');
    expect(answer.headers['request-id']).toBe(answer.headers['x-request-id']);
    expect(answer.body.request_id).toBe(answer.headers['request-id']);
  });
});
