import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { headOf, readPicture } from '../../src/downloads/picture.js';
import {
  createLosses,
  decodeContentImages,
  encodeContentImages,
  encodePredict,
  encodeToolImages,
  FEATURES,
  type ImageRequest,
  type ImageSettings,
} from '../../translators/index.js';
import { animatedPng, gif, jpeg, palettePng, png, webp } from '../support/pictures.js';
import { runs } from '../support/runs.js';

const asked = (settings: ImageSettings): ImageRequest => ({
  operation: 'generate',
  prompt: 'x',
  settings,
  images: [],
  extras: [],
});

/** [size, generateContent ratio, image size, predict ratio, tool size], by the table of the protocol sheet. */
const SIZES: readonly (readonly [
  string,
  string | undefined,
  string | undefined,
  string | undefined,
  string | undefined,
])[] = [
  ['256x256', '1:1', undefined, '1:1', '1024x1024'],
  ['512x512', '1:1', undefined, '1:1', '1024x1024'],
  ['1024x1024', '1:1', undefined, '1:1', '1024x1024'],
  ['1536x1024', '3:2', undefined, '4:3', '1536x1024'],
  ['1024x1536', '2:3', undefined, '3:4', '1024x1536'],
  ['1792x1024', '16:9', undefined, '16:9', '1536x1024'],
  ['1024x1792', '9:16', undefined, '9:16', '1024x1536'],
  ['1280x720', '16:9', undefined, '16:9', '1536x1024'],
  ['2048x2048', '1:1', '2K', '1:1', '1024x1024'],
  ['3840x2160', '16:9', '4K', '16:9', '1536x1024'],
  ['16:9', '16:9', undefined, '16:9', '1536x1024'],
  ['7x3', '21:9', undefined, '16:9', '1536x1024'],
  ['auto', undefined, undefined, undefined, 'auto'],
];

describe('sizes', () => {
  test.each(SIZES)('%s', (size, ratio, imageSize, predicted, tool) => {
    const content = encodeContentImages(asked({ size }), createLosses());
    const { imageConfig } = content.generationConfig as { imageConfig?: { aspectRatio?: string; imageSize?: string } };
    expect([imageConfig?.aspectRatio, imageConfig?.imageSize]).toEqual([ratio, imageSize]);
    const { parameters } = encodePredict(asked({ size }), 1, createLosses()) as {
      parameters: { aspectRatio?: string };
    };
    expect(parameters.aspectRatio).toBe(predicted);
    const { tools } = encodeToolImages(asked({ size }), { model: 'm', stream: false }, createLosses()) as {
      tools: { size?: string }[];
    };
    expect(tools[0]?.size).toBe(tool);
  });

  test('that are not the very same are losses', () => {
    const lost = (size: string) => {
      const losses = createLosses();
      encodeContentImages(asked({ size }), losses);
      return losses.list.map(({ feature, kind, path }) => `${path} ${feature} ${kind}`);
    };
    expect(lost('1024x1024')).toEqual([]);
    expect(lost('16:9')).toEqual([]);
    expect(lost('auto')).toEqual([]);
    expect(lost('1792x1024')).toEqual(['/size image.size approximated']);
    expect(lost('256x256')).toEqual(['/size image.size approximated']);
  });
});

const ALL: Required<ImageSettings> = {
  n: 1,
  size: '1024x1024',
  quality: 'low',
  style: 'vivid',
  response_format: 'url',
  background: 'opaque',
  output_format: 'webp',
  output_compression: 50,
  moderation: 'low',
  input_fidelity: 'high',
  stream: false,
  partial_images: 1,
  user: 'u',
  seed: 1,
  input_image: 'https://x.example/a.png',
  aspect_ratio: '1:1',
  safety_tolerance: 1,
  prompt_upsampling: true,
};

describe('a shape that is none', () => {
  test.each([[{ size: 'banana' }], [{ size: '10x' }], [{ size: '1024:1024' }], [{ aspect_ratio: 'wide' }]])(
    '%j is refused',
    (settings) => {
      const [name] = Object.keys(settings);
      for (const encode of [
        () => encodeContentImages(asked(settings), createLosses()),
        () => encodePredict(asked(settings), 1, createLosses()),
        () => encodeToolImages(asked(settings), { model: 'm', stream: false }, createLosses()),
      ]) {
        expect(encode).toThrow(
          expect.objectContaining({ kind: 'invalid_request', path: `/${name}`, code: 'invalid_size' }),
        );
      }
    },
  );

  test('may be a resolution in words of the protocol', () => {
    const losses = createLosses();
    expect(encodeContentImages(asked({ size: '2K', aspect_ratio: '3:2' }), losses)).toMatchObject({
      generationConfig: { imageConfig: { imageSize: '2K', aspectRatio: '3:2' } },
    });
    expect(losses.list).toEqual([]);
  });
});

