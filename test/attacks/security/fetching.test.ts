import { createServer, type Server, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createFetcher } from '../../../src/downloads/fetch.js';
import { createGuard } from '../../../src/downloads/guard.js';
import { inParallel } from '../../backend/faults/cells.js';
import { costOf } from '../../support/cost.js';
import {
  json,
  type Recorder,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
  WHOLE,
} from '../../support/gateway/harness.js';
import { listen, shut } from '../../support/sockets.js';

let backend: Recorder;
/** Stands on this machine: nobody may be brought here. */
let inside: Server;
let port = 0;
let connections = 0;
let serve: (response: ServerResponse, path: string, host: string | undefined) => void;
let gateway: TestGateway;

beforeAll(async () => {
  inside = createServer(({ url = '', headers }, response) => {
    response.on('error', () => {});
    serve(response, url, headers.host);
  });
  inside.on('connection', () => {
    connections += 1;
  });
  port = Number(new URL(await listen(inside)).port);
  backend = await startRecorder();
  backend.reply = (response, { path }) =>
    json(response, 200, path.includes('/messages') ? WHOLE.messages('hi') : WHOLE.generateContent('hi'));
  gateway = await startGateway({
    backends: {
      gem: { dialect: 'generateContent', baseUrl: backend.url, retries: 0 },
      claude: { dialect: 'messages', baseUrl: backend.url, retries: 0 },
    },
    models: {
      gem: { backend: 'gem' },
      claude: { backend: 'claude', profile: { urlMedia: [] } },
    },
    limits: { drainSeconds: 1 },
  });
});
afterAll(async () => {
  await gateway.close();
  await backend.close();
  inside.closeAllConnections();
  await shut(inside);
});
beforeEach(() => {
  connections = 0;
  backend.seen.length = 0;
  serve = (response) => response.end('inside');
});

/** Ways to write a place inside; PORT is where the server listens. Browsers, resolvers and parsers each read some of them. */
const URLS: readonly string[] = [
  ...[
    '127.0.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '017700000001',
    '127.1',
    '127.0.1',
    '0',
    '0.0.0.0',
  ],
  ...[
    '127.0.0.1.',
    '127.000.000.001',
    '0x7f.0x0.0x0.0x1',
    '127%2e0%2e0%2e1',
    '127。0。0。1',
    '１２７．０．０．１',
    '①②⑦.⓪.⓪.①',
  ],
  ...[
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:127.0.0.1]',
    '[::127.0.0.1]',
    '[::ffff:0:127.0.0.1]',
  ],
  ...[
    '[2002:7f00:1::]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::7f00:1]',
    '[fe80::1]',
    '[fec0::1]',
    '[fd00::1]',
    '[100::1]',
    '[ff02::1]',
  ],
  ...[
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    'localhost.localdomain.local',
    'router',
    'printer.local',
    'db.internal',
  ],
  ...[
    'a:b@127.0.0.1',
    'pictures.example@127.0.0.1',
    '127.0.0.1%23@pictures.example',
    '100.100.100.200',
    '169.254.169.254',
    '192.168.0.1',
  ],
].map((host) => `http://${host}:PORT/x.png`);

const ODD: readonly string[] = [
  'http:\\\\127.0.0.1:PORT\\x.png',
  'http:/\\127.0.0.1:PORT/x.png',
  'http:127.0.0.1:PORT/x.png',
  'http:///127.0.0.1:PORT/x.png',
  'http://127.0.0.1:PORT\\@pictures.example/x.png',
  'http://127.0.0.1:PORT#@pictures.example/x.png',
  'http://127.0.0.1:PORT?@pictures.example/x.png',
  ' http://127.0.0.1:PORT/x.png',
  'ht\ntp://127.0.0.1:PORT/x.png',
  'http://12\t7.0.0.1:PORT/x.png',
  'HTTPS://127.0.0.1:PORT/x.png',
  'file:///etc/passwd',
  'ftp://127.0.0.1:PORT/x.png',
  'gopher://127.0.0.1:PORT/_x',
  'unix:/var/run/docker.sock',
  'blob:http://127.0.0.1:PORT/x',
  'jar:http://127.0.0.1:PORT/x!/y',
  '//127.0.0.1:PORT/x.png',
];

const VECTORS = [...URLS, ...ODD];

