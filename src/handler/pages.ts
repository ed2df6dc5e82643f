import { Failure } from '../ground/plain/index.js';
import { PAGE_METHODS, PAGE_SECONDS } from '../protocol/index.js';
import type { HandlerSettings } from './settings.js';

type PageSettings = Pick<HandlerSettings, 'cors' | 'exposed' | 'keys'>;

/** The answer to the question of a browser whether a page may call; undefined where it is none, or not about a page that may. */
export function preflight({ cors }: PageSettings, { method, headers }: Request): Response | undefined {
  const origin = headers.get('origin');
  if (method !== 'OPTIONS' || headers.get('access-control-request-method') === null) return undefined;
  if (origin === null || !cors.has(origin)) return undefined;
  const asked = headers.get('access-control-request-headers');
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-origin': origin,
      'access-control-allow-methods': PAGE_METHODS.join(','),
      ...(asked !== null && { 'access-control-allow-headers': asked }),
      'access-control-max-age': String(PAGE_SECONDS),
      vary: 'Origin, Access-Control-Request-Headers',
    },
  });
}

/** Lets the pages of the origins that are named read an answer. Other origins get no such headers, so that browsers keep it from them. */
export function forPages({ cors, exposed }: PageSettings, request: Request, response: Response): Response {
  if (cors.size === 0) return response;
  const origin = request.headers.get('origin');
  response.headers.append('vary', 'Origin');
  if (origin === null || !cors.has(origin)) return response;
  response.headers.set('access-control-allow-origin', origin);
  response.headers.set('access-control-expose-headers', exposed);
  return response;
}

/** Throws Failure (403) for a page of an origin that is not named, where everybody may call: its visitors would not know. */
export function refusePages({ cors, keys }: PageSettings, request: Request): void {
  if (keys.length > 0) return;
  const origin = request.headers.get('origin');
  const known = origin !== null && (cors.has(origin) || origin === new URL(request.url).origin);
  if (known || (origin === null && request.headers.get('sec-fetch-site') !== 'cross-site')) return;
  const message = 'web pages of this origin may not call: name it in cors, or configure keys';
  throw new Failure({ kind: 'permission', message });
}
