import { ANNOTATIONS, intersect, OUTER_ONLY } from './all-of.js';
import { isObject, type Json, type JsonObject, without } from './json.js';
import { isExclusive } from './types.js';

/** One branch of a union with the keywords beside the union moved into it. */
export interface Branch {
  schema: Json | undefined;
  /** Index in the source list. */
  index: number;
  /** The keywords beside the union could not be merged into this branch. */
  lost: boolean;
}

/** The keywords that hold alternatives. */
export const UNION_KEYS: ReadonlySet<string> = new Set(['anyOf', 'oneOf']);

/** An empty list is not legal and says nothing. */
function listOf(value: Json | undefined): Json[] | undefined {
  return Array.isArray(value) && value.length > 0 ? value : undefined;
}

/** The union of a node: `anyOf`, else `oneOf`; `both` when it has the two and only one can be kept. */
export function unionOf(node: JsonObject): { key: 'anyOf' | 'oneOf'; branches: Json[]; both: boolean } | undefined {
  const anyOf = listOf(node.anyOf);
  const oneOf = listOf(node.oneOf);
  if (anyOf !== undefined) {
    return { key: 'anyOf', branches: anyOf, both: oneOf !== undefined };
  }
  return oneOf && { key: 'oneOf', branches: oneOf, both: false };
}

/**
 * Whether a union whose branches stand each for itself refuses values that its node let pass: several branches match
 * those, and what one of them evaluates is unevaluated in another.
 */
export function isTornApart(node: JsonObject, resolve: (ref: string) => Json | undefined): boolean {
  const union = unionOf(node);
  if (union === undefined || !Object.keys(node).some((key) => OUTER_ONLY.has(key))) return false;
  return union.both || (union.key === 'anyOf' && !isExclusive(union.branches, resolve));
}

/**
 * The branches of a union, each with the constraints that stood beside the union; branches that contradict them are
 * left out. Annotations stay with the node; what refuses the unevaluated goes into a branch only with all that evaluates.
 */
export function distribute(node: JsonObject, branches: readonly Json[]): Branch[] {
  const constraints = without(without(without(node, UNION_KEYS), ANNOTATIONS), OUTER_ONLY);
  const outer = Object.fromEntries(Object.entries(node).filter(([key]) => OUTER_ONLY.has(key)));
  return branches.flatMap((branch, index) => {
    const merged = intersect(branch, constraints);
    if (merged === 'never') {
      return [];
    }
    const lost = merged === 'conflict';
    const schema = lost ? branch : merged;
    return [{ schema: isObject(schema) && !lost ? { ...schema, ...outer } : schema, index, lost }];
  });
}
