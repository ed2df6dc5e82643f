import { spendNode } from './budget.js';
import { cached } from './cache.js';
import {
  commonValues,
  compact,
  isObject,
  type Json,
  type JsonObject,
  ownValue,
  sameJson,
  setKey,
  stringsOf,
  without,
} from './json.js';
import { declaredTypes, type TypeName, typeKeyword } from './types.js';

/** Nothing can match (`never`), or one schema cannot say it (`conflict`). */
export type Unmerged = 'never' | 'conflict';

/** Keywords that describe and do not constrain; of two, the outer or earlier one stays. */
export const ANNOTATIONS: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'example',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'discriminator',
  '$comment',
  '$schema',
  '$id',
  'propertyOrdering',
]);

const PROPERTY_KEYS: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'additionalProperties']);
const ELEMENT_KEYS = ['items', 'prefixItems', 'additionalItems'] as const;
/** What these refuse depends on everything their own node evaluates, so they cannot move to another node. */
const UNEVALUATED = ['unevaluatedProperties', 'unevaluatedItems'] as const;
/** Keywords whose own schemas evaluate properties of their node, so that `unevaluatedProperties` lets those pass. */
const EVALUATING = [
  'if',
  'then',
  'else',
  'dependentSchemas',
  '$dynamicRef',
  '$recursiveRef',
  'allOf',
  'anyOf',
  'oneOf',
];
/** Keywords that are read together: a node takes the whole group from one side or the two sides cannot be merged. */
const WHOLE_GROUPS: readonly (readonly string[])[] = [
  ['contains', 'minContains', 'maxContains'],
  ['if', 'then', 'else'],
];

function hasAny(node: JsonObject, keys: readonly string[]): boolean {
  return keys.some((key) => Object.hasOwn(node, key));
}

function commonTypes(left: readonly TypeName[], right: readonly TypeName[]): Json | undefined {
  const types: TypeName[] = [];
  for (const type of left) {
    if (right.includes(type) || (type === 'integer' && right.includes('number'))) {
      types.push(type);
    } else if (type === 'number' && right.includes('integer')) {
      types.push('integer');
    }
  }
  return types.length === 0 ? 'never' : typeKeyword([...new Set(types)]);
}

function extreme(pick: (...values: number[]) => number) {
  return (left: Json | undefined, right: Json | undefined): Json | undefined =>
    typeof left === 'number' && typeof right === 'number' ? pick(left, right) : 'conflict';
}

function commonMultiple(left: Json | undefined, right: Json | undefined): Json | undefined {
  if (typeof left !== 'number' || typeof right !== 'number' || !Number.isInteger(left) || !Number.isInteger(right)) {
    return 'conflict';
  }
  return left % right === 0 ? left : right % left === 0 ? right : 'conflict';
}

function commonEnum(left: Json | undefined, right: Json | undefined): Json | undefined {
  if (!Array.isArray(left) || !Array.isArray(right)) {
    return 'conflict';
  }
  const common = commonValues(left, right);
  return common.length === 0 ? 'never' : common;
}

function unitedDefinitions(left: Json | undefined, right: Json | undefined): Json | undefined {
  if (!isObject(left) || !isObject(right)) {
    return 'conflict';
  }
  const clash = Object.keys(right).some((name) => Object.hasOwn(left, name) && !sameJson(left[name], right[name]));
  return clash ? 'conflict' : { ...left, ...right };
}

const larger = extreme(Math.max);
const smaller = extreme(Math.min);

/** How two different values of one keyword become one that demands both. */
const COMBINE: Readonly<Record<string, (left: Json | undefined, right: Json | undefined) => Json | undefined>> = {
  required: (left, right) => [...new Set([...stringsOf(left), ...stringsOf(right)])],
  enum: commonEnum,
  const: () => 'never',
  minimum: larger,
  exclusiveMinimum: larger,
  minLength: larger,
  minItems: larger,
  minProperties: larger,
  maximum: smaller,
  exclusiveMaximum: smaller,
  maxLength: smaller,
  maxItems: smaller,
  maxProperties: smaller,
  multipleOf: commonMultiple,
  uniqueItems: (left, right) => left === true || right === true,
  propertyNames: (left, right) => intersect(left, right),
  $defs: unitedDefinitions,
  definitions: unitedDefinitions,
};

