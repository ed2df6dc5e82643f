import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createGateway } from '../../../src/index.js';
import { inParallel } from '../../backend/faults/cells.js';
import {
  json,
  type Recorder,
  sendRaw,
  startGateway,
  startRecorder,
  type TestGateway,
} from '../../support/gateway/harness.js';
import { wholeFor } from './answers.js';
import { probesOf } from './surface.js';

const KEY = 'gateway-key-of-targets-1';

let recorder: Recorder;
let gateway: TestGateway;

beforeAll(async () => {
  recorder = await startRecorder();
  recorder.reply = (response, { path }) => json(response, 200, wholeFor(path));
  gateway = await startGateway({
    backends: { m: { dialect: 'messages', baseUrl: recorder.url } },
    models: { m: { backend: 'm' } },
    keys: [{ name: 'one', key: KEY }],
    limits: { drainSeconds: 1 },
  });
});
afterAll(async () => {
  await gateway.close();
  await recorder.close();
});
beforeEach(() => {
  recorder.seen.length = 0;
});

const PROBES = probesOf('m');
const AUTHORIZED = `authorization: Bearer ${KEY}\r\n`;

interface Raw {
  readonly method: string;
  readonly target: string;
  readonly headers?: string;
  readonly body?: object;
}

/** The status of a request written byte by byte; 0 when the connection just closes. */
async function statusOf({ method, target, headers = '', body }: Raw, host = 'host: x\r\n'): Promise<number> {
  const payload = body === undefined ? '' : JSON.stringify(body);
  const length = body === undefined ? '' : `content-type: application/json\r\ncontent-length: ${payload.length}\r\n`;
  const close = /upgrade/i.test(headers) ? '' : 'connection: close\r\n';
  const answer = await sendRaw(
    gateway.port,
    `${method} ${target} HTTP/1.1\r\n${host}${close}${length}${headers}\r\n${payload}`,
  );
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);
}

describe('requests that are meant for a proxy (hardening.md row 9)', () => {
  test('an absolute target is refused on every route, with a key and without', async () => {
    const failures: unknown[] = [];
    const tasks = PROBES.flatMap(({ name, method, path, body }) =>
      [
        'http://evil.example',
        'https://evil.example:8443',
        `http://127.0.0.1:${gateway.port}`,
        'ftp://evil.example',
      ].map((origin) => async () => {
        const status = await statusOf({ method, target: origin + path, headers: AUTHORIZED, body });
        if (status !== 400) failures.push([name, origin, status]);
      }),
    );
    await inParallel(tasks, 16);
    expect(failures).toEqual([]);
    expect(recorder.seen).toEqual([]);
  });

  test('a WebSocket is refused on every route', async () => {
    const failures: unknown[] = [];
    const tasks = PROBES.flatMap(({ name, method, path, body }) =>
      ['websocket', 'h2c, WebSocket', 'websocket/13'].map((protocol) => async () => {
        const headers = `${AUTHORIZED}connection: Upgrade\r\nupgrade: ${protocol}\r\n`;
        const status = await statusOf({ method, target: path, headers, body });
        if (status !== 426) failures.push([name, protocol, status]);
      }),
    );
    await inParallel(tasks, 16);
    expect(failures).toEqual([]);
    expect(recorder.seen).toEqual([]);
  });

  test('the offer of another protocol changes nothing on any route, and no backend hears of it', async () => {
    const failures: unknown[] = [];
    const tasks = PROBES.flatMap(({ name, method, path, body }) =>
      ['h2c', 'TLS/1.0'].map((protocol) => async () => {
        const offer = `upgrade: ${protocol}\r\nhttp2-settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA\r\n`;
        const headers = `${AUTHORIZED}connection: Upgrade, HTTP2-Settings, close\r\n${offer}`;
        const plain = await statusOf({ method, target: path, headers: AUTHORIZED, body });
        const status = await statusOf({ method, target: path, headers, body });
        if (status !== plain) failures.push([name, protocol, plain, status]);
      }),
    );
    await inParallel(tasks, 16);
    expect(failures).toEqual([]);
    expect(recorder.seen.length).toBeGreaterThan(0);
    expect(recorder.seen.filter(({ headers }) => 'upgrade' in headers || 'http2-settings' in headers)).toEqual([]);
  });

  test.each(['evil.example:443', '127.0.0.1:80', '/v1/messages'])('CONNECT %s opens nothing', async (target) => {
    const answer = await new Promise<string>((resolve) => {
      let got = '';
      const socket = connect(gateway.port, '127.0.0.1', () =>
        socket.write(
          `CONNECT ${target} HTTP/1.1\r\nhost: localhost\r\n${AUTHORIZED}\r\nGET / HTTP/1.1\r\nhost: x\r\n\r\n`,
        ),
      );
      socket.on('data', (chunk) => {
        got += chunk;
      });
      socket.on('error', () => {});
      socket.on('close', () => resolve(got));
    });
    expect(answer).not.toMatch(/^HTTP\/1\.1 2/m);
    expect(recorder.seen).toEqual([]);
  });

  test('TRACE, and methods that nobody knows, serve nothing', async () => {
    for (const method of ['TRACE', 'OPTIONS', 'PATCH', 'PUT', 'PROPFIND', 'PURGE']) {
      for (const { path } of PROBES.filter(({ open }) => !open)) {
        const status = await statusOf({ method, target: path, headers: AUTHORIZED });
        expect([method, path, status < 300 ? 'served' : 'not served']).toEqual([method, path, 'not served']);
      }
    }
    expect(recorder.seen).toEqual([]);
  });
});

