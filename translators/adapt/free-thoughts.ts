import { ptrOf } from '../canonical/node.js';
import type { CanonicalRequest } from '../canonical/request.js';
import type { EncodeRequestContext } from '../context.js';

/**
 * Whether a model is to show thoughts to a client that says nothing of it, but shows what comes: one of which it is known that
 * it shows none by itself, as those of the vendors that charge nothing for it (translation.md 2.12). Reports it.
 */
export function showsForFree(
  { reasoning, at }: Pick<CanonicalRequest, 'reasoning' | 'at'>,
  { losses, target }: EncodeRequestContext,
): boolean {
  if (reasoning?.welcome !== true || reasoning.show !== 'default' || target.thinking.defaultShow !== 'none')
    return false;
  const path = at?.['reasoning.effort'] ?? ptrOf(reasoning);
  losses.add(path, 'reasoning.summary', 'invented', 'summaries of the reasoning are requested; they cost nothing');
  return true;
}
