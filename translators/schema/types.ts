import { isObject, type Json, type JsonObject, ownValue, sameJson, stringsOf, without } from './json.js';
import { TYPED_KEYWORDS, type TypeName } from './keywords.js';

/** The types other than null. */
export type ValueType = Exclude<TypeName, 'null'>;

const TYPE_NAMES: readonly TypeName[] = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];

/** Every type name, and the list that holds it alone. */
const ALONE: ReadonlyMap<string, readonly TypeName[]> = new Map(TYPE_NAMES.map((name) => [name, [name]]));

/** The declared types of a node in any letter case, `nullable: true` counted as null; undefined when it names none. */
export function declaredTypes(node: JsonObject): readonly TypeName[] | undefined {
  const { type } = node;
  if (type === undefined) {
    return undefined;
  }
  if (typeof type === 'string' && node.nullable !== true) {
    return ALONE.get(type) ?? ALONE.get(type.toLowerCase());
  }
  const declared = typeof type === 'string' ? [type] : stringsOf(type);
  const types = new Set(declared.flatMap((name) => ALONE.get(name.toLowerCase()) ?? []));
  if (types.size === 0) {
    return undefined;
  }
  if (node.nullable === true) {
    types.add('null');
  }
  return [...types];
}

/** The value of `type` with the names of types in lower case, as JSON Schema has them; the same value where they are. */
export function standardType(type: Json): Json {
  if (typeof type === 'string') {
    return ALONE.get(type.toLowerCase())?.[0] ?? type;
  }
  return Array.isArray(type) && type.some((name) => standardType(name) !== name) ? type.map(standardType) : type;
}

/** `type` as JSON Schema writes it: one name, or a list when there are several. */
export function typeKeyword(types: readonly TypeName[]): TypeName | TypeName[] | undefined {
  return types.length === 1 ? types[0] : [...types];
}

/** The type that a node without `type` is about, judged by its keywords; undefined when nothing hints at one. */
export function impliedType(node: JsonObject): TypeName | undefined {
  const names = Object.keys(node);
  return TYPED_KEYWORDS.find(([, keywords]) => names.some((name) => keywords.has(name)))?.[0];
}

/** The keywords that say nothing about a list of types; there are no more than 128 such lists. */
const VACUOUS = new Map<string, Set<string>>();

/** A node without keywords that say nothing, because they speak about values it cannot have. */
export function withoutVacuous(node: JsonObject, types: readonly TypeName[]): JsonObject {
  const key = types.length === 1 ? String(types[0]) : TYPE_NAMES.filter((name) => types.includes(name)).join();
  let vacuous = VACUOUS.get(key);
  if (vacuous === undefined) {
    const others = TYPED_KEYWORDS.filter(
      ([type]) => !types.includes(type) && !(type === 'number' && types.includes('integer')),
    );
    vacuous = new Set(others.flatMap(([, keywords]) => [...keywords]));
    // `int32`, `double` and their like are formats of numbers.
    if (types.includes('number') || types.includes('integer')) vacuous.delete('format');
    VACUOUS.set(key, vacuous);
  }
  return without(node, vacuous);
}

/** The values a node is limited to by `enum` and `const` together; undefined when by neither. */
export function allowedValues(node: JsonObject): readonly Json[] | undefined {
  const list = Array.isArray(node.enum) ? node.enum : undefined;
  const constant = ownValue(node, 'const');
  if (constant === undefined) {
    return list;
  }
  return list === undefined || list.some((value) => sameJson(value, constant)) ? [constant] : [];
}

/** The narrowest type of a JSON value. */
export function typeOfValue(value: Json | undefined): TypeName {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'number':
      return Number.isInteger(value) ? 'integer' : 'number';
    default:
      return 'object';
  }
}

/** Whether a value is of a type; every integer is a number too. */
export function isOfType(value: Json | undefined, type: TypeName): boolean {
  const actual = typeOfValue(value);
  return actual === type || (type === 'number' && actual === 'integer');
}

/** The types of a list of values, `integer` left out where `number` is needed too. */
export function typesOfValues(values: readonly Json[]): TypeName[] {
  const types = new Set(values.map(typeOfValue));
  if (types.has('number')) {
    types.delete('integer');
  }
  return [...types];
}

