import { isObject, type JsonObject } from './json.js';
import { eachChild } from './walk.js';

/** The limits of [R §3.32]. */
const LIMITS = { properties: 5_000, levels: 10, enumValues: 1_000, characters: 120_000 } as const;

interface Size {
  properties: number;
  levels: number;
  enumValues: number;
  characters: number;
}

function measure(node: JsonObject, level: number, size: Size): void {
  if (level > LIMITS.levels + 1) {
    return;
  }
  const names = isObject(node.properties) ? Object.keys(node.properties) : [];
  const inside = isObject(node.properties) ? level + 1 : level;
  size.levels = Math.max(size.levels, inside);
  size.properties += names.length;
  const values = Array.isArray(node.enum) ? node.enum : node.const === undefined ? [] : [node.const];
  size.enumValues += values.length;
  for (const text of [...names, ...values]) {
    size.characters += typeof text === 'string' ? text.length : 0;
  }
  eachChild(node, (child, key) => {
    // Definitions nest where they are used; counted from the root they start anew.
    measure(child, key === '$defs' || key === 'definitions' ? 0 : inside, size);
  });
}

/** Why a schema is too large for strict mode, or undefined when it is not. */
export function exceedsStrictLimits(schema: JsonObject): string | undefined {
  const size: Size = { properties: 0, levels: 0, enumValues: 0, characters: 0 };
  measure(schema, 0, size);
  if (size.properties > LIMITS.properties) return `more than ${LIMITS.properties} properties`;
  if (size.levels > LIMITS.levels) return `more than ${LIMITS.levels} levels of objects`;
  if (size.enumValues > LIMITS.enumValues) return `more than ${LIMITS.enumValues} enum values`;
  return size.characters > LIMITS.characters
    ? `more than ${LIMITS.characters} characters of names and values`
    : undefined;
}
