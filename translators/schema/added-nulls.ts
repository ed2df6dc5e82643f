import { mergeAllOf } from './all-of.js';
import { isObject, type Json, type JsonObject, ownValue, sameJson, setKey, stringsOf } from './json.js';
import type { TypeName } from './keywords.js';
import { createResolver, dereferenced, type Resolver } from './refs.js';
import { acceptsNull, allowedValues, declaredTypes, impliedType, typeOfValue } from './types.js';
import { MAX_LEVELS } from './walk.js';

/** What one cleaning shares. */
interface Cleaning {
  readonly resolve: Resolver;
  /** Branches that may still be looked at: unions that refer to themselves could be followed without end. */
  left: number;
}

const LOOKED_AT = 20_000;

/** The source schema of a place, references and `allOf` at its top resolved. */
function plainNode(schema: Json | undefined, { resolve }: Cleaning): JsonObject | undefined {
  const found = dereferenced(schema, resolve);
  return isObject(found) ? mergeAllOf(found).node : undefined;
}

function propertiesOf({ properties }: JsonObject): JsonObject {
  return isObject(properties) ? properties : {};
}

/** A branch of a union together with the properties next to the union. */
function withProperties(branch: JsonObject, outer: JsonObject): JsonObject {
  return Object.keys(outer).length === 0 ? branch : { ...branch, properties: { ...outer, ...propertiesOf(branch) } };
}

/** The branches of a node's unions, references and `allOf` at their tops resolved. */
function branchesOf(node: JsonObject, key: 'anyOf' | 'oneOf', cleaning: Cleaning): JsonObject[] {
  const branches = node[key];
  const outer = propertiesOf(node);
  return (Array.isArray(branches) ? branches : []).flatMap((branch) => {
    const plain = plainNode(branch, cleaning);
    return plain === undefined ? [] : [withProperties(plain, outer)];
  });
}

/** The types a branch has in its strict form, where what is only implied is written out. */
function typesOf(branch: JsonObject): readonly TypeName[] | undefined {
  const implied = allowedValues(branch) === undefined ? impliedType(branch) : undefined;
  return declaredTypes(branch) ?? (implied && [implied]);
}

/**
 * Whether a value can belong to a branch, judged by its type, its keys, and the values its properties are limited to.
 * In its strict form every branch is closed.
 */
function fits(value: Json, branch: JsonObject, cleaning: Cleaning, level: number): boolean {
  cleaning.left -= 1;
  const types = typesOf(branch);
  const type = typeOfValue(value);
  if (types !== undefined && !types.includes(type) && !(type === 'integer' && types.includes('number'))) {
    return false;
  }
  const values = allowedValues(branch);
  if (values !== undefined && !values.some((allowed) => sameJson(allowed, value))) {
    return false;
  }
  const unions = [branchesOf(branch, 'anyOf', cleaning), branchesOf(branch, 'oneOf', cleaning)];
  const nested = unions.filter((branches) => branches.length > 0);
  if (nested.length > 0 && level < MAX_LEVELS && cleaning.left > 0) {
    return nested.every((branches) => branches.some((inner) => fits(value, inner, cleaning, level + 1)));
  }
  const properties = propertiesOf(branch);
  return !isObject(value) || Object.keys(value).every((name) => fitsProperty(value, name, properties, cleaning));
}

function fitsProperty(value: JsonObject, name: string, properties: JsonObject, cleaning: Cleaning): boolean {
  const property = plainNode(ownValue(properties, name), cleaning);
  const limited = property && allowedValues(property);
  const own = value[name] ?? null;
  return (
    Object.hasOwn(properties, name) &&
    (limited === undefined || own === null || limited.some((allowed) => sameJson(allowed, own)))
  );
}

function cleanObject(value: JsonObject, node: JsonObject, cleaning: Cleaning, level: number): JsonObject {
  const properties = isObject(node.properties) ? node.properties : {};
  const required = new Set(stringsOf(node.required));
  const out: JsonObject = {};
  let changed = false;
  for (const name of Object.keys(value)) {
    const own = ownValue(value, name);
    const property = ownValue(properties, name);
    if (own === null && property !== undefined && !required.has(name)) {
      if (!acceptsNull(property, (ref) => cleaning.resolve(ref)?.schema)) {
        changed = true;
        continue;
      }
    }
    const cleaned = own === undefined ? own : clean(own, property, cleaning, level);
    changed ||= cleaned !== own;
    setKey(out, name, cleaned);
  }
  return changed ? out : value;
}

function cleanArray(value: Json[], items: Json | undefined, cleaning: Cleaning, level: number): Json[] {
  const cleaned = value.map((element) => clean(element, items, cleaning, level));
  return cleaned.some((element, index) => element !== value[index]) ? cleaned : value;
}

/** The value cleaned by the first branch it can belong to. */
function cleanUnion(value: Json, branches: readonly JsonObject[], cleaning: Cleaning, level: number): Json {
  const branch = branches.find((candidate) => fits(value, candidate, cleaning, level));
  return branch === undefined ? value : clean(value, branch, cleaning, level);
}

function clean(value: Json, schema: Json | undefined, cleaning: Cleaning, level: number): Json {
  const node = level > MAX_LEVELS ? undefined : plainNode(schema, cleaning);
  if (typeof value !== 'object' || value === null || node === undefined) {
    return value;
  }
  const own = Array.isArray(value)
    ? cleanArray(value, node.items, cleaning, level + 1)
    : cleanObject(value, node, cleaning, level + 1);
  const chosen = cleanUnion(own, branchesOf(node, 'anyOf', cleaning), cleaning, level + 1);
  return cleanUnion(chosen, branchesOf(node, 'oneOf', cleaning), cleaning, level + 1);
}

/**
 * Arguments or an answer without the nulls that a strict projection made possible: those of optional properties that
 * `original` does not let be null. Nulls the source allows stay. Returns the value itself when there is none to remove.
 */
export function removeAddedNulls(value: Json, original: unknown): Json;
export function removeAddedNulls(value: unknown, original: unknown): unknown;
export function removeAddedNulls(value: unknown, original: unknown): unknown {
  const compound = isObject(value) || Array.isArray(value);
  return compound && isObject(original)
    ? clean(value, original, { resolve: createResolver(original), left: LOOKED_AT }, 0)
    : value;
}
