import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { dialectIds, dialects } from '../../translators/index.js';
import { exposedHeaders, PAGE_METHODS, PAGE_SECONDS } from '../protocol/index.js';

const EXPOSED = [...exposedHeaders(dialectIds.map((id) => dialects[id]))];

/**
 * Lets the pages of these origins call. Their preflights are answered here, with no key and no exchange; other origins
 * get no such headers, so that browsers keep answers from them. Credentials of the browser itself are never asked for.
 */
export function allowOrigins(
  origins: readonly string[],
): (request: IncomingMessage, response: ServerResponse, next: () => void) => void {
  const known = new Set(origins);
  const cors: typeof import('cors') = createRequire(import.meta.url)('cors');
  const allow = cors<IncomingMessage>((request, callback) => {
    const { origin = '', 'access-control-request-method': asked } = request.headers;
    callback(null, {
      origin,
      // Only what asks for leave is a preflight; any other OPTIONS is a request like all.
      preflightContinue: asked === undefined,
      methods: [...PAGE_METHODS],
      exposedHeaders: EXPOSED,
      maxAge: PAGE_SECONDS,
    });
  });
  return (request, response, next) => {
    const { origin } = request.headers;
    response.appendHeader('vary', 'Origin');
    if (origin === undefined || !known.has(origin)) next();
    else allow(request, response, next);
  };
}
