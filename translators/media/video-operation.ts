import type { Losses } from '../canonical/loss.js';
import type { JsonObject } from '../canonical/node.js';
import { toStandardBase64 } from '../wire/base64.js';
import { formatDataUrl } from '../wire/data-url.js';
import { isObject } from '../wire/json.js';
import { pointer } from '../wire/pointer.js';
import { unable } from './fault.js';
import { mimeOf } from './image.js';
import { nearestRatio, readSize } from './size.js';
import { optional, percentOf, textOf } from './values.js';
import { VIDEO_NAMES, type VideoError, type VideoRequest, type VideoTask } from './video.js';
import { UNTOLD } from './video-error.js';
import { lose, loseExtras } from './video-request.js';

const RATIOS = ['16:9', '9:16'] as const;

/** Names of the resolutions by their shorter edge, in pixels. */
const RESOLUTIONS: readonly [Resolution, ...Resolution[]] = [
  [720, '720p'],
  [1080, '1080p'],
  [2160, '4k'],
];

type Resolution = readonly [edge: number, name: string];

/** Parameters that the service knows beside those of the routes, by their names in metadata; what type each has. */
const PARAMETERS: Readonly<Record<string, 'string' | 'boolean'>> = {
  negativePrompt: 'string',
  personGeneration: 'string',
  aspectRatio: 'string',
  resolution: 'string',
  enhancePrompt: 'boolean',
};

/**
 * The body of a `:predictLongRunning` call (media.md 4.2). Parameters of the service itself may stand in metadata, in
 * camel or snake case; those of the route win. Throws `unsupported` for what cannot be asked for at all.
 */
export function encodeVideoOperation(request: VideoRequest, losses: Losses): JsonObject {
  const { prompt, settings, reference, format } = request;
  if (settings.n !== undefined && settings.n !== 1) throw unable('/n', 'n: the backend makes one video at a time');
  if (reference !== undefined && reference.from !== 'bytes') {
    throw unable(reference.path, `${VIDEO_NAMES[format].reference}: the backend of this model takes files only`);
  }
  lose(request, ['quality', 'fps', 'seed', 'user'], losses);
  loseExtras(request, losses);
  const parameters = {
    ...metadataOf(request, losses),
    ...(settings.seconds !== undefined && { durationSeconds: Number(settings.seconds) }),
    ...shapeOf(request, (told) =>
      losses.add(pointer(VIDEO_NAMES[format].size), 'ext.size', 'approximated', `asked for as ${told}`),
    ),
  };
  return {
    instances: [
      {
        prompt,
        ...(reference !== undefined && {
          image: { bytesBase64Encoded: reference.base64(), mimeType: mimeOf(reference.facts.type) },
        }),
      },
    ],
    ...(Object.keys(parameters).length > 0 && { parameters }),
  };
}

/** What the service makes where a request does not say it (media.md 4.2). */
const DEFAULTS = { seconds: '8', resolution: '720p' } as const;

/** How long and how large the video of a request becomes, which the service tells in no answer. */
export function operationMakes(request: VideoRequest): Required<Pick<VideoTask, 'seconds' | 'size'>> {
  const { seconds = DEFAULTS.seconds } = request.settings;
  const { aspectRatio, resolution = DEFAULTS.resolution } = { ...parametersIn(request), ...shapeOf(request) };
  const [edge] = RESOLUTIONS.find(([, name]) => name === resolution) ?? RESOLUTIONS[0];
  const long = (edge * 16) / 9;
  return { seconds, size: aspectRatio === '9:16' ? `${edge}x${long}` : `${long}x${edge}` };
}

function metadataOf(request: VideoRequest, losses: Losses): JsonObject {
  return parametersIn(request, (key) =>
    losses.add(pointer('metadata', key), `ext.${key}`, 'dropped', 'the backend may not know it'),
  );
}

/** The parameters of the service among the metadata of a request. */
function parametersIn({ metadata = {} }: VideoRequest, lose?: (key: string) => void): JsonObject {
  const out: JsonObject = {};
  for (const [key, value] of Object.entries(metadata)) {
    const name = key.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
    if (Object.hasOwn(PARAMETERS, name) && typeof value === PARAMETERS[name]) out[name] = value;
    else lose?.(key);
  }
  return out;
}

