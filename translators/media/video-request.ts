import type { Losses } from '../canonical/loss.js';
import type { JsonObject } from '../canonical/node.js';
import { pointer } from '../wire/pointer.js';
import { unable } from './fault.js';
import { readSize } from './size.js';
import { VIDEO_NAMES, type VideoRequest } from './video.js';

/**
 * The texts of a form for a service of format A, in which `model` is the service's own name, or undefined to leave the
 * choice to the service. Files go beside them.
 * What the format has no place for is a loss; parameters that nobody knows go along where the client spoke format A.
 */
export function encodeVideoRequestA(
  request: VideoRequest,
  model: string | undefined,
  losses: Losses,
): [string, string][] {
  const { prompt, settings, metadata, reference, extras, format } = request;
  const texts: [string, string][] = [
    ['prompt', prompt],
    ...(model === undefined ? [] : [['model', model] as [string, string]]),
  ];
  if (settings.seconds !== undefined) texts.push(['seconds', settings.seconds]);
  if (settings.size !== undefined) texts.push(['size', settings.size]);
  if (settings.quality !== undefined) texts.push(['quality', settings.quality]);
  if (metadata !== undefined) texts.push(['metadata', JSON.stringify(metadata)]);
  if (reference?.from === 'file') texts.push(['input_reference[file_id]', reference.id]);
  if (format === 'a') {
    for (const name of ['user', 'seed', 'n', 'response_format'] as const) {
      if (settings[name] !== undefined) texts.push([name, String(settings[name])]);
    }
    for (const [name, value] of extras) texts.push([name, typeof value === 'string' ? value : JSON.stringify(value)]);
    return texts;
  }
  if (settings.n !== undefined && settings.n !== 1) throw unable('/n', 'n: the backend makes one video at a time');
  lose(request, ['fps', 'seed', 'user'], losses);
  loseExtras(request, losses);
  return texts;
}

/** The JSON body for a service of format B; `model` as above. */
export function encodeVideoRequestB(request: VideoRequest, model: string | undefined, losses: Losses): JsonObject {
  const { prompt, settings, metadata, reference, format, extras } = request;
  const { seconds, size, fps, seed, n, response_format, user } = settings;
  if (reference?.from === 'file') {
    throw unable(reference.path, `${VIDEO_NAMES[format].reference}: the backend of this model knows no file ids`);
  }
  const pixels = size === undefined ? undefined : readSize(size);
  if (size !== undefined && pixels?.ratio !== false) throw unable('/size', 'size: must be WIDTHxHEIGHT');
  lose(request, ['quality'], losses);
  if (format === 'a') loseExtras(request, losses);
  return {
    ...(model !== undefined && { model }),
    prompt,
    ...(reference?.from === 'bytes' && { image: reference.base64() }),
    ...(reference?.from === 'url' && { image: reference.url }),
    ...(seconds !== undefined && { duration: Number(seconds) }),
    ...(pixels !== undefined && { width: pixels.width, height: pixels.height }),
    ...(fps !== undefined && { fps }),
    ...(seed !== undefined && { seed }),
    ...(n !== undefined && { n }),
    ...(response_format !== undefined && { response_format }),
    ...(user !== undefined && { user }),
    ...(metadata !== undefined && { metadata }),
    ...(format === 'b' && Object.fromEntries(extras)),
  };
}

const FEATURES = { fps: 'ext.fps', seed: 'sampling.seed', user: 'user', quality: 'ext.quality' } as const;

/** Reports the settings that a backend gets nothing of. */
export function lose(request: VideoRequest, names: readonly (keyof typeof FEATURES)[], losses: Losses): void {
  for (const name of names) {
    if (request.settings[name] === undefined) continue;
    losses.add(pointer(name), FEATURES[name], 'dropped', 'the backend takes no such setting');
  }
}

/** Reports the parameters that nobody knows. */
export function loseExtras(request: VideoRequest, losses: Losses): void {
  for (const [name] of request.extras) {
    losses.add(pointer(name), `ext.${name}`, 'dropped', 'the backend may not know it');
  }
}
