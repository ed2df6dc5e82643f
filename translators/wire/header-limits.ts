import type { ExhaustedLimit } from '../canonical/errors.js';

/** What is left of a caller's limits. */
type Left = {
  readonly [what in ExhaustedLimit['what']]?: { readonly limit?: number; readonly remaining?: number };
};

const KINDS = [
  'requests',
  'tokens',
  'inputTokens',
  'outputTokens',
] as const satisfies readonly ExhaustedLimit['what'][];

/** Those of which nothing is left. */
export function exhaustedLimits(left: Left): ExhaustedLimit[] {
  return KINDS.flatMap((what) => {
    const { limit, remaining } = left[what] ?? {};
    return remaining === 0 ? [{ what, ...(limit !== undefined && { limit }) }] : [];
  });
}
