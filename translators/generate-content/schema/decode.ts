import {
  compact,
  isObject,
  type Json,
  type JsonObject,
  MAX_LEVELS,
  mapChildren,
  ownValue,
  setKey,
  stringsOf,
} from '../../schema/index.js';

/** Both spellings of a field are legal [G §2.1]; `ref` and `defs` come without their dollar sign [G §3.1]. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['any_of', 'anyOf'],
  ['min_items', 'minItems'],
  ['max_items', 'maxItems'],
  ['min_length', 'minLength'],
  ['max_length', 'maxLength'],
  ['min_properties', 'minProperties'],
  ['max_properties', 'maxProperties'],
  ['property_ordering', 'propertyOrdering'],
  ['additional_properties', 'additionalProperties'],
  ['defs', '$defs'],
  ['ref', '$ref'],
]);

/** The numbers by which an enum of proto-JSON may be written. */
const TYPES = ['', 'string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];

const COUNTS = ['minItems', 'maxItems', 'minLength', 'maxLength', 'minProperties', 'maxProperties'] as const;

function readType(type: Json | undefined): string | string[] | undefined {
  if (Array.isArray(type)) {
    return type.flatMap((name) => readType(name) ?? []);
  }
  const name = typeof type === 'number' ? TYPES[type] : typeof type === 'string' ? type.toLowerCase() : undefined;
  return name === undefined || !TYPES.includes(name) || name === '' ? undefined : name;
}

function renamed(schema: JsonObject): JsonObject {
  const out: JsonObject = {};
  for (const key of Object.keys(schema)) {
    const name = NAMES.get(key) ?? key;
    // Where both spellings are given, the camelCase one counts.
    if (name === key || !Object.hasOwn(schema, name)) {
      setKey(out, name, schema[key]);
    }
  }
  return out;
}

/** int64 travels as a string in proto-JSON. */
function readCounts(node: JsonObject): void {
  for (const keyword of COUNTS) {
    const value = node[keyword];
    if (typeof value === 'string' && /^\d+$/.test(value)) {
      node[keyword] = Number(value);
    }
  }
}

/** The values of `enum` are always strings here, also for numbers and booleans. */
function readEnum(node: JsonObject): void {
  if (!Array.isArray(node.enum)) {
    return;
  }
  const values: Json[] = node.enum;
  if (node.type === 'integer' || node.type === 'number') {
    node.enum = values.map(Number).filter(Number.isFinite);
  } else if (node.type === 'boolean') {
    node.enum = values.map((value) => value === true || value === 'true');
  }
  if (Array.isArray(node.enum) && node.enum.length === 0) {
    delete node.enum;
  }
}

function readNullable(node: JsonObject): void {
  const nullable = node.nullable === true;
  delete node.nullable;
  if (!nullable) {
    return;
  }
  if (Array.isArray(node.anyOf)) {
    node.anyOf = [...node.anyOf, { type: 'null' }];
  }
  if (typeof node.type === 'string' && node.type !== 'null') {
    node.type = [node.type, 'null'];
  }
  if (Array.isArray(node.enum)) {
    node.type ??= ['string', 'null'];
    node.enum = [...node.enum, null];
  }
}

/** Keys of an object keep their order, but for names that look like integers: those always come first. */
function readOrder(node: JsonObject): void {
  const order = stringsOf(node.propertyOrdering);
  const { properties } = node;
  delete node.propertyOrdering;
  if (order.length === 0 || !isObject(properties)) {
    return;
  }
  const names = [...new Set([...order, ...Object.keys(properties)])].filter((name) => Object.hasOwn(properties, name));
  const ordered = compact(Object.fromEntries(names.map((name) => [name, ownValue(properties, name)])));
  node.properties = ordered;
  if (!Object.keys(ordered).every((name, index) => name === names[index])) {
    node.propertyOrdering = names;
  }
}

function readNode(schema: Json, level: number): Json {
  if (!isObject(schema)) {
    return typeof schema === 'boolean' ? schema : {};
  }
  if (level > MAX_LEVELS) {
    return true;
  }
  const node = renamed(schema);
  const type = readType(node.type);
  if (type === undefined) {
    delete node.type;
  } else {
    node.type = type;
  }
  if (typeof node.$ref === 'string') {
    node.$ref = node.$ref.replace(/^#\/defs\//, '#/$defs/');
  }
  if (node.example !== undefined) {
    node.examples ??= [node.example];
    delete node.example;
  }
  readCounts(node);
  readEnum(node);
  readNullable(node);
  readOrder(node);
  return mapChildren(node, '', (child) => readNode(child, level + 1));
}

/**
 * The `Schema` of generateContent as standard JSON Schema (2020-12): lower-case types, `nullable` as a null type or
 * branch, counts as numbers, `propertyOrdering` as the order of `properties`, `example` as `examples`; either spelling
 * of the keys, types also by number. Projecting the result with `encodeSchema` gives the same Schema again.
 */
export function decodeSchema(schema: unknown): JsonObject {
  const read = isObject(schema) ? readNode(schema, 0) : {};
  return isObject(read) ? read : {};
}
