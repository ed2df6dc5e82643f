import { TranslationError } from '../canonical/errors.js';
import { allowingPatterns } from '../canonical/explain.js';
import { type Loss, refusedLosses } from '../canonical/loss.js';

/**
 * Throws TranslationError `unsupported` when strict has to refuse. The message names up to ten losses and the `allow` that
 * lets them go.
 */
export function refuseLosses(losses: readonly Loss[], allow: readonly string[] = [], dialect?: string): void {
  const refused = refusedLosses(losses, allow);
  const [first] = refused;
  if (first === undefined) return;
  const named = refused.slice(0, 10).map((loss) => `${loss.path} ${loss.feature} ${loss.kind}`);
  const more = refused.length > 10 ? ` and ${refused.length - 10} more` : '';
  const allowing = `allow="${allowingPatterns(refused).join(' ')}" lets ${refused.length === 1 ? 'it' : 'them'} go`;
  throw new TranslationError('unsupported', `strict translation refused: ${named.join('; ')}${more}; ${allowing}`, {
    path: first.path,
    dialect,
    losses,
    refused,
  });
}
