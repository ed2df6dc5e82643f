import type { Losses } from '../canonical/loss.js';
import type { JsonObject } from '../canonical/node.js';
import { toStandardBase64 } from '../wire/base64.js';
import { isObject } from '../wire/json.js';
import { heldBack, unable } from './fault.js';
import type { ImageAnswer, ImageRequest, MadeImage } from './image.js';
import { loseSettings } from './lost.js';
import { askedShape, ratioOf } from './size.js';
import { textOf } from './values.js';

const RATIOS = ['1:1', '9:16', '16:9', '3:4', '4:3'] as const;

/** Most pictures of one call (media.md 5.4.3). */
export const PREDICT_MOST = 4;

const MIMES: Readonly<Record<string, string>> = { png: 'image/png', jpeg: 'image/jpeg', jpg: 'image/jpeg' };

/** The body of one predict call that makes `n` pictures (media.md 5.4). Throws `unsupported` for edits and variations. */
export function encodePredict(request: ImageRequest, n: number, losses: Losses): JsonObject {
  const { operation, prompt = '', settings, images } = request;
  if (operation !== 'generate' || images.length > 0) throw unable('/image', 'the model takes no pictures');
  if (settings.background === 'transparent') throw unable('/background', 'the model makes no transparent pictures');
  const shape = askedShape(settings);
  const aspectRatio = shape && ratioOf(shape, RATIOS, losses);
  const mimeType = MIMES[settings.output_format ?? ''];
  const compressed = mimeType === 'image/jpeg' ? settings.output_compression : undefined;
  loseSettings(
    request,
    [
      'size',
      'aspect_ratio',
      'seed',
      ...(mimeType === undefined ? [] : (['output_format'] as const)),
      ...(compressed === undefined ? [] : (['output_compression'] as const)),
    ],
    losses,
  );
  return {
    instances: [{ prompt }],
    parameters: {
      sampleCount: n,
      includeRaiReason: true,
      ...(aspectRatio !== undefined && { aspectRatio }),
      // The seed counts only without the watermark (media.md 5.4).
      ...(settings.seed !== undefined && { seed: settings.seed, addWatermark: false }),
      ...(mimeType !== undefined && {
        outputOptions: { mimeType, ...(compressed !== undefined && { compressionQuality: compressed }) },
      }),
    },
  };
}

/** Reads the pictures of an answer. Throws TranslationError `content_policy` when all were held back. */
export function decodePredict(body: JsonObject): ImageAnswer {
  const predictions = Array.isArray(body.predictions) ? body.predictions.filter(isObject) : [];
  const images = predictions.flatMap(madeOf);
  if (images.length > 0) return { images };
  const reason = predictions
    .map(({ raiFilteredReason }) => textOf(raiFilteredReason))
    .find((told) => told !== undefined);
  const tail = reason === undefined ? '' : `: ${reason.slice(0, 1000)}`;
  throw heldBack(`the model made no picture${tail}`);
}

function madeOf({ bytesBase64Encoded, prompt }: JsonObject): MadeImage[] {
  const base64 = textOf(bytesBase64Encoded);
  if (base64 === undefined) return [];
  const revisedPrompt = textOf(prompt);
  return [{ base64: toStandardBase64(base64), ...(revisedPrompt !== undefined && { revisedPrompt }) }];
}
