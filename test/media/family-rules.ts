import { gif, jpeg, palettePng, png, webp } from '../support/pictures.js';
import { filePart, type SentPart } from './form.js';

/** One rule of the base specification: a request that keeps it, and one that breaks it. Written from the specification. */
export interface Rule {
  readonly rule: string;
  readonly route: 'generations' | 'edits' | 'variations';
  readonly model: string;
  readonly good: Request;
  readonly bad: Request;
  /** The parameter that the refusal names. */
  readonly param: string;
  readonly code?: string;
}

/** Fields of a JSON body, or the parts of a form. */
export type Request = Readonly<Record<string, unknown>> | readonly SentPart[];

const MB = 1024 * 1024;
const SQUARE = png({ width: 8, height: 8 });
const OPAQUE = png({ width: 8, height: 8, alpha: false });
const image = (bytes: Buffer, name = 'image'): SentPart => filePart(name, bytes);
const mask = (bytes: Buffer): SentPart => filePart('mask', bytes);
const field = (name: string, value: string): SentPart => ({ name, value });
const PROMPT = field('prompt', 'x');

function made(model: string, name: string, good: readonly unknown[], bad: readonly unknown[], code?: string): Rule[] {
  return bad.map((value, index) => ({
    rule: `${name} ${JSON.stringify(value)}`.slice(0, 60),
    route: 'generations',
    model,
    good: { prompt: 'x', [name]: good[index % good.length] },
    bad: { prompt: 'x', [name]: value },
    param: name,
    ...(code !== undefined && { code }),
  }));
}

function prompts(model: string, max: number): Rule {
  return {
    rule: `prompt of up to ${max} characters`,
    route: 'generations',
    model,
    // A character outside the basic plane is one character.
    good: { prompt: '🐈'.repeat(max) },
    bad: { prompt: 'x'.repeat(max + 1) },
    param: 'prompt',
    code: 'string_above_max_length',
  };
}

function edited(
  model: string,
  rule: string,
  good: readonly SentPart[],
  bad: readonly SentPart[],
  param: string,
  code?: string,
): Rule {
  return {
    rule,
    route: 'edits',
    model,
    good: [PROMPT, ...good],
    bad: [PROMPT, ...bad],
    param,
    ...(code !== undefined && { code }),
  };
}

const CTX = ['img-ctx', 'img-ctx-pro', 'img-ctx-max'].flatMap((model): Rule[] => [
  ...made(model, 'aspect_ratio', ['match_input_image', '21:9', '9:21', '2:1', '1:2', '4:5'], ['16x9', '5:3', '1:3']),
  ...made(model, 'output_format', ['png', 'jpg'], ['jpeg', 'webp']),
  ...made(model, 'safety_tolerance', [0, 6], [-1, 7, 2.5]),
  ...made(model, 'seed', [0, 42], ['42', 1.5]),
  ...made(model, 'prompt_upsampling', [true, false], ['true', 1]),
  ...made(model, 'input_image', ['https://pictures.example/a.png'], ['ftp://pictures.example/a', 'a.png']),
  ...made(model, 'size', ['16x9', '3x7', '7x3', '1:1'], ['1024x1024', '1x4', '8x3', 'auto'], 'invalid_size'),
  ...made(model, 'style', [undefined], ['vivid']),
  ...made(model, 'quality', [undefined], ['high']),
  ...made(model, 'n', [1, 2, 10], [0, 11]),
]);

const WIDE = [
  'img-wide',
  'img-wide-4-standard',
  'img-wide-4-ultra',
  'img-wide-4-fast',
  'img-wide-3-standard',
  'img-wide-3-fast',
].flatMap((model): Rule[] => [
  ...made(model, 'size', ['1:1', '9:16', '16x9', '3:4', '4:3'], ['1024x1024', '2:3', 'auto', ''], 'invalid_size'),
  ...made(model, 'style', [undefined], ['vivid']),
  ...made(model, 'quality', [undefined], ['standard']),
  ...made(model, 'n', [1, 10], [0, 11]),
  {
    rule: 'no edits',
    route: 'edits',
    model,
    good: [PROMPT, image(SQUARE), field('model', 'img-legacy')],
    bad: [PROMPT, image(SQUARE)],
    param: 'model',
  },
]);

