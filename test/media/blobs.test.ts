import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { pino } from 'pino';
import { createBlobs } from '../../src/downloads/blobs.js';
import { createMemoryStorage } from '../../src/store/memory.js';
import type { Storage } from '../../src/store/types.js';
import {
  json,
  type Recorder,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
} from '../support/gateway/harness.js';
import { jpeg, png, webp } from '../support/pictures.js';
import { until } from '../support/until.js';

const MB = 1024 * 1024;
const silent = pino({ level: 'silent' });

const BASE = 'https://pictures.example';
const LIMITS = { ttlMs: 60_000, maxBytes: MB, fileBytes: MB };
const HELLO = { mime: 'image/png', base64: 'aGVsbG8=' };
/** Tags of two owners. */
const A = '0000000a';
const B = '0000000b';

describe('kept pictures', () => {
  test('have ids that nobody can guess, and stay for their time', async () => {
    const blobs = createBlobs(createMemoryStorage(), LIMITS, silent);
    const kept = blobs.keep(A, HELLO, BASE);
    const other = blobs.keep(A, HELLO, BASE);
    expect(kept?.url).toMatch(/^https:\/\/pictures\.example\/media\/[0-9a-f]{32}$/);
    expect(other?.url).not.toBe(kept?.url);
    await kept?.kept;
    const id = kept?.url.slice(-32) ?? '';
    expect(await blobs.get(id)).toMatchObject({ mime: 'image/png', bytes: Buffer.from('hello') });
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_001);
    try {
      expect(await blobs.get(id)).toBeUndefined();
    } finally {
      clock.mockRestore();
    }
  });

  test('are bounded together: the oldest go first', async () => {
    const blobs = createBlobs(createMemoryStorage(), LIMITS, silent);
    const picture = 'A'.repeat(100_000);
    const ids: string[] = [];
    for (let index = 0; index < 50; index += 1) {
      const kept = blobs.keep(A, { mime: 'image/png', base64: picture }, BASE);
      await kept?.kept;
      ids.push(kept?.url.slice(-32) ?? '');
    }
    const found = await Promise.all(ids.map((id) => blobs.get(id)));
    const left = found.filter((blob) => blob !== undefined).length;
    expect(left).toBeGreaterThan(2);
    expect(left).toBeLessThan(11);
    expect(found.at(-1)).toBeDefined();
    expect(found[0]).toBeUndefined();
  });

  test('of one owner go for its own new ones, and leave those of another', async () => {
    const blobs = createBlobs(createMemoryStorage(), LIMITS, silent);
    const picture = { mime: 'image/png', base64: 'A'.repeat(100_000) };
    const keep = async (owner: string): Promise<string> => {
      const kept = blobs.keep(owner, picture, BASE);
      await kept?.kept;
      return kept?.url.slice(-32) ?? '';
    };
    const first = await keep(B);
    const others: string[] = [];
    for (let index = 0; index < 30; index += 1) others.push(await keep(A));
    const left = await Promise.all([first, others[0] ?? '', others.at(-1) ?? ''].map((id) => blobs.get(id)));
    expect(left.map((blob) => blob !== undefined)).toEqual([true, false, true]);
  });

  test('larger than everything are not taken', () => {
    const blobs = createBlobs(createMemoryStorage(), LIMITS, silent);
    expect(blobs.keep(A, { mime: 'image/png', base64: 'A'.repeat(MB + 4) }, BASE)).toBeUndefined();
  });

  test('are there before the store has written them, and their failure is told', async () => {
    let release: (error?: Error) => void = () => {};
    const storage: Omit<Storage, 'texts'> = {
      area: () => ({
        get: async (keys) => keys.map(() => undefined),
        find: async (keys) => keys.map(() => undefined),
        set: () =>
          new Promise((resolve, reject) => {
            release = (error) => (error === undefined ? resolve() : reject(error));
          }),
        delete: async () => {},
      }),
      close: async () => {},
    };
    const blobs = createBlobs(storage, LIMITS, silent);
    const kept = blobs.keep(A, HELLO, BASE);
    const id = kept?.url.slice(-32) ?? '';
    expect((await blobs.get(id))?.bytes.toString()).toBe('hello');
    release(new Error('the disk is full'));
    await expect(kept?.kept).rejects.toThrow('the disk is full');
    expect(await blobs.get(id)).toBeUndefined();
  });
});

