import { TranslationError } from '../canonical/errors.js';
import type { Losses } from '../canonical/loss.js';
import type { JsonObject } from '../canonical/node.js';
import { toStandardBase64 } from '../wire/base64.js';
import { isObject } from '../wire/json.js';
import { unable } from './fault.js';
import type { ImageAnswer, ImageRequest, MadeImage } from './image.js';
import { loseSettings } from './lost.js';
import { askedShape, nearestRatio } from './size.js';

const RATIOS = ['1:1', '9:16', '16:9', '3:4', '4:3'] as const;

/** Most pictures of one call (media.md 5.4.3). */
export const PREDICT_MOST = 4;

const MIMES: Readonly<Record<string, string>> = { png: 'image/png', jpeg: 'image/jpeg', jpg: 'image/jpeg' };

/** The body of one predict call that makes `n` pictures (media.md 5.4). Throws `unsupported` for edits and variations. */
export function encodePredict(request: ImageRequest, n: number, losses: Losses): JsonObject {
  const { operation, prompt = '', settings, images } = request;
  if (operation !== 'generate' || images.length > 0) throw unable('/image', 'the model takes no pictures');
  if (settings.background === 'transparent') throw unable('/background', 'the model makes no transparent pictures');
  const aspectRatio = ratioOf(request, losses);
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

function ratioOf({ settings }: ImageRequest, losses: Losses): string | undefined {
  const shape = askedShape(settings);
  if (shape === undefined) return undefined;
  const { name, size } = shape;
  const { ratio, exact } = nearestRatio(size, RATIOS);
  const same = exact && (size.ratio || Math.max(size.width, size.height) === 1024);
  if (!same) losses.add(`/${name}`, 'image.size', 'approximated', `asked for as the ratio ${ratio}`);
  return ratio;
}

/** Reads the pictures of an answer. Throws TranslationError `content_policy` when all were held back. */
export function decodePredict(body: JsonObject): ImageAnswer {
  const predictions = Array.isArray(body.predictions) ? body.predictions.filter(isObject) : [];
  const images = predictions.flatMap(madeOf);
  if (images.length > 0) return { images };
  const reason = predictions.map(({ raiFilteredReason }) => text(raiFilteredReason)).find((told) => told !== undefined);
  const tail = reason === undefined ? '' : `: ${reason.slice(0, 1000)}`;
  throw new TranslationError('content_policy', `the model made no picture${tail}`, {
    code: 'content_policy_violation',
  });
}

function madeOf({ bytesBase64Encoded, prompt }: JsonObject): MadeImage[] {
  const base64 = text(bytesBase64Encoded);
  if (base64 === undefined) return [];
  const revisedPrompt = text(prompt);
  return [{ base64: toStandardBase64(base64), ...(revisedPrompt !== undefined && { revisedPrompt }) }];
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
