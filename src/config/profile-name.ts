import { type DialectId, dialects, familyName } from '../../translators/index.js';
import { didYouMean, matchesName } from '../ground/index.js';
import { formatPath, type Problem } from './problem.js';
import type { CheckedConfig } from './schema.js';

/** Chooses the profile of models that nobody knows. */
const NEUTRAL = 'neutral';

/** Reports the name of a profile that backends of the dialect know nothing by, so that it would change nothing. */
export function checkProfileName(
  profile: CheckedConfig['backends'][string]['profile'],
  dialect: DialectId,
  path: readonly PropertyKey[],
  problems: Problem[],
): void {
  const name = typeof profile === 'string' ? profile : profile?.model;
  if (name === undefined) return;
  const names = [...dialects[dialect].profileNames, NEUTRAL];
  const family = familyName(name);
  if (names.some((known) => matchesName(known, family))) return;
  const close = didYouMean(
    family,
    names.map((known) => known.replace(/\*$/, '')),
  );
  const meant = close === undefined ? '' : `is \`${close}\` meant? `;
  problems.push({
    path: formatPath(typeof profile === 'string' ? [...path, 'profile'] : [...path, 'profile', 'model']),
    reason: `names no model that backends of ${dialect} are known by; ${meant}known: ${widest(names).join(', ')}`,
  });
}

/** Names that no other one begins. */
function widest(names: readonly string[]): readonly string[] {
  const distinct = [...new Set(names)];
  return distinct.filter((name) => !distinct.some((other) => other !== name && matchesName(other, name)));
}