/** Finds the schema that a local `$ref` names. */
export type Lookup = (ref: string) => Json | undefined;

const LOOKUP_DEPTH = 32;

/**
 * Whether a schema lets `null` pass, as far as its types, values, references and unions show. Other keywords do not
 * speak about null, but for `not` and conditionals, which are taken not to mention it.
 */
export function acceptsNull(schema: Json | undefined, lookup: Lookup, depth = 0): boolean {
  if (!isObject(schema) || depth > LOOKUP_DEPTH) {
    return schema === true;
  }
  const types = declaredTypes(schema);
  if (types !== undefined && !types.includes('null')) {
    return false;
  }
  if (allowedValues(schema)?.includes(null) === false) {
    return false;
  }
  const every = [...(Array.isArray(schema.allOf) ? schema.allOf : [])];
  if (typeof schema.$ref === 'string') {
    every.push(lookup(schema.$ref) ?? true);
  }
  const unions = [schema.anyOf, schema.oneOf].filter(Array.isArray);
  return (
    every.every((branch) => acceptsNull(branch, lookup, depth + 1)) &&
    unions.every((branches) => branches.some((branch) => acceptsNull(branch, lookup, depth + 1)))
  );
}

function followed(schema: Json | undefined, lookup: Lookup): Json | undefined {
  let node = schema;
  for (let step = 0; step < LOOKUP_DEPTH && isObject(node) && typeof node.$ref === 'string'; step++) {
    node = lookup(node.$ref);
  }
  return node;
}

/** The types an instance can have; `integer` counts as `number`, because the two overlap. */
function coveredTypes(node: JsonObject): Set<TypeName> | undefined {
  const values = allowedValues(node);
  const types = values === undefined ? declaredTypes(node) : typesOfValues(values);
  return types && new Set(types.map((type) => (type === 'integer' ? 'number' : type)));
}

/** Whether both nodes demand one property and allow it no common value. */
function tellApart(left: JsonObject, right: JsonObject): boolean {
  const leftProperties = left.properties;
  const rightProperties = right.properties;
  if (!isObject(leftProperties) || !isObject(rightProperties)) {
    return false;
  }
  const rightRequired = new Set(stringsOf(right.required));
  return stringsOf(left.required).some((name) => {
    const leftProperty = ownValue(leftProperties, name);
    const rightProperty = ownValue(rightProperties, name);
    if (!rightRequired.has(name) || !isObject(leftProperty) || !isObject(rightProperty)) {
      return false;
    }
    const leftValues = allowedValues(leftProperty);
    const rightValues = allowedValues(rightProperty);
    return (
      leftValues !== undefined &&
      rightValues !== undefined &&
      !leftValues.some((value) => rightValues.some((other) => sameJson(value, other)))
    );
  });
}

function areDisjoint(left: Json | undefined, right: Json | undefined): boolean {
  if (left === false || right === false) {
    return true;
  }
  if (!isObject(left) || !isObject(right)) {
    return false;
  }
  const leftValues = allowedValues(left);
  const rightValues = allowedValues(right);
  if (leftValues !== undefined && rightValues !== undefined) {
    return !leftValues.some((value) => rightValues.some((other) => sameJson(value, other)));
  }
  const leftTypes = coveredTypes(left);
  const rightTypes = coveredTypes(right);
  if (leftTypes === undefined || rightTypes === undefined) {
    return false;
  }
  const shared = [...leftTypes].filter((type) => rightTypes.has(type));
  return shared.length === 0 || (shared.every((type) => type === 'object') && tellApart(left, right));
}

/** Comparing is quadratic; longer unions are not examined. */
const EXAMINED_BRANCHES = 48;

/**
 * Whether no value can match two branches, so that `oneOf` means the same as `anyOf`: different types, different
 * values, or a required property whose allowed values differ (a discriminator).
 */
export function isExclusive(branches: readonly Json[], lookup: Lookup): boolean {
  if (branches.length > EXAMINED_BRANCHES) {
    return false;
  }
  const nodes = branches.map((branch) => followed(branch, lookup));
  return nodes.every((left, index) => nodes.slice(index + 1).every((right) => areDisjoint(left, right)));
}
