import { ANNOTATIONS, mergeAllOf, OPENING } from './all-of.js';
import { budgeted, spendNode } from './budget.js';
import { isLarge } from './cache.js';
import type { ChangeEffect, SchemaChange } from './change.js';
import { hoistRefs } from './hoist-refs.js';
import { inlineRefs } from './inline-refs.js';
import {
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
import { isAny, isNeutral } from './neutral.js';
import { keywordNote, withNotes } from './notes.js';
import { createResolver, DEFINITIONS, dereferenced, isRecursive, type Resolver, refSiblings } from './refs.js';
import { objectRoot, type RootResult, strictMessagesRoot } from './root.js';
import { toCurrentShape } from './shape.js';
import { tupleAsList } from './tuple.js';
import {
  allowedValues,
  declaredTypes,
  impliedType,
  isExclusive,
  typeKeyword,
  typesOfValues,
  withoutVacuous,
} from './types.js';
import { distribute, isTornApart, unionOf } from './unions.js';
import { eachNode, MAX_LEVELS, MAX_NODES, token } from './walk.js';

/** Keywords whose constraint the grammar of [M §2.8] does not take; the description tells them instead. */
const TOLD: ReadonlySet<string> = new Set([
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'pattern', 'contentEncoding', 'contentMediaType', 'contentSchema'],
  ...['minItems', 'maxItems', 'uniqueItems', 'contains', 'minContains', 'maxContains', 'unevaluatedItems'],
  ...['minProperties', 'maxProperties', 'propertyNames', 'patternProperties'],
  ...['not', 'if', 'then', 'else', 'dependentRequired', 'dependentSchemas', '$dynamicRef', '$recursiveRef'],
]);

/** The string formats that the official client libraries leave in place; others become words. */
const FORMATS: ReadonlySet<string> = new Set([
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'uri',
  'ipv4',
  'ipv6',
  'uuid',
]);

interface Strictness {
  resolve: Resolver;
  changes: SchemaChange[];
  nodes: number;
  level: number;
}

interface Node {
  pointer: string;
  notes: string[];
  report(keyword: string, effect: ChangeEffect): void;
}

/** Moves the constraints the grammar cannot hold from `out` into the notes of the node. */
function tell(out: JsonObject, at: Node): void {
  const told = Object.keys(out).filter((keyword) => isTold(keyword, out[keyword]));
  const closed = out.additionalProperties === false;
  for (const keyword of told) {
    if (!isNeutral(out, keyword, closed)) {
      at.report(keyword, 'wider');
      at.notes.push(keywordNote(keyword, out[keyword] ?? null));
    }
  }
  for (const keyword of told) {
    delete out[keyword];
  }
}

function isTold(keyword: string, value: Json | undefined): boolean {
  return keyword === 'format' ? !(typeof value === 'string' && FORMATS.has(value)) : TOLD.has(keyword);
}

function closeObject(state: Strictness, out: JsonObject, at: Node): void {
  // What is only told evaluates nothing any more.
  const evaluates = OPENING.unevaluatedProperties.some((keyword) => TOLD.has(keyword) && Object.hasOwn(out, keyword));
  const others = out.additionalProperties ?? (evaluates ? undefined : out.unevaluatedProperties);
  delete out.unevaluatedProperties;
  out.additionalProperties = false;
  if (others !== false) {
    at.report('additionalProperties', 'narrower');
  }
  if (isObject(others) && !isAny(others)) {
    at.notes.push(keywordNote('additionalProperties', others));
  }
  if (Object.hasOwn(out, 'patternProperties')) {
    at.report('patternProperties', 'narrower');
  }
  const properties: JsonObject = {};
  for (const [name, child] of Object.entries(isObject(out.properties) ? out.properties : {})) {
    if (child !== false) {
      setKey(properties, name, strictNode(state, child, `${at.pointer}/properties/${token(name)}`));
    }
  }
  out.properties = properties;
  const required = stringsOf(out.required);
  const known = required.filter((name) => Object.hasOwn(properties, name));
  if (known.length < required.length) {
    at.report('required', 'wider');
    at.notes.push(keywordNote('required', required.filter((name) => !known.includes(name)).join(', ')));
  }
  if (Array.isArray(out.required)) {
    out.required = known;
  }
}

