import { isObject, objectRoot, type RootResult, type SchemaChange, toCurrentShape } from '../../schema/index.js';

/** What property names may be at the top level of a tool; deeper ones are free (translation.md 2.8, [M §3] rule 21). */
export const TOOL_PROPERTIES = /^[a-zA-Z0-9_.-]{1,64}$/;

/**
 * The schema of a tool as [M §3.21] takes it: an object at the root, no combinators there, the shape of 2020-12.
 * A schema that already is like that is returned as the same object. `strict`: the tool is meant to be strict, so that
 * alternatives at the root are wrapped whether or not the model holds calls to schemas.
 */
export function encodeToolSchema(schema: unknown, strict = false): RootResult {
  const changes: SchemaChange[] = [];
  const current = isObject(schema) ? toCurrentShape(schema, changes) : schema;
  const result = objectRoot(current, { combinators: strict ? 'wrap' : 'fold', names: TOOL_PROPERTIES });
  return changes.length === 0 ? result : { ...result, changes: [...changes, ...result.changes] };
}
