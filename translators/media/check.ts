import type { ImageFamily, ImageOperation, ParameterRule } from './families.js';
import { faultAt, faultOf } from './fault.js';
import type { ImageRequest, Picture, PictureFacts } from './image.js';
import { readSize } from './size.js';

/** Sizes below which files must stay, in bytes. */
export interface FileLimits {
  readonly small: number;
  readonly large: number;
}

const ROUTES = { generate: 'make', edit: 'edit', vary: 'vary' } as const satisfies Record<ImageOperation, string>;

/** What a variation has no use for (media.md 1.4). */
const NOT_FOR_VARIATIONS = ['prompt', 'quality', 'stream'] as const;

/**
 * Checks a request against a family's rules before any call. Throws TranslationError (`invalid_request`) that names the
 * parameter. Pictures behind URLs or file ids are checked only once their bytes are there.
 */
export function checkImageRequest(request: ImageRequest, family: ImageFamily, limits: FileLimits): void {
  const { operation, prompt, settings } = request;
  if (!family.operations.includes(operation)) {
    throw faultOf('model', 'invalid_value', `this model does not ${ROUTES[operation]} pictures`);
  }
  if (prompt !== undefined && family.promptMax !== undefined) checkLength(prompt, family.promptMax);
  checkCount(settings.n, family.most);
  if (operation === 'vary') {
    const { quality, stream } = settings;
    const given = { prompt, quality, stream: stream === true ? stream : undefined };
    for (const name of NOT_FOR_VARIATIONS) {
      if (given[name] !== undefined) throw faultOf(name, 'unknown_parameter', 'variations do not take it');
    }
    if (request.mask !== undefined) throw faultOf('mask', 'unknown_parameter', 'variations do not take it');
  }
  for (const [name, value] of Object.entries(settings)) checkSetting(name, value, family);
  if (settings.stream === true && settings.response_format === 'url') {
    throw faultOf('response_format', 'invalid_value', 'a stream brings pictures as b64_json only');
  }
  if (settings.background === 'transparent' && /^jpe?g$/.test(settings.output_format ?? '')) {
    throw faultOf('background', 'invalid_value', 'a transparent background needs png or webp');
  }
  checkPictures(request, family, limits);
}

/** Refuses a prompt that is too long. Characters are code points: half a surrogate pair is no character. */
export function checkLength(prompt: string, max: number): void {
  if (prompt.length <= max) return;
  let length = 0;
  for (const _point of prompt) {
    length += 1;
    if (length > max) throw faultOf('prompt', 'string_above_max_length', `must not be longer than ${max} characters`);
  }
}

function checkCount(n: number | undefined, most: number): void {
  if (n === undefined) return;
  if (n < 1) throw faultOf('n', 'integer_below_min_value', 'must be at least 1');
  if (n > most) throw faultOf('n', 'integer_above_max_value', most === 1 ? 'must be 1' : `must be at most ${most}`);
}

function checkSetting(name: string, value: unknown, family: ImageFamily): void {
  // What says no more than its absence would is no use of the parameter.
  if (value === undefined || value === false) return;
  if (family.refuses.includes(name)) throw faultOf(name, 'unknown_parameter', 'this model does not take it');
  const rule = family.takes[name];
  if (rule === undefined) return;
  const reason = faultIn(rule, value);
  if (reason !== undefined) throw faultOf(name, name === 'size' ? 'invalid_size' : 'invalid_value', reason);
}

function faultIn(rule: ParameterRule, value: unknown): string | undefined {
  switch (rule.type) {
    case 'any':
      return undefined;
    case 'word':
      return rule.values.includes(String(value)) ? undefined : `must be one of ${rule.values.join(', ')}`;
    case 'ratios':
      return rule.values.includes(String(value).replace('x', ':'))
        ? undefined
        : `must be one of ${rule.values.join(', ')}`;
    case 'integer':
      return Number(value) >= rule.min && Number(value) <= rule.max
        ? undefined
        : `must be from ${rule.min} to ${rule.max}`;
    case 'url':
      return /^(?:https?|data):/i.test(String(value)) ? undefined : 'must be an http, https or data URL';
    case 'ratio':
      return faultInRatio(String(value), rule.min, rule.max);
    case 'pixels':
      return rule.words.includes(String(value)) ? undefined : faultInPixels(String(value));
  }
}