type Asked = { readonly path: string; readonly body: object };
const source = (url: string) => ({ type: 'url', url });
const talk = (content: unknown): Asked => ({
  path: '/v1/messages',
  body: { model: 'gem', max_tokens: 9, messages: [{ role: 'user', content }] },
});
const respond = (model: string, ...input: object[]): Asked => ({ path: '/v1/responses', body: { model, input } });
const generate = (parts: unknown): Asked => ({
  path: '/v1beta/models/claude:generateContent',
  body: { contents: [{ role: 'user', parts }] },
});
const called = (output: unknown): Asked =>
  respond(
    'gem',
    { role: 'user', content: 'look' },
    { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c1', output },
  );

/** Places of a URL beside those of test/media/private-urls.test.ts; in all of them the target takes the file inline only. */
const PLACES: readonly (readonly [string, (url: string) => Asked])[] = [
  ['a picture of a message', (url) => talk([{ type: 'image', source: source(url) }])],
  ['a document of a message', (url) => talk([{ type: 'document', source: source(url) }])],
  [
    'a picture in a tool result of a message',
    (url) => ({
      path: '/v1/messages',
      body: {
        model: 'gem',
        max_tokens: 9,
        tools: [{ name: 'look', input_schema: { type: 'object' } }],
        messages: [
          { role: 'user', content: 'look' },
          { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'look', input: {} }] },
          {
            role: 'user',
            content: [{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'image', source: source(url) }] }],
          },
        ],
      },
    }),
  ],
  [
    'a picture of an input',
    (url) => respond('gem', { role: 'user', content: [{ type: 'input_image', image_url: url }] }),
  ],
  ['a file of an input', (url) => respond('gem', { role: 'user', content: [{ type: 'input_file', file_url: url }] })],
  ['a picture in the output of a call', (url) => called([{ type: 'input_image', image_url: url }])],
  ['a file in the output of a call', (url) => called([{ type: 'input_file', file_url: url }])],
  ...(['image/png', 'audio/wav', 'video/mp4', 'application/pdf'] as const).map(
    (mimeType) =>
      [`${mimeType} as fileData`, (url: string) => generate([{ fileData: { mimeType, fileUri: url } }])] as const,
  ),
  [
    'a file in the response of a function',
    (url) =>
      generate([
        {
          functionResponse: {
            name: 'look',
            response: {},
            parts: [{ fileData: { mimeType: 'image/png', fileUri: url } }],
          },
        },
      ]),
  ],
  [
    'a picture to edit',
    (url) => ({ path: '/v1/images/edits', body: { model: 'gem', prompt: 'x', images: [{ image_url: url }] } }),
  ],
  [
    'a picture for a video',
    (url) => ({ path: '/v1/videos', body: { model: 'gem', prompt: 'x', input_reference: { image_url: url } } }),
  ],
];

describe('a place inside is reached by nothing (hardening.md rows 3, 4, 7)', () => {
  test.each(PLACES)('that stands in %s', async (_place, request) => {
    expect(VECTORS.length).toBeGreaterThan(60);
    const told: unknown[] = [];
    await inParallel(
      VECTORS.map((vector) => async () => {
        const { path, body } = request(vector.replace('PORT', String(port)));
        const { status, text } = await send(gateway.url, path, { body });
        // Nothing tells what is there, and whether anything is.
        if (status >= 500 || /ECONN|refused|ENOTFOUND|EAI_|getaddrinfo/.test(text)) told.push([vector, status, text]);
      }),
      8,
    );
    expect(told).toEqual([]);
    expect(connections).toBe(0);
  });
});

/** A fetcher that may come to this machine by one name; other names lead where the list says, one answer after another. */
function fetcherFor(names: Readonly<Record<string, readonly string[]>> = {}, bytes = 256 * 1024) {
  const asked = new Map<string, number>();
  const guard = createGuard(['exempt.example'], (host, _options, done) => {
    const turn = asked.get(host) ?? 0;
    asked.set(host, turn + 1);
    const list = names[host] ?? ['127.0.0.1'];
    done(null, [{ address: list[Math.min(turn, list.length - 1)] ?? '', family: 4 }]);
  });
  return { asked, fetcher: createFetcher(guard, { bytes, deadline: 3000, on: true }) };
}