function strictItems(state: Strictness, out: JsonObject, at: Node): void {
  const tuple = tupleAsList(out);
  delete out.prefixItems;
  if (tuple !== undefined) {
    if (tuple.wider) at.report('prefixItems', 'wider');
    if (tuple.narrower) at.report('prefixItems', 'narrower');
    if (out.items === false) at.report('items', 'wider');
    setKey(out, 'items', tuple.items);
    // The grammar does not hold lists to a length, so an assumed one is only told.
    for (const keyword of ['minItems', 'maxItems'] as const) {
      if (out[keyword] === undefined && tuple[keyword] !== undefined) {
        at.notes.push(keywordNote(keyword, tuple[keyword]));
      }
    }
  }
  if (isObject(out.items)) {
    out.items = strictNode(state, out.items, `${at.pointer}/items`);
  } else if (out.items === false) {
    at.report('items', 'wider');
    at.notes.push('always empty');
    delete out.items;
  }
}

/** Names that only a document with references needs, and what is said in another way. */
const REPLACED: ReadonlySet<string> = new Set([
  ...DEFINITIONS,
  '$anchor',
  '$dynamicAnchor',
  'nullable',
  'anyOf',
  'oneOf',
]);

/** What only objects and lists have; a node that lists its values needs none of it, and it would have to be closed. */
const STRUCTURE = ['properties', 'required', 'additionalProperties', 'unevaluatedProperties', 'items', 'prefixItems'];

function tellStructure(out: JsonObject, at: Node): void {
  for (const keyword of STRUCTURE) {
    const value = out[keyword];
    if (value === undefined) {
      continue;
    }
    delete out[keyword];
    if (!isAny(value)) {
      at.report(keyword, 'wider');
      at.notes.push(keywordNote(keyword, value));
    }
  }
}

function strictTyped(state: Strictness, node: JsonObject, at: Node): JsonObject {
  const declared = declaredTypes(node);
  const implied = declared === undefined && node.enum === undefined && node.const === undefined && impliedType(node);
  if (implied) {
    at.report('type', 'narrower');
  }
  const types = declared ?? (implied ? [implied] : undefined);
  const values = allowedValues(node);
  const possible = types ?? (values && typesOfValues(values));
  const out = { ...without(possible ? withoutVacuous(node, possible) : node, REPLACED) };
  setKey(out, 'type', types && typeKeyword(types));
  if (types === undefined) {
    tellStructure(out, at);
  }
  if (types?.includes('object')) {
    closeObject(state, out, at);
  }
  if (types?.includes('array')) {
    strictItems(state, out, at);
  }
  tell(out, at);
  setKey(out, 'description', withNotes(node.description, at.notes));
  return out;
}

function strictUnion(state: Strictness, node: JsonObject, at: Node): JsonObject {
  const union = unionOf(node);
  if (union === undefined) {
    return node;
  }
  const { key, branches, both } = union;
  if (both) {
    at.report('oneOf', 'wider');
    at.notes.push(keywordNote('oneOf', node.oneOf));
  } else if (key === 'oneOf' && !isExclusive(branches, (ref) => state.resolve(ref)?.schema)) {
    at.report('oneOf', 'wider');
  }
  if (isTornApart(node, (ref) => state.resolve(ref)?.schema)) {
    at.report(key, 'narrower');
  }
  const alone = Object.keys(node).every((name) => name === 'anyOf' || name === 'oneOf' || ANNOTATIONS.has(name));
  const parts = alone
    ? branches.map((schema, index) => ({ schema, index, lost: false }))
    : distribute(
        without(node, DEFINITIONS),
        branches.map((branch) => dereferenced(branch, state.resolve) ?? true),
      );
  if (parts.some(({ lost }) => lost)) {
    at.report(key, 'wider');
  }
  const strict = parts
    .filter(({ schema }) => schema !== false)
    .map(({ schema, index }) => strictNode(state, schema ?? true, `${at.pointer}/${key}/${index}`));
  const annotations = Object.fromEntries(Object.entries(node).filter(([name]) => ANNOTATIONS.has(name)));
  const description = withNotes(node.description, at.notes);
  if (strict.length === 0) {
    at.report(key, 'wider');
  }
  return compact({ ...annotations, description, anyOf: strict.length === 0 ? undefined : strict });
}

function strictForm(state: Strictness, schema: JsonObject, at: Node): JsonObject {
  if (typeof schema.$ref === 'string') {
    const { siblings, constrains } = refSiblings(schema);
    const plain = constrains ? dereferenced(schema, state.resolve) : undefined;
    if (isObject(plain) && plain.$ref === undefined) {
      return strictForm(state, plain, at);
    }
    const ref = { $ref: schema.$ref };
    return Object.keys(siblings).length === 0 ? ref : { anyOf: [ref], ...siblings };
  }
  const plain = Array.isArray(schema.allOf) ? dereferenced(schema, state.resolve) : schema;
  const { node, dropped } = mergeAllOf(isObject(plain) ? plain : schema);
  if (dropped.length > 0) {
    at.report('allOf', 'wider');
    const branches = Array.isArray(schema.allOf) ? schema.allOf : [];
    at.notes.push(...dropped.map((index) => keywordNote('allOf', branches[index])));
  }
  return unionOf(node) === undefined ? strictTyped(state, node, at) : strictUnion(state, node, at);
}

