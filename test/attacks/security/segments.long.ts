import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { inParallel } from '../../backend/faults/cells.js';
import { tableOf } from '../../support/dialects/index.js';
import {
  ASK,
  DIALECTS,
  json,
  type Recorder,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
} from '../../support/gateway/harness.js';
import { share } from '../../support/runs.js';
import { wholeFor } from './answers.js';

let recorder: Recorder;
let gateway: TestGateway;

beforeAll(async () => {
  recorder = await startRecorder();
  const backend = { baseUrl: `${recorder.url}/root`, retries: 0 } as const;
  gateway = await startGateway({
    backends: {
      messages: { ...backend, dialect: 'messages' },
      responses: { ...backend, dialect: 'responses', state: 'own' },
      generateContent: { ...backend, dialect: 'generateContent' },
      chatCompletions: { ...backend, baseUrl: `${recorder.url}/root/v1`, dialect: 'chatCompletions' },
      predict: { ...backend, dialect: 'generateContent', images: 'predict' },
    },
    models: Object.fromEntries(
      [...DIALECTS, 'predict' as const].map((name) => [`${name}/*`, { backend: name, model: '*' }]),
    ),
    limits: { drainSeconds: 1 },
  });
});
afterAll(async () => {
  await gateway.close();
  await recorder.close();
});
beforeEach(() => {
  recorder.seen.length = 0;
  recorder.reply = (response, { path }) => json(response, 200, wholeFor(path));
});

/** Names and ids that try to leave the segment of a path in which they are put. */
const HOSTILE: readonly string[] = [
  ...[
    '..',
    '.',
    '../..',
    '../../admin',
    '..%2f..%2fadmin',
    '%2e%2e',
    '%2e%2e%2fadmin',
    '%252e%252e%252f',
    '..\\..\\admin',
  ],
  ...[
    'a/../b',
    'a/./b',
    'a//b',
    '/a',
    'a/',
    '//evil.example',
    '//evil.example/x',
    '/\\evil.example',
    '\\\\evil\\share',
  ],
  ...[
    'a?b=c',
    '?',
    '?key=1',
    'a#b',
    '#',
    'a&b=c',
    'a=b',
    'a;b',
    ';jsessionid=1',
    'a?alt=media#',
    '??',
    '#@evil.example/',
  ],
  ...[
    '@evil.example',
    'a@evil.example',
    'user:pass@evil.example',
    ':80',
    ':80/x',
    'a:b',
    'a:generateContent',
    'a:delete',
  ],
  ...[
    'http://evil.example/',
    'https://evil.example:443/a?b#c',
    'file:///etc/passwd',
    'javascript:x',
    'data:,x',
    'ftp://e',
  ],
  ...[
    '%',
    '%zz',
    '%00',
    '%0d%0aHost:%20evil',
    '%2F',
    '%5c',
    '%3f',
    '%23',
    '%40',
    '%25',
    '%u002f',
    '%c0%af',
    '%e0%80%af',
  ],
  ...['a b', ' a', 'a ', '+', 'a+b', 'ä', '€', '😀', 'a\u0301', '．．／admin', '∕', '‥', '\u2028', '\u200b', '\ufeff'],
  ...['a\u0000b', 'a\r\nHost: evil', 'a\nb', 'a\tb', '\u007f', '\u0085', '\ud800', 'a'.repeat(256), 'x'.repeat(257)],
  ...[
    '{model}',
    '\x24{x}',
    '$&',
    '$1',
    '*',
    '**',
    '<script>',
    '"',
    "'",
    '`',
    '|',
    '^',
    '[::1]',
    '(x)',
    '~root',
    '!',
    ',',
  ],
  ...['CON', 'nul', '__proto__', 'constructor', 'undefined', 'null', '[object Object]', '0', '-1', 'NaN'],
];

const MODEL_PATHS = tableOf('pathBelowRoot');