/** Keywords of a JSON Schema vocabulary that have no rule above: two different ones cannot become one. */
const INDIVISIBLE: ReadonlySet<string> = new Set([
  '$ref',
  '$dynamicRef',
  '$anchor',
  '$dynamicAnchor',
  'not',
  'anyOf',
  'oneOf',
  'pattern',
  'format',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
  'patternProperties',
  'dependentRequired',
  'dependentSchemas',
  'dependencies',
]);

/** A side that says nothing about a name: it neither declares it nor limits the names it does not declare. */
function isSilent(node: JsonObject, properties: JsonObject, name: string): boolean {
  const others = node.additionalProperties;
  return !Object.hasOwn(properties, name) && (others === undefined || others === true);
}

/** What a side demands of a property by that name. */
function demanded(node: JsonObject, properties: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : (node.additionalProperties ?? true);
}

/** The property keywords of both sides as one group: `additionalProperties` of a side speaks about its own names. */
function intersectProperties(left: JsonObject, right: JsonObject): JsonObject | Unmerged {
  if (hasAny(left, ['patternProperties']) || hasAny(right, ['patternProperties'])) {
    const same = [...PROPERTY_KEYS].every((key) => sameJson(left[key], right[key]));
    return same ? {} : 'conflict';
  }
  const leftProperties = isObject(left.properties) ? left.properties : {};
  const rightProperties = isObject(right.properties) ? right.properties : {};
  const required = new Set([...stringsOf(left.required), ...stringsOf(right.required)]);
  // What an open right side does not name stays as it is: a long list of branches is merged name by name.
  const opens = right.additionalProperties === undefined || right.additionalProperties === true;
  const properties: JsonObject = opens ? { ...leftProperties } : {};
  for (const name of Object.keys(opens ? rightProperties : { ...leftProperties, ...rightProperties })) {
    if (isSilent(left, leftProperties, name) || isSilent(right, rightProperties, name)) {
      setKey(properties, name, ownValue(leftProperties, name) ?? ownValue(rightProperties, name));
      continue;
    }
    const both = intersect(demanded(left, leftProperties, name), demanded(right, rightProperties, name));
    const declaredTwice = Object.hasOwn(leftProperties, name) && Object.hasOwn(rightProperties, name);
    if (both === 'conflict' || (both === 'never' && declaredTwice)) {
      return 'conflict';
    }
    if (both !== 'never') {
      setKey(properties, name, both);
    } else if (required.has(name)) {
      return 'never';
    } else if (left.additionalProperties !== false && right.additionalProperties !== false) {
      return 'conflict';
    }
  }
  const out: JsonObject = { properties };
  if (hasAny(left, ['additionalProperties']) || hasAny(right, ['additionalProperties'])) {
    const others = intersect(left.additionalProperties ?? true, right.additionalProperties ?? true);
    if (others === 'conflict') {
      return 'conflict';
    }
    out.additionalProperties = others === 'never' ? false : others;
  }
  return out;
}

function intersectElements(left: JsonObject, right: JsonObject): JsonObject | Unmerged {
  const beyondItems = ELEMENT_KEYS.slice(1);
  const positional = (node: JsonObject) => hasAny(node, beyondItems) || Array.isArray(node.items);
  if (positional(left) || positional(right)) {
    return ELEMENT_KEYS.every((key) => sameJson(left[key], right[key])) ? {} : 'conflict';
  }
  const items = intersect(left.items, right.items);
  return items === 'conflict' ? 'conflict' : { items: items === 'never' ? false : items };
}