function faultInRatio(value: string, min: number, max: number): string | undefined {
  const size = readSize(value);
  if (size === undefined || !size.ratio) return 'must be an aspect ratio such as 16x9';
  const ratio = size.width / size.height;
  return ratio < min - 1e-9 || ratio > max + 1e-9 ? 'must lie between 3x7 and 7x3' : undefined;
}

/** The bounds of free sizes (media.md 2.2). */
const PIXELS = { step: 16, edge: 3840, ratio: 3, least: 655_360, most: 8_294_400 } as const;

function faultInPixels(value: string): string | undefined {
  const size = readSize(value);
  if (size === undefined || size.ratio) return 'must be WIDTHxHEIGHT or auto';
  const { width, height } = size;
  if (width % PIXELS.step !== 0 || height % PIXELS.step !== 0) return `must be multiples of ${PIXELS.step}`;
  if (Math.max(width, height) > PIXELS.edge) return `must have no edge above ${PIXELS.edge}`;
  if (Math.max(width / height, height / width) > PIXELS.ratio) return 'must lie between 1:3 and 3:1';
  const total = width * height;
  if (total < PIXELS.least || total > PIXELS.most) {
    return `must have ${PIXELS.least} to ${PIXELS.most} pixels`;
  }
  return undefined;
}

function checkPictures(request: ImageRequest, family: ImageFamily, limits: FileLimits): void {
  const { operation, images, mask } = request;
  if (operation === 'generate') return;
  const rules = family.files;
  const [first] = images;
  if (first === undefined) throw faultOf('image', 'missing_required_parameter', 'is required');
  const most = operation === 'vary' ? 1 : (rules?.most ?? 1);
  if (images.length > most) {
    throw faultOf('image', 'invalid_value', most === 1 ? 'only one picture is taken' : `at most ${most} are taken`);
  }
  if (rules === undefined) return;
  for (const picture of images) {
    const facts = readable(picture);
    if (facts === undefined) continue;
    if (!rules.types.includes(facts.type)) {
      throw faultAt(picture.path, 'unsupported_file_mimetype', `the picture must be ${list(rules.types)}`);
    }
    checkBytes(picture.path, facts, limits[rules.limit]);
    checkShown(picture.path, facts);
    if (rules.square && facts.width !== facts.height) {
      throw faultAt(picture.path, 'invalid_image', 'the picture must be square');
    }
    if (rules.alphaWithoutMask && operation === 'edit' && mask === undefined && !facts.alpha) {
      throw faultAt(picture.path, 'invalid_image', 'without a mask the picture must have transparency');
    }
  }
  if (mask !== undefined) checkMask(mask, first, family, limits);
}

function checkMask(mask: Picture, first: Picture, family: ImageFamily, limits: FileLimits): void {
  if (!family.mask) throw faultOf('mask', 'unknown_parameter', 'this model does not take it');
  const facts = readable(mask);
  if (facts === undefined) return;
  if (facts.type !== 'png') throw faultAt(mask.path, 'unsupported_file_mimetype', 'the mask must be a PNG');
  checkBytes(mask.path, facts, limits.small);
  checkShown(mask.path, facts);
  if (!facts.alpha) throw faultAt(mask.path, 'invalid_image', 'the mask must have transparency');
  const shape = readable(first);
  if (shape !== undefined && (shape.width !== facts.width || shape.height !== facts.height)) {
    throw faultAt(mask.path, 'invalid_image', 'the mask must have the width and height of the first picture');
  }
}

function readable(picture: Picture): PictureFacts | undefined {
  return picture.from === 'bytes' ? picture.facts : undefined;
}

function checkBytes(path: string, { bytes }: PictureFacts, limit: number): void {
  if (bytes < limit) return;
  throw faultAt(path, 'image_too_large', `the file must be smaller than ${limit / 1024 / 1024} MB`);
}

/** Longest edge: beyond it the header lies, or the picture is a bomb (media.md 8.4). */
const MOST_EDGE = 65_535;

function checkShown(path: string, { width, height, animated }: PictureFacts): void {
  if (width === undefined || height === undefined) {
    throw faultAt(path, 'invalid_image', 'the width and height of the picture cannot be read');
  }
  if (width < 1 || height < 1 || width > MOST_EDGE || height > MOST_EDGE) {
    throw faultAt(path, 'invalid_image', 'the width and height of the picture are not usable');
  }
  if (animated) throw faultAt(path, 'invalid_image', 'the picture must not be animated');
}

function list(types: readonly string[]): string {
  return types.map((type) => type.toUpperCase()).join(', ');
}
