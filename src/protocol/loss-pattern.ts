import { AGENTS, FEATURE_NAMES, matchesFeature } from '../../translators/index.js';
import { didYouMean } from '../ground/plain/index.js';

/** What is wrong with a pattern of allowed features that never matches anything; undefined when it may match, as `agents` does. */
export function patternFault(pattern: string): string | undefined {
  const features = [...FEATURE_NAMES, AGENTS];
  if (pattern.startsWith('ext.') || features.some((feature) => matchesFeature(feature, [pattern]))) return undefined;
  const lower = pattern.toLowerCase();
  const known = features.find((feature) => feature.toLowerCase() === lower) ?? didYouMean(pattern, features);
  return `\`${pattern.slice(0, 64)}\` is not a feature${known === undefined ? '' : `; did you mean \`${known}\`?`}`;
}