function strictNode(state: Strictness, schema: Json, pointer: string): JsonObject {
  const report = (keyword: string, effect: ChangeEffect) => state.changes.push({ keyword, effect, pointer });
  if (!isObject(schema)) {
    if (schema === false) report('false', 'wider');
    return {};
  }
  if (state.level > MAX_LEVELS || state.nodes > MAX_NODES || !spendNode()) {
    report('size', 'wider');
    return {};
  }
  state.nodes += 1;
  state.level += 1;
  const strict = strictForm(state, schema, { pointer, notes: [], report });
  state.level -= 1;
  return strict;
}

/** Whether references have to go: the grammar knows no recursion and no constraints beside a reference. */
function needsInlining(root: JsonObject): boolean {
  let constrained = false;
  const resolve = createResolver(root);
  eachNode(root, (node) => {
    if (typeof node.$ref === 'string') {
      constrained ||= refSiblings(node).constrains || resolve(node.$ref) === undefined;
    }
  });
  return constrained || isRecursive(root);
}

function withoutRefs(root: JsonObject, changes: SchemaChange[]): JsonObject {
  if (!needsInlining(root)) {
    return hoistRefs(root, false);
  }
  const inlined = inlineRefs(root, {
    depth: 4,
    recursive: (name) => ({ type: 'object', description: `recursive ${name}`, additionalProperties: false }),
    unresolved: { type: 'string' },
  });
  changes.push(...inlined.changes);
  return inlined.schema;
}

/** The places of the definitions that a schema needs: the others may be recursive, and nobody would cut them. */
function reachedFrom(schema: JsonObject, resolve: Resolver): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [schema];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    eachNode(next, ({ $ref: ref }) => {
      const target = typeof ref === 'string' ? resolve(ref) : undefined;
      if (target === undefined || reached.has(target.pointer)) return;
      reached.add(target.pointer);
      if (isObject(target.schema)) open.push(target.schema);
    });
  }
  return reached;
}

function project(schema: JsonObject, of: 'arguments' | 'answer'): RootResult {
  const changes: SchemaChange[] = [];
  const rooted = objectRoot(toCurrentShape(schema, changes), strictMessagesRoot(of));
  changes.push(...rooted.changes);
  // A wrapper is ours: closing it takes nothing away.
  const closed = rooted.wrapped ? { ...rooted.schema, additionalProperties: false } : rooted.schema;
  const root = withoutRefs(closed, changes);
  const state: Strictness = { resolve: createResolver(root), changes, nodes: 0, level: 0 };
  const strict = strictNode(state, without(root, DEFINITIONS), '');
  const reached = reachedFrom(strict, state.resolve);
  for (const key of DEFINITIONS) {
    const definitions = root[key];
    if (isObject(definitions)) {
      const kept: JsonObject = {};
      const used = Object.keys(definitions).filter((name) => reached.has(`/${key}/${token(name)}`));
      for (const name of used) {
        setKey(kept, name, strictNode(state, ownValue(definitions, name) ?? true, `/${key}/${token(name)}`));
      }
      if (used.length > 0) strict[key] = kept;
    }
  }
  const same = changes.length === 0 && sameJson(strict, schema);
  return { schema: same ? schema : strict, changes, wrapped: rooted.wrapped };
}

const strictArguments = budgeted((schema: JsonObject) => project(schema, 'arguments'), isLarge);
const strictAnswer = budgeted((schema: JsonObject) => project(schema, 'answer'), isLarge);

/**
 * A schema as `strict` tools and structured output of the messages dialect demand it (translation.md 3.3): objects
 * closed, `oneOf` as `anyOf`, `allOf` merged, recursion cut, and every constraint the grammar cannot hold moved to the
 * description. A schema that already is like that is returned as the same object.
 */
export function toStrictMessages(schema: unknown, of: 'arguments' | 'answer' = 'arguments'): RootResult {
  if (!isObject(schema)) {
    return project({}, of);
  }
  return of === 'answer' ? strictAnswer(schema) : strictArguments(schema);
}

/** How many optional properties a schema has, for the budget of 24 over a request [M §2.8]. */
export function countOptional(schema: unknown): number {
  let count = 0;
  if (isObject(schema)) {
    eachNode(schema, ({ properties, required }) => {
      if (isObject(properties)) {
        const needed = new Set(stringsOf(required));
        count += Object.keys(properties).filter((name) => !needed.has(name)).length;
      }
    });
  }
  return count;
}
