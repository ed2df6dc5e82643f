import type { Json, JsonObject } from '../../translators/wire/json.js';

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields of `Schema` on the public host [G §3.1]. */
const SUBSET_KEYS = new Set(
  (
    'type format title description nullable enum items minItems maxItems properties required minProperties ' +
    'maxProperties minimum maximum minLength maxLength pattern example anyOf propertyOrdering default'
  ).split(' '),
);
const SUBSET_TYPES = new Set(['STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT']);

/** Everything [G §3.1] says a server refuses in a `Schema`, as one line per fault. */
export function subsetFaults(schema: Json | undefined, at = '#'): string[] {
  if (!isObject(schema)) return [`${at} is no object`];
  const faults = Object.keys(schema).flatMap((key) => (SUBSET_KEYS.has(key) ? [] : [`${at} has ${key}`]));
  const { type, properties } = schema;
  if (Array.isArray(schema.anyOf)) {
    const beside = Object.keys(schema).filter((key) => key !== 'anyOf' && key !== 'nullable');
    if (beside.length > 0) faults.push(`${at} has ${beside} beside anyOf`);
    schema.anyOf.forEach((branch, index) => {
      faults.push(...subsetFaults(branch, `${at}/anyOf/${index}`));
    });
    return faults;
  }
  if (typeof type !== 'string' || !SUBSET_TYPES.has(type)) faults.push(`${at} has type ${JSON.stringify(type)}`);
  if (schema.enum !== undefined) {
    const strings = Array.isArray(schema.enum) && schema.enum.every((value) => typeof value === 'string' && value);
    if (type !== 'STRING' || !strings || schema.enum?.toString() === '') faults.push(`${at} has a bad enum`);
  }
  if (type === 'ARRAY') faults.push(...subsetFaults(schema.items, `${at}/items`));
  if (type !== 'ARRAY' && schema.items !== undefined) faults.push(`${at} has items on ${type}`);
  if (type !== 'OBJECT' && properties !== undefined) faults.push(`${at} has properties on ${type}`);
  if (isObject(properties)) {
    if (Object.keys(properties).length === 0) faults.push(`${at} has empty properties`);
    for (const name of Object.keys(properties)) {
      faults.push(...subsetFaults(properties[name], `${at}/properties/${name}`));
    }
  }
  const names = isObject(properties) ? properties : {};
  for (const name of Array.isArray(schema.required) ? schema.required : []) {
    if (!Object.hasOwn(names, String(name))) faults.push(`${at} requires ${name}`);
  }
  return faults;
}

const CHILD_LISTS = ['anyOf', 'prefixItems'] as const;
const CHILD_MAPS = ['properties', '$defs', 'definitions'] as const;

function everyNode(schema: Json | undefined, at: string, check: (node: JsonObject, at: string) => string[]): string[] {
  if (!isObject(schema)) return [];
  const faults = check(schema, at);
  for (const key of CHILD_LISTS) {
    const list = schema[key];
    for (const child of Array.isArray(list) ? list : []) faults.push(...everyNode(child, `${at}/${key}`, check));
  }
  for (const key of CHILD_MAPS) {
    const map = schema[key];
    for (const name of isObject(map) ? Object.keys(map) : []) {
      faults.push(...everyNode(isObject(map) ? map[name] : undefined, `${at}/${key}/${name}`, check));
    }
  }
  return [...faults, ...everyNode(schema.items, `${at}/items`, check)];
}

function closedFaults(node: JsonObject, at: string): string[] {
  const types = Array.isArray(node.type) ? node.type : [node.type];
  return types.includes('object') && node.additionalProperties !== false ? [`${at} is open`] : [];
}

function forbiddenFaults(node: JsonObject, at: string, keywords: string): string[] {
  return keywords.split(' ').flatMap((keyword) => (Object.hasOwn(node, keyword) ? [`${at} has ${keyword}`] : []));
}

function rootFaults(schema: JsonObject): string[] {
  const combined = ['anyOf', 'oneOf', 'allOf', '$ref'].filter((key) => Object.hasOwn(schema, key));
  return [...combined.map((key) => `# has ${key}`), ...(schema.type === 'object' ? [] : ['# is no object'])];
}

/** What [R §3.30-32] refuses in a strict schema. */
export function strictResponsesFaults(schema: JsonObject): string[] {
  const nodes = everyNode(schema, '#', (node, at) => {
    const properties = isObject(node.properties) ? Object.keys(node.properties) : [];
    const required = new Set(Array.isArray(node.required) ? node.required : []);
    const described = Object.hasOwn(node, 'type') || Object.hasOwn(node, 'anyOf') || Object.hasOwn(node, '$ref');
    return [
      ...closedFaults(node, at),
      ...forbiddenFaults(
        node,
        at,
        'allOf oneOf not if then else dependentRequired dependentSchemas uniqueItems contains',
      ),
      ...forbiddenFaults(node, at, 'patternProperties propertyNames prefixItems unevaluatedProperties minProperties'),
      ...properties.filter((name) => !required.has(name)).map((name) => `${at} leaves ${name} optional`),
      ...(Object.hasOwn(node, '$ref') && Object.keys(node).length > 1 && at !== '#'
        ? [`${at} has more than $ref`]
        : []),
      ...(described ? [] : [`${at} has no type`]),
    ];
  });
  return [...rootFaults(schema), ...nodes];
}

/** What [M §2.8] and translation.md 3.3 keep out of the schema of a strict tool or an answer. */
export function strictMessagesFaults(schema: JsonObject): string[] {
  const nodes = everyNode(schema, '#', (node, at) => [
    ...closedFaults(node, at),
    ...forbiddenFaults(node, at, 'allOf oneOf not if then else dependentRequired dependentSchemas patternProperties'),
    ...forbiddenFaults(node, at, 'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength'),
    ...forbiddenFaults(node, at, 'pattern minItems maxItems uniqueItems contains prefixItems minProperties'),
  ]);
  return [...rootFaults(schema), ...nodes];
}

const PLAIN_KEYS = new Set('type description properties required items enum anyOf'.split(' '));

/** What a server that takes few keywords would refuse (translation.md 3). */
export function plainFaults(schema: JsonObject): string[] {
  return everyNode(schema, '#', (node, at) => {
    const faults = Object.keys(node).flatMap((key) => (PLAIN_KEYS.has(key) ? [] : [`${at} has ${key}`]));
    if (Array.isArray(node.type)) faults.push(`${at} has several types`);
    if (Array.isArray(node.enum) && node.enum.some((value) => typeof value !== 'string' || value === ''))
      faults.push(`${at} has a bad enum`);
    if (node.type === 'array' && node.items === undefined) faults.push(`${at} has no items`);
    const properties = isObject(node.properties) ? node.properties : {};
    const required = Array.isArray(node.required) ? node.required : [];
    return [
      ...faults,
      ...required.flatMap((name) => (Object.hasOwn(properties, String(name)) ? [] : [`${at} ${name}`])),
    ];
  });
}
