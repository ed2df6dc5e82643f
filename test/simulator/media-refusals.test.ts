import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { png } from '../support/pictures.js';
import { type Probed, post } from './ask.js';
import { type SimulatorServer, startSimulatorServer } from './server.js';

let server: SimulatorServer;
beforeAll(async () => {
  server = await startSimulatorServer();
});
afterAll(() => server.close());

const PICTURE = png({ width: 4, height: 4 });
const JPEG = Buffer.from('/9j/4AAQSkZJRgABAQAAAQABAAD/', 'base64');

/** A form; bytes become files. */
async function postForm(path: string, fields: readonly (readonly [string, string | Uint8Array])[]): Promise<Probed> {
  const form = new FormData();
  for (const [name, value] of fields) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, new Blob([new Uint8Array(value)]), 'picture.png');
  }
  const answer = await fetch(server.url + path, { method: 'POST', body: form });
  return { status: answer.status, text: await answer.text() };
}

describe('pictures from words [media 1.1, 2.1]', () => {
  test.each<[string, object, string | null]>([
    ['no prompt', { prompt: undefined }, 'prompt'],
    ['a prompt that is no text', { prompt: 5 }, 'prompt'],
    ['1001 characters for img-legacy', { prompt: 'x'.repeat(1001) }, 'prompt'],
    ['4001 characters for img-v3', { model: 'img-v3', prompt: 'x'.repeat(4001) }, 'prompt'],
    ['32001 characters for img-multi', { model: 'img-multi', prompt: 'x'.repeat(32_001) }, 'prompt'],
    ['no pictures', { n: 0 }, 'n'],
    ['eleven pictures', { n: 11 }, 'n'],
    ['two of img-v3', { model: 'img-v3', n: 2 }, 'n'],
    ['n as text', { n: '2' }, 'n'],
    ['a size of another family', { size: '1792x1024' }, 'size'],
    ['pixels for img-wide', { model: 'img-wide', size: '1024x1024' }, 'size'],
    ['a size that is none', { model: 'img-multi', size: 'huge' }, 'size'],
    ['hd for img-legacy', { quality: 'hd' }, 'quality'],
    ['a quality that is none', { model: 'img-multi', quality: 'best' }, 'quality'],
    ['a style of img-v3 elsewhere', { style: 'vivid' }, 'style'],
    ['a style that is none', { model: 'img-v3', style: 'cubist' }, 'style'],
    ['an unknown form of answer', { response_format: 'png' }, 'response_format'],
    ['a stream of img-legacy', { stream: true }, 'stream'],
    ['four partial pictures', { model: 'img-multi', stream: true, partial_images: 4 }, 'partial_images'],
    ['compression above 100', { model: 'img-multi', output_compression: 101 }, 'output_compression'],
    ['tolerance above 6', { model: 'img-ctx', safety_tolerance: 7 }, 'safety_tolerance'],
    ['an unknown ratio', { model: 'img-ctx', aspect_ratio: '5:1' }, 'aspect_ratio'],
    ['a seed that is no number', { model: 'img-ctx', seed: 'x' }, 'seed'],
  ])('%s', async (_about, change, param) => {
    const body = { model: 'img-legacy', prompt: 'A cat', ...change };
    const { status, text } = await post(server.url, '/v1/images/generations', body);
    const { error } = JSON.parse(text);
    expect([status, error.type, error.param]).toEqual([400, 'invalid_request_error', param]);
    expect(typeof error.code).toBe('string');
  });

  test('a family takes its own, and null counts as absent', async () => {
    for (const body of [
      { model: 'img-legacy', prompt: '😀'.repeat(1000), n: 2, size: '256x256', style: null, quality: null },
      { model: 'img-v3', prompt: 'A cat', n: 1, size: '1792x1024', quality: 'hd', style: 'natural' },
      { model: 'img-multi', prompt: 'A cat', n: 3, size: 'auto', quality: 'low', background: 'opaque' },
      { model: 'img-ctx', prompt: 'A cat', seed: 7, aspect_ratio: '21:9', output_format: 'jpg', safety_tolerance: 6 },
      { model: 'img-wide', prompt: 'A cat', size: '9:16' },
      { model: 'sim-responses', prompt: 'A cat', size: '640x480' },
    ]) {
      const { status, text } = await post(server.url, '/v1/images/generations', body);
      expect([status, JSON.parse(text).data?.length]).toEqual([200, body.n ?? 1]);
    }
  });
});

