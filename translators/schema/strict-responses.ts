import { ANNOTATIONS, mergeAllOf } from './all-of.js';
import { budgeted, spendNode } from './budget.js';
import { isLarge } from './cache.js';
import type { ChangeEffect, SchemaChange } from './change.js';
import { hoistRefs } from './hoist-refs.js';
import { isObject, type Json, type JsonObject, ownValue, sameJson, setKey, stringsOf, without } from './json.js';
import { isAny, isNeutral } from './neutral.js';
import { keywordNote, withNotes } from './notes.js';
import { createResolver, DEFINITIONS, dereferenced, type Resolver, refSiblings } from './refs.js';
import { objectRoot, type RootResult } from './root.js';
import { toCurrentShape } from './shape.js';
import { exceedsStrictLimits } from './strict-limits.js';
import {
  acceptsNull,
  allowedValues,
  declaredTypes,
  impliedType,
  isExclusive,
  type TypeName,
  typeKeyword,
  typesOfValues,
  withoutVacuous,
} from './types.js';
import { distribute, isTornApart, unionOf } from './unions.js';
import { MAX_LEVELS, MAX_NODES, token } from './walk.js';

/** A strict schema, or in one clause why there is none, so that the tool goes out with `strict: false`. */
export type StrictResult = RootResult | { refused: string };

interface Strictness {
  resolve: Resolver;
  changes: SchemaChange[];
  nodes: number;
  level: number;
  /** References to definitions that the strict schema still has. */
  used: Set<string>;
  refused: string | undefined;
}

function refuse(state: Strictness, reason: string): JsonObject {
  state.refused ??= reason;
  return {};
}

function report(state: Strictness, keyword: string, effect: ChangeEffect, pointer: string): void {
  state.changes.push({ keyword, effect, pointer });
}

/** [R §3.32] and what the service's own client library lists: no strict schema may hold these. */
const IMPOSSIBLE = [
  'not',
  'if',
  'then',
  'else',
  'dependentRequired',
  'dependentSchemas',
  'patternProperties',
  'prefixItems',
  'unevaluatedItems',
  '$dynamicRef',
  '$recursiveRef',
] as const;

/** Not taken either, but a schema that only tells them in words is still far better than none. */
const TOLD: ReadonlySet<string> = new Set([
  'uniqueItems',
  'contains',
  'minContains',
  'maxContains',
  'propertyNames',
  'minProperties',
  'maxProperties',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
]);

/** What a strict node does without: names that moved to the root, and what is said in another way. */
const REPLACED: ReadonlySet<string> = new Set([
  ...DEFINITIONS,
  '$anchor',
  '$dynamicAnchor',
  'nullable',
  'unevaluatedProperties',
  'anyOf',
  'oneOf',
  ...TOLD,
]);

const CONST: ReadonlySet<string> = new Set(['const']);

/** Adds null to what a schema in its strict form accepts. */
function nullable(schema: JsonObject): JsonObject {
  if (typeof schema.$ref === 'string') {
    return { anyOf: [schema, { type: 'null' }] };
  }
  if (Array.isArray(schema.anyOf)) {
    return { ...schema, anyOf: [...schema.anyOf, { type: 'null' }] };
  }
  const types = declaredTypes(schema) ?? [];
  const values = allowedValues(schema);
  const out = { ...without(schema, CONST) };
  if (!types.includes('null')) {
    out.type = [...types, 'null'];
  }
  if (values !== undefined && !values.includes(null)) {
    out.enum = [...values, null];
  }
  return out;
}

function strictRef(state: Strictness, node: JsonObject, ref: string, pointer: string): JsonObject {
  if (state.resolve(ref) === undefined) {
    return refuse(state, 'a reference leads nowhere');
  }
  const { siblings, constrains } = refSiblings(node);
  if (constrains) {
    const plain = dereferenced(node, state.resolve);
    return isObject(plain) ? strictNode(state, plain, pointer) : refuse(state, 'a reference has constraints beside it');
  }
  state.used.add(ref);
  // Nothing may stand beside `$ref`, so what describes it stands around it.
  return Object.keys(siblings).length === 0 ? { $ref: ref } : { anyOf: [{ $ref: ref }], ...siblings };
}

