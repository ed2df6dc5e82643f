import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import type { ConfigInput } from '../../src/config/schema.js';
import { type Recorder, send, startGateway, startRecorder } from '../support/gateway/harness.js';
import { OTHER, openVideoStage, type VideoStage, WHO } from './video-stage.js';

let stage: VideoStage;
beforeAll(async () => {
  stage = await openVideoStage();
});
afterAll(() => stage.close());
beforeEach(() => stage.reset());

const create = (url: string, model = 'video-2', headers: Record<string, string> = WHO) =>
  send(url, '/v1/videos', { body: { model, prompt: 'p' }, headers });

describe('ids', () => {
  const status = (url: string, id: string, headers = WHO) => send(url, `/v1/videos/${id}`, { headers });

  test('VID-03: are the same in every answer, safe in a path, and tell nothing', async () => {
    for (const model of ['video-2', 'wan']) {
      const { id } = (await create(stage.gateway.url, model)).body;
      expect(id).toMatch(/^video_[A-Za-z0-9_-]{60,400}$/);
      const seen = await Promise.all([status(stage.gateway.url, id), status(stage.gateway.url, id)]);
      expect(seen.map(({ body }) => body.id)).toEqual([id, id]);
      const text = Buffer.from(id.slice(6), 'base64url').toString('latin1');
      expect(text).not.toMatch(/first|second|video_upstream|tasks|wan|key-one/);
    }
  });

  test('VID-01: are enough for any gateway of the same configuration', async () => {
    const other = await stage.second();
    const { id } = (await create(stage.gateway.url)).body;
    const told = await status(other.url, id);
    expect([told.status, told.body.id]).toEqual([200, id]);
    expect((await status(other.url, id, OTHER)).status).toBe(404);
  });

  test('are enough for any gateway of the same store, also after a restart with other keys', async () => {
    const path = mkdtempSync(join(tmpdir(), 'videos-'));
    const config = (apiKey: string): ConfigInput => ({
      backends: { first: { dialect: 'responses', baseUrl: stage.a.url, apiKey, headers: {}, retries: 0 } },
      models: { 'video-2': { backend: 'first', model: 'sora-2' } },
      keys: [{ name: 'one', key: 'the-first-key-of-all' }],
      store: { type: 'lmdb', path },
      limits: { drainSeconds: 1 },
    });
    const before = await startGateway(config('the-key-of-the-video-backend'));
    const { id } = (await create(before.url)).body;
    await before.close();
    const after = await startGateway({
      ...config('the-key-of-the-video-backend'),
      keys: [
        { name: 'one', key: 'a-new-key-for-the-first' },
        { name: 'two', key: 'the-second-key-of-all' },
      ],
    });
    const renewed = { authorization: 'Bearer a-new-key-for-the-first' };
    expect((await status(after.url, id, renewed)).body.id).toBe(id);
    expect((await status(after.url, id, OTHER)).status).toBe(404);
    expect((await send(after.url, '/v1/videos', { headers: renewed })).body.data).toHaveLength(1);
    await after.close();
    rmSync(path, { recursive: true });
  });

  test('of somebody else are unknown on every route, as if they had never been', async () => {
    const { id } = (await create(stage.gateway.url)).body;
    const calls = stage.a.seen.length;
    const flipped = `${id.slice(0, 20)}${id[20] === 'A' ? 'B' : 'A'}${id.slice(21)}`;
    const last = `${id.slice(0, -1)}${id.endsWith('A') ? 'B' : 'A'}`;
    const bodies = new Set<string>();
    for (const [one, who] of [
      [id, OTHER],
      [flipped, WHO],
      [last, WHO],
      ['video_upstream_1', WHO],
      [stage.only(stage.a).id, WHO],
    ] as const) {
      for (const [method, path, body] of [
        ['GET', `/v1/videos/${one}`],
        ['GET', `/v1/videos/${one}/content`],
        ['DELETE', `/v1/videos/${one}`],
        ['POST', `/v1/videos/${one}/remix`, { prompt: 'p' }],
      ] as const) {
        const answer = await send(stage.gateway.url, path, { method, body, headers: who });
        expect([method, path, answer.status]).toEqual([method, path, 404]);
        bodies.add(answer.text);
      }
      expect((await send(stage.gateway.url, `/v1/video/generations/${one}`, { headers: who })).status).toBe(404);
    }
    expect([bodies.size, stage.a.seen.length]).toEqual([1, calls]);
    expect((await status(stage.gateway.url, id)).status).toBe(200);
  });

  test('80 hostile ones never reach a backend', async () => {
    const bad = [
      ...[
        '..',
        '../..',
        '../../admin',
        '..%2f..%2fadmin',
        '%2e%2e',
        '%2e%2e%2fadmin',
        './x',
        'x/../y',
        '/etc',
        '//evil',
      ],
      ...['x?y=1', 'x%3fy=1', 'x#y', 'x%23y', '@evil.example', 'x@evil.example', 'http://evil.example/', '\\\\evil\\x'],
      ...[
        'x%00y',
        'x%0ay',
        'x%0d%0aHost:%20evil',
        ';ls',
        '|x',
        '$(x)',
        '`x`',
        '{{x}}',
        '$x',
        '<x>',
        '%',
        '%zz',
        '%c0%ae',
      ],
      ...[
        '*',
        '?',
        '#',
        '&',
        '=',
        '+',
        ' ',
        '%20',
        "'",
        '"',
        '"}',
        "' OR 1=1",
        'x'.repeat(3000),
        '\u{1f600}',
        '\u202e',
      ],
      ...['__proto__', 'constructor', 'null', 'undefined', 'NaN', '0', '-1', 'true', '[]', '{}', 'video_', 'video_..'],
      ...['video_../../x', 'video_%2e%2e', `video_${'A'.repeat(40)}`, `video_${'_'.repeat(100)}`, 'VIDEO_x', 'video-x'],
      ...[
        'models/x',
        'models%2fx:y',
        'x:y',
        'x:generateContent',
        'content',
        'remix',
        'content/remix',
        'video_upstream_1',
      ],
      ...[
        'video_upstream_1/content',
        'edits',
        'extensions',
        'characters',
        'generations',
        'a%2Fcontent',
        '.',
        '%2e',
        '%5c',
      ],
      ...['..;/x', 'x;y=z', '~root', '.git', 'C:\\x', 'x%252fy'],
    ];
    expect(bad.length).toBeGreaterThanOrEqual(80);
    await create(stage.gateway.url);
    await create(stage.gateway.url, 'wan');
    const before = [stage.a.seen.length, stage.b.seen.length];
    for (const id of bad) {
      const safe = id.replace(/[^\x21-\x7e]/gu, encodeURIComponent);
      for (const path of [`/v1/videos/${safe}`, `/v1/videos/${safe}/content`, `/v1/video/generations/${safe}`]) {
        const { status: told } = await send(stage.gateway.url, path, { headers: WHO });
        const list = /^\/v1\/videos\/?[?#]/.test(path) || /^\/v1\/videos\/[?#]/.test(path);
        expect([path, list || (told >= 400 && told < 500)]).toEqual([path, true]);
      }
    }
    expect(stage.b.seen.length).toBe(before[1]);
    // An empty id with a query is the list.
    for (const { path } of stage.a.seen.slice(before[0])) expect(path).toMatch(/^\/v1\/videos\?limit=100$/);
  });

  test('of a backend are one segment of its path, whatever they hold', async () => {
    for (const id of ['operations/a b/c', 'x?y#z', '../admin', '%2e%2e', 'a@b:c']) {
      stage.b.script = ({ method }) => (method === 'POST' ? { status: 200, body: { task_id: id } } : undefined);
      const { body } = await create(stage.gateway.url, 'wan');
      stage.b.videos.set(id, { status: 'processing', progress: 1, fields: {} });
      expect((await status(stage.gateway.url, body.id)).body.status).toBe('processing');
      expect(stage.b.seen.at(-1)?.path).toBe(`/v1/video/generations/${encodeURIComponent(id)}`);
    }
    for (const id of ['..', '.', '', 'a\nb', 'x'.repeat(2000), 7]) {
      stage.b.script = () => ({ status: 200, body: { task_id: id } });
      const answer = await create(stage.gateway.url, 'wan');
      expect([answer.status, answer.headers['x-should-retry']]).toEqual([500, 'false']);
    }
  });
});

describe('a creation is never repeated', () => {
  let backend: Recorder;
  let spare: Recorder;
  let url: string;
  let close: () => Promise<void>;
  beforeAll(async () => {
    backend = await startRecorder();
    spare = await startRecorder();
    const config = { dialect: 'responses', retries: 2, timeouts: { firstByte: 0.3 } } as const;
    const gateway = await startGateway({
      backends: {
        first: { ...config, baseUrl: backend.url },
        spare: { ...config, baseUrl: spare.url },
        dead: { ...config, baseUrl: 'http://127.0.0.1:9' },
      },
      models: {
        'video-2': [{ backend: 'first' }, { backend: 'spare' }],
        late: [{ backend: 'dead' }, { backend: 'spare' }],
      },
      limits: { drainSeconds: 1 },
    });
    url = gateway.url;
    close = gateway.close;
  });
  afterAll(async () => {
    await close();
    await backend.close();
    await spare.close();
  });
  beforeEach(() => {
    backend.seen.length = 0;
    spare.seen.length = 0;
    spare.reply = (response) => {
      response.setHeader('content-type', 'application/json');
      response.end('{"id":"v1","status":"queued"}');
    };
  });

  const FAULTS: readonly (readonly [string, Recorder['reply']])[] = [
    ['a reset after it was sent', (response) => response.socket?.resetAndDestroy()],
    ['an end without an answer', (response) => response.socket?.end()],
    ['silence', () => {}],
    ['a broken head', (response) => response.socket?.end('HTTP/1.1 banana\r\n\r\n')],
    [
      'half an answer',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
        response.write('{"id":', () => response.destroy());
      },
    ],
    ['no JSON', (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"id"')],
    ['a page', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')],
    ['no id', (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}')],
    ['a time-out in between', (response) => response.writeHead(504, { 'content-type': 'text/html' }).end('<html>')],
  ];

  test.each(FAULTS)('after %s', async (_name, reply) => {
    backend.reply = reply;
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'any', maxRetries: 2 });
    await expect(client.videos.create({ prompt: 'p' })).rejects.toMatchObject({ status: 500, type: 'server_error' });
    expect([backend.seen.length, spare.seen.length]).toEqual([1, 0]);
    const again = await send(url, '/v1/videos', { body: { prompt: 'p' } });
    expect([again.status, again.headers['x-should-retry']]).toEqual([500, 'false']);
    backend.seen.length = 0;
    backend.reply = (response, seen) => {
      if (seen.path.endsWith('/remix')) return reply(response, seen);
      response.setHeader('content-type', 'application/json');
      response.end('{"id":"v1","status":"completed"}');
    };
    const made = await client.videos.create({ prompt: 'p' });
    await expect(client.videos.remix(made.id, { prompt: 'q' })).rejects.toMatchObject({ status: 500 });
    expect(backend.seen.filter(({ path }) => path.endsWith('/remix'))).toHaveLength(1);
  });

  test('but goes on where no connection was made, and where it was refused', async () => {
    expect((await send(url, '/v1/videos', { body: { model: 'late', prompt: 'p' } })).status).toBe(200);
    expect(spare.seen).toHaveLength(1);
    backend.reply = (response) =>
      response.writeHead(429, { 'content-type': 'application/json' }).end('{"error":{"message":"m","type":"x"}}');
    expect((await send(url, '/v1/videos', { body: { prompt: 'p' } })).status).toBe(200);
    expect([backend.seen.length, spare.seen.length]).toEqual([1, 2]);
  });

  test('and ends when its client goes away', async () => {
    let aborted = (): void => {};
    const gone = new Promise<void>((resolve) => {
      aborted = resolve;
    });
    const controller = new AbortController();
    backend.reply = (response) => {
      response.on('close', aborted);
      controller.abort();
    };
    const body = JSON.stringify({ prompt: 'p' });
    const headers = { 'content-type': 'application/json' };
    await expect(
      fetch(`${url}/v1/videos`, { method: 'POST', body, headers, signal: controller.signal }),
    ).rejects.toThrow();
    await gone;
    expect([backend.seen.length, spare.seen.length]).toEqual([1, 0]);
  });

  test('and a key of the client against repetition goes along', async () => {
    backend.reply = spare.reply;
    await send(url, '/v1/videos', { body: { prompt: 'p' }, headers: { 'idempotency-key': 'once-1' } });
    expect(backend.seen[0]?.headers['idempotency-key']).toBe('once-1');
    expect(backend.seen[0]?.headers.authorization).toBeUndefined();
  });
});