describe('pictures from pictures [media 1.3, 1.4]', () => {
  const LEGACY = ['model', 'img-legacy'] as const;
  const PROMPT = ['prompt', 'A cat'] as const;
  const IMAGE = ['image', PICTURE] as const;

  test.each<[string, string, readonly (readonly [string, string | Uint8Array])[], string]>([
    ['no picture', 'edits', [LEGACY, PROMPT], 'image'],
    ['no prompt', 'edits', [LEGACY, IMAGE], 'prompt'],
    ['two pictures for img-legacy', 'edits', [LEGACY, PROMPT, IMAGE, IMAGE], 'image'],
    ['a JPEG for img-legacy', 'edits', [LEGACY, PROMPT, ['image', JPEG]], 'image'],
    ['a text as a picture', 'edits', [['model', 'img-multi'], PROMPT, ['image[]', Buffer.from('a text')]], 'image[]'],
    ['an empty file', 'edits', [LEGACY, PROMPT, ['image', Buffer.alloc(0)]], 'image'],
    [
      '4 MB for img-legacy',
      'edits',
      [LEGACY, PROMPT, ['image', Buffer.concat([PICTURE, Buffer.alloc(4 << 20)])]],
      'image',
    ],
    ['a mask that is a JPEG', 'edits', [['model', 'img-multi'], PROMPT, IMAGE, ['mask', JPEG]], 'mask'],
    ['img-v3, which edits nothing', 'edits', [['model', 'img-v3'], PROMPT, IMAGE], 'model'],
    ['img-multi, which varies nothing', 'variations', [['model', 'img-multi'], IMAGE], 'model'],
    ['n that is no number', 'variations', [LEGACY, IMAGE, ['n', 'two']], 'n'],
    ['a variation of two', 'variations', [LEGACY, IMAGE, IMAGE], 'image'],
  ])('%s', async (_about, operation, fields, param) => {
    const { status, text } = await postForm(`/v1/images/${operation}`, fields);
    expect([status, JSON.parse(text).error.param]).toEqual([400, param]);
  });

  test('taken: pictures of the kinds that a family takes', async () => {
    for (const [operation, fields] of [
      ['edits', [LEGACY, PROMPT, IMAGE, ['mask', PICTURE], ['n', '2']]],
      ['edits', [['model', 'img-multi'], PROMPT, ['image[]', PICTURE], ['image[]', JPEG]]],
      ['variations', [LEGACY, IMAGE, ['size', '512x512']]],
    ] as const) {
      expect((await postForm(`/v1/images/${operation}`, fields)).status).toBe(200);
    }
  });
});

describe('videos [media 1.5, 7]', () => {
  test.each<[string, object]>([
    ['no prompt', { prompt: undefined }],
    ['a long prompt', { prompt: 'x'.repeat(32_001) }],
    ['seconds as a number', { seconds: 4 }],
    ['seconds that are none', { seconds: 'long' }],
    ['no seconds', { seconds: '0' }],
    ['a size that is none', { size: 'wide' }],
    ['metadata that is no JSON', { metadata: '{' }],
    ['metadata that is a list', { metadata: '[]' }],
  ])('%s: an error of three strings', async (_about, change) => {
    const { status, text } = await post(server.url, '/v1/videos', { model: 'video-2', prompt: 'A cat', ...change });
    expect([status, JSON.parse(text)]).toEqual([
      400,
      { error: { message: expect.any(String), type: 'invalid_request_error', code: 'invalid_parameter' } },
    ]);
  });

  test('taken: what the base specification shows', async () => {
    const fields = { prompt: 'A cat', seconds: '8', size: '1280x720', metadata: '{"watermark":true}' };
    expect((await post(server.url, '/v1/videos', fields)).status).toBe(200);
  });
});
