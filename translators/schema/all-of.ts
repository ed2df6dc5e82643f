import { spendNode } from './budget.js';
import { cached } from './cache.js';
import { combinedKeyword, combinedType, type Unmerged } from './combine.js';
import {
  compact,
  isObject,
  type Json,
  type JsonObject,
  only,
  ownValue,
  sameJson,
  setKey,
  stringsOf,
  without,
} from './json.js';
import { ANNOTATIONS, keywords, OUTER_ONLY } from './keywords.js';
import { declaredTypes, typeKeyword } from './types.js';

const NULLABLE = keywords('nullable');
const ALL_OF = keywords('allOf');
const PROPERTY_KEYS = ['properties', 'patternProperties', 'additionalProperties'] as const;
const ELEMENT_KEYS = ['items', 'prefixItems', 'additionalItems'] as const;
/** Keywords that are read together: a node takes the whole group from one side or the two sides cannot be merged. */
const WHOLE_GROUPS: readonly (readonly string[])[] = [
  ['contains', 'minContains', 'maxContains'],
  ['if', 'then', 'else'],
];

function hasAny(node: JsonObject, keys: readonly string[]): boolean {
  return keys.some((key) => Object.hasOwn(node, key));
}

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
    const same = PROPERTY_KEYS.every((key) => sameJson(left[key], right[key]));
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
  // What these refuse depends on everything their own node evaluates, so they cannot move to another node.
  if (hasAny(left, [...OUTER_ONLY]) || hasAny(right, [...OUTER_ONLY])) {
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
  if (hasAny(left, PROPERTY_KEYS) && hasAny(right, PROPERTY_KEYS)) {
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

/** Keywords of `right` that `out` lacks are added, those both have are combined; the groups are already done. */
function addKeywords(out: JsonObject, right: JsonObject, done: JsonObject): Unmerged | undefined {
  for (const key of Object.keys(right)) {
    if (!Object.hasOwn(out, key)) {
      setKey(out, key, right[key]);
    } else if (!Object.hasOwn(done, key) && !ANNOTATIONS.has(key) && !sameJson(out[key], right[key])) {
      const value = key === 'propertyNames' ? intersect(out[key], right[key]) : combinedKeyword(out, right, key);
      if (value === 'never' || value === 'conflict') {
        return value;
      }
      setKey(out, key, value);
    }
  }
  return undefined;
}

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
 * node cannot express it.
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

/**
 * Folds `allOf` into its node. Branches that cannot be merged are left out and named in `dropped`, so that the first
 * branch stays where two conflict [translation.md 3.2 rule 4].
 */
export function mergeAllOf(schema: JsonObject): AllOfResult {
  return Array.isArray(schema.allOf) ? mergeShared(schema) : { node: schema, dropped: [], never: false };
}

/** So many branches are worth a look whether they can be merged at once. */
const MANY = 16;

/** Branches that only declare properties, each its own, as one branch; undefined where one holds more. */
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
  // `unevaluated*` next to `allOf` sees the properties of the branches, so it is taken out of the merging.
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
  // Next to a branch that is gone it would refuse what that branch let pass, so it goes with it.
  if (dropped.length === 0) node = { ...node, ...only(schema, OUTER_ONLY) };
  return { node, dropped, never };
}

/** A schema that others share, by a reference that several have, is merged once. */
const mergeShared = cached(mergeBranches);
