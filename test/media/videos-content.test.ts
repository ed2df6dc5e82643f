import { createServer, get as httpGet, type IncomingMessage } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { MediaAnswer } from '../support/fake-backend/media/server.js';
import { FILM, fileAnswer } from '../support/fake-backend/media/videos.js';
import { type Recorder, send, startGateway, startRecorder, type TestGateway } from '../support/gateway/harness.js';
import { listen, shut } from '../support/sockets.js';
import { openVideoStage, type VideoStage, WHO } from './video-stage.js';

let stage: VideoStage;
/** Keeps files for backends; knows no keys. */
let storage: Recorder;
let content: string;
let linked: string;

beforeAll(async () => {
  stage = await openVideoStage();
  storage = await startRecorder();
});
afterAll(async () => {
  await stage.close();
  await storage.close();
});
beforeEach(async () => {
  stage.reset();
  storage.seen.length = 0;
  storage.reply = (response, seen) => {
    const { status, body, headers } = fileAnswer(FILM, seen.headers.range, 'video/mp4');
    response.writeHead(status, headers).end(body);
  };
  content = await madeBy('video-2');
  linked = await madeBy('wan');
  Object.assign(stage.only(stage.a).video ?? {}, { status: 'completed' });
  Object.assign(stage.only(stage.b).video ?? {}, { status: 'succeeded', url: `${storage.url}/files/film.mp4?sig=1` });
  stage.a.seen.length = 0;
  stage.b.seen.length = 0;
});

async function madeBy(model: string): Promise<string> {
  const { body } = await send(stage.gateway.url, '/v1/videos', { body: { model, prompt: 'p' }, headers: WHO });
  return `/v1/videos/${body.id}/content`;
}

const fetchFile = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  send(stage.gateway.url, path, { method, headers: { ...WHO, ...headers } });

/** Answers in the place of the file itself, not of the state. */
function instead(answer: (range: string | undefined) => MediaAnswer | undefined): void {
  stage.a.script = ({ path, headers }) => (path.includes('/content') ? answer(headers.range) : undefined);
}

describe.each([
  ['from a backend that has the route', () => content],
  ['from where a backend links to', () => linked],
])('%s', (_name, pathOf) => {
  test('the whole file', async () => {
    const file = await fetchFile(pathOf());
    expect([file.status, file.text.length]).toEqual([200, FILM.toString().length]);
    expect(file.headers).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': String(FILM.length),
      'content-disposition': expect.stringMatching(/^attachment; filename="video_[\w-]+\.mp4"$/),
      'accept-ranges': 'bytes',
      etag: '"film-1"',
    });
    expect(file.headers['set-cookie']).toBeUndefined();
    expect(file.headers['content-disposition']).not.toContain('upstream');
  });

  test.each([
    ['bytes=4-11', 206, 'ftypmp42', `bytes 4-11/${FILM.length}`],
    ['bytes=-2', 206, '\x07\x07', `bytes ${FILM.length - 2}-${FILM.length - 1}/${FILM.length}`],
    [`bytes=${FILM.length - 1}-`, 206, '\x07', `bytes ${FILM.length - 1}-${FILM.length - 1}/${FILM.length}`],
  ])('the part %s', async (range, status, text, place) => {
    const part = await fetchFile(pathOf(), { range });
    expect([part.status, part.text, part.headers['content-range']]).toEqual([status, text, place]);
    expect(part.headers['content-length']).toBe(String(text.length));
  });

  test('a part on a condition', async () => {
    await fetchFile(pathOf(), { range: 'bytes=0-1', 'if-range': '"film-1"' });
    const asked = [...stage.a.seen, ...storage.seen].filter(({ path }) => /content|film/.test(path));
    expect(asked.map(({ headers }) => headers['if-range'])).toEqual(['"film-1"']);
  });

  test('no part, several parts, no range at all', async () => {
    const none = await fetchFile(pathOf(), { range: 'bytes=999999-' });
    expect([none.status, none.headers['content-range']]).toEqual([416, `bytes */${FILM.length}`]);
    expect(none.body.error).toMatchObject({ type: 'invalid_request_error' });
    for (const range of ['bytes=0-1,4-5', 'lines=1-2', 'bytes=x-', `bytes=0-${'9'.repeat(40)}`]) {
      const whole = await fetchFile(pathOf(), { range });
      expect([range, whole.status, whole.headers['content-length']]).toEqual([range, 200, String(FILM.length)]);
    }
  });

  test('only what stands in front of it', async () => {
    const head = await fetchFile(pathOf(), {}, 'HEAD');
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers).toMatchObject({
      'content-length': String(FILM.length),
      'content-type': 'video/mp4',
      'accept-ranges': 'bytes',
    });
    expect(head.headers['content-range']).toBeUndefined();
    const asked = [...stage.a.seen, ...storage.seen].filter(({ path }) => /content|film/.test(path));
    expect(asked.map(({ headers }) => headers.range)).toEqual(['bytes=0-0']);
  });
});

