import { connect } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { DialectId } from '../../translators/index.js';
import {
  ASK,
  DIALECTS,
  json,
  messageOf,
  type Recorder,
  send,
  sendRaw,
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
      responses: { dialect: 'responses', baseUrl: `${recorder.url}/v1` },
      generateContent: { dialect: 'generateContent', baseUrl: `${recorder.url}/v1beta/` },
    },
    models: {
      ...Object.fromEntries(DIALECTS.map((dialect) => [nameOf(dialect), { backend: dialect }])),
      'g*': { backend: 'generateContent' },
    },
    limits: { bodyMb: 1, bodySeconds: 1, headersSeconds: 1 },
  });
});
beforeEach(() => {
  recorder.seen.length = 0;
  recorder.reply = (response, { path }) => {
    const dialect = path.includes('/messages')
      ? 'messages'
      : path.includes('/responses')
        ? 'responses'
        : 'generateContent';
    json(response, 200, WHOLE[dialect]('hi'));
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

describe('every form of a path leads to its route', () => {
  test.each([
    '/v1/messages',
    '/messages',
    '/v1beta/messages',
    '/v1/messages/',
    '//v1/messages',
    '/v1/messages?beta=true',
  ])('messages: %s', async (path) => {
    const { status } = await send(gateway.url, path, { body: ASK.messages('m').body });
    expect(status).toBe(200);
    expect(recorder.seen[0]?.path).toBe(path.includes('?') ? '/v1/messages?beta=true' : '/v1/messages');
  });

  test.each(['/v1/responses', '/responses', '/responses/', '/v1beta1/responses'])('responses: %s', async (path) => {
    const { status } = await send(gateway.url, path, { body: ASK.responses('r').body });
    expect(status).toBe(200);
    expect(recorder.seen[0]?.path).toBe('/v1/responses');
  });

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
  ])('generateContent: %s', async (path) => {
    const { status } = await send(gateway.url, path, { body: ASK.generateContent('g').body });
    expect(status).toBe(200);
    expect(recorder.seen[0]?.path).toBe('/v1beta/models/g:generateContent');
  });

  test.each(['/v1/messages/count_tokens', '/messages/count_tokens?beta=true'])('count: %s', async (path) => {
    recorder.reply = (response) => json(response, 200, { input_tokens: 7 });
    const { status, body } = await send(gateway.url, path, { body: ASK.messages('m').body });
    expect([status, body]).toEqual([200, { input_tokens: 7 }]);
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
    const { status } = await send(gateway.url, `/v1beta/models/${encodeURIComponent(name)}:generateContent`, {
      body: ASK.generateContent('x').body,
    });
    if (status === 200) {
      expect(recorder.seen[0]?.path).toBe(`/v1beta/models/${encodeURIComponent(name)}:generateContent`);
    } else {
      expect(status).toBe(400);
      expect(recorder.seen).toHaveLength(0);
    }
  });

  test.each(['', 'x'.repeat(257), 'a\u0000b', 'a\nb'])('refused: %j', async (name) => {
    const { status, body } = await send(gateway.url, '/v1/messages', { body: ASK.messages(name).body });
    expect(status).toBe(400);
    expect(messageOf('messages', body)).toMatch(/model/);
  });

  test('broken percent-encoding', async () => {
    const { status, body } = await send(gateway.url, '/v1beta/models/%zz:generateContent', {
      body: ASK.generateContent('x').body,
    });
    expect(status).toBe(400);
    messageOf('generateContent', body);
  });
});

describe.each(DIALECTS)('refusals in the shape of %s', (dialect) => {
  const ask = ASK[dialect](nameOf(dialect));
  const refused = async (body: unknown, headers = {}) => {
    const answer = await send(gateway.url, ask.path, { body, headers });
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
    const answer = await send(gateway.url, path, { body });
    expect(answer.status).toBe(dialect === 'responses' ? 400 : 404);
    expect(messageOf(dialect, answer.body)).toMatch(/nobody/);
    if (dialect === 'responses') expect(answer.body.error).toMatchObject({ code: 'model_not_found', param: 'model' });
  });

  test('a wrong method: 405 with allow', async () => {
    const answer = await send(gateway.url, ask.path, { method: 'PUT', body: {} });
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe('POST');
    messageOf(dialect, answer.body);
  });

  test('a WebSocket upgrade: 426 at once', async () => {
    const text = await sendRaw(
      gateway.port,
      `GET ${ask.path} HTTP/1.1\r\nhost: localhost\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-key: abc\r\nsec-websocket-version: 13\r\n\r\n`,
    );
    expect(text).toMatch(/^HTTP\/1\.1 426 /);
    messageOf(dialect, JSON.parse(text.split('\r\n\r\n')[1] ?? ''));
  });

  test('a body that comes too slowly: 408', async () => {
    const text = await new Promise<string>((resolve) => {
      let got = '';
      const socket = connect(gateway.port, '127.0.0.1', () =>
        socket.write(
          `POST ${ask.path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`,
        ),
      );
      socket.on('data', (chunk) => {
        got += chunk;
      });
      socket.on('close', () => resolve(got));
    });
    expect(text).toMatch(/^HTTP\/1\.1 408 /);
    messageOf(dialect, JSON.parse(text.split('\r\n\r\n')[1] ?? ''));
  });
});

