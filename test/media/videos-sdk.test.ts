import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import OpenAI, { toFile } from 'openai';
import { createGateway, loadConfig } from '../../src/index.js';
import { type FakeVideo, FILM, type VideoFake } from '../support/fake-backend/media/videos.js';
import type { TestGateway } from '../support/gateway/harness.js';
import { png } from '../support/pictures.js';
import { openVideoStage, type VideoStage } from './video-stage.js';

let stage: VideoStage;
beforeAll(async () => {
  stage = await openVideoStage();
});
afterAll(() => stage.close());
beforeEach(() => stage.reset());

function finish(fake: VideoFake, more: Partial<FakeVideo> = {}): void {
  for (const video of fake.videos.values()) {
    Object.assign(video, { status: fake === stage.a ? 'completed' : 'succeeded', progress: 100 }, more);
  }
}

describe('the official SDK over a backend of format A', () => {
  test('creates, waits, downloads, remixes, lists and deletes', async () => {
    const { client, a } = stage;
    const reference = await toFile(png({ width: 1280, height: 720 }), 'first.png');
    const created = await client.videos.create({
      prompt: 'A cat in a hat',
      seconds: '8',
      size: '1280x720',
      input_reference: reference,
    });
    expect(created).toMatchObject({ object: 'video', status: 'queued', progress: 0, seconds: '8', size: '1280x720' });
    expect(created.id).toMatch(/^video_[\w-]+$/);
    expect(stage.only(a).video?.fields).toEqual({
      prompt: 'A cat in a hat',
      model: 'sora-2',
      seconds: '8',
      size: '1280x720',
      input_reference: 'png 1280x720 reference.png',
    });

    for (const video of a.videos.values()) Object.assign(video, { status: 'in_progress', progress: 33 });
    const running = await client.videos.retrieve(created.id);
    expect(running).toMatchObject({ id: created.id, status: 'in_progress', progress: 33 });
    await expect(client.videos.downloadContent(created.id)).rejects.toMatchObject({
      status: 404,
      message: expect.stringMatching(/not ready/),
    });

    finish(a);
    const done = await client.videos.retrieve(created.id);
    expect(done).toMatchObject({
      id: created.id,
      status: 'completed',
      progress: 100,
      url: `${stage.gateway.url}/v1/videos/${created.id}/content`,
      own_field: 'kept',
    });
    const file = await client.videos.downloadContent(created.id);
    expect(Buffer.from(await file.arrayBuffer()).equals(FILM)).toBe(true);
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': String(FILM.length),
      'content-disposition': `attachment; filename="${created.id}.mp4"`,
      'accept-ranges': 'bytes',
      etag: '"film-1"',
      'x-content-type-options': 'nosniff',
      'x-interlingua-backend': 'first',
    });
    expect(file.headers.has('set-cookie')).toBe(false);
    const thumbnail = await client.videos.downloadContent(created.id, { variant: 'thumbnail' });
    expect(thumbnail.headers.get('content-type')).toBe('image/webp');
    expect(thumbnail.headers.get('content-disposition')).toBe(`attachment; filename="${created.id}.webp"`);

    const remixed = await client.videos.remix(created.id, { prompt: 'Now in the rain' });
    expect(remixed).toMatchObject({ status: 'queued', remixed_from_video_id: created.id });
    expect(remixed.id).not.toBe(created.id);
    const ids: string[] = [];
    for await (const video of client.videos.list({ limit: 1 })) ids.push(video.id);
    expect(ids).toEqual([remixed.id, created.id]);
    expect(await client.videos.delete(created.id)).toEqual({ id: created.id, object: 'video.deleted', deleted: true });
    await expect(client.videos.retrieve(created.id)).rejects.toMatchObject({ status: 404 });
    await expect(client.videos.delete(remixed.id)).rejects.toMatchObject({ status: 400 });
    expect(JSON.stringify([created, running, done, remixed])).not.toContain('video_upstream');
  });

  test('sends metadata in flattened keys, which reach the backend as one JSON text', async () => {
    const metadata = { img_url: 'https://93.184.216.34/a.png', watermark: true, strength: 0.5, deep: { list: ['x'] } };
    // The type of the SDK does not know the field.
    const body = { prompt: 'p', model: 'video-2', metadata } as OpenAI.VideoCreateParams;
    await stage.client.videos.create(body);
    expect(JSON.parse(String(stage.only(stage.a).video?.fields.metadata))).toEqual(metadata);
  });
});

