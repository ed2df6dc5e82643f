import { createServer, request as httpRequest, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { toFile } from 'openai';
import { parseConfig } from '../../src/config/load.js';
import type { ConfigInput } from '../../src/config/schema.js';
import { connectGenerateContent, connectMessages, connectResponses } from '../support/clients.js';
import {
  ASK,
  json,
  messageOf,
  type Recorder,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
  WHOLE,
} from '../support/gateway/harness.js';
import { settled } from '../support/settled.js';
import { listen, shut } from '../support/sockets.js';

/** Routes that nothing translates are relayed within their dialect (http.md#routes-that-are-not-translated). */

const UPSTREAM = 'sk-upstream-passthrough-1';
const ALL = 'a-gateway-key-for-everything';
const SOME = 'a-gateway-key-for-embeddings';

let recorder: Recorder;
let gateway: TestGateway;

const config = (url: string): ConfigInput => ({
  backends: {
    m: { dialect: 'messages', baseUrl: `${url}/m`, apiKey: UPSTREAM, retries: 0 },
    r: {
      dialect: 'responses',
      baseUrl: `${url}/r`,
      apiKey: UPSTREAM,
      retries: 0,
      breaker: { failures: 3, seconds: 60 },
    },
    other: { dialect: 'responses', baseUrl: `${url}/other`, apiKey: UPSTREAM, retries: 0 },
    g: { dialect: 'generateContent', baseUrl: `${url}/g`, apiKey: UPSTREAM, retries: 0 },
    many: { preset: 'vllm', baseUrl: url, retries: 0 },
  },
  models: {
    embed: [
      { backend: 'm' },
      { backend: 'other', model: 'text-embedding-3-small' },
      { backend: 'r', model: 'text-embedding-3-small' },
    ],
    'g-embed': { backend: 'g', model: 'gemini-embedding-001' },
    hear: { backend: 'other', model: 'whisper-1' },
    claude: { backend: 'm' },
    local: { backend: 'many' },
  },
  passthrough: { messages: 'm', responses: 'r', generateContent: 'g' },
  keys: [
    { name: 'all', key: ALL },
    { name: 'some', key: SOME, models: ['embed'] },
  ],
  limits: { uploadMb: 1 },
});

beforeAll(async () => {
  recorder = await startRecorder();
  gateway = await startGateway(config(recorder.url));
});
beforeEach(() => {
  recorder.seen.length = 0;
  recorder.reply = (response) => json(response, 200, {});
});
afterAll(async () => {
  await gateway.close();
  await recorder.close();
});

const openai = () => connectResponses(gateway.url, { apiKey: ALL });
const anthropic = () => connectMessages(gateway.url, { apiKey: ALL });
const google = () => connectGenerateContent(gateway.url, { apiKey: ALL });
const bearer = { authorization: `Bearer ${ALL}` };

function only() {
  expect(recorder.seen).toHaveLength(1);
  const [seen] = recorder.seen;
  if (seen === undefined) throw new Error('nothing came');
  expect(JSON.stringify(seen)).not.toContain(ALL);
  return seen;
}

describe('the clients of responses', () => {
  test('embed by the model that the body names, under its backend’s name', async () => {
    recorder.reply = (response) =>
      json(response, 200, { object: 'list', data: [{ object: 'embedding', index: 0, embedding: [0.5] }], model: 'x' });
    const { data, response } = await openai()
      .embeddings.create({ model: 'embed', input: 'Hello', encoding_format: 'float' })
      .withResponse();
    expect(data.data[0]?.embedding).toEqual([0.5]);
    const { path, method, headers, body } = only();
    expect([method, path, headers.authorization]).toEqual(['POST', '/other/v1/embeddings', `Bearer ${UPSTREAM}`]);
    expect(JSON.parse(body)).toEqual({ model: 'text-embedding-3-small', input: 'Hello', encoding_format: 'float' });
    expect(response.headers.get('x-interlingua-backend')).toBe('other');
    expect(response.headers.get('x-interlingua-model')).toBe('text-embedding-3-small');
    expect(response.headers.get('x-interlingua-losses')).toBe('0');
  });

  test('are served by the place for such requests where only a later endpoint of the model’s backend is of the dialect', async () => {
    await send(gateway.url, '/v1/embeddings', { body: { model: 'local', input: 'x' }, headers: bearer });
    const seen = only();
    expect([seen.path, seen.headers.authorization]).toEqual(['/r/v1/embeddings', `Bearer ${UPSTREAM}`]);
  });

  test('other bytes of a body stay as they are', async () => {
    const body = '{"model": "unknown-model",  "input":1.0, "x_new":12345678901234567890}';
    await send(gateway.url, '/v1/embeddings', { body, headers: bearer });
    const seen = only();
    expect([seen.path, seen.body]).toEqual(['/r/v1/embeddings', body]);
  });

  test('the next target of the dialect serves when the first cannot', async () => {
    recorder.reply = (response, { path }) =>
      path.startsWith('/other') ? json(response, 503, {}) : json(response, 200, { data: [] });
    const { status, headers } = await send(gateway.url, '/v1/embeddings', {
      body: { model: 'embed', input: 'x' },
      headers: bearer,
    });
    expect([status, headers['x-interlingua-backend']]).toEqual([200, 'r']);
  });

  test('send files, and fetch them', async () => {
    recorder.reply = (response, { method }) => {
      if (method === 'POST') return json(response, 200, { id: 'file-1', object: 'file' });
      response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' });
      response.end('one\ntwo\n');
    };
    const file = await openai().files.create({
      file: await toFile(Buffer.from('{"a":1}\n'), 'b.jsonl'),
      purpose: 'batch',
    });
    expect(file.id).toBe('file-1');
    const sent = only();
    expect(sent.path).toBe('/r/v1/files');
    expect(sent.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(sent.body).toContain('filename="b.jsonl"');
    expect(sent.body).toContain('{"a":1}\n');
    const content = await openai().files.content('file-1');
    expect([await content.text(), content.headers.get('content-disposition')]).toEqual(['one\ntwo\n', 'attachment']);
    expect(recorder.seen[1]?.path).toBe('/r/v1/files/file-1/content');
  });

  test('speak by the model that a form names', async () => {
    recorder.reply = (response) => json(response, 200, { text: 'hello' });
    const { text } = await openai().audio.transcriptions.create({
      file: await toFile(Buffer.from('RIFF....'), 'a.wav', { type: 'audio/wav' }),
      model: 'hear',
      language: 'en',
    });
    expect(text).toBe('hello');
    const { path, body, headers } = only();
    expect(path).toBe('/other/v1/audio/transcriptions');
    expect(body).toMatch(/name="model"\r\n\r\nwhisper-1\r\n/);
    expect(body).toMatch(/filename="a\.wav"\r\nContent-Type: audio\/wav\r\n\r\nRIFF\.\.\.\.\r\n/);
    expect(Number(headers['content-length'])).toBe(Buffer.byteLength(body));
  });

  test('cancel, change and delete', async () => {
    await openai().batches.cancel('batch_1');
    await openai().conversations.update('conv_1', { metadata: { a: 'b' } });
    await openai().files.delete('file-1');
    await openai().vectorStores.files.list('vs_1', { limit: 5 });
    expect(recorder.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /r/v1/batches/batch_1/cancel',
      'POST /r/v1/conversations/conv_1',
      'DELETE /r/v1/files/file-1',
      'GET /r/v1/vector_stores/vs_1/files?limit=5',
    ]);
  });

  test('get refusals as they came', async () => {
    const error = { message: 'No such File object: file-9', type: 'invalid_request_error', param: 'id', code: null };
    recorder.reply = (response) => json(response, 404, { error });
    const { status, body } = await send(gateway.url, '/v1/files/file-9', { headers: bearer });
    expect([status, body]).toEqual([404, { error }]);
    recorder.reply = (response) => json(response, 401, { error: { message: `bad key ${UPSTREAM}`, type: 'x' } });
    const ours = await send(gateway.url, '/v1/files/file-9', { headers: bearer });
    expect(ours.status).toBe(502);
    expect(ours.text).not.toContain(UPSTREAM);
  });
});

test('the clients of messages send batches, and files with their feature', async () => {
  await anthropic().messages.batches.create({
    requests: [
      { custom_id: 'a', params: { model: 'claude', max_tokens: 9, messages: [{ role: 'user', content: 'Hello' }] } },
    ],
  });
  const { path, headers } = only();
  expect([path, headers['x-api-key'], headers['anthropic-version']]).toEqual([
    '/m/v1/messages/batches',
    UPSTREAM,
    expect.stringMatching(/^20\d\d-/),
  ]);
  await anthropic().beta.files.list({ betas: ['files-api-2025-04-14'] });
  expect(recorder.seen[1]?.path).toMatch(/^\/m\/v1\/files/);
  expect(recorder.seen[1]?.headers['anthropic-beta']).toContain('files-api-2025-04-14');
});

describe('the clients of generateContent', () => {
  test('embed by the model of the path', async () => {
    recorder.reply = (response) => json(response, 200, { embeddings: [{ values: [0.25] }] });
    const { embeddings } = await google().models.embedContent({ model: 'g-embed', contents: ['a'] });
    expect(embeddings?.[0]?.values).toEqual([0.25]);
    const { path, headers, body } = only();
    expect(path).toBe('/g/v1beta/models/gemini-embedding-001:batchEmbedContents');
    expect(headers['x-goog-api-key']).toBe(UPSTREAM);
    expect(body).not.toContain('g-embed');
  });

  test('keep caches', async () => {
    recorder.reply = (response) => json(response, 200, { name: 'cachedContents/1' });
    await google().caches.create({ model: 'gemini-3-pro', config: { contents: 'long' } });
    await google().caches.update({ name: 'cachedContents/1', config: { ttl: '9s' } });
    expect(recorder.seen.map(({ method, path }) => `${method} ${path.split('?')[0]}`)).toEqual([
      'POST /g/v1beta/cachedContents',
      'PATCH /g/v1beta/cachedContents/1',
    ]);
  });

  test('upload in steps, each of them through the gateway', async () => {
    recorder.reply = (response, { headers, path }) => {
      if (headers['x-goog-upload-command'] === 'start') {
        return json(
          response,
          200,
          {},
          {
            'x-goog-upload-url': `${recorder.url}${path.split('?')[0]}?upload_id=u1&upload_protocol=resumable`,
            'x-goog-upload-status': 'active',
          },
        );
      }
      json(response, 200, { file: { name: 'files/1', uri: 'u' } }, { 'x-goog-upload-status': 'final' });
    };
    const file = await google().files.upload({
      file: new Blob(['{"not":"json that is read"}'], { type: 'application/json' }),
      config: { mimeType: 'application/json' },
    });
    expect(file.name).toBe('files/1');
    const [start, bytes] = recorder.seen;
    expect(start?.path).toMatch(/^\/g\/upload\/v1beta\/files/);
    expect(start?.headers['x-goog-upload-protocol']).toBe('resumable');
    expect(bytes?.path).toBe('/g/upload/v1beta/files?upload_id=u1&upload_protocol=resumable');
    expect(bytes?.headers).toMatchObject({ 'x-goog-upload-command': 'upload, finalize', 'x-goog-upload-offset': '0' });
    expect(bytes?.body).toBe('{"not":"json that is read"}');
    expect(JSON.stringify(recorder.seen)).not.toContain(ALL);
  });
});

describe('keys limited to models', () => {
  const headers = { authorization: `Bearer ${SOME}` };

  test('may use such a route with a model of theirs', async () => {
    expect((await send(gateway.url, '/v1/embeddings', { body: { model: 'embed', input: 'x' }, headers })).status).toBe(
      200,
    );
  });

  test.each<[string, object | undefined]>([
    ['/v1/embeddings', { model: 'text-embedding-3-large', input: 'x' }],
    ['/v1/embeddings', { input: 'x' }],
    ['/v1/files', undefined],
    ['/v1/conversations', { items: [] }],
    ['/v1/batches/b1/cancel', {}],
  ])('and nothing else: %s %j', async (path, body) => {
    const { status, body: told } = await send(gateway.url, path, { body, headers });
    expect(status).toBe(403);
    messageOf('responses', told);
    expect(recorder.seen).toHaveLength(0);
  });
});

describe('what is not relayed', () => {
  test.each([
    ['GET', '/v1/organization/users'],
    ['GET', '/v1/files/../organization/users'],
    ['GET', '/v1/files/%2e%2e/organization/users'],
    ['GET', '/v1/files/..%2forganization%2fusers'],
    ['GET', '/v1/files/%252e%252e/organization'],
    ['GET', '/v1/files/a%5c..%5corganization'],
    ['GET', '/v1/files/a%3fb'],
    ['POST', '/v1/embeddingsx'],
    ['GET', '/upload/v1/organization'],
    ['GET', '/upload/v1beta/../../v1/organization'],
  ])('%s %s', async (method, path) => {
    const { status } = await send(gateway.url, path, { method, headers: bearer });
    expect([path, status]).toEqual([path, 404]);
    expect(recorder.seen).toHaveLength(0);
  });

  test('headers outside the list, and credentials in the query', async () => {
    await send(gateway.url, `/v1/files?key=${ALL}&limit=3`, {
      headers: { 'x-odd': 'odd', cookie: 'a=b', 'x-forwarded-for': '1.2.3.4', 'openai-organization': 'org' },
    });
    const { path, headers } = only();
    expect(path).toBe('/r/v1/files?limit=3');
    for (const name of ['x-odd', 'cookie', 'x-forwarded-for', 'openai-organization'])
      expect(headers[name]).toBeUndefined();
  });

  test('without a key', async () => {
    expect((await send(gateway.url, '/v1/files')).status).toBe(401);
  });
});

test('without a backend that has them there are no such routes, told in the words of the dialect', async () => {
  const bare = await startGateway({ backends: { r: { dialect: 'responses', baseUrl: recorder.url } } });
  try {
    const files = await send(bare.url, '/v1/files');
    expect([files.status, messageOf('responses', files.body)]).toEqual([404, expect.stringMatching(/passthrough/)]);
    const cache = await send(bare.url, '/v1beta/cachedContents');
    expect([cache.status, messageOf('generateContent', cache.body)]).toEqual([404, expect.any(String)]);
    const batch = await send(bare.url, '/v1/messages/batches', { body: {} });
    expect([batch.status, messageOf('messages', batch.body)]).toEqual([404, expect.any(String)]);
    expect(recorder.seen).toHaveLength(0);
    expect((await send(bare.url, '/v1/embeddings', { body: { model: 'any', input: 'x' } })).status).toBe(200);
  } finally {
    await bare.close();
  }
});

test('failures of such routes keep no conversation away', async () => {
  recorder.reply = (response) => json(response, 503, {});
  const own = await startGateway({
    backends: {
      r: { dialect: 'responses', baseUrl: recorder.url, retries: 0, breaker: { failures: 3, seconds: 60 } },
    },
    passthrough: { responses: 'r' },
  });
  try {
    for (let index = 0; index < 3; index += 1) await send(own.url, '/v1/files');
    expect((await send(own.url, '/v1/files')).status).toBe(503);
    expect(recorder.seen).toHaveLength(3);
    expect((await send(own.url, '/readyz')).body).toEqual({ status: 'ready', out: { r: ['others'] } });
    recorder.reply = (response) => json(response, 200, WHOLE.responses('hi'));
    const { path, body } = ASK.responses('any');
    expect((await send(own.url, path, { body })).status).toBe(200);
  } finally {
    await own.close();
  }
});

describe('bytes', () => {
  let server: Server;
  let url = '';
  let streaming: TestGateway;
  let received = 0;
  let produced = 0;
  const CHUNK = Buffer.alloc(64 * 1024, 'x');

  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.method === 'GET') {
        response.writeHead(200, { 'content-type': 'application/octet-stream' });
        const write = (): void => {
          while (produced < 64 * 1024 * 1024) {
            produced += CHUNK.length;
            if (!response.write(CHUNK)) return void response.once('drain', write);
          }
          response.end();
        };
        return write();
      }
      received = 0;
      const slow = request.url?.endsWith('/slow') === true;
      request.on('data', (chunk: Buffer) => {
        received += chunk.length;
        if (!slow) return;
        request.pause();
      });
      request.on('end', () => json(response, 200, { bytes: received }));
    });
    url = await listen(server);
    streaming = await startGateway({
      backends: { r: { dialect: 'responses', baseUrl: url } },
      passthrough: { responses: 'r' },
      limits: { uploadMb: 100, drainSeconds: 1 },
    });
  });
  afterAll(async () => {
    await streaming.close();
    await shut(server);
  });

  function upload(path: string, headers: Record<string, string> = {}) {
    return httpRequest(streaming.url, {
      path,
      method: 'POST',
      agent: false,
      headers: { 'content-type': 'audio/wav', ...headers },
    });
  }

  test('of an upload arrive whole, chunked or announced', async () => {
    const forms: Record<string, string>[] = [{}, { 'content-length': String(CHUNK.length * 100) }];
    for (const headers of forms) {
      const outgoing = upload('/v1/files', headers);
      const answered = new Promise<number | undefined>((resolve, reject) => {
        outgoing.on('error', reject);
        outgoing.on('response', (response) => {
          response.resume();
          response.on('end', () => resolve(response.statusCode));
        });
      });
      for (let count = 0; count < 100; count += 1) {
        if (!outgoing.write(CHUNK)) await new Promise((resolve) => outgoing.once('drain', resolve));
      }
      outgoing.end();
      expect(await answered).toBe(200);
      expect(received).toBe(CHUNK.length * 100);
    }
  });

  test('of an upload wait for a backend that does not read', async () => {
    const outgoing = upload('/v1/files/slow');
    outgoing.on('error', () => {});
    let written = 0;
    const fill = (): void => {
      while (written < 90 * 1024 * 1024) {
        written += CHUNK.length;
        if (!outgoing.write(CHUNK)) return void outgoing.once('drain', fill);
      }
    };
    fill();
    expect(await settled(() => written)).toBeLessThan(40 * 1024 * 1024);
    outgoing.destroy();
  });

  test('of a download wait for a client that does not read', async () => {
    produced = 0;
    const outgoing = httpRequest(streaming.url, { path: '/v1/files/f/content', agent: false });
    outgoing.on('error', () => {});
    outgoing.end();
    await new Promise((resolve) => outgoing.on('response', (response) => resolve(response.pause())));
    expect(await settled(() => produced)).toBeLessThan(40 * 1024 * 1024);
    outgoing.destroy();
  });

  test('beyond the limit are refused, announced or not', async () => {
    const body = Buffer.alloc(1.5 * 1024 * 1024, 'x');
    const headers = { ...bearer, 'content-type': 'audio/wav' };
    const announced = await send(gateway.url, '/v1/files', { body, headers });
    expect(announced.status).toBe(413);
    const { port } = gateway;
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const outgoing = httpRequest({ port, path: '/v1/files/more', method: 'POST', agent: false, headers });
      outgoing.on('error', reject);
      outgoing.on('response', (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      outgoing.write(body);
      outgoing.end();
    });
    expect(status).toBe(413);
  });
});