function intersectGroups(left: JsonObject, right: JsonObject): JsonObject | Unmerged {
  const out: JsonObject = {};
  if (hasAny(left, UNEVALUATED) || hasAny(right, UNEVALUATED)) {
    return 'conflict';
  }
  for (const group of WHOLE_GROUPS) {
    if (hasAny(left, group) && hasAny(right, group) && !group.every((key) => sameJson(left[key], right[key]))) {
      return 'conflict';
    }
  }
  const bounds = [left.exclusiveMinimum, right.exclusiveMinimum, left.exclusiveMaximum, right.exclusiveMaximum];
  if (bounds.some((bound) => typeof bound === 'boolean')) {
    return 'conflict';
  }
  if (hasAny(left, [...PROPERTY_KEYS]) && hasAny(right, [...PROPERTY_KEYS])) {
    const properties = intersectProperties(left, right);
    if (typeof properties === 'string') return properties;
    Object.assign(out, properties);
  }
  if (hasAny(left, ELEMENT_KEYS) && hasAny(right, ELEMENT_KEYS)) {
    const elements = intersectElements(left, right);
    if (typeof elements === 'string') return elements;
    Object.assign(out, elements);
  }
  return out;
}

/** `type` of two nodes that both declare one; `nullable` is counted in. */
function combinedType(left: JsonObject, right: JsonObject): Json | undefined {
  const types = declaredTypes(left);
  const others = declaredTypes(right);
  return types && others ? commonTypes(types, others) : (typeKeyword(types ?? others ?? []) ?? 'conflict');
}

function combined(left: JsonObject, right: JsonObject, key: string): Json | undefined {
  const rule = Object.hasOwn(COMBINE, key) ? COMBINE[key] : undefined;
  if (rule !== undefined) {
    return rule(left[key], right[key]);
  }
  return INDIVISIBLE.has(key) ? 'conflict' : left[key];
}

/** Keywords of `right` that `out` lacks are added, those both have are combined; the groups are already done. */
function addKeywords(out: JsonObject, right: JsonObject, done: JsonObject): Unmerged | undefined {
  for (const key of Object.keys(right)) {
    if (!Object.hasOwn(out, key)) {
      setKey(out, key, right[key]);
    } else if (!Object.hasOwn(done, key) && !ANNOTATIONS.has(key) && !sameJson(out[key], right[key])) {
      const value = combined(out, right, key);
      if (value === 'never' || value === 'conflict') {
        return value;
      }
      setKey(out, key, value);
    }
  }
  return undefined;
}

const NULLABLE: ReadonlySet<string> = new Set(['nullable']);

/** The node with `allOf` folded in and `nullable` written as a type. */
function flattened(schema: JsonObject): JsonObject | Unmerged {
  const { node, dropped, never } = mergeAllOf(schema);
  if (dropped.length > 0) {
    return never ? 'never' : 'conflict';
  }
  if (!Object.hasOwn(node, 'nullable')) {
    return node;
  }
  const types = declaredTypes(node);
  return compact({ ...without(node, NULLABLE), type: types && typeKeyword(types) });
}

/**
 * One schema that accepts exactly what both accept; annotations of `left` win. `conflict` when the keywords of one
 * node cannot say it.
 */
export function intersect(left: Json | undefined, right: Json | undefined): JsonObject | true | Unmerged {
  if (left === false || right === false) {
    return 'never';
  }
  if (!isObject(left)) {
    return isObject(right) ? flattened(right) : true;
  }
  if (!isObject(right) || left === right) {
    return flattened(left);
  }
  const first = flattened(left);
  const second = flattened(right);
  if (typeof first === 'string' || typeof second === 'string') {
    return first === 'never' || second === 'never' ? 'never' : 'conflict';
  }
  const groups = intersectGroups(first, second);
  if (typeof groups === 'string') {
    return groups;
  }
  const out: JsonObject = { ...first };
  if (Object.hasOwn(first, 'type') && Object.hasOwn(second, 'type')) {
    const type = combinedType(first, second);
    if (type === 'never' || type === 'conflict') {
      return type;
    }
    setKey(groups, 'type', type);
  }
  const failed = addKeywords(out, second, groups);
  if (failed !== undefined) {
    return failed;
  }
  return Object.assign(out, groups);
}