describe('every setting', () => {
  const ways = {
    content: (request: ImageRequest, losses: ReturnType<typeof createLosses>) => encodeContentImages(request, losses),
    predict: (request: ImageRequest, losses: ReturnType<typeof createLosses>) => encodePredict(request, 1, losses),
    tool: (request: ImageRequest, losses: ReturnType<typeof createLosses>) =>
      encodeToolImages(request, { model: 'm', stream: true }, losses),
  };
  /** The gateway's own affair, or what every model does anyway. */
  const silent = ['n', 'response_format', 'stream', 'partial_images', 'background', 'input_image'];

  test.each(Object.entries(ways))('changes what is sent, or is a loss: %s', (_name, encode) => {
    const settings: Partial<Record<string, unknown>> = ALL;
    for (const name of Object.keys(ALL)) {
      const losses = createLosses();
      const body = JSON.stringify(encode(asked({ [name]: settings[name] }), losses));
      const changed = body !== JSON.stringify(encode(asked({}), createLosses()));
      const told = losses.list.some(({ path }) => path === `/${name}`);
      expect([name, changed || told || silent.includes(name)]).toEqual([name, true]);
      for (const { feature } of losses.list) expect(feature in FEATURES).toBe(true);
    }
  });

  test.each(Object.entries(ways))('of quality is told or lost, whatever the word: %s', (_name, encode) => {
    const plain = JSON.stringify(encode(asked({}), createLosses()));
    for (const quality of ['low', 'medium', 'high', 'hd', 'ultra']) {
      const losses = createLosses();
      const changed = JSON.stringify(encode(asked({ quality }), losses)) !== plain;
      expect([quality, changed || losses.list.some(({ feature }) => feature === 'image.quality')]).toEqual([
        quality,
        true,
      ]);
    }
  });
});

describe('answers of generateContent', () => {
  const read = (parts: unknown[], usageMetadata?: object) =>
    decodeContentImages({ candidates: [{ content: { parts } }], usageMetadata });
  const image = (data: string, more: object = {}) => ({ inlineData: { mimeType: 'image/png', data }, ...more });

  test('hold the pictures of all candidates, but for interim ones', () => {
    const answer = decodeContentImages({
      candidates: [
        { content: { parts: [image('AAAA', { thought: true }), image('BBBB')] } },
        { content: { parts: [image('CCCC')] } },
        {},
      ],
    });
    expect(answer).toEqual({ images: [{ base64: 'BBBB' }, { base64: 'CCCC' }] });
  });

  test('take no talk for a prompt', () => {
    expect(read([{ text: 'Here is your cat.' }, image('AAAA')]).images).toEqual([{ base64: 'AAAA' }]);
  });

  test('are standard base64, whatever alphabet came', () => {
    expect(read([image('-_-_AA')]).images).toEqual([{ base64: '+/+/AA==' }]);
  });

  test('count without details as text', () => {
    expect(read([image('AAAA')], { promptTokenCount: 5, candidatesTokenCount: 7, totalTokenCount: 99 }).usage).toEqual({
      input: 5,
      output: 7,
      total: 12,
      inputText: 5,
      inputImage: 0,
    });
  });
});

describe('the header of a picture', () => {
  test.each([
    ['png', png({ width: 300, height: 200 }), { type: 'png', width: 300, height: 200, alpha: true, animated: false }],
    ['opaque png', png({ alpha: false }), { type: 'png', width: 8, height: 8, alpha: false }],
    ['palette png', palettePng(5, 6), { type: 'png', width: 5, height: 6, alpha: true }],
    ['animated png', animatedPng(), { animated: true }],
    ['jpeg', jpeg({ width: 640, height: 480 }), { type: 'jpeg', width: 640, height: 480, alpha: false }],
    ['webp', webp({ width: 33, height: 44, alpha: true }), { type: 'webp', width: 33, height: 44, alpha: true }],
    ['gif', gif({ width: 12, height: 13 }), { type: 'gif', width: 12, height: 13 }],
  ])('%s', (_name, bytes, facts) => {
    expect(readPicture(headOf([bytes]), bytes.length)).toMatchObject({ ...facts, bytes: bytes.length });
    // In pieces as small as they come.
    const pieces = Array.from(bytes, (byte) => Uint8Array.of(byte));
    expect(readPicture(headOf(pieces), bytes.length)).toEqual(readPicture(headOf([bytes]), bytes.length));
  });

  test('of a JPEG may stand behind long segments, and not behind endless ones', () => {
    const segment = Buffer.concat([Buffer.from([0xff, 0xe1, 0xff, 0xff]), Buffer.alloc(0xffff - 2)]);
    const start = jpeg().subarray(0, 2);
    const rest = jpeg({ width: 21, height: 22 }).subarray(2);
    const long = Buffer.concat([start, segment, segment, rest]);
    expect(readPicture(headOf([long]), long.length)).toMatchObject({ width: 21, height: 22 });
    const endless = Buffer.concat([start, ...Array.from({ length: 8 }, () => segment), rest]);
    const facts = readPicture(headOf([endless]), endless.length);
    expect([facts?.type, facts?.width]).toEqual(['jpeg', undefined]);
  });

  test('never throws and always ends, whatever the bytes', () => {
    const samples = [png(), palettePng(), jpeg(), webp(), gif(), animatedPng()];
    fc.assert(
      fc.property(
        fc.constantFrom(...samples),
        fc.array(fc.tuple(fc.nat(120), fc.integer({ min: 0, max: 255 })), { maxLength: 10 }),
        fc.nat(120),
        (sample, changes, cut) => {
          const bytes = Buffer.from(sample.subarray(0, Math.max(4, sample.length - cut)));
          for (const [at, byte] of changes) if (at < bytes.length) bytes[at] = byte;
          readPicture(headOf([bytes]), bytes.length);
        },
      ),
      { numRuns: runs(400) },
    );
  });
});
