import { TranslationError } from '../canonical/errors.js';
import type { Losses } from '../canonical/loss.js';
import type { JsonObject } from '../canonical/node.js';
import { toStandardBase64 } from '../wire/base64.js';
import { isObject } from '../wire/json.js';
import { heldBack, unable } from './fault.js';
import { type ImageAnswer, type ImageRequest, type ImageUsage, mimeOf, type Picture } from './image.js';
import { loseSettings } from './lost.js';
import { maskSentence, promptOf } from './prompt.js';
import { askedShape, ratioOf } from './size.js';
import { numberOf, textOf } from './values.js';

const RATIOS = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'] as const;

/** From these edges on the larger image sizes are asked for; the smallest needs no word. */
const LARGER = [
  { edge: 3000, imageSize: '4K' },
  { edge: 2000, imageSize: '2K' },
] as const;

/**
 * The body of one call of a model that answers in text and pictures, for one picture (media.md 5.2). Every picture must be there as bytes.
 * Throws TranslationError `unsupported` for what these models cannot do at all.
 */
export function encodeContentImages(request: ImageRequest, losses: Losses): JsonObject {
  const { settings, images, mask } = request;
  if (settings.background === 'transparent') throw unable('/background', 'the model makes no transparent pictures');
  const text = promptOf(request, losses);
  const sentence = maskSentence(request, losses);
  const parts: JsonObject[] = [
    { text: sentence === undefined ? text : `${text}\n\n${sentence}` },
    ...images.map(inlineOf),
    ...(mask === undefined ? [] : [inlineOf(mask)]),
  ];
  const imageConfig = configOf(request, losses);
  const larger = settings.quality === 'hd' || settings.quality === 'high';
  const carried = ['size', 'aspect_ratio', 'seed', 'input_image'] as const;
  loseSettings(request, larger ? [...carried, 'quality'] : carried, losses);
  return {
    contents: [{ role: 'user', parts }],
    generationConfig: {
      responseModalities: ['IMAGE'],
      ...(settings.seed !== undefined && { seed: settings.seed }),
      ...(imageConfig !== undefined && { imageConfig }),
    },
  };
}

function inlineOf(picture: Picture): JsonObject {
  if (picture.from !== 'bytes') throw unable(picture.path, 'the backend takes pictures only inline');
  return { inlineData: { mimeType: mimeOf(picture.facts.type), data: picture.base64() } };
}

function configOf({ settings }: ImageRequest, losses: Losses): JsonObject | undefined {
  const config: JsonObject = {};
  if (RESOLUTION.test(settings.size ?? '')) config.imageSize = settings.size;
  const shape = config.imageSize === undefined ? askedShape(settings) : askedShape({ ...settings, size: undefined });
  if (shape !== undefined) {
    const { size } = shape;
    config.aspectRatio = ratioOf(shape, RATIOS, losses);
    const edge = Math.max(size.width, size.height);
    const larger = size.ratio ? undefined : LARGER.find((step) => edge >= step.edge);
    if (larger !== undefined) config.imageSize = larger.imageSize;
  }
  const { quality } = settings;
  if (quality === 'hd' || quality === 'high') {
    config.imageSize ??= '2K';
    losses.add('/quality', 'image.quality', 'approximated', 'asked for as a larger picture');
  }
  return Object.keys(config).length === 0 ? undefined : config;
}

/** Sizes in this protocol's own words. */
const RESOLUTION = /^[124]K$/;

/** Reasons that are a decision about content (media.md 5.2). */
const POLICY = /SAFETY|PROHIBITED|RECITATION|BLOCKLIST|SPII|MODEL_ARMOR|JAILBREAK/;

/**
 * Reads the pictures of an answer. Text beside a picture is talk and no revised prompt. Throws TranslationError when there
 * is no picture, with what the model said instead: `content_policy` for a refusal, else `invalid_request`, so that no client tries and pays again.
 */
export function decodeContentImages(body: JsonObject): ImageAnswer {
  const candidates = Array.isArray(body.candidates) ? body.candidates.filter(isObject) : [];
  const parts = candidates.flatMap(partsOf).filter((part) => part.thought !== true);
  const images = parts.flatMap(imageOf);
  const said = parts
    .flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
    .join('')
    .trim();
  if (images.length === 0) throw noImage(body, candidates, said);
  const usage = usageOf(body.usageMetadata);
  return {
    images: images.map((base64) => ({ base64 })),
    ...(usage !== undefined && { usage }),
  };
}

function partsOf({ content }: JsonObject): JsonObject[] {
  return isObject(content) && Array.isArray(content.parts) ? content.parts.filter(isObject) : [];
}

function imageOf({ inlineData, inline_data }: JsonObject): string[] {
  const blob = inlineData ?? inline_data;
  if (!isObject(blob) || typeof blob.data !== 'string' || blob.data === '') return [];
  const mime = blob.mimeType ?? blob.mime_type;
  return typeof mime === 'string' && mime.startsWith('image/') ? [toStandardBase64(blob.data)] : [];
}

function noImage(body: JsonObject, candidates: readonly JsonObject[], said: string): TranslationError {
  const feedback = isObject(body.promptFeedback) ? body.promptFeedback : {};
  const [candidate] = candidates;
  const reason = textOf(feedback.blockReason) ?? textOf(candidate?.finishReason) ?? 'no reason given';
  const told = said !== '' ? said : (textOf(feedback.blockReasonMessage) ?? textOf(candidate?.finishMessage) ?? '');
  const tail = told === '' ? '' : `: ${told.slice(0, 1000)}`;
  const blocked = feedback.blockReason !== undefined || POLICY.test(reason);
  return blocked
    ? heldBack(`the model made no picture (${reason})${tail}`)
    : new TranslationError('invalid_request', `the model made no picture (${reason})${tail}`, { code: 'no_image' });
}

function usageOf(node: unknown): ImageUsage | undefined {
  if (!isObject(node)) return undefined;
  const input = numberOf(node.promptTokenCount) ?? 0;
  const output = (numberOf(node.candidatesTokenCount) ?? 0) + (numberOf(node.thoughtsTokenCount) ?? 0);
  const inputImage = modality(node.promptTokensDetails, 'IMAGE') ?? 0;
  const outputImage = modality(node.candidatesTokensDetails, 'IMAGE');
  return {
    input,
    output,
    total: input + output,
    inputText: input - inputImage,
    inputImage,
    ...(outputImage !== undefined && { outputImage, outputText: output - outputImage }),
  };
}

function modality(list: unknown, name: string): number | undefined {
  if (!Array.isArray(list)) return undefined;
  const found = list.filter(isObject).filter((entry) => entry.modality === name);
  return found.length === 0 ? undefined : found.reduce((sum, entry) => sum + (numberOf(entry.tokenCount) ?? 0), 0);
}
