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
  const reason = name === undefined ? undefined : profileNameFault(name, dialect);
  if (reason === undefined) return;
  const place = typeof profile === 'string' ? [...path, 'profile'] : [...path, 'profile', 'model'];
  problems.push({ path: formatPath(place), reason });
}

/** What is wrong with the name of a profile that backends of the dialect know nothing by; undefined for one that they know. */
export function profileNameFault(name: string, dialect: DialectId): string | undefined {
  const names = [...dialects[dialect].profileNames, NEUTRAL];
  const family = familyName(name);
  if (names.some((known) => matchesName(known, family))) return undefined;
  const close = didYouMean(
    family,
    names.map((known) => known.replace(/\*$/, '')),
  );
  const meant = close === undefined ? '' : `did you mean \`${close}\`? `;
  return `unknown model: backends of ${dialect} do not list it; ${meant}known: ${widest(names).join(', ')}`;
}

/** Names that no other one begins. */
function widest(names: readonly string[]): readonly string[] {
  const distinct = [...new Set(names)];
  return distinct.filter((name) => !distinct.some((other) => other !== name && matchesName(other, name)));
}
