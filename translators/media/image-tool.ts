import { TranslationError } from '../canonical/errors.js';
import type { Losses } from '../canonical/loss.js';
import type { JsonObject } from '../canonical/node.js';
import { formatDataUrl } from '../wire/data-url.js';
import { hash32 } from '../wire/hash.js';
import { isObject } from '../wire/json.js';
import { decodeUsage } from './answer.js';
import { heldBack } from './fault.js';
import {
  type ImageAnswer,
  type ImageManner,
  type ImageRequest,
  type MadeImage,
  mimeOf,
  type Picture,
} from './image.js';
import { loseSettings } from './lost.js';
import { promptOf } from './prompt.js';
import { askedShape, nearestSize } from './size.js';
import { textOf } from './values.js';

/** What the request of one call says beside the picture that is wanted. */
export interface ToolCallOptions {
  /** The text model that calls the tool. */
  readonly model: string;
  /** The image model of the tool; absent = the service's choice. */
  readonly imageModel?: string;
  readonly stream: boolean;
}

const SIZES = ['1024x1024', '1536x1024', '1024x1536'] as const;
const SAME = ['background', 'output_compression', 'moderation', 'input_fidelity', 'partial_images'] as const;

/** The body of one call of a model whose `image_generation` tool makes one picture (media.md 5.3). */
export function encodeToolImages(request: ImageRequest, options: ToolCallOptions, losses: Losses): JsonObject {
  const { operation, settings, images, mask } = request;
  const tool: JsonObject = {
    type: 'image_generation',
    action: operation === 'generate' && images.length === 0 ? 'generate' : 'edit',
  };
  if (options.imageModel !== undefined) tool.model = options.imageModel;
  const size = sizeOf(request, losses);
  if (size !== undefined) tool.size = size;
  const quality = qualityOf(request, losses);
  if (quality !== undefined) tool.quality = quality;
  if (settings.output_format !== undefined) tool.output_format = settings.output_format.replace(/^jpg$/, 'jpeg');
  for (const name of SAME) {
    const value = settings[name];
    if (value !== undefined && (name !== 'partial_images' || options.stream)) tool[name] = value;
  }
  if (mask !== undefined) tool.input_image_mask = referenceOf(mask);
  const content: JsonObject[] = [
    { type: 'input_text', text: promptOf(request, losses) },
    ...images.map((picture): JsonObject => ({ type: 'input_image', detail: 'auto', ...referenceOf(picture) })),
  ];
  const identifier = identifierOf(request, losses);
  const carried = ['size', 'aspect_ratio', 'output_format', 'input_image', 'user', ...SAME] as const;
  loseSettings(request, quality === undefined ? carried : [...carried, 'quality'], losses);
  return {
    model: options.model,
    input: [{ role: 'user', content }],
    tools: [tool],
    tool_choice: { type: 'image_generation' },
    store: false,
    ...(identifier !== undefined && { safety_identifier: identifier }),
    ...(options.stream && { stream: true }),
  };
}

const LONGEST_ID = 64;

function identifierOf({ settings: { user } }: ImageRequest, losses: Losses): string | undefined {
  if (user === undefined || user.length <= LONGEST_ID) return user;
  losses.add('/user', 'user', 'approximated', 'too long, so its hash is sent');
  return hash32(user, 52);
}

function referenceOf(picture: Picture): JsonObject {
  switch (picture.from) {
    case 'bytes':
      return { image_url: formatDataUrl(mimeOf(picture.facts.type), picture.base64()) };
    case 'url':
      return { image_url: picture.url };
    case 'file':
      return { file_id: picture.id };
  }
}

function sizeOf({ settings }: ImageRequest, losses: Losses): string | undefined {
  const shape = askedShape(settings);
  if (shape === undefined) return settings.size === 'auto' ? 'auto' : undefined;
  const nearest = nearestSize(shape.size, SIZES);
  if (nearest !== shape.text) {
    losses.add(`/${shape.name}`, 'image.size', 'approximated', `the nearest size is ${nearest}`);
  }
  return nearest;
}

const QUALITIES = ['low', 'medium', 'high', 'auto'];

function qualityOf({ settings: { quality } }: ImageRequest, losses: Losses): string | undefined {
  if (quality === undefined || QUALITIES.includes(quality)) return quality;
  if (quality !== 'hd') return undefined;
  losses.add('/quality', 'image.quality', 'approximated', 'asked for as high');
  return 'high';
}

/** Reads the pictures of a whole answer. Throws TranslationError when there is none, or the answer is a failure. */
export function decodeToolImages(body: JsonObject): ImageAnswer {
  const items = Array.isArray(body.output) ? body.output.filter(isObject) : [];
  const calls = items.filter(({ type }) => type === 'image_generation_call');
  const images = calls.flatMap((item) => toolImage(item) ?? []);
  if (images.length === 0) throw failureOf(body, items);
  const usage = toolUsage(body);
  const manner = mannerOf(calls.find((item) => toolImage(item) !== undefined));
  return { images, ...(usage !== undefined && { usage }), ...(manner !== undefined && { manner }) };
}

/** The picture of an output item; undefined when it holds none. A failed item never counts, whatever came before it. */
export function toolImage(item: JsonObject): MadeImage | undefined {
  const base64 = textOf(item.result);
  if (item.type !== 'image_generation_call' || base64 === undefined || item.status === 'failed') return undefined;
  const revisedPrompt = textOf(item.revised_prompt);
  return { base64, ...(revisedPrompt !== undefined && { revisedPrompt }) };
}

/** What the pictures cost: the tool's own count where it is told, else that of the whole answer. */
export function toolUsage(body: JsonObject) {
  const own = isObject(body.tool_usage) ? body.tool_usage.image_gen : undefined;
  return decodeUsage(own ?? body.usage);
}

/** How a picture was made, as its item tells. */
export function mannerOf(item: JsonObject | undefined): ImageManner | undefined {
  if (item === undefined) return undefined;
  const manner: Record<string, string> = {};
  for (const name of ['background', 'output_format', 'size', 'quality'] as const) {
    const value = textOf(item[name]);
    if (value !== undefined) manner[name] = value;
  }
  return Object.keys(manner).length === 0 ? undefined : manner;
}

/** Why an answer holds no picture. */
export function failureOf(body: JsonObject, items: readonly JsonObject[]): TranslationError {
  const call = items.find(({ type, error }) => type === 'image_generation_call' && isObject(error));
  const error = isObject(body.error) ? body.error : isObject(call?.error) ? call.error : {};
  const details = isObject(body.incomplete_details) ? textOf(body.incomplete_details.reason) : undefined;
  const code = textOf(error.code);
  const said = textOf(error.message) ?? refusalOf(items);
  const tail = said === undefined ? '' : `: ${said.slice(0, 1000)}`;
  if (/policy|moderation|safety/.test(code ?? '') || details === 'content_filter') {
    return heldBack(`the model made no picture${tail}`);
  }
  if (code === 'rate_limit_exceeded') return new TranslationError('rate_limit', `the backend is busy${tail}`, { code });
  if (code === 'server_error') return new TranslationError('internal', 'the backend failed', { code });
  return new TranslationError('invalid_request', `the model made no picture${tail}`, { code: code ?? 'no_image' });
}

function refusalOf(items: readonly JsonObject[]): string | undefined {
  for (const { content } of items) {
    if (!Array.isArray(content)) continue;
    for (const part of content) if (isObject(part)) return textOf(part.refusal) ?? textOf(part.text);
  }
  return undefined;
}