describe('a fetch that was allowed stays where it may be (hardening.md rows 6, 10)', () => {
  test('a name is looked up once for each connection, and its second answer is judged as well', async () => {
    const { fetcher, asked } = fetcherFor({ 'turning.example': ['192.0.43.7', '127.0.0.1'] });
    // The first answer is public and nobody is there; the second leads inside.
    await fetcher.fetch(`http://turning.example:${port}/`, '').catch(() => {});
    expect(asked.get('turning.example')).toBe(1);
    await expect(fetcher.fetch(`http://turning.example:${port}/`, '')).rejects.toThrow(
      'does not lead to a public address',
    );
    expect(connections).toBe(0);
    fetcher.close();
  });

  test.each([301, 302, 303, 307, 308])('a %d to a place inside is not followed', async (status) => {
    const { fetcher } = fetcherFor();
    const followed: unknown[] = [];
    // A header takes nothing but ASCII without controls.
    const vectors = VECTORS.filter((vector) => /^[\x20-\x7e]+$/.test(vector));
    expect(vectors.length).toBeGreaterThan(50);
    for (const vector of vectors) {
      const location = vector.replace('PORT', String(port));
      serve = (response, path, host) => {
        if (path === '/first') response.writeHead(status, { location }).end();
        else {
          if (host !== `exempt.example:${port}`) followed.push([vector, host, path]);
          response.writeHead(404).end();
        }
      };
      await fetcher.fetch(`http://exempt.example:${port}/first`, '').then(
        () => followed.push([vector, 'was fetched']),
        () => {},
      );
    }
    expect(followed).toEqual([]);
    expect(connections).toBeGreaterThanOrEqual(vectors.length);
    fetcher.close();
  });

  test('a chain of eleven ends early', async () => {
    const { fetcher } = fetcherFor();
    let steps = 0;
    serve = (response) => {
      steps += 1;
      response.writeHead(302, { location: `/${steps}` }).end();
    };
    await expect(fetcher.fetch(`http://exempt.example:${port}/`, '')).rejects.toThrow('the server redirects too often');
    expect(steps).toBe(4);
    fetcher.close();
  });

  test('behind a redirect the limit of size is the same, and no more is read', async () => {
    const limit = 256 * 1024;
    const { fetcher } = fetcherFor({}, limit);
    let written = 0;
    let closed: (() => void) | undefined;
    const over = new Promise<void>((resolve) => {
      closed = resolve;
    });
    serve = (response, path) => {
      if (path === '/') return response.writeHead(302, { location: '/endless' }).end();
      response.writeHead(200, { 'content-type': 'image/png' });
      response.on('close', () => closed?.());
      const piece = Buffer.alloc(64 * 1024);
      const go = (): void => {
        while (!response.destroyed && written < 1_000_000_000) {
          written += piece.length;
          if (!response.write(piece)) return;
        }
      };
      response.on('drain', go);
      go();
      return undefined;
    };
    await expect(fetcher.fetch(`http://exempt.example:${port}/`, '')).rejects.toThrow(
      'the file is larger than 0.25 MB',
    );
    await over;
    // What the sockets of both sides hold comes on top.
    expect(written).toBeLessThan(limit + 32 * 1024 * 1024);
    fetcher.close();
  });
});

test('a data URL of 50 MB costs what its decoding costs, and one above the limit nothing (hardening.md row 11)', async () => {
  const { fetcher } = fetcherFor({}, 64 * 1024 * 1024);
  const text = 'A'.repeat(50 * 1024 * 1024);
  const url = `data:image/png;base64,${text}`;
  const bare = await costOf(() => Buffer.from(text, 'base64'), 0, 2);
  const [most, least] = [Math.max(60, 10 * bare), Math.max(12, bare)];
  const whole = await costOf(() => fetcher.fetch(url, ''), most);
  const { fetcher: small } = fetcherFor({}, 1024 * 1024);
  const refused = await costOf(() => small.fetch(url, '').catch(() => {}), least);
  if (process.env.INTERLINGUA_FIGURES !== undefined) {
    process.stdout.write(
      `50 MB of base64 cost, in readings of 1.3 MB of JSON: bare ${bare.toFixed(1)}, as a URL ${whole.toFixed(1)}, refused ${refused.toFixed(2)}\n`,
    );
  }
  expect(whole).toBeLessThan(most);
  expect(refused).toBeLessThan(least);
});
