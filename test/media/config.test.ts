import { describe, expect, test } from '@jest/globals';
import { loadConfig, parseConfig } from '../../src/config/load.js';
import type { ConfigInput } from '../../src/config/schema.js';

const BACKENDS = {
  m: { dialect: 'messages', baseUrl: 'http://127.0.0.1:1' },
  r: { dialect: 'responses', baseUrl: 'http://127.0.0.1:1' },
  g: { dialect: 'generateContent', baseUrl: 'http://127.0.0.1:1' },
  t: { dialect: 'responses', baseUrl: 'http://127.0.0.1:1', images: 'responses' },
} as const satisfies ConfigInput['backends'];

const config = (more: object) => parseConfig({ backends: BACKENDS, models: { '*': { backend: 'r' } }, ...more });

describe('the configuration of media', () => {
  test('has defaults', () => {
    const { media, backends, listen } = config({});
    expect(media).toMatchObject({
      families: {},
      smallFileMb: 4,
      fileMb: 25,
      blobMinutes: 60,
      blobMb: 512,
      fetch: true,
      fetchMb: 25,
      fetchSeconds: 30,
      allowPrivate: [],
    });
    expect(Object.values(backends).map(({ images }) => images)).toEqual([
      'none',
      'routes',
      'generateContent',
      'responses',
    ]);
    expect(listen.publicUrl).toBeUndefined();
  });

  test.each([
    [{ media: { families: { 'img-small': ['x'] } } }, /^media\.families\.img-small: /],
    [{ media: { families: { 'img-multi': ['x*y'] } } }, /^media\.families\.img-multi\[0\]: /],
    [{ media: { allowPrivate: ['10.0.0.0/33'] } }, /^media\.allowPrivate\[0\]: must be a host name or a CIDR block$/],
    [{ media: { fileMb: 0 } }, /^media\.fileMb: /],
    [{ media: { blobMinutes: -1 } }, /^media\.blobMinutes: /],
    [{ media: { keep: true } }, /^media\.keep: unknown key/],
    [{ limits: { uploadMb: '0' } }, /^limits\.uploadMb: /],
    [
      { listen: { publicUrl: 'pictures.example' } },
      /^listen\.publicUrl: is not a URL; write one such as https:\/\/HOST$/,
    ],
    [{ listen: { publicUrl: 'ftp://pictures.example' } }, /^listen\.publicUrl: must begin with http/],
    [{ backends: { r: { ...BACKENDS.r, images: 'dialect' } } }, /^backends\.r\.images: /],
    [
      { backends: { r: { dialect: 'messages', baseUrl: 'http://127.0.0.1:9', images: 'responses' } } },
      /^backends\.r\.images: needs a backend of the responses dialect$/,
    ],
    [
      { backends: { r: { dialect: 'responses', baseUrl: 'http://127.0.0.1:9', images: 'predict' } } },
      /^backends\.r\.images: needs a backend of the generateContent dialect$/,
    ],
  ])('refuses %j', (more, reason) => {
    expect(() => config(more)).toThrow(reason);
  });

  test('gives the neutral names to the service that has them', () => {
    const { models } = loadConfig(undefined, { OPENAI_API_KEY: 'an-upstream-key' });
    expect(Object.fromEntries(Object.entries(models).filter(([name]) => /^(img|video)-/.test(name)))).toEqual({
      'img-legacy': [{ backend: 'openai', model: 'dall-e-2' }],
      'img-v3': [{ backend: 'openai', model: 'dall-e-3' }],
      'img-multi': [{ backend: 'openai', model: 'gpt-image-1' }],
      'img-multi-2': [{ backend: 'openai', model: 'gpt-image-2' }],
      'video-2': [{ backend: 'openai', model: 'sora-2' }],
    });
  });
});