/** A single segment, whatever the text: no sign in it has a meaning in a URL. */
function segment(text: string): string {
  const encoded = encodeURIComponent(text);
  expect(encoded).not.toMatch(/[/?#\\@:;&=\s]/);
  return encoded;
}

test.each(DIALECTS)('a hostile name of a model, %s backend (hardening.md row 12)', async (backend) => {
  expect(HOSTILE.length).toBeGreaterThan(80);
  const failures: unknown[] = [];
  let reached = 0;
  const names = share([...HOSTILE.entries()], DIALECTS.indexOf(backend));
  for (const [turn, name] of names) {
    recorder.seen.length = 0;
    const client = DIALECTS[turn % DIALECTS.length] ?? 'messages';
    const { path, body } = ASK[client](`${backend}/${name}`);
    const inPath = `/v1beta/models/${written(`${backend}/${name}`)}:generateContent`;
    const { status } = await send(gateway.url, client === 'generateContent' ? inPath : path, { body });
    const [seen, ...more] = recorder.seen;
    if (seen === undefined) {
      if (status < 400 || status > 499) failures.push([name, status, 'nothing was called']);
      continue;
    }
    reached += 1;
    const told = /\/models\/(.*):generateContent$/.exec(seen.path)?.[1];
    const expected = MODEL_PATHS[backend](told === undefined ? '' : segment(decodeURIComponent(told)));
    if (seen.path !== expected || more.length > 0) failures.push([name, seen.path]);
    if (client !== 'generateContent' && told !== undefined && decodeURIComponent(told) !== name) {
      failures.push([name, told, 'is another name']);
    }
  }
  expect(failures).toEqual([]);
  expect(reached).toBeGreaterThan(names.length / 2);
});

const PICTURE_PATHS: readonly (readonly [string, RegExp])[] = [
  ['predict', /^\/root\/v1beta\/models\/[^/?#:]*:predict$/],
  ['generateContent', /^\/root\/v1beta\/models\/[^/?#:]*:generateContent$/],
  ['responses', /^\/root\/v1\/images\/generations$/],
];

test('a hostile name of a model that makes pictures', async () => {
  const failures: unknown[] = [];
  for (const [turn, name] of HOSTILE.entries()) {
    const [backend, template] = PICTURE_PATHS[turn % PICTURE_PATHS.length] ?? ['', /^$/];
    recorder.seen.length = 0;
    await send(gateway.url, '/v1/images/generations', { body: { model: `${backend}/${name}`, prompt: 'x' } });
    for (const { path } of recorder.seen) if (!template.test(path)) failures.push([backend, name, path]);
  }
  expect(failures).toEqual([]);
});

/** The id as a client can put it into a path. */
function written(id: string): string {
  return Buffer.from(id).toString('hex').replace(/../g, '%$&');
}

test('a hostile id of an answer reaches the one backend that may know it as one segment, or nobody', async () => {
  const own = await startGateway({
    backends: { r: { dialect: 'responses', state: 'own', baseUrl: `${recorder.url}/root`, retries: 0 } },
    limits: { drainSeconds: 1 },
  });
  const failures: unknown[] = [];
  let reached = 0;
  try {
    const tasks = HOSTILE.flatMap((id, turn) =>
      (
        [
          ['GET', ''],
          ['GET', '?stream=true'],
          ['GET', '/input_items'],
          ['POST', '/cancel'],
          ['DELETE', ''],
        ] as const
      )
        .filter((_, index) => (index + turn) % 3 === 0)
        .map(([method, rest]) => async () => {
          const { status } = await send(own.url, `/v1/responses/${written(id)}${rest}`, { method });
          if (status >= 500) failures.push([id, method, rest, status]);
        }),
    );
    await inParallel(tasks, 12);
    for (const { path } of recorder.seen) {
      reached += 1;
      if (!/^\/root\/v1\/responses\/[\w.%+=-]+(?:\/input_items|\/cancel)?(?:\?stream=true)?$/.test(path))
        failures.push(path);
    }
  } finally {
    await own.close();
  }
  expect(failures).toEqual([]);
  expect(reached).toBeGreaterThan(0);
});

test('a hostile id of a video is known to nobody, and one that a backend gave stays in its segment', async () => {
  const failures: unknown[] = [];
  const follow = async (path: string, method: string) => send(gateway.url, path, { method });
  const unknown = HOSTILE.flatMap((id, turn) =>
    (
      [
        ['GET', `/v1/videos/${written(id)}`],
        ['DELETE', `/v1/videos/${written(id)}`],
        ['GET', `/v1/videos/${written(id)}/content`],
        ['GET', `/v1/video/generations/${written(id)}`],
      ] as const
    )
      .filter((_, index) => (index + turn) % 2 === 0)
      .map(([method, path]) => async () => {
        const { status } = await follow(path, method);
        if (status >= 500) failures.push([id, path, status]);
      }),
  );
  await inParallel(unknown, 12);
  expect(recorder.seen).toEqual([]);

  for (const id of share(HOSTILE)) {
    recorder.reply = (response) => json(response, 200, { ...wholeFor('/v1/videos'), id });
    const made = await send(gateway.url, '/v1/videos', { body: { model: 'responses/sora', prompt: 'x' } });
    recorder.seen.length = 0;
    if (made.status !== 200) continue;
    const shown: string = made.body.id;
    for (const [method, path] of [
      ['GET', `/v1/videos/${shown}`],
      ['GET', `/v1/videos/${shown}/content?variant=thumbnail`],
      ['DELETE', `/v1/videos/${shown}`],
    ] as const) {
      await follow(path, method);
    }
    for (const { path } of recorder.seen) {
      const [, told = '', rest] =
        /^\/root\/v1\/videos\/([^/?#]+)(\/content(?:\?variant=thumbnail)?)?$/.exec(path) ?? [];
      if (told !== segment(id)) failures.push([id, path, rest]);
    }
    if (recorder.seen.length === 0) failures.push([id, 'nothing was called for a video that was told']);
  }
  expect(failures).toEqual([]);
}, 30_000);