function strictUnion(state: Strictness, node: JsonObject, pointer: string): JsonObject {
  const union = unionOf(node);
  if (union === undefined || union.both) {
    return refuse(state, 'anyOf and oneOf stand side by side');
  }
  const { key, branches } = union;
  if (key === 'oneOf' && !isExclusive(branches, (ref) => state.resolve(ref)?.schema)) {
    report(state, 'oneOf', 'wider', pointer);
  }
  if (isTornApart(node, (ref) => state.resolve(ref)?.schema)) {
    report(state, key, 'narrower', pointer);
  }
  const plain = Object.keys(node).every((name) => name === key || ANNOTATIONS.has(name));
  const known = plain ? branches : branches.map((branch) => dereferenced(branch, state.resolve) ?? false);
  const parts = plain
    ? known.map((schema, index) => ({ schema, index, lost: false }))
    : distribute(without(node, DEFINITIONS), known);
  if (parts.some(({ lost }) => lost)) {
    return refuse(state, `keywords beside ${key} cannot be merged into its branches`);
  }
  const strict = parts
    .filter(({ schema }) => schema !== false)
    .map(({ schema, index }) => strictNode(state, schema ?? true, `${pointer}/${key}/${index}`));
  const annotations = Object.entries(node).filter(([name]) => ANNOTATIONS.has(name));
  return strict.length === 0
    ? refuse(state, `no branch of ${key} can match`)
    : { anyOf: strict, ...Object.fromEntries(annotations) };
}

function strictProperties(state: Strictness, node: JsonObject, pointer: string): JsonObject {
  const source = isObject(node.properties) ? node.properties : {};
  const required = new Set(stringsOf(node.required));
  const properties: JsonObject = {};
  for (const name of Object.keys(source)) {
    const child = ownValue(source, name) ?? true;
    const at = `${pointer}/properties/${token(name)}`;
    if (child === false) {
      // A closed object refuses the name anyway.
      continue;
    }
    const strict = strictNode(state, child, at);
    if (required.has(name)) {
      setKey(properties, name, strict);
      continue;
    }
    report(state, 'required', 'narrower', at);
    const takesNull = acceptsNull(child, (ref) => state.resolve(ref)?.schema);
    if (!takesNull) report(state, 'nullable', 'wider', at);
    setKey(properties, name, takesNull ? strict : nullable(strict));
  }
  if ([...required].some((name) => !Object.hasOwn(properties, name))) {
    refuse(state, 'a required property has no schema');
  }
  return properties;
}

function strictObject(state: Strictness, node: JsonObject, pointer: string): JsonObject {
  const others = node.additionalProperties ?? node.unevaluatedProperties;
  const declared = isObject(node.properties) ? Object.keys(node.properties).length : 0;
  if (others !== false && (!isAny(others) || (declared === 0 && (pointer !== '' || others !== undefined)))) {
    return refuse(state, 'an object has properties with names that are not known beforehand');
  }
  if (others !== false) {
    report(state, 'additionalProperties', 'narrower', pointer);
  }
  const properties = strictProperties(state, node, pointer);
  return { properties, required: Object.keys(properties), additionalProperties: false };
}

/** Types, added where the source only implies them. */
function strictTypes(state: Strictness, node: JsonObject, pointer: string): readonly TypeName[] | undefined {
  const declared = declaredTypes(node);
  const values = allowedValues(node);
  if (declared !== undefined) {
    return declared;
  }
  if (values !== undefined && values.length > 0) {
    return typesOfValues(values);
  }
  const implied = impliedType(node);
  if (implied !== undefined) {
    report(state, 'type', 'narrower', pointer);
  }
  return implied && [implied];
}

function tellRest(state: Strictness, node: JsonObject, pointer: string): string | undefined {
  const notes: string[] = [];
  for (const [keyword, value] of Object.entries(node)) {
    if (TOLD.has(keyword) && !isNeutral(node, keyword)) {
      report(state, keyword, 'wider', pointer);
      notes.push(keywordNote(keyword, value));
    }
  }
  return withNotes(node.description, notes);
}

function strictTyped(state: Strictness, source: JsonObject, pointer: string): JsonObject {
  const types = strictTypes(state, source, pointer);
  if (types === undefined) {
    return refuse(state, 'a schema allows any value');
  }
  const node = withoutVacuous(source, types);
  const out = { ...without(node, REPLACED) };
  setKey(out, 'type', typeKeyword(types));
  setKey(out, 'description', tellRest(state, node, pointer));
  if (types.includes('object')) {
    Object.assign(out, strictObject(state, node, pointer));
  }
  if (types.includes('array')) {
    if (isAny(node.items) || !isObject(node.items)) {
      return refuse(state, 'an array does not say what its items are');
    }
    out.items = strictNode(state, node.items, `${pointer}/items`);
  }
  return out;
}