describe('the official SDK over a backend of format B', () => {
  test.each([
    ['wan', 'plain'],
    ['wrapped', 'in an envelope'],
  ])('%s: %s', async (model, _how) => {
    const { client, gateway } = stage;
    const fake = model === 'wan' ? stage.b : stage.wrapped;
    const picture = png({ width: 720, height: 1280 });
    const created = await client.videos.create({
      model: model as OpenAI.VideoModel,
      prompt: 'A dog',
      seconds: '4',
      size: '720x1280',
      input_reference: await toFile(picture, 'a.png'),
    });
    expect(created).toMatchObject({
      object: 'video',
      model,
      status: 'queued',
      progress: 0,
      seconds: '4',
      size: '720x1280',
      error: null,
      remixed_from_video_id: null,
    });
    expect(Math.abs(created.created_at - Date.now() / 1000)).toBeLessThan(60);
    expect(stage.only(fake).video?.fields).toEqual({
      model: 'wan',
      prompt: 'A dog',
      duration: 4,
      width: 720,
      height: 1280,
      image: picture.toString('base64'),
    });
    const running = await client.videos.retrieve(created.id);
    expect(running).toMatchObject({ id: created.id, status: 'in_progress', created_at: created.created_at });
    expect(running).not.toHaveProperty('url');

    const data = `data:video/mp4;base64,${FILM.toString('base64')}`;
    finish(fake, { url: data });
    expect(await client.videos.retrieve(created.id)).toMatchObject({
      id: created.id,
      status: 'completed',
      progress: 100,
      size: '720x1280',
      url: `${gateway.url}/v1/videos/${created.id}/content`,
    });
    const file = await client.videos.downloadContent(created.id);
    expect(Buffer.from(await file.arrayBuffer()).equals(FILM)).toBe(true);
    await expect(client.videos.downloadContent(created.id, { variant: 'thumbnail' })).rejects.toMatchObject({
      status: 400,
      param: 'variant',
    });
    await expect(client.videos.delete(created.id)).rejects.toMatchObject({ status: 400 });
    await expect(client.videos.remix(created.id, { prompt: 'x' })).rejects.toMatchObject({ status: 400 });
    expect(JSON.stringify([created, running])).not.toContain('tasks/up');
  });
});

// The type of the SDK knows the service's own names.
const MODEL = 'sim-responses' as OpenAI.VideoModel;

