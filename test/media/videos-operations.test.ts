import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import OpenAI, { toFile } from 'openai';
import {
  finished,
  OPERATION_KEY,
  type OperationFake,
  startOperations,
} from '../support/fake-backend/media/operations.js';
import { type MediaFake, startMediaFake } from '../support/fake-backend/media/server.js';
import { FILM, fileAnswer } from '../support/fake-backend/media/videos.js';
import { send, startGateway, type TestGateway } from '../support/gateway/harness.js';
import { png } from '../support/pictures.js';

const MODEL = 'veo-3.1-generate-preview';
const WHO = { authorization: 'Bearer the-first-key-of-all' };

let store: MediaFake;
let veo: OperationFake;
let away: OperationFake;
let cloud: OperationFake;
let gateway: TestGateway;
let client: OpenAI;

beforeAll(async () => {
  store = await startMediaFake((seen) => fileAnswer(FILM, seen.headers.range, 'video/mp4'));
  veo = await startOperations();
  away = await startOperations(`${store.url}/signed/film?sig=1`);
  cloud = await startOperations(undefined, true);
  const at = ({ url }: MediaFake) => ({
    dialect: 'generateContent' as const,
    baseUrl: url,
    apiKey: OPERATION_KEY,
    retries: 0,
  });
  gateway = await startGateway({
    backends: { veo: at(veo), away: at(away), cloud: at(cloud), none: { ...at(veo), videos: 'none' } },
    models: {
      [MODEL]: { backend: 'veo' },
      'video-2': { backend: 'veo', model: MODEL },
      away: { backend: 'away', model: MODEL },
      cloud: { backend: 'cloud', model: MODEL },
      none: { backend: 'none' },
    },
    keys: [
      { name: 'one', key: 'the-first-key-of-all' },
      { name: 'two', key: 'the-second-key-of-all' },
    ],
    media: { allowPrivate: ['127.0.0.1'] },
    limits: { drainSeconds: 1 },
  });
  client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'the-first-key-of-all', maxRetries: 0 });
});
afterAll(async () => {
  await gateway.close();
  await Promise.all([veo, away, cloud, store].map((fake) => fake.close()));
});
beforeEach(() => {
  for (const fake of [veo, away, cloud]) {
    fake.reset();
    fake.made.length = 0;
    fake.told = {};
  }
  store.reset();
});

const FILE = (fake: MediaFake) => finished(`${fake.url}/v1beta/files/film:download?alt=media`);
const get = (path: string) => send(gateway.url, path, { headers: WHO });