test('a file that stands in the answer itself comes in parts too', async () => {
  const url = `data:video/mp4;base64,${FILM.toString('base64')}`;
  Object.assign(stage.only(stage.b).video ?? {}, { url });
  const part = await fetchFile(linked, { range: 'bytes=4-7' });
  expect([part.status, part.text, part.headers['content-range']]).toEqual([206, 'ftyp', `bytes 4-7/${FILM.length}`]);
  const end = await fetchFile(linked, { range: 'bytes=-3' });
  expect([end.status, end.headers['content-range']]).toEqual([
    206,
    `bytes ${FILM.length - 3}-${FILM.length - 1}/${FILM.length}`,
  ]);
  const none = await fetchFile(linked, { range: `bytes=${FILM.length}-` });
  expect([none.status, none.headers['content-range']]).toEqual([416, `bytes */${FILM.length}`]);
  const head = await fetchFile(linked, {}, 'HEAD');
  expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', String(FILM.length)]);
  Object.assign(stage.only(stage.b).video ?? {}, { url: 'data:video/mp4;base64,!!' });
  expect((await fetchFile(linked)).status).toBe(500);
});

describe('states', () => {
  test.each([
    ['queued', {}, /not ready/],
    ['in_progress', {}, /not ready/],
    ['failed', { error: { code: 'x', message: 'it was too hot' } }, /could not be made: it was too hot/],
    ['completed', { expires: 1 }, /expired/],
  ])('%s %j', async (status, more, message) => {
    Object.assign(stage.only(stage.a).video ?? {}, { status, ...more });
    if ('expires' in more) instead(() => ({ status: 404, body: { error: { message: 'gone', type: 'x' } } }));
    for (const method of ['GET', 'HEAD']) {
      const answer = await fetchFile(content, {}, method);
      expect([answer.status, answer.headers['content-type']]).toEqual([404, 'application/json']);
      if (method === 'GET') expect(answer.body.error.message).toMatch(message);
    }
  });

  test.each([
    ['processing', {}, /not ready/],
    ['failed', {}, /could not be made/],
    ['succeeded', { url: undefined }, /sent no file/],
  ])('%s at a backend with links', async (status, more, message) => {
    Object.assign(stage.only(stage.b).video ?? {}, { status, ...more });
    const answer = await fetchFile(linked);
    expect([answer.status, answer.body.error.message]).toEqual([
      status === 'succeeded' ? 500 : 404,
      expect.stringMatching(message),
    ]);
    expect(storage.seen).toHaveLength(0);
  });

  test('an error that is sent as a film is none', async () => {
    const error = '{"error":{"message":"not ready"}}';
    for (const type of ['application/json', 'video/mp4', 'text/html']) {
      instead(() => ({ status: 200, body: error, headers: { 'content-type': type } }));
      const answer = await fetchFile(content);
      expect([type, answer.status, answer.headers['content-type']]).toEqual([type, 500, 'application/json']);
    }
    Object.assign(stage.only(stage.a).video ?? {}, { status: 'in_progress' });
    instead(() => ({ status: 200, body: error, headers: { 'content-type': 'application/json' } }));
    expect((await fetchFile(content)).status).toBe(404);
  });

  test('variants', async () => {
    const unknown = await fetchFile(`${content}?variant=poster`);
    expect([unknown.status, unknown.body.error.param]).toEqual([400, 'variant']);
    expect(stage.a.seen).toHaveLength(0);
    expect((await fetchFile(`${content}?variant=thumbnail`)).headers['content-type']).toBe('image/webp');
    expect((await fetchFile(`${content}?variant=spritesheet`)).status).toBe(400);
    expect((await fetchFile(`${linked}?variant=thumbnail`)).body.error.param).toBe('variant');
  });

  test('an unnamed type is that of a film; a backend that knows no ranges sends all', async () => {
    instead(() => ({ status: 200, body: FILM, headers: { 'content-type': 'binary/octet-stream' } }));
    const file = await fetchFile(content, { range: 'bytes=0-1' });
    expect([file.status, file.headers['content-type'], file.headers['content-range']]).toEqual([
      200,
      'video/mp4',
      undefined,
    ]);
    const head = await fetchFile(content, {}, 'HEAD');
    expect([head.status, head.text]).toEqual([200, '']);
  });
});