/** A node whose `allOf` was folded into it. */
export interface AllOfResult {
  node: JsonObject;
  /** Indexes of branches that could not be folded and are gone. */
  dropped: number[];
  /** The branches contradict each other: nothing matches. */
  never: boolean;
}

/** Every branch is merged with all before it, so the work is quadratic; beyond these a branch counts as unmerged. */
const MERGED_BRANCHES = 200;

const ALL_OF: ReadonlySet<string> = new Set(['allOf']);
/** Keywords without which `additionalProperties` refuses more, and those without which `unevaluatedProperties` does. */
export const OPENING = {
  additionalProperties: ['patternProperties'],
  unevaluatedProperties: ['patternProperties', ...EVALUATING],
} as const satisfies Readonly<Record<string, readonly string[]>>;
/** Keywords that see what every branch of their node sees, so they stay outside when branches are merged. */
export const OUTER_ONLY: ReadonlySet<string> = new Set(UNEVALUATED);

/**
 * Folds `allOf` into its node. Branches that cannot be merged are left out and named in `dropped`, so that the first
 * branch stays where two conflict [translation.md 3.2 rule 4].
 */
export function mergeAllOf(schema: JsonObject): AllOfResult {
  return Array.isArray(schema.allOf) ? mergeShared(schema) : { node: schema, dropped: [], never: false };
}

/** So many branches are worth a look whether they can be merged at once. */
const MANY = 16;

/** Branches that only declare properties, each its own, as one branch; undefined where one says more. */
function joinOpen(branches: readonly Json[]): JsonObject | undefined {
  const properties: JsonObject = {};
  const required = new Set<string>();
  for (const branch of branches) {
    if (!isObject(branch) || !isObject(branch.properties)) return undefined;
    if (Object.keys(branch).some((key) => key !== 'properties' && key !== 'required')) return undefined;
    for (const [name, schema] of Object.entries(branch.properties)) {
      if (Object.hasOwn(properties, name)) return undefined;
      setKey(properties, name, schema);
    }
    for (const name of stringsOf(branch.required)) required.add(name);
  }
  return { properties, ...(required.size > 0 && { required: [...required] }) };
}

function mergeBranches(schema: JsonObject): AllOfResult {
  const branches = Array.isArray(schema.allOf) ? schema.allOf : [];
  // `unevaluated*` beside `allOf` sees the properties of the branches, so it is taken out of the merging.
  let node = without(without(schema, ALL_OF), OUTER_ONLY);
  const count = Math.min(branches.length, MERGED_BRANCHES);
  const dropped = [...branches.keys()].slice(count);
  let never = false;
  const merging = branches.slice(0, count);
  const joined = count < MANY ? undefined : joinOpen(merging);
  const whole = joined === undefined || !spendNode() ? undefined : intersect(node, joined);
  if (isObject(whole)) {
    node = whole;
    merging.length = 0;
  }
  merging.forEach((branch, index) => {
    const merged = spendNode() ? intersect(node, branch) : 'conflict';
    if (merged === 'never' || merged === 'conflict') {
      never ||= merged === 'never';
      dropped.push(index);
    } else if (isObject(merged)) {
      node = merged;
    }
  });
  // Beside a branch that is gone it would refuse what that branch let pass, so it goes with it.
  for (const key of dropped.length > 0 ? [] : OUTER_ONLY) {
    if (Object.hasOwn(schema, key)) {
      node = { ...node, [key]: ownValue(schema, key) ?? true };
    }
  }
  return { node, dropped, never };
}

/** A schema that others share, by a reference that several have, is merged once. */
const mergeShared = cached(mergeBranches);