describe('a video by a long-running operation', () => {
  test('[VID-01] [VID-04] is made, waited for and fetched under one id', async () => {
    const created = await client.videos.create({ model: MODEL, prompt: 'a cat', seconds: '8', size: '1280x720' });
    expect(veo.made).toEqual([
      {
        instances: [{ prompt: 'a cat' }],
        parameters: { durationSeconds: 8, aspectRatio: '16:9', resolution: '720p' },
      },
    ]);
    expect(created).toMatchObject({
      object: 'video',
      status: 'queued',
      progress: 0,
      model: MODEL,
      seconds: '8',
      size: '1280x720',
      error: null,
    });
    expect(created.id).toMatch(/^video_[\w-]+$/);
    veo.told = { metadata: { '@type': 'x' } };
    expect(await client.videos.retrieve(created.id)).toMatchObject({ id: created.id, status: 'in_progress' });
    veo.told = { done: false };
    expect((await get(`/v1/videos/${created.id}`)).body).toMatchObject({ status: 'processing', model: MODEL });
    const early = await get(`/v1/videos/${created.id}/content`);
    expect([early.status, early.body.error.type]).toEqual([404, 'invalid_request_error']);
    veo.told = FILE(veo);
    const done = await get(`/v1/videos/${created.id}`);
    expect(done.body).toMatchObject({
      id: created.id,
      status: 'completed',
      progress: 100,
      created_at: created.created_at,
    });
    const file = await client.videos.downloadContent(created.id);
    expect([file.headers.get('content-type'), Buffer.from(await file.arrayBuffer())]).toEqual(['video/mp4', FILM]);
  });

  test('says how long and how large it is where nobody asked for that', async () => {
    const plain = await client.videos.create({ model: MODEL, prompt: 'a cat' });
    expect(plain).toMatchObject({ seconds: '8', size: '1280x720' });
    expect(await client.videos.retrieve(plain.id)).toMatchObject({ seconds: '8', size: '1280x720' });
    const metadata = { aspect_ratio: '9:16', resolution: '1080p' };
    const upright = await client.videos.create({ model: MODEL, prompt: 'a cat', seconds: '4', ...{ metadata } });
    expect(upright).toMatchObject({ seconds: '4', size: '1080x1920' });
    expect(veo.made).toEqual([
      { instances: [{ prompt: 'a cat' }] },
      {
        instances: [{ prompt: 'a cat' }],
        parameters: { aspectRatio: '9:16', resolution: '1080p', durationSeconds: 4 },
      },
    ]);
  });

  test('says of a size that the service does not make which one it makes', async () => {
    const made = await client.videos.create({ model: MODEL, prompt: 'a cat', size: '1024x1792' });
    expect(veo.made).toEqual([
      { instances: [{ prompt: 'a cat' }], parameters: { aspectRatio: '9:16', resolution: '1080p' } },
    ]);
    expect([made.size, (await client.videos.retrieve(made.id)).size]).toEqual(['1080x1920', '1080x1920']);
  });

  test('[VID-02] shows no client where its file is, and its key to nobody else', async () => {
    const { id } = await client.videos.create({ model: 'away', prompt: 'a cat' });
    away.told = finished(`${away.url}/v1beta/files/film:download?alt=media&key=${OPERATION_KEY}`);
    const done = await get(`/v1/videos/${id}`);
    expect(done.body.url).toBe(`${gateway.url}/v1/videos/${id}/content`);
    expect(done.text).not.toMatch(/the-key-of|files\/film|operations/);
    const part = await client.videos.downloadContent(id, {}, { headers: { range: 'bytes=4-7' } });
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
      206,
      `bytes 4-7/${FILM.length}`,
      'ftyp',
    ]);
    expect(away.seen.at(-1)?.headers['x-goog-api-key']).toBe(OPERATION_KEY);
    expect(store.seen).toHaveLength(1);
    expect(JSON.stringify([store.seen[0]?.headers, store.seen[0]?.path])).not.toContain(OPERATION_KEY);
  });

  test('at any open address shows none either', async () => {
    const { id } = await client.videos.create({ model: MODEL, prompt: 'a cat' });
    veo.told = finished('https://storage.example/film.mp4?key=AIzaSomething');
    expect((await get(`/v1/videos/${id}`)).body.url).toBe(`${gateway.url}/v1/videos/${id}/content`);
  });

  test('may stand in the answer itself', async () => {
    const { id } = await client.videos.create({ model: MODEL, prompt: 'a cat' });
    const encodedVideo = FILM.toString('base64');
    const samples = [{ video: { encodedVideo, encoding: 'video/mp4' } }];
    veo.told = { done: true, response: { generateVideoResponse: { generatedSamples: samples } } };
    expect((await get(`/v1/videos/${id}`)).text).not.toContain(encodedVideo.slice(0, 100));
    const file = await client.videos.downloadContent(id);
    expect(Buffer.from(await file.arrayBuffer())).toEqual(FILM);
  });

  test('of the cloud variant is polled by its model', async () => {
    const { id } = await client.videos.create({ model: 'cloud', prompt: 'a cat' });
    cloud.told = {
      done: true,
      response: { videos: [{ bytesBase64Encoded: FILM.toString('base64'), mimeType: 'video/mp4' }] },
    };
    expect((await get(`/v1/videos/${id}`)).body.status).toBe('completed');
    expect(Buffer.from(await (await client.videos.downloadContent(id)).arrayBuffer())).toEqual(FILM);
  });

  test('begins with a picture, by its bytes', async () => {
    const picture = png({ width: 16, height: 9 });
    const input_reference = await toFile(picture, 'a.png', { type: 'image/png' });
    await client.videos.create({ model: MODEL, prompt: 'a cat', input_reference });
    expect(veo.made[0]?.instances).toEqual([
      { prompt: 'a cat', image: { bytesBase64Encoded: picture.toString('base64'), mimeType: 'image/png' } },
    ]);
    expect(veo.made[0]).not.toHaveProperty('parameters');
  });

  test('takes parameters of its own as metadata, and tells what it cannot take', async () => {
    const metadata = { negative_prompt: 'dogs', personGeneration: 'allow_adult', watermark: true, resolution: '4k' };
    const answer = await send(gateway.url, '/v1/videos', {
      headers: WHO,
      body: { model: MODEL, prompt: 'x', size: '1024x1792', quality: 'high', seed: 7, metadata },
    });
    expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
    expect(veo.made[0]?.parameters).toEqual({
      negativePrompt: 'dogs',
      personGeneration: 'allow_adult',
      aspectRatio: '9:16',
      resolution: '1080p',
    });
    const losses = String(answer.headers['x-interlingua-loss']);
    for (const told of ['/metadata/watermark', '/size', '/quality', '/seed'])
      expect(losses).toContain(`path="${told}"`);
  });

  test('is a task of format B as well', async () => {
    const answer = await send(gateway.url, '/v1/video/generations', {
      headers: WHO,
      body: { model: MODEL, prompt: 'x', duration: 6, width: 720, height: 1280 },
    });
    expect(veo.made[0]?.parameters).toEqual({ durationSeconds: 6, aspectRatio: '9:16', resolution: '720p' });
    veo.told = FILE(veo);
    const done = await get(`/v1/video/generations/${answer.body.task_id}`);
    expect(done.body).toMatchObject({ task_id: answer.body.task_id, status: 'succeeded', format: 'mp4', error: null });
  });

  test('belongs to who began it', async () => {
    const { id } = await client.videos.create({ model: MODEL, prompt: 'a cat' });
    const other = { authorization: 'Bearer the-second-key-of-all' };
    expect((await send(gateway.url, `/v1/videos/${id}`, { headers: other })).status).toBe(404);
    const removed = await send(gateway.url, `/v1/videos/${id}`, { method: 'DELETE', headers: WHO });
    expect([removed.status, removed.body.error.message]).toEqual([400, expect.stringMatching(/deleted/)]);
  });
});

