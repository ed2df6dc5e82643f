import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import OpenAI, { toFile } from 'openai';
import { defaultInput } from '../../src/config/defaults.js';
import { readWireForm } from '../support/fake-backend/media/form.js';
import {
  json,
  type Recorder,
  type Seen,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
} from '../support/gateway/harness.js';
import { jpeg, png } from '../support/pictures.js';
import { filePart, formHeaders, formOf, type SentPart } from './form.js';

const TASK = { id: 'v1', task_id: 'v1', object: 'video', status: 'queued', created_at: 1 };
const PICTURES = { created: 1, data: [{ url: 'https://x.example/1', b64_json: 'AAAA' }] };

let backend: Recorder;
let gateway: TestGateway;

beforeAll(async () => {
  backend = await startRecorder();
  backend.reply = (response, { path }) => json(response, 200, path.startsWith('/v1/images') ? PICTURES : TASK);
  gateway = await startGateway({
    backends: {
      a: { dialect: 'responses', baseUrl: backend.url, retries: 0 },
      b: { dialect: 'responses', baseUrl: backend.url, videos: 'b', retries: 0 },
    },
    models: {
      'img-multi': { backend: 'a', model: 'gpt-image-1' },
      'b/*': { backend: 'b' },
      '*': { backend: 'a' },
    },
    limits: { drainSeconds: 1 },
  });
});
afterAll(async () => {
  await gateway.close();
  await backend.close();
});
beforeEach(() => {
  backend.seen.length = 0;
});

async function sent(path: string, body: object): Promise<Seen> {
  const answer = await send(gateway.url, path, { body });
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  const [seen] = backend.seen;
  if (seen === undefined) throw new Error('nothing was sent');
  return seen;
}

async function sentForm(path: string, parts: readonly SentPart[]): Promise<(string | undefined)[][]> {
  const body = formOf(parts);
  const answer = await send(gateway.url, path, { body, headers: formHeaders(body) });
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  return textsOf(backend.seen[0]);
}

function textsOf(seen: Seen | undefined): (string | undefined)[][] {
  return readWireForm(seen?.headers['content-type'], Buffer.from(seen?.body ?? '')).map(({ name, filename, bytes }) => [
    name,
    filename === undefined ? bytes.toString() : undefined,
  ]);
}

describe('a media request without a model, over a backend that has the route', () => {
  test('has none there either', async () => {
    const body = { prompt: 'A cute baby sea otter' };
    expect(JSON.parse((await sent('/v1/images/generations', body)).body)).toEqual(body);
  });

  test('keeps what it said instead', async () => {
    const text = '{"model": null, "prompt": "x", "n": null}';
    await send(gateway.url, '/v1/images/generations', { body: text });
    expect(backend.seen[0]?.body).toBe(text);
  });

  test('in a form as well', async () => {
    const edit = await sentForm('/v1/images/edits', [
      { name: 'prompt', value: 'x' },
      { name: 'model', value: 'null' },
      { name: 'n', value: '2' },
      filePart('image', png({ alpha: true })),
    ]);
    expect(edit).toEqual([
      ['prompt', 'x'],
      ['n', '2'],
      ['image', undefined],
    ]);
    backend.seen.length = 0;
    const video = await sent('/v1/videos', { prompt: 'x' });
    expect(JSON.parse(video.body)).toEqual({ prompt: 'x' });
    backend.seen.length = 0;
    expect(await sentForm('/v1/videos', [{ name: 'prompt', value: 'x' }])).toEqual([['prompt', 'x']]);
  });

  test('gets the name that the configuration has for it', async () => {
    const { body } = await sent('/v1/images/generations', { prompt: 'x', background: 'opaque' });
    expect(JSON.parse(body)).toEqual({ prompt: 'x', background: 'opaque', model: 'gpt-image-1' });
  });

  test('and a model that is named goes on', async () => {
    expect(JSON.parse((await sent('/v1/images/generations', { model: 'img-legacy', prompt: 'x' })).body).model).toBe(
      'img-legacy',
    );
    backend.seen.length = 0;
    expect(JSON.parse((await sent('/v1/video/generations', { model: 'b/wan', prompt: 'x' })).body).model).toBe('b/wan');
  });
});

describe('a request without a model is one of img-multi', () => {
  test.each([
    ['size auto', { size: 'auto' }],
    ['a size that it alone has', { size: '1536x1024' }],
  ])('by %s', async (_by, more) => {
    const { body } = await sent('/v1/images/generations', { prompt: 'x', ...more });
    expect(JSON.parse(body).model).toBe('gpt-image-1');
  });

  test('by several pictures', async () => {
    const parts = await sentForm('/v1/images/edits', [
      { name: 'prompt', value: 'x' },
      filePart('image[]', jpeg()),
      filePart('image[]', jpeg()),
    ]);
    expect(parts).toContainEqual(['model', 'gpt-image-1']);
    backend.seen.length = 0;
    const images = [{ image_url: 'https://x.example/1.png' }, { image_url: 'https://x.example/2.png' }];
    const { body } = await sent('/v1/images/edits', { prompt: 'x', images });
    expect(JSON.parse(body).model).toBe('gpt-image-1');
  });
});

describe('what stands for nothing stays behind', () => {
  test('texts of a form that are empty or null, but only where the field is known', async () => {
    const parts = await sentForm('/v1/images/edits', [
      { name: 'model', value: 'gpt-image-1' },
      { name: 'prompt', value: 'x' },
      { name: 'size', value: 'null' },
      { name: 'user', value: '' },
      { name: 'lora', value: 'null' },
      { name: 'note', value: '' },
      filePart('image', jpeg()),
    ]);
    expect(parts).toEqual([
      ['prompt', 'x'],
      ['lora', 'null'],
      ['note', ''],
      ['model', 'gpt-image-1'],
      ['image', undefined],
    ]);
  });

  test('a null for what the model does not have', async () => {
    const { body } = await sent('/v1/images/generations', {
      model: 'gpt-image-1',
      prompt: 'x',
      style: null,
      size: null,
      response_format: null,
    });
    expect(JSON.parse(body)).toEqual({ model: 'gpt-image-1', prompt: 'x', size: null });
  });
});

describe('without configuration', () => {
  let trial: TestGateway;
  let client: OpenAI;
  beforeAll(async () => {
    trial = await startGateway({ ...defaultInput({}), limits: { drainSeconds: 1 } });
    client = new OpenAI({ baseURL: `${trial.url}/v1`, apiKey: 'any', maxRetries: 0 });
  });
  afterAll(() => trial.close());

  test('the image routes answer', async () => {
    expect((await client.images.generate({ prompt: 'a cat' })).data?.[0]?.url).toMatch(/^http/);
    const image = await toFile(jpeg(), 'a.jpg', { type: 'image/jpeg' });
    const edited = await client.images.edit({ image: [image, image], prompt: 'a hat' });
    expect(edited.data?.[0]?.b64_json).toMatch(/^iVBORw0KGgo/);
  });

  test.each(['dall-e-3', 'gpt-image-1', 'img-ctx-pro', 'img-wide', 'imagen-4.0-generate-001'])(
    'a name of a vendor is served: %s',
    async (model) => {
      expect((await client.images.generate({ model, prompt: 'a cat' })).data).toHaveLength(1);
    },
  );

  test('the video routes answer', async () => {
    const video = await client.videos.create({ prompt: 'a cat' });
    expect(video).toMatchObject({ object: 'video', model: 'video-2', status: 'queued', seconds: '4' });
    expect((await client.videos.create({ prompt: 'a cat', model: 'sora-2-pro' })).model).toBe('sora-2-pro');
  });
});
