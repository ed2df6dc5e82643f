import { png } from '../../pictures.js';
import { readWireForm, type WirePart } from './form.js';
import {
  jsonOf,
  type MediaAnswer,
  type MediaFake,
  type MediaSeen,
  refuse,
  startMediaFake,
  strangers,
} from './server.js';

/** What the fake knows of the two classes of models that it has. */
const MODELS = {
  'dall-e-2': {
    sizes: ['256x256', '512x512', '1024x1024'],
    form: true,
    operations: ['generations', 'edits', 'variations'],
  },
  'dall-e-3': { sizes: ['1024x1024', '1792x1024', '1024x1792'], form: true, operations: ['generations'] },
  'gpt-image-1': {
    sizes: ['1024x1024', '1536x1024', '1024x1536', 'auto'],
    form: false,
    operations: ['generations', 'edits'],
  },
} as const;

const FIELDS = [
  ...['model', 'prompt', 'n', 'size', 'quality', 'style', 'response_format', 'user', 'background', 'moderation'],
  ...['output_format', 'output_compression', 'stream', 'partial_images', 'input_fidelity'],
];

/** Fields that deployments of the same routes know beside the official ones. */
const OTHER_FIELDS = ['seed', 'guidance'];

export const MADE = png({ width: 4, height: 4 }).toString('base64');
export const INTERIM = png({ width: 2, height: 2 }).toString('base64');

export const USAGE = {
  total_tokens: 30,
  input_tokens: 10,
  output_tokens: 20,
  input_tokens_details: { text_tokens: 7, image_tokens: 3 },
};

/** A strict service with the three image routes. `links` is what stands in `url`, numbered. */
export function startImageRoutes(): Promise<MediaFake> {
  return startMediaFake((seen) => {
    const [, operation] = /^\/v1\/images\/(generations|edits|variations)$/.exec(seen.path) ?? [];
    if (operation === undefined || seen.method !== 'POST') return refuse(404, `no route ${seen.path}`, null, null);
    if (Number(seen.headers['content-length']) !== seen.raw.length) return refuse(411, 'no length', null, null);
    try {
      return (seen.headers['content-type'] ?? '').startsWith('multipart/')
        ? serveForm(operation, seen)
        : serveJson(operation, seen);
    } catch (error) {
      return refuse(400, String(error), null, 'unreadable');
    }
  });
}

function serveJson(operation: string, seen: MediaSeen): MediaAnswer {
  if (operation === 'variations') return refuse(415, 'a form is needed', null, null);
  const body = jsonOf(seen);
  const fields = operation === 'edits' ? [...FIELDS, 'images', 'mask'] : FIELDS;
  const [stranger] = strangers(body, [...fields, ...OTHER_FIELDS]);
  if (stranger !== undefined) return refuse(400, `Unknown parameter: '${stranger}'.`, stranger, 'unknown_parameter');
  for (const name of ['n', 'partial_images', 'output_compression']) {
    if (body[name] !== undefined && typeof body[name] !== 'number') return refuse(400, name, name, 'invalid_type');
  }
  return answer(operation, Object.fromEntries(Object.entries(body).map(([name, value]) => [name, String(value)])));
}

function serveForm(operation: string, seen: MediaSeen): MediaAnswer {
  if (operation === 'generations') return refuse(415, 'JSON is needed', null, null);
  const parts = readWireForm(seen.headers['content-type'], seen.raw);
  const texts = parts.filter(({ filename }) => filename === undefined);
  const files = parts.filter(({ filename }) => filename !== undefined);
  const fault = faultInFiles(files) ?? faultInTexts(texts);
  if (fault !== undefined) return fault;
  return answer(operation, Object.fromEntries(texts.map(({ name, bytes }) => [name, bytes.toString()])));
}

function faultInTexts(texts: readonly WirePart[]): MediaAnswer | undefined {
  const names = texts.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return refuse(400, `Duplicate parameter: '${twice}'.`, twice, 'duplicate_parameter');
  for (const { name } of texts) {
    if (name === 'image' || name === 'image[]' || name === 'mask') {
      return refuse(400, `Invalid type for '${name}': expected a file, but got a string.`, name, 'invalid_type');
    }
  }
  const stranger = names.find((name) => !FIELDS.includes(name) && !OTHER_FIELDS.includes(name));
  return stranger === undefined
    ? undefined
    : refuse(400, `Unknown parameter: '${stranger}'.`, stranger, 'unknown_parameter');
}

function faultInFiles(files: readonly WirePart[]): MediaAnswer | undefined {
  const names = files.map(({ name }) => name);
  if (names.length === 0) return refuse(400, 'Missing image', 'image', 'missing_required_parameter');
  for (const name of ['image', 'mask']) {
    if (names.filter((one) => one === name).length > 1) {
      return refuse(400, `Duplicate parameter: '${name}'.`, name, 'duplicate_parameter');
    }
  }
  if (names.includes('image') && names.includes('image[]'))
    return refuse(400, 'image twice', 'image', 'duplicate_parameter');
  for (const { name, type, bytes } of files) {
    const real = bytes.subarray(0, 8).toString('latin1').startsWith('\x89PNG')
      ? 'image/png'
      : bytes[0] === 0xff
        ? 'image/jpeg'
        : 'image/webp';
    if (type !== real)
      return refuse(
        400,
        `Invalid file '${name}': unsupported mimetype ('${type}').`,
        name,
        'unsupported_file_mimetype',
      );
  }
  return undefined;
}

function answer(operation: string, fields: Readonly<Record<string, string>>): MediaAnswer {
  const { model = '', size, n = '1', stream, response_format: form } = fields;
  if (!(model in MODELS)) return refuse(400, `The model '${model}' does not exist.`, 'model', 'model_not_found');
  const known = MODELS[model as keyof typeof MODELS];
  if (!(known.operations as readonly string[]).includes(operation))
    return refuse(400, 'not for this model', 'model', 'invalid_value');
  if (form !== undefined && !known.form) {
    return refuse(400, "Unknown parameter: 'response_format'.", 'response_format', 'unknown_parameter');
  }
  if (size !== undefined && !(known.sizes as readonly string[]).includes(size))
    return refuse(400, `Invalid size ${size}`, 'size', 'invalid_size');
  if (stream === 'true')
    return {
      status: 200,
      body: streamOf(operation, Number(fields.partial_images ?? 0)),
      headers: { 'content-type': 'text/event-stream' },
    };
  const inline = !known.form || form === 'b64_json';
  return {
    status: 200,
    headers: { 'x-request-id': 'req_fake_images', 'openai-processing-ms': '12' },
    body: {
      created: 1_760_000_000,
      data: Array.from({ length: Number(n) }, (_, index) =>
        inline
          ? { b64_json: MADE }
          : { url: `https://pictures.example/${index}.png`, revised_prompt: 'as it was drawn' },
      ),
      ...(!known.form && { usage: USAGE, output_format: 'png' }),
    },
  };
}

function streamOf(operation: string, partials: number): string {
  const prefix = operation === 'generations' ? 'image_generation' : 'image_edit';
  const shared = {
    created_at: 1_760_000_000,
    size: '1024x1024',
    quality: 'high',
    background: 'opaque',
    output_format: 'png',
  };
  const frames = Array.from({ length: partials }, (_, index) => ({
    type: `${prefix}.partial_image`,
    b64_json: INTERIM,
    partial_image_index: index,
    ...shared,
  }));
  const last = { type: `${prefix}.completed`, b64_json: MADE, ...shared, usage: USAGE };
  return [...frames, last].map((data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`).join('');
}
