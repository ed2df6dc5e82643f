import type { Draft } from './draft.js';
import type { Fields } from './fields.js';

/** Reports everything that was not read, with the reason of the first pattern that its path fits. */
export function noteRest(
  sources: readonly Fields[],
  draft: Draft,
  reasons: readonly (readonly [RegExp, string])[],
): void {
  for (const { path } of sources.flatMap((source) => source.rest())) {
    const [, message = 'there is no such setting here'] = reasons.find(([pattern]) => pattern.test(path)) ?? [];
    draft.note(path, 'no place', message);
  }
}
