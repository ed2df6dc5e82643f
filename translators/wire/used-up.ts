import type { UsedUp } from '../canonical/errors.js';

/** What is left of a caller's limits. */
type Left = {
  readonly [what in UsedUp['what']]?: { readonly limit?: number; readonly remaining?: number };
};

const KINDS = ['requests', 'tokens', 'inputTokens', 'outputTokens'] as const satisfies readonly UsedUp['what'][];

/** Those of which nothing is left. */
export function usedUp(left: Left): UsedUp[] {
  return KINDS.flatMap((what) => {
    const { limit, remaining } = left[what] ?? {};
    return remaining === 0 ? [{ what, ...(limit !== undefined && { limit }) }] : [];
  });
}
