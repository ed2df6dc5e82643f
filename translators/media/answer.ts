import type { JsonObject } from '../canonical/node.js';
import { isObject } from '../wire/json.js';
import type { ImageAnswer, ImageManner, ImageUsage, MadeImage } from './image.js';
import { numberOf } from './values.js';

/** Several calls for one request as one answer: pictures in the order of the calls, tokens added. */
export function joinAnswers(answers: readonly ImageAnswer[]): ImageAnswer {
  const [first, ...others] = answers;
  if (first === undefined) return { images: [] };
  const usages = answers.flatMap(({ usage }) => (usage === undefined ? [] : [usage]));
  const [spent, ...more] = usages;
  return {
    images: [first, ...others].flatMap(({ images }) => images),
    ...(spent !== undefined && { usage: more.reduce(addUsages, spent) }),
    ...(first.manner !== undefined && { manner: first.manner }),
  };
}

function addUsages(a: ImageUsage, b: ImageUsage): ImageUsage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    total: a.total + b.total,
    inputText: a.inputText + b.inputText,
    inputImage: a.inputImage + b.inputImage,
    ...(a.outputText !== undefined && { outputText: a.outputText + (b.outputText ?? 0) }),
    ...(a.outputImage !== undefined && { outputImage: a.outputImage + (b.outputImage ?? 0) }),
  };
}

/** The image result of media.md 1.1. `created` in Unix seconds. */
export function encodeImages({ images, usage, manner }: ImageAnswer, created: number): JsonObject {
  return {
    created,
    data: images.map(encodeMade),
    ...shown(manner),
    ...(usage !== undefined && { usage: encodeUsage(usage) }),
  };
}

function encodeMade({ url, base64, revisedPrompt }: MadeImage): JsonObject {
  return {
    ...(url === undefined ? { b64_json: base64 ?? '' } : { url }),
    ...(revisedPrompt !== undefined && { revised_prompt: revisedPrompt }),
  };
}

function shown(manner: ImageManner = {}): JsonObject {
  const { background, output_format, size, quality } = manner;
  return {
    ...((background === 'opaque' || background === 'transparent') && { background }),
    ...(output_format !== undefined && { output_format }),
    ...(size !== undefined && { size }),
    ...(quality !== undefined && { quality }),
  };
}

/** Usage as the image routes tell it. */
export function encodeUsage(usage: ImageUsage): JsonObject {
  const { outputText, outputImage } = usage;
  return {
    total_tokens: usage.total,
    input_tokens: usage.input,
    output_tokens: usage.output,
    input_tokens_details: { text_tokens: usage.inputText, image_tokens: usage.inputImage },
    ...((outputText !== undefined || outputImage !== undefined) && {
      output_tokens_details: { image_tokens: outputImage ?? 0, text_tokens: outputText ?? 0 },
    }),
  };
}

/** Usage in the image routes' own form; undefined for what is none. */
export function decodeUsage(node: unknown): ImageUsage | undefined {
  if (!isObject(node)) return undefined;
  const input = numberOf(node.input_tokens) ?? 0;
  const output = numberOf(node.output_tokens) ?? 0;
  const details = isObject(node.input_tokens_details) ? node.input_tokens_details : {};
  const made = isObject(node.output_tokens_details) ? node.output_tokens_details : {};
  const outputText = numberOf(made.text_tokens);
  const outputImage = numberOf(made.image_tokens);
  const inputImage = numberOf(details.image_tokens) ?? 0;
  return {
    input,
    output,
    total: numberOf(node.total_tokens) ?? input + output,
    inputText: numberOf(details.text_tokens) ?? input - inputImage,
    inputImage,
    ...(outputText !== undefined && { outputText }),
    ...(outputImage !== undefined && { outputImage }),
  };
}
