import type { IncomingHttpHeaders } from 'node:http';
import type { DialectId, MediaSurface } from '../../translators/index.js';
import { belowVersion } from './route.js';

const MESSAGES = belowVersion(String.raw`(?:messages|skills)(?:\/.*)?`);
const RESPONSES = belowVersion(
  String.raw`(?:responses|conversations|embeddings|uploads|audio|moderations|vector_stores|containers|fine_tuning|evals)(?:\/.*)?`,
);
const GENERATE_CONTENT = belowVersion(
  String.raw`(?:.+:[a-zA-Z]+|(?:projects|publishers|tunedModels|cachedContents|fileSearchStores|operations|dynamic)(?:\/.*)?)`,
);
const MOVED = /^\/(?:upload|download)(?:\/|$)/;
const BETA = /^\/v1(?:beta1?|alpha)(?:\/|$)/;

const IMAGES = belowVersion(String.raw`images(?:\/.*)?`);
const KEPT_MEDIA = /^\/media(?:\/|$)/;
const VIDEO_A = belowVersion(String.raw`videos(?:\/.*)?`);
const VIDEO_B = belowVersion(String.raw`video\/generations(?:\/.*)?`);

/** The form in which errors of a media route are told; undefined for every other path (media.md 7). */
export function surfaceOf(path: string): MediaSurface | undefined {
  if (!/image|media|video/.test(path)) return undefined;
  if (IMAGES.test(path) || KEPT_MEDIA.test(path)) return 'images';
  if (VIDEO_A.test(path)) return 'videoA';
  return VIDEO_B.test(path) ? 'videoB' : undefined;
}

/** In which dialect a caller of this path is answered, errors included (contract.md 4). */
export function dialectOf(path: string, headers: IncomingHttpHeaders): DialectId {
  if (MESSAGES.test(path)) return 'messages';
  if (RESPONSES.test(path) || surfaceOf(path) !== undefined) return 'responses';
  if (GENERATE_CONTENT.test(path) || MOVED.test(path)) return 'generateContent';
  return callerDialect(path, headers);
}

/** The same for paths that several dialects have. */
function callerDialect(path: string, headers: IncomingHttpHeaders): DialectId {
  if (headers['anthropic-version'] !== undefined) return 'messages';
  const google = headers['x-goog-api-key'] ?? headers['x-goog-api-client'];
  return BETA.test(path) || google !== undefined ? 'generateContent' : 'responses';
}
