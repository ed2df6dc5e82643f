import { isObject, type Json, type JsonObject, sameJson } from './json.js';

/** A tuple told as a list: one schema for all elements, and how many there are. */
export interface TupleList {
  items: Json | undefined;
  minItems: Json | undefined;
  maxItems: Json | undefined;
  /** Elements of one position may now stand at another. */
  wider: boolean;
  /** A length was assumed that the source did not state. */
  narrower: boolean;
}

/**
 * A tuple for targets that only know lists: the union of the element schemas. Where the source states no length the
 * length of the tuple is taken, which is what its author's validator expects (translation.md 3.2 rule 5). Undefined
 * when the node is no tuple.
 */
export function tupleAsList(node: JsonObject): TupleList | undefined {
  const { prefixItems, items } = node;
  if (!Array.isArray(prefixItems) || prefixItems.length === 0) {
    return undefined;
  }
  const rest = isObject(items) ? [items] : [];
  const different = [...prefixItems, ...rest].filter(
    (schema, index, all) => !all.slice(0, index).some((earlier) => sameJson(earlier, schema)),
  );
  const minItems = node.minItems ?? prefixItems.length;
  const maxItems = node.maxItems ?? (rest.length > 0 ? undefined : prefixItems.length);
  return {
    items: different.length === 1 ? different[0] : { anyOf: different },
    minItems,
    maxItems,
    wider: different.length > 1,
    narrower:
      node.minItems === undefined ||
      (node.maxItems === undefined && rest.length === 0 && items !== false) ||
      different.includes(false),
  };
}