describe('GET /media/{id}', () => {
  let backend: Recorder;
  let gateway: TestGateway;
  let picture = '';
  beforeAll(async () => {
    backend = await startRecorder();
    backend.reply = (response) => json(response, 200, { created: 1, data: [{ b64_json: picture }] });
    gateway = await startGateway({
      backends: { any: { dialect: 'responses', baseUrl: backend.url } },
      keys: [{ name: 'tests', key: 'a-key-of-the-tests' }],
      limits: { drainSeconds: 1 },
    });
  });
  afterAll(async () => {
    await gateway.close();
    await backend.close();
  });

  async function keptUrl(bytes: Buffer, headers: Record<string, string> = {}): Promise<URL> {
    picture = bytes.toString('base64');
    const answer = await send(gateway.url, '/v1/images/generations', {
      body: { model: 'img-multi', prompt: 'x', response_format: 'url' },
      headers: { authorization: 'Bearer a-key-of-the-tests', ...headers },
    });
    expect(answer.status).toBe(200);
    return new URL(answer.body.data[0].url);
  }

  test.each([
    [png(), 'image/png', 'png'],
    [jpeg(), 'image/jpeg', 'jpg'],
    [webp(), 'image/webp', 'webp'],
    [Buffer.from('<svg onload="alert(1)"/>'), 'application/octet-stream', 'bin'],
  ])('serves what was made, by its own type, without a key: %#', async (bytes, type, extension) => {
    const { pathname } = await keptUrl(bytes);
    const answer = await fetch(gateway.url + pathname);
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes);
    const headers = Object.fromEntries(answer.headers);
    expect(headers).toMatchObject({
      'content-type': type,
      'content-length': String(bytes.length),
      'content-disposition': `${extension === 'bin' ? 'attachment' : 'inline'}; filename="picture.${extension}"`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    const age = /^private, max-age=(\d+), immutable$/.exec(headers['cache-control'] ?? '')?.[1];
    expect(Number(age)).toBeGreaterThan(3500);
    expect(Number(age)).toBeLessThanOrEqual(3600);
  });

  test('answers HEAD without the bytes', async () => {
    const { pathname } = await keptUrl(png());
    const answer = await fetch(gateway.url + pathname, { method: 'HEAD' });
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([
      200,
      String(png().length),
      '',
    ]);
  });

  test.each([
    ['bytes=0-7', 206, 0, 8],
    ['bytes=8-', 206, 8, undefined],
    ['bytes=-4', 206, -4, undefined],
    ['bytes=0-1,4-5', 200, 0, undefined],
    ['lines=1-2', 200, 0, undefined],
  ])('gives a part: %s', async (range, status, start, end) => {
    const { pathname } = await keptUrl(png());
    const answer = await fetch(gateway.url + pathname, { headers: { range } });
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect([answer.status, bytes]).toEqual([status, png().subarray(start, end)]);
    const from = start < 0 ? png().length + start : start;
    const shown = `bytes ${from}-${from + bytes.length - 1}/${png().length}`;
    expect(answer.headers.get('content-range')).toBe(status === 206 ? shown : null);
    expect(answer.headers.get('content-length')).toBe(String(bytes.length));
  });

  test('has no part beyond its end, and none under a condition', async () => {
    const { pathname } = await keptUrl(png());
    const beyond = await send(gateway.url, pathname, { headers: { range: 'bytes=100000-' } });
    expect([beyond.status, beyond.headers['content-range']]).toEqual([416, `bytes */${png().length}`]);
    expect(beyond.body.error.type).toBe('invalid_request_error');
    const other = await send(gateway.url, pathname, { headers: { range: 'bytes=0-1', 'if-range': '"x"' } });
    expect(other.status).toBe(200);
  });

  test('is never built from what the client says of itself', async () => {
    const url = await keptUrl(png(), { host: 'evil.example', 'x-forwarded-host': 'evil.example' });
    expect(url.origin).toBe(gateway.url);
  });

  test.each([
    '/media/0123456789abcdef0123456789abcdef',
    '/media/x',
    '/media/..%2f..%2fetc',
    '/media/0123456789ABCDEF0123456789ABCDEF',
  ])('knows no %s', async (path) => {
    const answer = await send(gateway.url, path);
    expect(answer.status).toBe(404);
    expect(answer.body.error).toEqual({
      message: expect.stringMatching(/no such file/),
      type: 'invalid_request_error',
      param: null,
      code: null,
    });
  });

  test('takes nothing', async () => {
    const answer = await send(gateway.url, '/media/0123456789abcdef0123456789abcdef', { method: 'POST', body: '{}' });
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  test('stands below the configured public URL', async () => {
    const other = await startGateway({
      listen: { publicUrl: 'https://pictures.example/gw/' },
      backends: { any: { dialect: 'responses', baseUrl: backend.url } },
      limits: { drainSeconds: 1 },
    });
    picture = png().toString('base64');
    const answer = await send(other.url, '/v1/images/generations', {
      body: { model: 'img-multi', prompt: 'x', response_format: 'url' },
    });
    expect(answer.body.data[0].url).toMatch(/^https:\/\/pictures\.example\/gw\/media\/[0-9a-f]{32}$/);
    await other.close();
  });
});

describe('results behind links', () => {
  let backend: Recorder;
  let gateway: TestGateway;
  beforeAll(async () => {
    backend = await startRecorder();
    gateway = await startGateway({
      backends: { any: { dialect: 'responses', baseUrl: backend.url } },
      media: { allowPrivate: ['127.0.0.1'] },
      limits: { drainSeconds: 1 },
    });
  });
  afterAll(async () => {
    await gateway.close();
    await backend.close();
  });

  function serve(file: Buffer | undefined): void {
    backend.reply = (response, { path }) => {
      if (path !== '/file')
        return json(response, 200, {
          created: 7,
          data: [{ url: `${backend.url}/file`, revised_prompt: 'r', seed: 3 }],
          odd: 1,
        });
      response.writeHead(file === undefined ? 404 : 200, { 'content-type': 'text/plain' });
      response.end(file);
    };
  }

  test('are brought for clients that want the picture itself; everything else stays', async () => {
    serve(png());
    const answer = await send(gateway.url, '/v1/images/generations', {
      body: { model: 'dall-e-3', prompt: 'x', response_format: 'b64_json' },
    });
    expect(answer.body).toEqual({
      created: 7,
      data: [{ b64_json: png().toString('base64'), revised_prompt: 'r', seed: 3 }],
      odd: 1,
    });
  });

  test.each([
    ['cannot be fetched', undefined],
    ['are no pictures', Buffer.from('<html>')],
  ])('that %s are told so, and not to be paid again', async (_name, file) => {
    serve(file);
    const answer = await send(gateway.url, '/v1/images/generations', {
      body: { model: 'dall-e-3', prompt: 'x', response_format: 'b64_json' },
    });
    expect([answer.status, answer.headers['x-should-retry']]).toEqual([502, 'false']);
    expect(answer.text).not.toContain(new URL(backend.url).port);
  });

  test('stay links for clients that want links', async () => {
    serve(png());
    const answer = await send(gateway.url, '/v1/images/generations', { body: { model: 'dall-e-3', prompt: 'x' } });
    expect(answer.body.data[0].url).toBe(`${backend.url}/file`);
  });

  test.each([
    ['a data URL for base64', (base64: string) => ({ b64_json: `data:image/png;base64,${base64}` }), 'b64_json'],
    [
      'the alphabet of URLs',
      (base64: string) => ({ b64_json: base64.replaceAll('+', '-').replaceAll('/', '_') }),
      'b64_json',
    ],
    ['a data URL for a link', (base64: string) => ({ url: `data:image/png;base64,${base64}` }), 'url'],
    [
      'a data URL for a link, beside base64',
      (base64: string) => ({ url: `data:image/png;base64,${base64}`, b64_json: base64 }),
      'b64_json',
    ],
  ])('with %s are put right, also when nobody said what is wanted', async (_name, item, field) => {
    // Its base64 has both characters in which the alphabets differ.
    const picture = png({ bytes: 4000 });
    const base64 = Buffer.concat([picture, Buffer.from('fbffbf', 'hex')]).toString('base64');
    backend.reply = (response) => json(response, 200, { created: 7, data: [item(base64)] });
    const answer = await send(gateway.url, '/v1/images/generations', { body: { model: 'house-model', prompt: 'x' } });
    const [made] = answer.body.data;
    const bytes =
      field === 'url' ? Buffer.from(await (await fetch(made.url)).arrayBuffer()).toString('base64') : made.b64_json;
    expect(bytes === base64).toBe(true);
    expect(String(made.url)).toMatch(field === 'url' ? /^http/ : /^undefined$/);
  });

  test('are no longer fetched when the client goes away', async () => {
    let fetching = false;
    backend.aborted = 0;
    backend.reply = (response, { path }) => {
      fetching = path === '/file';
      if (!fetching) json(response, 200, { created: 7, data: [{ url: `${backend.url}/file` }] });
    };
    const controller = new AbortController();
    const asked = fetch(`${gateway.url}/v1/images/generations`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'dall-e-3', prompt: 'x', response_format: 'b64_json' }),
      signal: controller.signal,
    }).catch(() => 'aborted');
    await until(() => fetching);
    controller.abort();
    expect(await asked).toBe('aborted');
    await until(() => backend.aborted > 0);
    expect(backend.aborted).toBe(1);
  });

  test('become links that lead somewhere when they hold the picture itself', async () => {
    backend.reply = (response) =>
      json(response, 200, { created: 7, data: [{ url: `data:image/png;base64,${png().toString('base64')}` }] });
    const answer = await send(gateway.url, '/v1/images/generations', { body: { model: 'dall-e-3', prompt: 'x' } });
    const kept = await fetch(answer.body.data[0].url);
    expect(Buffer.from(await kept.arrayBuffer())).toEqual(png());
  });
});
