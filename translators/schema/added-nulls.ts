import { mergeAllOf } from './all-of.js';
import { isObject, type Json, type JsonObject, ownValue, sameJson, setKey, stringsOf } from './json.js';
import { createResolver, dereferenced, type Resolver } from './refs.js';
import { acceptsNull, allowedValues, declaredTypes, typeOfValue } from './types.js';
import { MAX_LEVELS } from './walk.js';

/** The source schema of a place, references and `allOf` at its top resolved. */
function plainNode(schema: Json | undefined, resolve: Resolver): JsonObject | undefined {
  const found = dereferenced(schema, resolve);
  return isObject(found) ? mergeAllOf(found).node : undefined;
}

/** Whether a value can belong to a branch, judged by its type, its keys, and the values its properties are limited to. */
function fits(value: Json, branch: JsonObject, resolve: Resolver): boolean {
  const types = declaredTypes(branch);
  const type = typeOfValue(value);
  if (types !== undefined && !types.includes(type) && !(type === 'integer' && types.includes('number'))) {
    return false;
  }
  const values = allowedValues(branch);
  if (values !== undefined && !values.some((allowed) => sameJson(allowed, value))) {
    return false;
  }
  const { properties } = branch;
  if (!isObject(value) || !isObject(properties)) {
    return true;
  }
  return Object.keys(value).every((name) => {
    const property = plainNode(ownValue(properties, name), resolve);
    const limited = property && allowedValues(property);
    const own = value[name] ?? null;
    return (
      Object.hasOwn(properties, name) &&
      (limited === undefined || own === null || limited.some((allowed) => sameJson(allowed, own)))
    );
  });
}

function cleanObject(value: JsonObject, node: JsonObject, resolve: Resolver, level: number): JsonObject {
  const properties = isObject(node.properties) ? node.properties : {};
  const required = new Set(stringsOf(node.required));
  const out: JsonObject = {};
  let changed = false;
  for (const name of Object.keys(value)) {
    const own = ownValue(value, name);
    const property = ownValue(properties, name);
    if (own === null && property !== undefined && !required.has(name)) {
      if (!acceptsNull(property, (ref) => resolve(ref)?.schema)) {
        changed = true;
        continue;
      }
    }
    const cleaned = own === undefined ? own : clean(own, property, resolve, level);
    changed ||= cleaned !== own;
    setKey(out, name, cleaned);
  }
  return changed ? out : value;
}

function cleanArray(value: Json[], items: Json | undefined, resolve: Resolver, level: number): Json[] {
  const cleaned = value.map((element) => clean(element, items, resolve, level));
  return cleaned.some((element, index) => element !== value[index]) ? cleaned : value;
}

/** The value cleaned by the first branch it can belong to. */
function cleanUnion(value: Json, branches: Json | undefined, resolve: Resolver, level: number): Json {
  const candidates = Array.isArray(branches) ? branches.map((branch) => plainNode(branch, resolve)) : [];
  const branch = candidates.find((candidate) => candidate !== undefined && fits(value, candidate, resolve));
  return branch === undefined ? value : clean(value, branch, resolve, level);
}

function clean(value: Json, schema: Json | undefined, resolve: Resolver, level: number): Json {
  const node = level > MAX_LEVELS ? undefined : plainNode(schema, resolve);
  if (typeof value !== 'object' || value === null || node === undefined) {
    return value;
  }
  const own = Array.isArray(value)
    ? cleanArray(value, node.items, resolve, level + 1)
    : cleanObject(value, node, resolve, level + 1);
  const chosen = cleanUnion(own, node.anyOf, resolve, level + 1);
  return cleanUnion(chosen, node.oneOf, resolve, level + 1);
}

/**
 * Arguments or an answer without the nulls that `toStrictResponses` made possible: those of optional properties that
 * `original` does not let be null. Nulls the source allows stay. Returns the value itself when there is none to remove.
 */
export function removeAddedNulls(value: Json, original: unknown): Json;
export function removeAddedNulls(value: unknown, original: unknown): unknown;
export function removeAddedNulls(value: unknown, original: unknown): unknown {
  const compound = isObject(value) || Array.isArray(value);
  return compound && isObject(original) ? clean(value, original, createResolver(original), 0) : value;
}