function strictNode(state: Strictness, schema: Json, pointer: string): JsonObject {
  if (state.level > MAX_LEVELS || state.nodes > MAX_NODES || !spendNode()) {
    return refuse(state, 'the schema is too large');
  }
  state.nodes += 1;
  state.level += 1;
  const strict = strictForm(state, schema, pointer);
  state.level -= 1;
  return strict;
}

function strictForm(state: Strictness, schema: Json, pointer: string): JsonObject {
  if (!isObject(schema)) {
    return refuse(state, schema === false ? 'a schema allows no value' : 'a schema allows any value');
  }
  const plain = Array.isArray(schema.allOf) ? dereferenced(schema, state.resolve) : schema;
  const merged = isObject(plain) ? mergeAllOf(plain) : undefined;
  if (merged === undefined || merged.dropped.length > 0) {
    return refuse(state, 'allOf cannot be merged');
  }
  const { node } = merged;
  const types = declaredTypes(node);
  const spoken = types === undefined ? node : withoutVacuous(node, types);
  const found = IMPOSSIBLE.find((keyword) => Object.hasOwn(spoken, keyword));
  if (found !== undefined) {
    return refuse(state, `${found} is not possible in a strict schema`);
  }
  if (typeof node.$ref === 'string') {
    return strictRef(state, node, node.$ref, pointer);
  }
  return unionOf(node) === undefined ? strictTyped(state, node, pointer) : strictUnion(state, node, pointer);
}

/** The definitions that are referred to, those their strict forms refer to included. */
function strictDefinitions(state: Strictness): JsonObject {
  const out: { [key: string]: JsonObject } = {};
  // A Set hands out what is added while it is walked.
  for (const ref of state.used) {
    const target = state.resolve(ref);
    const [, key, name] = target?.pointer.split('/') ?? [];
    if (target === undefined || key === undefined || name === undefined) {
      continue;
    }
    const strict = strictNode(state, target.schema, target.pointer);
    const definitions = out[key] ?? {};
    setKey(definitions, name.replaceAll('~1', '/').replaceAll('~0', '~'), strict);
    out[key] = definitions;
  }
  return out;
}

function project(schema: JsonObject, of: 'arguments' | 'answer'): StrictResult {
  const changes: SchemaChange[] = [];
  const rooted = objectRoot(toCurrentShape(schema, changes), { combinators: 'wrap', of });
  // A wrapper is ours: closing it takes nothing away.
  const closed = rooted.wrapped ? { ...rooted.schema, additionalProperties: false } : rooted.schema;
  const root = hoistRefs(closed, false);
  const state: Strictness = {
    resolve: createResolver(root),
    changes: [...changes, ...rooted.changes],
    nodes: 0,
    level: 0,
    used: new Set(),
    refused: undefined,
  };
  const strict = { ...strictNode(state, without(root, DEFINITIONS), ''), ...strictDefinitions(state) };
  const reason = state.refused ?? exceedsStrictLimits(strict);
  if (reason !== undefined) {
    return { refused: reason };
  }
  const same = state.changes.length === 0 && sameJson(strict, schema);
  return { schema: same ? schema : strict, changes: state.changes, wrapped: rooted.wrapped };
}

const strictArguments = budgeted((schema: JsonObject) => project(schema, 'arguments'), isLarge);
const strictAnswer = budgeted((schema: JsonObject) => project(schema, 'answer'), isLarge);

/**
 * A schema as `strict: true` of the responses dialect demands it (translation.md 3.3): objects closed, every property
 * required, optional ones nullable instead (undo that with `removeAddedNulls`), `oneOf` as `anyOf`, `allOf` merged.
 * Refused where that cannot be said. A schema that already is strict is returned as the same object.
 */
export function toStrictResponses(schema: unknown, of: 'arguments' | 'answer' = 'arguments'): StrictResult {
  if (!isObject(schema)) {
    return project({}, of);
  }
  return of === 'answer' ? strictAnswer(schema) : strictArguments(schema);
}