/** Hosts that make a path rebuilt from them another one than the path that was asked for. */
const HOSTS: readonly string[] = [
  ...[
    'a/#@x',
    'a?',
    'a/healthz?',
    'x/healthz#',
    '127.0.0.1/../healthz',
    'localhost:4000/#@x',
    'healthz',
    '/',
    '?',
    '#',
  ],
  ...['a@b', 'user:pass@127.0.0.1', '[::1]', '[', 'a\\b', '%2f', 'a;b', '*', '0', '-', '..', 'a..b', "'", '"'],
  ...['x'.repeat(8000), 'evil.example:99999', 'ä'.normalize('NFC'), ' spaced name ', '\t'],
];

test('what Host says decides nothing (hardening.md row 13)', async () => {
  const ask = PROBES.find(({ path }) => path === '/v1/messages');
  const requests: readonly (readonly [string, Raw])[] = [
    ['no key', { method: 'POST', target: '/v1/messages', body: ask?.body }],
    [
      'a wrong key',
      { method: 'POST', target: '/v1/messages', headers: 'x-api-key: nobody-has-this-one\r\n', body: ask?.body },
    ],
    ['a good key', { method: 'POST', target: '/v1/messages', headers: AUTHORIZED, body: ask?.body }],
    ['a list without a key', { method: 'GET', target: '/v1/models' }],
    ['health', { method: 'GET', target: '/healthz' }],
  ];
  for (const [name, request] of requests) {
    const usual = await statusOf(request);
    const found: unknown[] = [];
    await inParallel(
      HOSTS.map((host) => async () => {
        const status = await statusOf(request, `Host: ${host}\r\n`);
        // A value that is no header value at all may be refused by its form, never let in by it.
        if (status !== usual && status !== 400) found.push([name, host.slice(0, 40), status, usual]);
      }),
      16,
    );
    expect(found).toEqual([]);
    expect([name, await statusOf(request, 'host: a\r\nHost: b\r\n')]).toEqual([name, 400]);
    expect([name, await statusOf(request, '')]).toEqual([name, 400]);
    expect([name, await statusOf(request, 'host:\r\n')]).toEqual([name, usual]);
  }
});

test.each(['0.0.0.0', '::', '::ffff:0.0.0.0'])(
  'without keys nobody listens on %s (hardening.md row 8)',
  async (host) => {
    const open = createGateway({
      backends: { a: { dialect: 'messages', baseUrl: recorder.url, apiKey: KEY } },
      log: { level: 'silent' },
    });
    await expect(open.listen({ host, port: 0 })).rejects.toThrow(/keys: none are configured/);
    await open.close();
  },
);
