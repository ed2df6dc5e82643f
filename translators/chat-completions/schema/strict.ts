import {
  allowedValues,
  alternativesOf,
  compact,
  createProjection,
  DEFINITIONS,
  type Described,
  declaredTypes,
  dereferenced,
  descend,
  eachNode,
  impliedType,
  isAny,
  isNeutral,
  isObject,
  type Json,
  type JsonObject,
  keywordNote,
  keywords,
  mergeAllOf,
  OPENING,
  objectRoot,
  ownValue,
  type Projection,
  projection,
  type Report,
  type RootResult,
  refSiblings,
  type SchemaChange,
  sameJson,
  setKey,
  stringsOf,
  toCurrentShape,
  tupleAsList,
  typeKeyword,
  typesOfValues,
  type Union,
  unionOf,
  withNotes,
  without,
  withoutVacuous,
} from '../../schema/index.js';
import { join } from '../../wire/pointer.js';
import { TOOL_PROPERTIES } from './encode.js';
import { reachedFrom, withoutRefs } from './references.js';

/** Keywords whose constraint the grammar of [M §2.8] does not take; the description states them instead. */
const NOTED = keywords(
  [
    'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf',
    'minLength maxLength pattern contentEncoding contentMediaType contentSchema',
    'minItems maxItems uniqueItems contains minContains maxContains unevaluatedItems',
    'minProperties maxProperties propertyNames patternProperties',
    'not if then else dependentRequired dependentSchemas $dynamicRef $recursiveRef',
  ].join(' '),
);

/** The string formats that the official client libraries leave in place; others become words. */
const FORMATS = keywords('date-time time date duration email hostname uri ipv4 ipv6 uuid');

interface Node {
  pointer: string;
  notes: string[];
  readonly report: Report;
}

/** Moves the constraints the grammar cannot hold from `out` into the notes of the node. */
function noteConstraints(out: JsonObject, at: Node): void {
  const noted = Object.keys(out).filter((keyword) => isNoted(keyword, out[keyword]));
  const closed = out.additionalProperties === false;
  for (const keyword of noted) {
    if (!isNeutral(out, keyword, closed)) {
      at.report(keyword, 'wider');
      at.notes.push(keywordNote(keyword, out[keyword] ?? null));
    }
  }
  for (const keyword of noted) {
    delete out[keyword];
  }
}

function isNoted(keyword: string, value: Json | undefined): boolean {
  return keyword === 'format' ? !(typeof value === 'string' && FORMATS.has(value)) : NOTED.has(keyword);
}

function closeObject(state: Projection, out: JsonObject, at: Node): void {
  // What is only noted evaluates nothing any more.
  const evaluates = OPENING.unevaluatedProperties.some((keyword) => NOTED.has(keyword) && Object.hasOwn(out, keyword));
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
      setKey(properties, name, strictNode(state, child, join(`${at.pointer}/properties`, name)));
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

function strictItems(state: Projection, out: JsonObject, at: Node): void {
  const tuple = tupleAsList(out);
  delete out.prefixItems;
  if (tuple !== undefined) {
    if (tuple.wider) at.report('prefixItems', 'wider');
    if (tuple.narrower) at.report('prefixItems', 'narrower');
    if (out.items === false) at.report('items', 'wider');
    setKey(out, 'items', tuple.items);
    // The grammar does not hold lists to a length, so an assumed one is only noted.
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
const REPLACED = keywords('$defs definitions $anchor $dynamicAnchor nullable anyOf oneOf');

/** What only objects and lists have; a node that lists its values needs none of it, and it would have to be closed. */
const STRUCTURE = keywords('properties required additionalProperties unevaluatedProperties items prefixItems');

function noteStructure(out: JsonObject, at: Node): void {
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

function strictTyped(state: Projection, node: JsonObject, at: Node): JsonObject {
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
    noteStructure(out, at);
  }
  if (types?.includes('object')) {
    closeObject(state, out, at);
  }
  if (types?.includes('array')) {
    strictItems(state, out, at);
  }
  noteConstraints(out, at);
  setKey(out, 'description', withNotes(node.description, at.notes));
  return out;
}

function strictUnion(state: Projection, node: JsonObject, union: Union, at: Node): JsonObject {
  const { key, both } = union;
  if (both) {
    at.report('oneOf', 'wider');
    at.notes.push(keywordNote('oneOf', node.oneOf));
  }
  const { branches, lost, annotations } = alternativesOf(state, node, union, at.pointer, at.report, true);
  if (lost || branches.length === 0) {
    at.report(key, 'wider');
  }
  const anyOf = branches.map(({ schema, pointer }) => strictNode(state, schema, pointer));
  const description = withNotes(node.description, at.notes);
  return compact({ ...annotations, description, anyOf: anyOf.length === 0 ? undefined : anyOf });
}

function strictForm(state: Projection, schema: JsonObject, at: Node): JsonObject {
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
  const union = unionOf(node);
  return union === undefined ? strictTyped(state, node, at) : strictUnion(state, node, union, at);
}

function strictNode(state: Projection, schema: Json, pointer: string): JsonObject {
  const report: Report = (keyword, effect) => state.changes.push({ keyword, effect, pointer });
  if (!isObject(schema)) {
    if (schema === false) report('false', 'wider');
    return {};
  }
  const strict = descend(state, () => strictForm(state, schema, { pointer, notes: [], report }));
  if (strict === undefined) report('size', 'wider');
  return strict ?? {};
}

const project = projection((schema, of): RootResult => {
  const changes: SchemaChange[] = [];
  const rooted = objectRoot(toCurrentShape(schema, changes), {
    combinators: 'wrap',
    of,
    ...(of === 'arguments' && { names: TOOL_PROPERTIES }),
  });
  changes.push(...rooted.changes);
  // A wrapper is ours: closing it takes nothing away.
  const closed = rooted.wrapped ? { ...rooted.schema, additionalProperties: false } : rooted.schema;
  const root = withoutRefs(closed, changes);
  const state = createProjection(root, changes);
  const strict = strictNode(state, without(root, DEFINITIONS), '');
  const reached = reachedFrom(strict, state.resolve);
  for (const key of DEFINITIONS) {
    const definitions = root[key];
    if (isObject(definitions)) {
      const kept: JsonObject = {};
      const used = Object.keys(definitions).filter((name) => reached.has(join(`/${key}`, name)));
      for (const name of used) {
        setKey(kept, name, strictNode(state, ownValue(definitions, name) ?? true, join(`/${key}`, name)));
      }
      if (used.length > 0) strict[key] = kept;
    }
  }
  const same = changes.length === 0 && sameJson(strict, schema);
  return { schema: same ? schema : strict, changes, wrapped: rooted.wrapped };
});

/**
 * A schema as `strict` tools and structured output demand it [M §2.8] (translation.md 3.3): objects
 * closed, `oneOf` as `anyOf`, `allOf` merged, recursion cut, and every constraint the grammar cannot hold moved to the
 * description. A schema that already is like that is returned as the same object.
 */
export function encodeStrictSchema(schema: unknown, of: Described = 'arguments'): RootResult {
  return project(isObject(schema) ? schema : {}, of);
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
