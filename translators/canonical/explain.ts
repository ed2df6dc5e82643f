import { FEATURES, type Feature, type Loss, type LossKind } from './loss.js';

const HAPPENED = {
  dropped: (place) => `${place} was dropped`,
  approximated: (place) => `${place} was approximated`,
  moved: (place) => `${place} was moved`,
  invented: (place) => `added to ${place}`,
} as const satisfies Record<LossKind, (place: string) => string>;

/**
 * One loss in words for a person: where, what happened, what it is about and why. As
 * "/top_k was dropped: the number of candidates from which a token is drawn (sampling.topK). The model does not take it."
 */
export function explainLoss({ path, feature, kind, detail }: Loss): string {
  const about = uncapitalized(meaningOf(feature));
  return oneLine(`${HAPPENED[kind](placeOf(path, kind))}: ${about} (${feature}). ${sentence(detail)}`);
}

/**
 * The patterns with which `losses` would be let go by strict, as `allow` takes them: features in order, each once. Keys
 * that only one dialect has are named while they are few and plain, and else by their family.
 */
export function allowingPatterns(losses: readonly Loss[]): string[] {
  const features = [...new Set(losses.map(({ feature }) => feature))];
  const keys = features.filter(isKey);
  const named = keys.length <= MAX_KEYS && keys.every((key) => /^[\w.-]+$/.test(key));
  return named ? features : [...features.filter((feature) => !isKey(feature)), 'ext.*'];
}

/** So many keys of one dialect are named one by one. */
const MAX_KEYS = 5;

function isKey(feature: Feature): boolean {
  return feature.startsWith('ext.');
}

function placeOf(path: string, kind: LossKind): string {
  // Of the whole body only a part is lost: what has no place of its own there, or several places.
  if (path === '') return kind === 'invented' ? 'the body' : 'something in the body';
  const [, from, name] = /^\/\$(url|headers)\/(.+)$/.exec(path) ?? [];
  if (from === undefined) return path;
  return from === 'headers' ? `the header ${name}` : `${name} in the URL`;
}

function meaningOf(feature: Feature): string {
  return (FEATURES as Record<string, string>)[feature] ?? 'A key that only the dialect it came from has.';
}

function uncapitalized(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, '');
}

/** Details begin with a small letter, or with the name of a field, which keeps its spelling. */
function sentence(detail: string): string {
  const begun = /^[a-z]+ /.test(detail) ? detail.charAt(0).toUpperCase() + detail.slice(1) : detail;
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

/** Keys of a body are data: their control characters are shown escaped. */
function oneLine(text: string): string {
  return text.replace(/\p{Cc}/gu, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
