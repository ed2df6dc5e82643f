import type { CanonicalError } from '../../translators/index.js';
import type { Attempt } from './call-plan.js';
import { capIn, unsupportedIn } from './restrictions.js';

/** How many refusals of one request may reveal a restriction: each has to name a member that none before it named. */
export const MAX_RESTRICTIONS = 3;

/** Whether a refusal of a relayed body reveals what its host does not support, or how much it generates. */
export function isRestricting({ backend, ask, restrictions = 0 }: Attempt, error: CanonicalError): boolean {
  if (restrictions === MAX_RESTRICTIONS) return false;
  const sent = ask.json.value;
  return capIn(backend.config, error, sent) !== undefined || unsupportedIn(backend.config, error, sent).length > 0;
}