describe('the way to the file', () => {
  const KEYS = /the-key-of-the-video-backend|the-first-key/;

  test('VID-02: a redirect to another place is followed without any key', async () => {
    instead(() => ({ status: 302, body: '', headers: { location: `${storage.url}/signed/film.mp4?sig=2` } }));
    const part = await fetchFile(content, { range: 'bytes=4-7', cookie: 'a=b' });
    expect([part.status, part.text]).toEqual([206, 'ftyp']);
    const [seen] = storage.seen;
    expect([seen?.path, seen?.headers.range]).toEqual(['/signed/film.mp4?sig=2', 'bytes=4-7']);
    expect(JSON.stringify(seen?.rawHeaders)).not.toMatch(KEYS);
    expect(seen?.headers.authorization ?? seen?.headers.cookie).toBeUndefined();
  });

  test('a redirect within the backend keeps its key, and one back from elsewhere gets it again', async () => {
    instead((range) =>
      range === undefined ? { status: 307, body: '', headers: { location: './thumb?x=1' } } : undefined,
    );
    const lost = await fetchFile(content);
    expect([lost.status, stage.a.seen.at(-1)?.headers.authorization]).toEqual([
      404,
      expect.stringMatching(/^Bearer the-key-of/),
    ]);
    const { id } = stage.only(stage.a);
    storage.reply = (response) => {
      response.writeHead(302, { location: `${stage.a.url}/v1/videos/${id}/content` }).end();
    };
    Object.assign(stage.only(stage.b).video ?? {}, { url: `${storage.url}/moved` });
    instead(() => undefined);
    // For the second backend the first one is a stranger: no key, no file.
    expect((await fetchFile(linked)).status).toBe(500);
    expect(stage.a.seen.at(-1)?.headers.authorization).toBeUndefined();
  });

  test.each([
    ['http://10.0.0.1/film.mp4'],
    ['http://169.254.169.254/latest/meta-data'],
    ['http://[::1]/film.mp4'],
    ['http://user:pass@93.184.216.34/film.mp4'],
    ['file:///etc/passwd'],
    ['gopher://93.184.216.34/'],
  ])('%s is not followed', async (url) => {
    Object.assign(stage.only(stage.b).video ?? {}, { url });
    const answer = await fetchFile(linked);
    expect(answer.status).toBe(500);
    instead(() => ({ status: 302, body: '', headers: { location: url } }));
    const moved = await fetchFile(content);
    expect([moved.status, moved.body.error.type]).toEqual([500, 'server_error']);
    expect(`${answer.text}${moved.text}`).not.toContain('169.254');
  });

  test('redirects end', async () => {
    instead(() => ({ status: 302, body: '', headers: { location: `${storage.url}/again` } }));
    storage.reply = (response) => {
      response.writeHead(302, { location: '/again' }).end();
    };
    expect((await fetchFile(content)).status).toBe(500);
    expect(storage.seen.length).toBeLessThan(10);
  });

  test('links that lead to the backend are ours, public ones are the backend’s', async () => {
    const { video } = stage.only(stage.b);
    const task = linked.replace('/v1/videos/', '/v1/video/generations/').replace('/content', '');
    for (const [url, shown] of [
      ['https://cdn.example/film.mp4', 'https://cdn.example/film.mp4'],
      [`${stage.b.url}/files/film.mp4`, `${stage.gateway.url}${linked}`],
      ['https://cdn.example/film.mp4?key=the-key-of-the-video-backend', `${stage.gateway.url}${linked}`],
    ] as const) {
      Object.assign(video ?? {}, { url });
      expect((await fetchFile(task)).body.url).toBe(shown);
    }
  });
});

