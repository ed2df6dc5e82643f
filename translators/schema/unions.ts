import { intersect } from './all-of.js';
import { isObject, type Json, type JsonObject, only, without } from './json.js';
import { ANNOTATIONS, keywords, OUTER_ONLY } from './keywords.js';
import { isExclusive } from './types.js';

/** One branch of a union with the keywords next to the union moved into it. */
export interface Branch {
  schema: Json | undefined;
  /** Index in the source list. */
  index: number;
  /** The keywords next to the union could not be merged into this branch. */
  lost: boolean;
}

/** The keywords that hold alternatives. */
export const UNION_KEYS = keywords('anyOf oneOf');

/** An empty list is not legal and says nothing. */
function listOf(value: Json | undefined): Json[] | undefined {
  return Array.isArray(value) && value.length > 0 ? value : undefined;
}

/** The alternatives of a node. */
export interface Union {
  readonly key: 'anyOf' | 'oneOf';
  readonly branches: readonly Json[];
  /** The node has both keywords, of which only one can be kept. */
  readonly both: boolean;
}

/** The union of a node: `anyOf`, else `oneOf`. */
export function unionOf(node: JsonObject): Union | undefined {
  const anyOf = listOf(node.anyOf);
  const oneOf = listOf(node.oneOf);
  if (anyOf !== undefined) {
    return { key: 'anyOf', branches: anyOf, both: oneOf !== undefined };
  }
  return oneOf && { key: 'oneOf', branches: oneOf, both: false };
}

/**
 * Whether a union whose branches are each by itself refuses values that its node let pass: several branches match
 * those, and what one of them evaluates is unevaluated in another.
 */
export function isTornApart(node: JsonObject, resolve: (ref: string) => Json | undefined): boolean {
  const union = unionOf(node);
  if (union === undefined || !Object.keys(node).some((key) => OUTER_ONLY.has(key))) return false;
  return union.both || (union.key === 'anyOf' && !isExclusive(union.branches, resolve));
}

/**
 * The branches of a union, each with the constraints that were next to the union; branches that contradict them are
 * left out. Annotations stay with the node; what refuses the unevaluated goes into a branch only with all that evaluates.
 */
export function distribute(node: JsonObject, branches: readonly Json[]): Branch[] {
  const constraints = without(without(without(node, UNION_KEYS), ANNOTATIONS), OUTER_ONLY);
  const outer = only(node, OUTER_ONLY);
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
