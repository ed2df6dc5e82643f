import type { CallerDialect } from '../../translators/index.js';

const FULL = { limit: 1, remaining: 1, resetMs: 1 };
const LIMITS = { requests: FULL, tokens: FULL, inputTokens: FULL, outputTokens: FULL };

/** Headers of answers to clients of these dialects that pages may read beside those that every page may. */
export function exposedHeaders(dialects: readonly Pick<CallerDialect, 'encodeLimits'>[]): readonly string[] {
  return [
    'request-id',
    'x-request-id',
    'retry-after',
    'retry-after-ms',
    'x-should-retry',
    'content-range',
    ...['losses', 'loss', 'backend', 'dialect', 'model', 'estimate', 'cost', 'upstream-request-id'].map(
      (name) => `x-interlingua-${name}`,
    ),
    ...dialects.flatMap(({ encodeLimits }) => Object.keys(encodeLimits(LIMITS, 0))),
  ];
}

/** What pages may send. */
export const PAGE_METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** How long, in seconds, a browser may remember that a page may call. */
export const PAGE_SECONDS = 600;