describe('moving it', () => {
  let gateway: TestGateway;
  let source: ReturnType<typeof createServer>;
  let opened: (response: import('node:http').ServerResponse) => void;
  let closed: Promise<void>;
  beforeEach(async () => {
    let noteClosed = (): void => {};
    closed = new Promise((resolve) => {
      noteClosed = resolve;
    });
    source = createServer((request, response) => {
      request.resume();
      if (!request.url?.endsWith('/content')) {
        response.setHeader('content-type', 'application/json');
        response.end('{"id":"up","status":"completed"}');
        return;
      }
      response.on('close', noteClosed);
      opened(response);
    });
    gateway = await startGateway({
      backends: { a: { dialect: 'responses', baseUrl: await listen(source), retries: 0 } },
      limits: { drainSeconds: 1, writeIdleSeconds: 1 },
    });
  });
  afterEach(async () => {
    await gateway.close();
    await shut(source);
  });

  async function open(): Promise<IncomingMessage> {
    const { body } = await send(gateway.url, '/v1/videos', { body: { prompt: 'p' } });
    return new Promise((resolve, reject) => {
      httpGet(`${gateway.url}/v1/videos/${body.id}/content`, { agent: false }, resolve).on('error', reject);
    });
  }

  test('a file that ends early does not look whole', async () => {
    opened = (response) => {
      response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': '1000' });
      response.write(Buffer.alloc(500, 1), () => setTimeout(() => response.destroy(), 20));
    };
    const answer = await open();
    const whole = await new Promise<boolean>((resolve) => {
      answer.resume().on('error', () => resolve(false));
      answer.on('close', () => resolve(answer.complete));
    });
    expect([answer.statusCode, whole]).toEqual([200, false]);
  });

  test('a slow client holds the backend back, and is dropped in the end', async () => {
    let sent = 0;
    opened = (response) => {
      response.writeHead(200, { 'content-type': 'video/mp4' });
      const piece = Buffer.alloc(256 * 1024, 1);
      const pump = (): void => {
        while (!response.destroyed && sent < 64 * 1024 * 1024) {
          sent += piece.length;
          if (!response.write(piece)) {
            response.once('drain', pump);
            return;
          }
        }
      };
      pump();
    };
    const answer = await open();
    answer.pause();
    await closed;
    expect(sent).toBeLessThan(48 * 1024 * 1024);
    answer.destroy();
  });

  test('a client that goes away ends the call', async () => {
    opened = (response) => {
      response.writeHead(200, { 'content-type': 'video/mp4' });
      response.write(Buffer.alloc(10, 1));
    };
    const answer = await open();
    answer.destroy();
    await closed;
  });
});