test('a head that comes too slowly: 408', async () => {
  const text = await sendRaw(gateway.port, 'POST /v1/messages HTTP/1.1\r\nhost: a\r\n');
  expect(text).toMatch(/^HTTP\/1\.1 408 /);
});

describe('unknown routes', () => {
  test('the nearest right path is named', async () => {
    const { status, body } = await send(gateway.url, '/v1/mesages', { body: {} });
    expect(status).toBe(404);
    expect(messageOf('responses', body)).toContain('POST /v1/messages');
    const other = await send(gateway.url, '/v1/embedings', { body: {} });
    expect(messageOf('responses', other.body)).toMatch(/; the nearest is POST \/v1\/embeddings$/);
  });

  test('their shape follows the caller', async () => {
    const shape = async (path: string, headers: Record<string, string>) =>
      (await send(gateway.url, path, { headers })).body;
    messageOf('messages', await shape('/v1/nothing', { 'anthropic-version': '2023-06-01' }));
    messageOf('generateContent', await shape('/v1/nothing', { 'x-goog-api-client': 'x' }));
    messageOf('generateContent', await shape('/v1beta/nothing', {}));
    messageOf('messages', await shape('/v1/messages/batches', {}));
    messageOf('generateContent', (await send(gateway.url, '/v1/models/g:unknownVerb', { body: {} })).body);
    messageOf('responses', await shape('/v1/nothing', {}));
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
    const answer = await send(gateway.url, '/v1/messages', { body, headers: { 'content-encoding': encoding } });
    expect(answer.status).toBe(200);
    expect(recorder.seen[0]?.body).toBe(text);
    expect(recorder.seen[0]?.headers['content-encoding']).toBeUndefined();
  });

  test.each(['text/plain', 'application/vnd.api+json', 'application/json; charset=UTF-8', ''])(
    'type %j',
    async (type) => {
      const answer = await send(gateway.url, '/v1/messages', { body: text, headers: { 'content-type': type } });
      expect(answer.status).toBe(200);
    },
  );

  test('a byte order mark is not part of the body', async () => {
    expect((await send(gateway.url, '/v1/messages', { body: `\ufeff${text}` })).status).toBe(200);
  });
});

describe('what no route should see', () => {
  test('an absolute request target: 400', async () => {
    const text = await sendRaw(
      gateway.port,
      'GET http://evil.example/v1/models HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n',
    );
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(recorder.seen).toHaveLength(0);
  });

  test('two hosts: 400', async () => {
    const text = await sendRaw(
      gateway.port,
      'GET /v1/models HTTP/1.1\r\nhost: a\r\nHost: b\r\nconnection: close\r\n\r\n',
    );
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('what is not HTTP: 400 as JSON', async () => {
    const text = await sendRaw(gateway.port, 'GARBAGE\r\n\r\n');
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    messageOf('responses', JSON.parse(text.split('\r\n\r\n')[1] ?? ''));
  });

  test('a head that does not come: 408', async () => {
    expect(await sendRaw(gateway.port, 'GET / HTTP/1.1\r\nhost: localhost\r\n')).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('keys of the prototype are data', async () => {
    const body = `{"model":"m","max_tokens":5,"messages":[{"role":"user","content":"x","__proto__":{"polluted":1}}],"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}`;
    const answer = await send(gateway.url, '/v1/messages', { body, headers: { __proto__: 'x' } });
    expect(answer.status).toBe(200);
    expect(recorder.seen[0]?.body).toBe(body);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});

describe('operations', () => {
  test.each(['/', '/healthz', '/readyz'])('%s', async (path) => {
    expect((await send(gateway.url, path)).status).toBe(200);
    const head = await send(gateway.url, path, { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
  });

  test('an id of the client is kept, an odd one is not', async () => {
    const id = async (given: string) =>
      (await send(gateway.url, '/v1/nothing', { headers: { 'x-request-id': given } })).headers['x-request-id'];
    expect(await id('my.id-1_2')).toBe('my.id-1_2');
    expect(await id('a b')).toMatch(/^req_/);
    expect(await id('x'.repeat(129))).toMatch(/^req_/);
  });

  test('a messages client finds the id under its own name too', async () => {
    const answer = await send(gateway.url, '/v1/messages', { body: '{' });
    expect(answer.headers['request-id']).toBe(answer.headers['x-request-id']);
    expect(answer.body.request_id).toBe(answer.headers['request-id']);
  });
});
