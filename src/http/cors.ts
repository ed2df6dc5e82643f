import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { dialectIds, dialects } from '../../translators/index.js';

const FULL = { limit: 1, remaining: 1, resetMs: 1 };
const LIMITS = { requests: FULL, tokens: FULL, inputTokens: FULL, outputTokens: FULL };

/** Headers of answers that pages may read beside those that every page may. */
const EXPOSED = [
  'request-id',
  'x-request-id',
  'retry-after',
  'retry-after-ms',
  'x-should-retry',
  'content-range',
  ...['losses', 'loss', 'backend', 'dialect', 'model', 'estimate', 'cost', 'upstream-request-id'].map(
    (name) => `x-interlingua-${name}`,
  ),
  ...dialectIds.flatMap((id) => Object.keys(dialects[id].encodeLimits(LIMITS, 0))),
];

/** How long, in seconds, a browser may remember that a page may call. */
const REMEMBERED = 600;

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
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      exposedHeaders: EXPOSED,
      maxAge: REMEMBERED,
    });
  });
  return (request, response, next) => {
    const { origin } = request.headers;
    response.appendHeader('vary', 'Origin');
    if (origin === undefined || !known.has(origin)) next();
    else allow(request, response, next);
  };
}
