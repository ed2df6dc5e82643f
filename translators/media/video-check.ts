import { checkLength } from './check.js';
import type { VideoFamily } from './families.js';
import { faultOf } from './fault.js';
import type { PictureFacts } from './image.js';
import { readSize } from './size.js';
import { VIDEO_NAMES, type VideoRequest } from './video.js';

/** What holds for models of no known family. */
const OPEN_PROMPT = 32_000;

/**
 * Checks a request against a family's rules before any call; without a family only what holds for all. `most` is the
 * size below which a file must stay, in bytes. Throws TranslationError (`invalid_request`) that names the parameter. A
 * picture by file id is not looked at.
 */
export function checkVideoRequest(request: VideoRequest, family: VideoFamily | undefined, most: number): void {
  const { settings, format, prompt } = request;
  const names = VIDEO_NAMES[format];
  checkLength(prompt, family?.promptMax ?? OPEN_PROMPT);
  if (family !== undefined && settings.n !== undefined && settings.n !== 1) {
    throw faultOf('n', 'invalid_value', 'one video is made at a time');
  }
  if (settings.stream === true) throw faultOf('stream', 'unknown_parameter', 'videos are not streamed');
  if (settings.response_format !== undefined && settings.response_format !== 'url') {
    throw faultOf('response_format', 'invalid_value', 'must be url');
  }
  for (const name of ['seconds', 'size'] as const) {
    const rule = family?.takes[name];
    const value = settings[name];
    if (value === undefined || rule?.type !== 'word' || rule.values.includes(value)) continue;
    throw faultOf(names[name], 'invalid_value', `must be ${wanted(name, names[name], rule.values)}`);
  }
  if (request.reference?.from === 'bytes') {
    checkReference(request.reference.facts, names.reference, settings.size ?? family?.defaults.size, family, most);
  }
}

function wanted(rule: 'seconds' | 'size', name: string, values: readonly string[]): string {
  return rule === 'size' && name !== 'size'
    ? `the width of one of ${values.join(', ')}, with its height`
    : `one of ${values.join(', ')}`;
}

function checkReference(
  facts: PictureFacts,
  name: string,
  size: string | undefined,
  family: VideoFamily | undefined,
  most: number,
): void {
  if (facts.bytes >= most) {
    throw faultOf(name, 'image_too_large', `the file must be smaller than ${most / 1024 / 1024} MB`);
  }
  if (family === undefined) return;
  if (!family.reference.includes(facts.type)) {
    throw faultOf(name, 'unsupported_file_mimetype', `must be ${family.reference.join(', ').toUpperCase()}`);
  }
  if (facts.animated) throw faultOf(name, 'invalid_image', 'must not be animated');
  const pixels = size === undefined ? undefined : readSize(size);
  if (pixels === undefined) return;
  if (facts.width !== pixels.width || facts.height !== pixels.height) {
    throw faultOf(name, 'invalid_image', `must have the width and height of the video, ${size}`);
  }
}
