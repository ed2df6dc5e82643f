import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  ASK,
  DIALECTS,
  json,
  messageOf,
  type Recorder,
  sendRaw,
  startGateway,
  startRecorder,
  type TestGateway,
  type Tree,
  WHOLE,
} from '../support/gateway/harness.js';

/** Requests that no HTTP client sends, byte by byte over a socket. */

let recorder: Recorder;
let gateway: TestGateway;

beforeAll(async () => {
  recorder = await startRecorder();
  gateway = await startGateway({
    backends: { m: { dialect: 'messages', baseUrl: recorder.url } },
    limits: { bodySeconds: 1, headersSeconds: 1 },
  });
});
beforeEach(() => {
  recorder.seen.length = 0;
});
afterAll(async () => {
  await gateway.close();
  await recorder.close();
});

/** The body of an answer, as JSON. */
const bodyOf = (answer: string): Tree => JSON.parse(answer.split('\r\n\r\n')[1] ?? '');

describe.each(DIALECTS)('refusals in the shape of %s', (dialect) => {
  const { path } = ASK[dialect]('m');

  test('a WebSocket upgrade: 426 at once', async () => {
    const text = await sendRaw(
      gateway.port,
      `GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-key: abc\r\nsec-websocket-version: 13\r\n\r\n`,
    );
    expect(text).toMatch(/^HTTP\/1\.1 426 /);
    messageOf(dialect, bodyOf(text));
  });

  test('a body that comes too slowly: 408', async () => {
    const text = await sendRaw(
      gateway.port,
      `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`,
    );
    expect(text).toMatch(/^HTTP\/1\.1 408 /);
    messageOf(dialect, bodyOf(text));
  });
});

test('a head that comes too slowly: 408', async () => {
  const text = await sendRaw(gateway.port, 'POST /v1/messages HTTP/1.1\r\nhost: a\r\n');
  expect(text).toMatch(/^HTTP\/1\.1 408 /);
});

describe('an offer of HTTP/2, as the client of Java makes with each first request, is passed over', () => {
  const OFFER =
    'connection: Upgrade, HTTP2-Settings, close\r\nupgrade: h2c\r\nhttp2-settings: AAEAAEAAAAIAAAABAAMAAAAA\r\n';

  test.each([
    ['a short body', 10],
    ['a body that a thread works on', 2_000_000],
  ])('with %s', async (_title, size) => {
    recorder.reply = (response) => json(response, 200, WHOLE.messages('Hello'));
    const { path, body } = ASK.messages('m');
    const text = JSON.stringify({ ...body, system: 'x'.repeat(size) });
    const head = `POST ${path} HTTP/1.1\r\nhost: localhost\r\n${OFFER}content-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n`;
    expect(await sendRaw(gateway.port, head + text)).toMatch(/^HTTP\/1\.1 200 /);
    expect(recorder.seen.map((seen) => seen.body.length)).toEqual([text.length]);
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
    messageOf('responses', bodyOf(text));
  });

  test('a head that does not come: 408', async () => {
    expect(await sendRaw(gateway.port, 'GET / HTTP/1.1\r\nhost: localhost\r\n')).toMatch(/^HTTP\/1\.1 408 /);
  });
});
