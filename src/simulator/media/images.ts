import {
  checkImageRequest,
  createFamilyOf,
  createImageFrames,
  encodeImages,
  type ImageFields,
  type ImageFrames,
  type ImageOperation,
  type ImageUsage,
  imageFamily,
  OPEN_IMAGES,
  type Picture,
  readFormFields,
  readJsonFields,
  readReferences,
} from '../../../translators/index.js';
import { type Directives, readDirectives } from '../directives.js';
import { invalid, OVERLOADED, Refusal, simulated } from '../errors.js';
import { type Exchange, json, type SimulatorAnswer, stream } from '../http.js';
import { countTokens } from '../tokens.js';
import { type MediaBody, readMediaBody, type SentFile } from './form.js';
import { drawPicture } from './picture.js';

const OPERATIONS: Readonly<Record<string, ImageOperation>> = {
  generations: 'generate',
  edits: 'edit',
  variations: 'vary',
};
/** Tokens of one picture. */
const PICTURE_TOKENS = 100;
/** Sizes below which files must stay, in bytes. */
const FILE_LIMITS = { small: 4 << 20, large: 25 << 20 };

const familyOf = createFamilyOf();

/** Serves the image routes: pictures from words, from pictures and words, from pictures alone (media.md 1.1 to 1.4). */
export function serveImages(exchange: Exchange): SimulatorAnswer {
  const { path, headers, now } = exchange;
  const operation = OPERATIONS[path.slice(path.lastIndexOf('/') + 1)] ?? 'generate';
  const fields = readRequest(readMediaBody(exchange), operation);
  const { settings, prompt = 'a variation' } = fields;
  const directives = readDirectives(prompt);
  if (directives.status !== undefined) throw simulated('responses', directives.status);
  if (directives.refuse) {
    throw new Refusal({ kind: 'content_policy', message: 'Your request was rejected by the safety system.' });
  }
  if (settings.stream === true) {
    const frames = createImageFrames(operation, settings, () => now);
    return stream(framesOf(fields, prompt, frames, directives), headers);
  }
  // A link holds the picture itself: there is no place from which it could be fetched.
  const images = Array.from({ length: settings.n ?? 1 }, (_one, index) => {
    const base64 = draw(fields, prompt, index);
    return settings.response_format === 'url' ? { url: `data:image/png;base64,${base64}` } : { base64 };
  });
  return json(encodeImages({ images, usage: usageOf(prompt, images.length) }, now), headers);
}

/** Reads a request and refuses what the family of its model refuses; a model of no known family takes what any takes. */
function readRequest(body: MediaBody, operation: ImageOperation): ImageFields {
  const files = 'form' in body ? body.files : [];
  const fields =
    'form' in body ? readFormFields(body.form, operation, files.length) : readJsonFields(body.json, operation);
  const named = (name: RegExp): Picture[] => files.filter((file) => name.test(file.name)).map(pictureOf);
  const references = 'json' in body && operation === 'edit' ? readReferences(body.json) : { images: [] };
  const byReference = references.images.map(
    (reference): Picture =>
      'url' in reference ? { from: 'url', ...reference } : { from: 'file', path: reference.path, id: reference.file },
  );
  const [mask] = named(/^mask$/);
  const images = [...named(/^images?(?:\[\d*\])?$/), ...byReference];
  const id = fields.named ? familyOf(fields.model) : undefined;
  const family = (id === undefined ? undefined : imageFamily(id)) ?? OPEN_IMAGES;
  checkImageRequest({ ...fields, operation, images, mask }, family, FILE_LIMITS);
  return fields;
}

/** A file as far as it is known: only its first bytes are looked at, and it is taken for a small square. */
function pictureOf({ name, size, type }: SentFile): Picture {
  if (size === 0) throw invalid(`Invalid file '${name}': it is empty.`, name, 'empty_file');
  if (type === undefined) throw invalid(`Invalid file '${name}'.`, name, 'unsupported_file_mimetype');
  const facts = { type, width: 1, height: 1, alpha: true, animated: false, bytes: size };
  return { from: 'bytes', path: `/${name}`, facts, base64: () => '' };
}

function draw({ settings }: ImageFields, prompt: string, variant: number): string {
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
  for (let index = 0; index < (fields.settings.partial_images ?? 0); index += 1) {
    yield utf8.encode(frames.frame({ base64: draw(fields, prompt, index + 1), index, manner: MANNER }));
  }
  if (broken === 'failed') yield utf8.encode(frames.error(OVERLOADED));
  if (broken !== undefined) return;
  const last = { base64: draw(fields, prompt, 0), usage: usageOf(prompt, 1), manner: MANNER };
  yield utf8.encode(frames.frame(last));
}

function usageOf(prompt: string, n: number): ImageUsage {
  const input = countTokens(prompt);
  const output = n * PICTURE_TOKENS;
  return { input, output, total: input + output, inputText: input, inputImage: 0 };
}