describe('an operation that fails', () => {
  test.each([
    [{ done: true, error: { code: 3, message: 'prompt is bad' } }, 'invalid_parameter', 'prompt is bad'],
    [{ done: true, error: { code: 8, message: 'quota' } }, 'rate_limit_exceeded', 'quota'],
    [
      { done: true, error: { code: 13, message: `at ${OPERATION_KEY}` } },
      'internal_error',
      expect.not.stringContaining(OPERATION_KEY),
    ],
    [
      {
        done: true,
        response: { generateVideoResponse: { raiMediaFilteredCount: 1, raiMediaFilteredReasons: ['no children'] } },
      },
      'content_policy_violation',
      'no children',
    ],
    [
      { done: true, response: { raiMediaFilteredCount: 1 } },
      'content_policy_violation',
      expect.stringMatching(/held back/),
    ],
    [{ done: true }, 'internal_error', expect.stringMatching(/./)],
    [
      { done: true, response: { generateVideoResponse: { generatedSamples: [] } } },
      'internal_error',
      expect.stringMatching(/./),
    ],
  ])('is told as a task that failed: %j', async (told, code, message) => {
    const { id } = await client.videos.create({ model: MODEL, prompt: 'a cat' });
    veo.told = told;
    const answer = await get(`/v1/videos/${id}`);
    expect([answer.status, answer.body.status, answer.body.error]).toEqual([200, 'failed', { code, message }]);
    expect((await get(`/v1/videos/${id}/content`)).status).toBe(404);
  });

  test('is refused in the form of the route', async () => {
    const long = await send(gateway.url, '/v1/videos', {
      headers: WHO,
      body: { model: MODEL, prompt: 'x', seconds: '5' },
    });
    expect([long.status, long.body]).toEqual([
      400,
      {
        error: {
          message: expect.stringContaining('durationSeconds'),
          type: 'invalid_request_error',
          code: 'invalid_parameter',
        },
      },
    ]);
    const many = await send(gateway.url, '/v1/video/generations', {
      headers: WHO,
      body: { model: MODEL, prompt: 'x', n: 2 },
    });
    expect([many.status, many.body.param]).toEqual([400, 'n']);
    const file = { input_reference: { file_id: 'file-1' } };
    expect(
      (await send(gateway.url, '/v1/videos', { headers: WHO, body: { model: MODEL, prompt: 'x', ...file } })).status,
    ).toBe(400);
    const none = await send(gateway.url, '/v1/videos', { headers: WHO, body: { model: 'none', prompt: 'x' } });
    expect([none.status, none.body.error.message]).toEqual([400, expect.stringContaining('makes no videos')]);
    expect(veo.made).toHaveLength(0);
  });

  test.each([
    'models/x/operations/..',
    '../operations/x',
    'operations',
    'models/x/operations/a?b',
    '//operations/x',
    '',
  ])('to have a name that a path can hold is an error of its backend: %s', async (name) => {
    veo.script = () => ({ status: 200, body: { name } });
    const answer = await send(gateway.url, '/v1/videos', { headers: WHO, body: { model: MODEL, prompt: 'x' } });
    expect([answer.status, answer.body.error.code]).toEqual([500, 'internal_error']);
    expect(answer.headers['x-should-retry']).toBe('false');
  });

  test('that tells of another operation tells nothing of this one', async () => {
    const { id } = await client.videos.create({ model: MODEL, prompt: 'a cat' });
    veo.told = { name: 'models/other/operations/op-8', done: true };
    expect((await get(`/v1/videos/${id}`)).status).toBe(500);
  });
});
