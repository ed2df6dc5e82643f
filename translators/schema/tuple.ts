import { isObject, type Json, type JsonObject, sameJson } from './json.js';

/** A tuple as a list: one schema for all elements, and how many there are. */
export interface TupleList {
  items: Json | undefined;
  minItems: Json | undefined;
  maxItems: Json | undefined;
  /** Elements of one position may now be at another. */
  wider: boolean;
  /** A length was assumed that the source did not state. */
  assumed: boolean;
  /** Elements behind the tuple, which could be anything, have to be of its kinds now. */
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
  const { length } = prefixItems;
  const given = typeof node.maxItems === 'number' ? node.maxItems : undefined;
  const minItems = node.minItems ?? Math.min(length, given ?? length);
  const maxItems =
    items === false ? Math.min(given ?? length, length) : (given ?? (rest.length > 0 ? undefined : length));
  const open = rest.length === 0 && items !== false && (given === undefined || given > length);
  return {
    items: different.length === 1 ? different[0] : { anyOf: different },
    minItems,
    maxItems,
    wider: different.length > 1,
    assumed: node.minItems === undefined || (given === undefined && rest.length === 0 && items !== false),
    narrower: open,
  };
}
