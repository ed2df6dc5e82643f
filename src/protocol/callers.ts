import type { DialectId, MediaSurface } from '../../translators/index.js';
import { DEFAULT_DIALECT, gatewayDialects } from '../dialects/index.js';
import { belowVersion } from './paths.js';

/** Headers of a request with lower-case names. */
export type ClientHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Who asks, beside the body. */
export interface Caller {
  readonly dialect: DialectId;
  readonly headers: ClientHeaders;
  /** Without the question mark; '' = none. */
  readonly query: string;
  /** Of the request. */
  readonly id: string;
}

const IMAGES = belowVersion(String.raw`images(?:\/.*)?`);
const KEPT_MEDIA = /^\/media(?:\/|$)/;
const VIDEO_A = belowVersion(String.raw`videos(?:\/.*)?`);
const VIDEO_B = belowVersion(String.raw`video\/generations(?:\/.*)?`);

/** The form of the errors of a media route; undefined for every other path (media.md 7). */
export function surfaceOf(path: string): MediaSurface | undefined {
  if (!/image|media|video/.test(path)) return undefined;
  if (IMAGES.test(path) || KEPT_MEDIA.test(path)) return 'images';
  if (VIDEO_A.test(path)) return 'videoA';
  return VIDEO_B.test(path) ? 'videoB' : undefined;
}

const CALLERS = gatewayDialects.map(({ id, callers }) => ({ id, ...callers, paths: belowVersion(callers.paths) }));

/** In which dialect a caller of this path is answered, errors included (http.md#tolerance). */
export function dialectOf(path: string, headers: ClientHeaders): DialectId {
  return spokenAt(path, headers) ?? DEFAULT_DIALECT;
}

/** The same; undefined for a path that several dialects have, with headers of none, such as a list of models. */
export function spokenAt(path: string, headers: ClientHeaders): DialectId | undefined {
  if (surfaceOf(path) !== undefined) return DEFAULT_DIALECT;
  const owner = CALLERS.find(({ paths, otherPaths }) => paths.test(path) || otherPaths?.test(path) === true);
  return (owner ?? CALLERS.find((callers) => isMeant(callers, path, headers)))?.id;
}

/** The same for paths that several dialects have. */
function isMeant(callers: (typeof CALLERS)[number], path: string, headers: ClientHeaders): boolean {
  return callers.versions?.test(path) === true || callers.headers.some((name) => headers[name] !== undefined);
}