describe('the simulator of a start without configuration', () => {
  let gateway: TestGateway;
  let client: OpenAI;
  beforeAll(async () => {
    const started = createGateway(loadConfig(undefined, { INTERLINGUA_LOG_LEVEL: 'silent' }));
    const { url, port } = await started.listen({ host: '127.0.0.1', port: 0 });
    gateway = { url, port, close: () => started.close() };
    client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'any', maxRetries: 0 });
  });
  afterAll(() => gateway.close());

  test('makes a video within seconds', async () => {
    // The first, so that it is over when the other one is: ages are whole seconds.
    const failing = await client.videos.create({ model: MODEL, prompt: 'simulate refusal' });
    const created = await client.videos.create({ model: MODEL, prompt: 'A simulated cat' });
    expect(created.status).toBe('queued');
    let video = created;
    for (let polls = 0; video.status !== 'completed' && polls < 200; polls += 1) {
      await new Promise((resolve) => setTimeout(resolve, 150));
      video = await client.videos.retrieve(created.id);
    }
    expect(video).toMatchObject({ id: created.id, status: 'completed', progress: 100, model: MODEL });
    const file = await client.videos.downloadContent(created.id);
    const bytes = Buffer.from(await file.arrayBuffer());
    expect(boxesOf(bytes)).toEqual(['ftyp', 'moov', 'mdat']);
    const part = await client.videos.downloadContent(created.id, {}, { headers: { range: 'bytes=4-7' } });
    expect([part.status, await part.text()]).toEqual([206, 'ftyp']);
    expect(await client.videos.retrieve(failing.id)).toMatchObject({
      status: 'failed',
      error: { code: 'moderation_blocked' },
    });
    await expect(client.videos.downloadContent(failing.id)).rejects.toMatchObject({
      status: 404,
      message: expect.stringMatching(/could not be made/),
    });
  });

  test('makes pictures through every way', async () => {
    const inline = await client.images.generate({ model: 'sim-responses', prompt: 'a hat' });
    expect(inline.data?.[0]?.b64_json).toMatch(/^iVBORw0KGgo/);
    const linked = await client.images.generate({
      model: 'sim-responses',
      prompt: 'a hat',
      size: '512x512',
      n: 2,
      response_format: 'url',
    });
    expect(linked.data?.map(({ url }) => url)).toEqual([
      expect.stringMatching(`^${gateway.url}/media/`),
      expect.stringMatching(`^${gateway.url}/media/`),
    ]);
    const fetched = await fetch(linked.data?.[0]?.url ?? '');
    expect(fetched.headers.get('content-type')).toBe('image/png');
    const edited = await client.images.edit({
      model: 'sim-responses',
      prompt: 'more hats',
      image: await toFile(png({ width: 8, height: 8 }), 'a.png'),
    });
    expect(edited.data?.[0]?.b64_json).toMatch(/^iVBORw0KGgo/);
    const content = await client.images.generate({ model: 'sim-generate-content', prompt: 'a hat' });
    expect(content.data?.[0]?.b64_json).toMatch(/^iVBORw0KGgo/);
    const events: string[] = [];
    const stream = await client.images.generate({
      model: 'sim-responses',
      prompt: 'x',
      stream: true,
      partial_images: 1,
    });
    for await (const event of stream) events.push(event.type);
    expect(events).toEqual(['image_generation.partial_image', 'image_generation.completed']);
    const answer = await client.responses.create({
      model: 'sim-responses',
      input: 'Draw a hat',
      tools: [{ type: 'image_generation' }],
    });
    const [drawn] = answer.output.filter(({ type }) => type === 'image_generation_call');
    expect(drawn).toMatchObject({ status: 'completed', result: expect.stringMatching(/^iVBORw0KGgo/) });
    const told: string[] = [];
    const talk = await client.responses.create({
      model: 'sim-responses',
      input: 'Say it',
      tools: [{ type: 'image_generation' }],
      tool_choice: { type: 'image_generation' },
      stream: true,
    });
    for await (const event of talk) if (event.type.includes('image')) told.push(event.type);
    expect(told.at(-1)).toBe('response.image_generation_call.completed');
    for (const [verb, wanted] of [
      ['generateContent', ['IMAGE']],
      ['streamGenerateContent', ['TEXT', 'IMAGE']],
    ] as const) {
      const reply = await fetch(`${gateway.url}/v1beta/models/sim-generate-content:${verb}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          contents: [{ role: 'user', parts: [{ text: 'a hat' }] }],
          generationConfig: { responseModalities: wanted, imageConfig: { aspectRatio: '16:9' } },
        }),
      });
      const body = await reply.text();
      expect([reply.status, /"data": ?"iVBORw0KGgo/.test(body), body.includes('You said')]).toEqual([
        200,
        true,
        wanted.length === 2,
      ]);
    }
  });
});

/** Names of the outermost boxes of an MP4, whose lengths must add up to the file. */
function boxesOf(file: Buffer): string[] {
  const names: string[] = [];
  let at = 0;
  while (at < file.length) {
    names.push(file.toString('latin1', at + 4, at + 8));
    at += Math.max(8, file.readUInt32BE(at));
  }
  expect(at).toBe(file.length);
  return names;
}
