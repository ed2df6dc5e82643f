import {
  createImageFrames,
  encodeImages,
  type ImageFields,
  type ImageFrames,
  type ImageOperation,
  type ImageUsage,
  readFormFields,
  readJsonFields,
} from '../../../translators/index.js';
import { type Directives, readDirectives } from '../directives.js';
import { OVERLOADED, parseBody, Refusal, simulated } from '../errors.js';
import { type Exchange, json, type SimulatorAnswer } from '../http.js';
import { countTokens } from '../tokens.js';
import { readForm } from './form.js';
import { drawPicture } from './picture.js';

const OPERATIONS: Readonly<Record<string, ImageOperation>> = {
  generations: 'generate',
  edits: 'edit',
  variations: 'vary',
};
/** Tokens of one picture. */
const PICTURE_TOKENS = 100;
const MOST = 10;

/** Serves the image routes: pictures from words, from pictures and words, from pictures alone (media.md 1.1 to 1.4). */
export function serveImages(exchange: Exchange): SimulatorAnswer {
  const { path, text, headers, now } = exchange;
  const operation = OPERATIONS[path.slice(path.lastIndexOf('/') + 1)] ?? 'generate';
  const form = readForm(exchange);
  const fields =
    form === undefined
      ? readJsonFields(parseBody(text), operation)
      : readFormFields(form.fields, operation, form.files);
  const { settings, prompt = 'a variation' } = fields;
  const directives = readDirectives(prompt);
  if (directives.status !== undefined) throw simulated('responses', directives.status);
  if (directives.refuse) {
    throw new Refusal({ kind: 'content_policy', message: 'Your request was rejected by the safety system.' });
  }
  if (settings.stream === true) {
    const body = framesOf(
      fields,
      prompt,
      createImageFrames(operation, settings, () => now),
      directives,
    );
    return { status: 200, headers: { ...headers, 'content-type': 'text/event-stream; charset=utf-8' }, body };
  }
  const n = Math.min(settings.n ?? 1, MOST);
  // A link holds the picture itself: there is no place from which it could be fetched.
  const images = Array.from({ length: n }, (_one, index) => {
    const base64 = drawn(fields, prompt, index);
    return settings.response_format === 'url' ? { url: `data:image/png;base64,${base64}` } : { base64 };
  });
  return json(encodeImages({ images, usage: usageOf(prompt, n) }, now), headers);
}

function drawn({ settings }: ImageFields, prompt: string, variant: number): string {
  return drawPicture(prompt, settings.size ?? settings.aspect_ratio, variant).toString('base64');
}

const MANNER = { quality: 'low', background: 'opaque', output_format: 'png' };

async function* framesOf(
  fields: ImageFields,
  prompt: string,
  frames: ImageFrames,
  { broken }: Directives,
): AsyncGenerator<Uint8Array> {
  const utf8 = new TextEncoder();
  const partials = Math.min(3, fields.settings.partial_images ?? 0);
  for (let index = 0; index < partials; index += 1) {
    yield utf8.encode(frames.frame({ base64: drawn(fields, prompt, index + 1), index, manner: MANNER }));
  }
  if (broken === 'failed') yield utf8.encode(frames.error(OVERLOADED));
  if (broken !== undefined) return;
  const last = { base64: drawn(fields, prompt, 0), usage: usageOf(prompt, 1), manner: MANNER };
  yield utf8.encode(frames.frame(last));
}

function usageOf(prompt: string, n: number): ImageUsage {
  const input = countTokens(prompt);
  const output = n * PICTURE_TOKENS;
  return { input, output, total: input + output, inputText: input, inputImage: 0 };
}
