import { type JsonObject, without } from './json.js';
import { objectRoot, type RootResult, type RootRules } from './root.js';

const DIALECT: ReadonlySet<string> = new Set(['$schema']);

/** A schema without the word for its dialect at its root, which no server needs (configuration.md#profile-flags). */
export function withoutDialect(schema: JsonObject): JsonObject {
  return Object.hasOwn(schema, '$schema') ? without(schema, DIALECT) : schema;
}

/**
 * A schema as it came but for `$schema`, for models of which nobody knows what they refuse (configuration.md#profile-flags). `demanded` is
 * what the dialect makes of it: where that is wrapped this is too, because what comes back is read by the same rule.
 */
export function rawSchema(schema: unknown, demanded: RootResult, of?: RootRules['of']): RootResult {
  const kept = objectRoot(schema, { combinators: 'keep', of });
  const root = kept.wrapped === demanded.wrapped ? kept : demanded;
  return { ...root, schema: withoutDialect(root.schema) };
}
