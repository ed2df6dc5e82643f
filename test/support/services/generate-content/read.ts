import { isObject, type JsonObject, numberOf, objectOf } from '../json.js';

/** Free-form values, whose keys are the caller's own [G §2.1]. */
const FREE = new Set([
  'args',
  'response',
  'parameters',
  'parametersJsonSchema',
  'responseSchema',
  'responseJsonSchema',
  'partMetadata',
  'labels',
]);

/** Fields that are lists. */
const LISTS = new Set([
  'contents',
  'parts',
  'tools',
  'functionDeclarations',
  'safetySettings',
  'stopSequences',
  'responseModalities',
  'allowedFunctionNames',
]);

/**
 * The same value with every field name in camelCase, and with a list wherever one belongs: the service takes both
 * spellings, and one value in the place of a list [G §2.1].
 */
export function toCamelCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toCamelCase);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => {
      const name = key.replace(/_([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase());
      if (LISTS.has(name) && entry !== null && !Array.isArray(entry)) return [name, [toCamelCase(entry)]];
      // Within a part's `functionResponse` the free value is `response`; its siblings are ordinary fields.
      return [name, FREE.has(name) ? entry : toCamelCase(entry)];
    }),
  );
}

/** Whether the model thinks, and whether it shows it [G §2.6]. */
export function readThinking(body: JsonObject): { readonly thinks: boolean; readonly shows: boolean } {
  const { includeThoughts, thinkingBudget, thinkingLevel } = objectOf(objectOf(body.generationConfig).thinkingConfig);
  const shows = includeThoughts === true;
  const budget = numberOf(thinkingBudget);
  return { shows, thinks: budget !== 0 && (shows || budget !== undefined || typeof thinkingLevel === 'string') };
}
