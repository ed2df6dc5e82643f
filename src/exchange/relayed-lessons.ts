import type { CanonicalError } from '../../translators/index.js';
import type { Attempt } from './call-plan.js';
import { capIn, unsupportedIn } from './lessons.js';

/** How many refusals of one request teach: each has to name a member that none before it named. */
export const MOST_LESSONS = 3;

/** Whether a refusal of a relayed body teaches what its host lacks, or how much it generates. */
export function teaches({ backend, ask, lessons = 0 }: Attempt, error: CanonicalError): boolean {
  if (lessons === MOST_LESSONS) return false;
  const sent = ask.json.value;
  return capIn(backend.config, error, sent) !== undefined || unsupportedIn(backend.config, error, sent).length > 0;
}