export const RULES: readonly Rule[] = [
  {
    rule: 'a prompt is required',
    route: 'generations',
    model: 'img-legacy',
    good: { prompt: 'x' },
    bad: {},
    param: 'prompt',
    code: 'missing_required_parameter',
  },
  {
    rule: 'the prompt is a string',
    route: 'generations',
    model: 'img-legacy',
    good: { prompt: 'x' },
    bad: { prompt: 7 },
    param: 'prompt',
    code: 'invalid_type',
  },
  {
    rule: 'the prompt is not empty',
    route: 'generations',
    model: 'img-legacy',
    good: { prompt: ' ' },
    bad: { prompt: '' },
    param: 'prompt',
  },
  ...made('img-legacy', 'n', [null, 1, 10], [0, 11, -1, 1e9]),
  ...made('img-legacy', 'n', [1], ['1', 1.5, true], 'invalid_type'),
  ...made(
    'img-legacy',
    'size',
    [null, '256x256', '512x512', '1024x1024'],
    ['1792x1024', '1:1', 'auto', '1024×1024', '256X256'],
    'invalid_size',
  ),
  ...made('img-legacy', 'quality', ['standard'], ['hd', 'high']),
  ...made('img-legacy', 'style', [null], ['vivid', 'natural']),
  ...made('img-legacy', 'response_format', [null, 'url', 'b64_json'], ['png', 'URL']),
  ...made('img-legacy', 'user', ['anybody'], [7], 'invalid_type'),
  ...made('img-legacy', 'background', [null], ['opaque'], 'unknown_parameter'),
  ...made('img-legacy', 'moderation', [null], ['auto'], 'unknown_parameter'),
  ...made('img-legacy', 'output_compression', [null], [50], 'unknown_parameter'),
  ...made('img-legacy', 'stream', [false], [true], 'unknown_parameter'),
  prompts('img-legacy', 1000),

  ...made('img-v3', 'n', [1, null], [2, 0]),
  ...made('img-v3', 'size', ['1024x1024', '1792x1024', '1024x1792'], ['256x256', '1536x1024', 'auto'], 'invalid_size'),
  ...made('img-v3', 'quality', ['standard', 'hd'], ['high', 'low']),
  ...made('img-v3', 'style', ['vivid', 'natural', null], ['hyper', 3]),
  ...made('img-v3', 'stream', [false], [true]),
  prompts('img-v3', 4000),
  {
    rule: 'no edits',
    route: 'edits',
    model: 'img-v3',
    good: [PROMPT, image(SQUARE), field('model', 'img-legacy')],
    bad: [PROMPT, image(SQUARE)],
    param: 'model',
  },
  {
    rule: 'no variations',
    route: 'variations',
    model: 'img-v3',
    good: [image(SQUARE), field('model', 'img-legacy')],
    bad: [image(SQUARE)],
    param: 'model',
  },

  ...made(
    'img-multi',
    'size',
    ['1024x1024', '1536x1024', '1024x1536', 'auto'],
    ['256x256', '1792x1024', '16:9'],
    'invalid_size',
  ),
  ...made('img-multi', 'quality', ['low', 'medium', 'high', 'auto'], ['standard', 'hd']),
  ...made('img-multi', 'style', [null], ['vivid']),
  ...made('img-multi', 'background', ['transparent', 'opaque', 'auto'], ['white']),
  ...made('img-multi', 'output_compression', [0, 100], [-1, 101]),
  ...made('img-multi', 'moderation', ['low', 'auto'], ['high']),
  ...made('img-multi', 'partial_images', [0, 3], [4, -1]),
  ...made('img-multi', 'n', [1, 10], [0, 11]),
  prompts('img-multi', 32_000),
  {
    rule: 'a transparent background needs png or webp',
    route: 'generations',
    model: 'img-multi',
    good: { prompt: 'x', background: 'transparent', output_format: 'webp' },
    bad: { prompt: 'x', background: 'transparent', output_format: 'jpeg' },
    param: 'background',
  },
  {
    rule: 'a stream has no links',
    route: 'generations',
    model: 'img-multi',
    good: { prompt: 'x', response_format: 'url' },
    bad: { prompt: 'x', stream: true, response_format: 'url' },
    param: 'response_format',
  },
  {
    rule: 'no variations',
    route: 'variations',
    model: 'img-multi',
    good: [image(SQUARE), field('model', 'img-legacy')],
    bad: [image(SQUARE)],
    param: 'model',
  },

  ...made(
    'img-multi-2',
    'size',
    ['auto', '1536x864', '3840x2160', '1024x1024'],
    ['1000x1000', '4096x1024', '2048x512', '512x512', '3840x2176'],
    'invalid_size',
  ),

  ...CTX,
  ...WIDE,

  edited('img-legacy', 'a picture is required', [image(SQUARE)], [], 'image', 'missing_required_parameter'),
  edited(
    'img-legacy',
    'a blank file input is no picture',
    [image(SQUARE)],
    [filePart('image', Buffer.alloc(0), '')],
    'image',
    'missing_required_parameter',
  ),
  edited(
    'img-legacy',
    'an empty file is no picture',
    [image(SQUARE)],
    [filePart('image', Buffer.alloc(0), 'a.png', 'image/png')],
    'image',
    'empty_image_file',
  ),
  edited('img-legacy', 'one picture only', [image(SQUARE)], [image(SQUARE), image(SQUARE)], 'image'),
  edited('img-legacy', 'PNG only', [image(SQUARE)], [image(jpeg())], 'image', 'unsupported_file_mimetype'),
  edited(
    'img-legacy',
    'a picture at all',
    [image(SQUARE)],
    [filePart('image', Buffer.from('<svg xmlns="x"/>'), 'a.png', 'image/png')],
    'image',
    'unsupported_file_mimetype',
  ),
  edited('img-legacy', 'square', [image(SQUARE)], [image(png({ width: 8, height: 9 }))], 'image', 'invalid_image'),
  edited('img-legacy', 'transparent without a mask', [image(SQUARE)], [image(OPAQUE)], 'image', 'invalid_image'),
  edited('img-legacy', 'transparency may stand in a palette', [image(palettePng())], [image(OPAQUE)], 'image'),
  edited('img-legacy', 'opaque with a mask', [image(OPAQUE), mask(SQUARE)], [image(OPAQUE)], 'image'),
  edited(
    'img-legacy',
    'under 4 MB',
    [image(png({ bytes: 4 * MB - 1 }))],
    [image(png({ bytes: 4 * MB }))],
    'image',
    'image_too_large',
  ),
  edited(
    'img-legacy',
    'the mask is as large as the picture',
    [image(SQUARE), mask(SQUARE)],
    [image(SQUARE), mask(png({ width: 9, height: 8 }))],
    'mask',
    'invalid_image',
  ),
  edited(
    'img-legacy',
    'the mask is a PNG',
    [image(SQUARE), mask(SQUARE)],
    [image(SQUARE), mask(jpeg())],
    'mask',
    'unsupported_file_mimetype',
  ),
  edited(
    'img-legacy',
    'the mask is under 4 MB',
    [image(SQUARE), mask(png({ bytes: 4 * MB - 1 }))],
    [image(SQUARE), mask(png({ bytes: 4 * MB }))],
    'mask',
    'image_too_large',
  ),
  edited(
    'img-legacy',
    'the mask has transparency',
    [image(SQUARE), mask(SQUARE)],
    [image(SQUARE), mask(OPAQUE)],
    'mask',
    'invalid_image',
  ),
  edited(
    'img-legacy',
    'one mask',
    [image(SQUARE), mask(SQUARE)],
    [image(SQUARE), mask(SQUARE), mask(SQUARE)],
    'mask',
    'duplicate_parameter',
  ),
  edited(
    'img-legacy',
    'prompt of up to 1000 characters',
    [image(SQUARE)],
    [image(SQUARE), field('prompt', 'y')],
    'prompt',
    'duplicate_parameter',
  ),
  edited(
    'img-legacy',
    'n is a number',
    [image(SQUARE), field('n', '2')],
    [image(SQUARE), field('n', '2.0')],
    'n',
    'invalid_type',
  ),
  edited(
    'img-legacy',
    'the words null and nothing are absent',
    [image(SQUARE), field('n', 'null'), field('size', '')],
    [image(SQUARE), field('size', 'nil')],
    'size',
    'invalid_size',
  ),
  edited(
    'img-multi',
    'several pictures',
    [image(jpeg(), 'image[]'), image(webp(), 'image[]')],
    Array.from({ length: 17 }, () => image(SQUARE, 'image[]')),
    'image',
  ),
  edited('img-multi', 'PNG, WEBP, JPG', [image(jpeg())], [image(gif())], 'image', 'unsupported_file_mimetype'),
  edited(
    'img-multi',
    'the faulty one of several is named',
    [image(SQUARE, 'image[0]'), image(jpeg(), 'image[1]')],
    [image(SQUARE, 'image[0]'), image(gif(), 'image[1]')],
    'image[1]',
    'unsupported_file_mimetype',
  ),
  edited(
    'img-multi',
    'under 25 MB',
    [image(jpeg({ bytes: 25 * MB - 1 }))],
    [image(jpeg({ bytes: 25 * MB }))],
    'image',
    'image_too_large',
  ),
  edited(
    'img-multi',
    'not animated',
    [image(SQUARE)],
    [
      image(
        Buffer.concat([
          SQUARE.subarray(0, 33),
          Buffer.from('\0\0\0\x08acTL', 'latin1'),
          Buffer.alloc(12),
          SQUARE.subarray(33),
        ]),
      ),
    ],
    'image',
    'invalid_image',
  ),
  edited(
    'img-multi',
    'the mask fits the first picture',
    [image(jpeg({ width: 5, height: 6 }), 'image[]'), image(SQUARE, 'image[]'), mask(png({ width: 5, height: 6 }))],
    [image(jpeg({ width: 5, height: 6 }), 'image[]'), image(SQUARE, 'image[]'), mask(SQUARE)],
    'mask',
  ),
  edited(
    'img-multi',
    'input_fidelity',
    [image(SQUARE), field('input_fidelity', 'high')],
    [image(SQUARE), field('input_fidelity', 'best')],
    'input_fidelity',
  ),
  edited(
    'img-multi',
    'dimensions that can be read',
    [image(SQUARE)],
    [image(Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0]))],
    'image',
    'invalid_image',
  ),
  edited(
    'img-multi',
    'dimensions above zero',
    [image(SQUARE)],
    [image(png({ width: 8, height: 0 }))],
    'image',
    'invalid_image',
  ),
  edited(
    'img-ctx',
    'a ratio with an x',
    [image(jpeg()), field('size', '16x9')],
    [image(jpeg()), field('size', '1024x1024')],
    'size',
    'invalid_size',
  ),

  {
    rule: 'a picture is required',
    route: 'variations',
    model: 'img-legacy',
    good: [image(SQUARE)],
    bad: [field('n', '1')],
    param: 'image',
    code: 'missing_required_parameter',
  },
  {
    rule: 'square',
    route: 'variations',
    model: 'img-legacy',
    good: [image(OPAQUE)],
    bad: [image(png({ width: 9, height: 8 }))],
    param: 'image',
    code: 'invalid_image',
  },
  {
    rule: 'PNG only',
    route: 'variations',
    model: 'img-legacy',
    good: [image(SQUARE)],
    bad: [image(webp())],
    param: 'image',
    code: 'unsupported_file_mimetype',
  },
  {
    rule: 'no prompt',
    route: 'variations',
    model: 'img-legacy',
    good: [image(SQUARE)],
    bad: [image(SQUARE), PROMPT],
    param: 'prompt',
  },
  {
    rule: 'no mask',
    route: 'variations',
    model: 'img-legacy',
    good: [image(SQUARE)],
    bad: [image(SQUARE), mask(SQUARE)],
    param: 'mask',
  },
  {
    rule: 'no stream',
    route: 'variations',
    model: 'img-legacy',
    good: [image(SQUARE), field('stream', 'false')],
    bad: [image(SQUARE), field('stream', 'true')],
    param: 'stream',
  },
  {
    rule: 'n from 1 to 10',
    route: 'variations',
    model: 'img-legacy',
    good: [image(SQUARE), field('n', '10')],
    bad: [image(SQUARE), field('n', '11')],
    param: 'n',
  },

  ...made('a-model-of-no-family', 'n', [1, 10], [0, 11]),
  ...made('a-model-of-no-family', 'response_format', ['url'], ['jpg']),
  ...made('a-model-of-no-family', 'size', ['1x1', 'any'], [7], 'invalid_type'),
];
