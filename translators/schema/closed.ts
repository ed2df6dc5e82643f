import { join, unescapeSegment } from '../wire/pointer.js';
import { mergeAllOf } from './all-of.js';
import type { ChangeEffect, SchemaChange } from './change.js';
import { exceedsStrictLimits } from './closed-limits.js';
import { hoistRefs } from './hoist-refs.js';
import { isObject, type Json, type JsonObject, ownValue, sameJson, setKey, stringsOf, without } from './json.js';
import { DEFINITIONS, keywords, type TypeName } from './keywords.js';
import { isAny, isNeutral } from './neutral.js';
import { keywordNote, withNotes } from './notes.js';
import { dereferenced, refSiblings } from './refs.js';
import { objectRoot, type RootResult } from './root.js';
import { toCurrentShape } from './shape.js';
import {
  alternativesOf,
  createProjection,
  type Described,
  descend,
  type Projection,
  projection,
  type Report,
} from './strict.js';
import {
  acceptsNull,
  allowedValues,
  declaredTypes,
  impliedType,
  typeKeyword,
  typesOfValues,
  withoutVacuous,
} from './types.js';
import { type Union, unionOf } from './unions.js';

/** A strict schema, or in one clause why there is none, so that the tool goes out with `strict: false`. */
export type StrictResult = RootResult | { refused: string };

interface Strictness extends Projection {
  /** References to definitions that the strict schema still has. */
  readonly used: Set<string>;
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
const IMPOSSIBLE = keywords(
  'not if then else dependentRequired dependentSchemas patternProperties prefixItems unevaluatedItems $dynamicRef $recursiveRef',
);

/** Not taken either, but a schema that only states them in words is still far better than none. */
const NOTED = keywords(
  'uniqueItems contains minContains maxContains propertyNames minProperties maxProperties contentEncoding contentMediaType contentSchema',
);

/** What a strict node does without: names that moved to the root, and what is said in another way. */
const REPLACED: ReadonlySet<string> = new Set([
  ...keywords('$defs definitions $anchor $dynamicAnchor nullable unevaluatedProperties anyOf oneOf'),
  ...NOTED,
]);

const CONST = keywords('const');

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

function strictUnion(state: Strictness, node: JsonObject, union: Union, pointer: string): JsonObject {
  if (union.both) {
    return refuse(state, 'anyOf and oneOf stand side by side');
  }
  const note: Report = (keyword, effect) => report(state, keyword, effect, pointer);
  const { branches, lost, annotations } = alternativesOf(state, node, union, pointer, note, false);
  if (lost) {
    return refuse(state, `keywords beside ${union.key} cannot be merged into its branches`);
  }
  const anyOf = branches.map((branch) => strictNode(state, branch.schema, branch.pointer));
  return anyOf.length === 0 ? refuse(state, `no branch of ${union.key} can match`) : { anyOf, ...annotations };
}

function strictProperties(state: Strictness, node: JsonObject, pointer: string): JsonObject {
  const source = isObject(node.properties) ? node.properties : {};
  const required = new Set(stringsOf(node.required));
  const properties: JsonObject = {};
  for (const name of Object.keys(source)) {
    const child = ownValue(source, name) ?? true;
    const at = join(`${pointer}/properties`, name);
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

function describeRest(state: Strictness, node: JsonObject, pointer: string): string | undefined {
  const notes: string[] = [];
  for (const [keyword, value] of Object.entries(node)) {
    if (NOTED.has(keyword) && !isNeutral(node, keyword)) {
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
  setKey(out, 'description', describeRest(state, node, pointer));
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
  return descend(state, () => strictForm(state, schema, pointer)) ?? refuse(state, 'the schema is too large');
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
  const found = [...IMPOSSIBLE].find((keyword) => Object.hasOwn(spoken, keyword));
  if (found !== undefined) {
    return refuse(state, `${found} is not possible in a strict schema`);
  }
  if (typeof node.$ref === 'string') {
    return strictRef(state, node, node.$ref, pointer);
  }
  const union = unionOf(node);
  return union === undefined ? strictTyped(state, node, pointer) : strictUnion(state, node, union, pointer);
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
    setKey(definitions, unescapeSegment(name), strict);
    out[key] = definitions;
  }
  return out;
}

const project = projection((schema, of): StrictResult => {
  const changes: SchemaChange[] = [];
  const rooted = objectRoot(toCurrentShape(schema, changes), { combinators: 'wrap', of });
  // A wrapper is ours: closing it takes nothing away.
  const closed = rooted.wrapped ? { ...rooted.schema, additionalProperties: false } : rooted.schema;
  const root = hoistRefs(closed, false);
  const state: Strictness = {
    ...createProjection(root, [...changes, ...rooted.changes]),
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
});

/**
 * A schema as `strict: true` demands it [R §3.32] (translation.md 3.3): objects closed, every property
 * required, optional ones nullable instead (undo that with `removeAddedNulls`), `oneOf` as `anyOf`, `allOf` merged.
 * Refused where that cannot be said. A schema that already is strict is returned as the same object.
 */
export function encodeStrictSchema(schema: unknown, of: Described = 'arguments'): StrictResult {
  return project(isObject(schema) ? schema : {}, of);
}

/** Whether a schema lets something be null once it is strict that was only optional before. */
export function addsNulls(schema: unknown, of: Described): boolean {
  const strict = encodeStrictSchema(schema, of);
  return (
    !('refused' in strict) && strict.changes.some(({ keyword, effect }) => keyword === 'nullable' && effect === 'wider')
  );
}

/** Whether a schema goes out wrapped: as strictness demands it where that is asked for and possible, else as it is. */
export function wrapsRoot(schema: unknown, strict: boolean, of: Described): boolean {
  const projected = strict ? encodeStrictSchema(schema, of) : undefined;
  if (projected !== undefined && !('refused' in projected)) return projected.wrapped;
  return objectRoot(schema, { combinators: 'wrap', of, bare: of === 'arguments' }).wrapped;
}