describe('the configuration', () => {
  const backend = (dialect: 'messages' | 'responses' | 'generateContent', baseUrl: string) => ({ dialect, baseUrl });
  const VENDOR = {
    a: backend('messages', 'https://api.anthropic.com'),
    o: backend('responses', 'https://api.openai.com/v1'),
    g: backend('generateContent', 'https://generativelanguage.googleapis.com'),
    local: backend('responses', 'http://127.0.0.1:9'),
  };
  const models = { '*': { backend: 'a' } };

  test('names the only backend on its vendor’s host by itself', () => {
    expect(parseConfig({ backends: VENDOR, models }).passthrough).toEqual({
      messages: 'a',
      responses: 'o',
      generateContent: 'g',
    });
    const two = { ...VENDOR, o2: backend('responses', 'https://api.openai.com') };
    expect(parseConfig({ backends: two, models }).passthrough).toEqual({ messages: 'a', generateContent: 'g' });
  });

  test('ends it as a whole, or for a dialect', () => {
    expect(parseConfig({ backends: VENDOR, models, passthrough: false }).passthrough).toEqual({});
    expect(
      parseConfig({ backends: VENDOR, models, passthrough: { messages: false, responses: 'local' } }).passthrough,
    ).toEqual({
      responses: 'local',
      generateContent: 'g',
    });
  });

  test.each<[ConfigInput['passthrough'], RegExp]>([
    [{ responses: 'lcal' }, /^passthrough\.responses: unknown backend; did you mean `local`\?$/],
    [{ responses: 'a' }, /^passthrough\.responses: needs a backend of the responses dialect$/],
  ])('%j is a mistake', (passthrough, reason) => {
    expect(() => parseConfig({ backends: VENDOR, models, passthrough })).toThrow(reason);
  });
});
