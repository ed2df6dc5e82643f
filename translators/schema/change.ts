import type { JsonObject } from './json.js';

/**
 * What a conversion did to the set of accepted values: `wider` accepts what the source refused, `narrower` refuses
 * what the source accepted, `same` lost an annotation only (a title, examples, an extension keyword).
 */
export type ChangeEffect = 'wider' | 'narrower' | 'same';

/** One keyword that did not survive a conversion unchanged in meaning. */
export interface SchemaChange {
  keyword: string;
  effect: ChangeEffect;
  /** JSON pointer inside the schema, `$ref` taken as expanded; `""` is the root. */
  pointer: string;
}

/** A converted schema and what its conversion changed; `undefined` means that the schema is best left out. */
export interface SchemaResult {
  schema: JsonObject | undefined;
  changes: SchemaChange[];
}

/** A converted schema that always exists. */
export interface ObjectSchemaResult extends SchemaResult {
  schema: JsonObject;
}

/** Unknown keywords come from callers; a loss detail shows only names that look like keywords. */
const KEYWORD = /^[$A-Za-z][\w-]{0,40}$/;

/**
 * One sentence for a loss entry, or undefined when nothing but annotations changed: the keywords, grouped by effect,
 * each once, at most twelve per group.
 */
export function describeChanges(changes: readonly SchemaChange[]): string | undefined {
  const groups = (['wider', 'narrower'] as const).flatMap((effect) => {
    const keywords = [...new Set(changes.filter((change) => change.effect === effect).map(({ keyword }) => keyword))];
    const shown = keywords.filter((keyword) => KEYWORD.test(keyword)).slice(0, 12);
    const rest = keywords.length - shown.length;
    return keywords.length === 0 ? [] : [`${effect}: ${[...shown, ...(rest > 0 ? [`${rest} more`] : [])].join(', ')}`];
  });
  return groups.length === 0 ? undefined : groups.join('; ');
}