/** The parameters that ask for a size; `tell` is given what they are where they are not that size. */
function shapeOf({ settings: { size }, format }: VideoRequest, tell?: (told: string) => void): JsonObject {
  if (size === undefined) return {};
  const name = VIDEO_NAMES[format].size;
  const asked = readSize(size);
  if (asked === undefined) throw unable(pointer(name), `${name}: must be WIDTHxHEIGHT`);
  const { ratio: aspectRatio, exact } = nearestRatio(asked, RATIOS);
  const edge = Math.min(asked.width, asked.height);
  const resolution = asked.ratio ? undefined : nearestResolution(edge);
  if (!exact || (resolution !== undefined && resolution[0] !== edge)) {
    tell?.(resolution === undefined ? aspectRatio : `${aspectRatio} in ${resolution[1]}`);
  }
  return { aspectRatio, ...(resolution !== undefined && { resolution: resolution[1] }) };
}

function nearestResolution(edge: number): readonly [number, string] | undefined {
  return [...RESOLUTIONS].sort(([a], [b]) => Math.abs(a - edge) - Math.abs(b - edge))[0];
}

/**
 * An operation of a service of long-running predictions, in either variant (media.md 4.2). `begun` = it is the answer to
 * its creation. That it is done is no success: only a video is (media.md 4.1.1).
 */
export function decodeVideoOperation(body: JsonObject, begun: boolean): VideoTask {
  const id = textOf(body.name) ?? '';
  if (body.done !== true) {
    const progress = isObject(body.metadata) ? percentOf(body.metadata.progressPercent) : undefined;
    return { id, status: begun ? 'queued' : 'running', ...optional('progress', progress) };
  }
  if (isObject(body.error)) return { id, status: 'failed', error: failureOf(body.error) };
  const response = isObject(body.response) ? body.response : {};
  const result = isObject(response.generateVideoResponse) ? response.generateVideoResponse : response;
  const video = firstVideo(result);
  if (video === undefined) return { id, status: 'failed', error: blocked(result) ?? UNTOLD };
  return { id, status: 'completed', container: 'mp4', ...optional('url', urlOf(video)) };
}

function firstVideo(result: JsonObject): JsonObject | undefined {
  if (Array.isArray(result.videos)) return result.videos.find(isObject);
  const samples = Array.isArray(result.generatedSamples) ? result.generatedSamples.filter(isObject) : [];
  return samples.map(({ video }) => video).find(isObject);
}

function urlOf(video: JsonObject): string | undefined {
  const base64 = textOf(video.encodedVideo) ?? textOf(video.bytesBase64Encoded);
  if (base64 === undefined) return textOf(video.uri) ?? textOf(video.gcsUri);
  const mime = textOf(video.encoding) ?? textOf(video.mimeType) ?? 'video/mp4';
  return formatDataUrl(mime, toStandardBase64(base64));
}

/** Why nothing came of it, where the service held it back. */
function blocked({
  raiMediaFilteredCount: count,
  raiMediaFilteredReasons: reasons,
}: JsonObject): VideoError | undefined {
  const told = Array.isArray(reasons) ? reasons.filter((reason) => typeof reason === 'string') : [];
  if (!(typeof count === 'number' && count > 0) && told.length === 0) return undefined;
  const message = told.join(' ').slice(0, 1000);
  return { code: 'content_policy_violation', message: message === '' ? 'the video was held back' : message };
}

/** Codes of failures are numbers of the RPC system; those about our own credentials say nothing to a client. */
const CODES: Readonly<Record<number, string>> = { 3: 'invalid_parameter', 8: 'rate_limit_exceeded' };

function failureOf({ code, message }: JsonObject): VideoError {
  const word = typeof code === 'number' ? CODES[code] : undefined;
  return { code: word ?? UNTOLD.code, message: textOf(message) ?? UNTOLD.message };
}
