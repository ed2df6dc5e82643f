import { join } from '../wire/pointer.js';
import { mergeAllOf } from './all-of.js';
import type { ObjectSchemaResult, SchemaChange } from './change.js';
import { inlineRefs } from './inline-refs.js';
import { isObject, type Json, type JsonObject, ownValue, setKey, stringsOf } from './json.js';
import { keywords, TYPED_KEYWORDS, type TypeName } from './keywords.js';
import { isNeutral } from './neutral.js';
import { keywordNote, valuesNote, withNotes } from './notes.js';
import { toCurrentShape } from './shape.js';
import { alternativesOf, createProjection, descend, type Projection, projection, type Report } from './strict.js';
import { tupleAsList } from './tuple.js';
import { allowedValues, declaredTypes, impliedType, isOfType, typesOfValues, withoutVacuous } from './types.js';
import { type Union, unionOf } from './unions.js';

/** One node while it is projected. */
interface Place {
  readonly pointer: string;
  /** What the schema no longer says, for the description. */
  readonly notes: string[];
  readonly report: Report;
}

/** Keywords that have a form here. */
const KEPT = keywords('properties required items prefixItems');

/** Constraints that are left to words. */
const NOTED: readonly string[] = [
  ...TYPED_KEYWORDS.flatMap(([, typed]) => [...typed]).filter((keyword) => !KEPT.has(keyword)),
  ...['not', 'if', 'then', 'else', '$dynamicRef', '$recursiveRef'],
];

function noteConstraints(node: JsonObject, { report, notes }: Place): void {
  for (const keyword of NOTED) {
    const value = ownValue(node, keyword);
    if (value === undefined || isNeutral(node, keyword)) continue;
    report(keyword, 'wider');
    notes.push(keywordNote(keyword, value));
  }
}

/** A list of words stays one; values of other types are left to words (translation.md 3.2 rule 3). */
function plainValues(out: JsonObject, node: JsonObject, type: TypeName, { report, notes }: Place): void {
  const own = allowedValues(node)?.filter((value) => isOfType(value, type));
  if (own === undefined || type === 'null') return;
  const filled = type === 'string' ? stringsOf(own).filter((value) => value !== '') : [];
  if (filled.length > 0) out.enum = filled;
  if (filled.length === own.length || (type === 'boolean' && new Set(own).size > 1)) return;
  report('enum', filled.length > 0 ? 'narrower' : 'wider');
  notes.push(filled.length > 0 ? 'empty string allowed' : valuesNote(own));
}

function plainProperties(
  state: Projection,
  out: JsonObject,
  node: JsonObject,
  { pointer, report, notes }: Place,
): void {
  const source = isObject(node.properties) ? node.properties : {};
  const properties: JsonObject = {};
  for (const name of Object.keys(source)) {
    const child = ownValue(source, name) ?? true;
    if (child === false) report('properties', 'wider');
    else setKey(properties, name, plainNode(state, child, join(`${pointer}/properties`, name)));
  }
  const required = [...new Set(stringsOf(node.required))];
  const known = required.filter((name) => Object.hasOwn(properties, name));
  if (known.length < required.length) {
    report('required', 'wider');
    notes.push(keywordNote('required', required.filter((name) => !known.includes(name)).join(', ')));
  }
  if (pointer === '' || Object.keys(properties).length > 0) out.properties = properties;
  if (known.length > 0) out.required = known;
}

/** A list says what its items are: strings where the source says nothing (translation.md 3.2 rule 5). */
function plainItems(state: Projection, out: JsonObject, node: JsonObject, { pointer, report }: Place): void {
  const tuple = tupleAsList(node);
  if (tuple?.wider === true) report('prefixItems', 'wider');
  if (tuple?.narrower === true) report('prefixItems', 'narrower');
  const items = tuple === undefined ? node.items : tuple.items;
  if (!isObject(items)) report('items', items === false ? 'wider' : 'narrower');
  out.items = isObject(items) ? plainNode(state, items, `${pointer}/items`) : { type: 'string' };
}

function plainOfType(state: Projection, source: JsonObject, type: TypeName, at: Place): JsonObject {
  const node = withoutVacuous(source, [type]);
  const out: JsonObject = { type };
  plainValues(out, node, type, at);
  if (type === 'object') plainProperties(state, out, node, at);
  if (type === 'array') plainItems(state, out, node, at);
  noteConstraints(node, at);
  return out;
}

/** A node without alternatives: of one type, or one alternative for each of its types. */
function plainTyped(state: Projection, node: JsonObject, at: Place): JsonObject {
  const values = allowedValues(node);
  const declared = declaredTypes(node) ?? (values && typesOfValues(values));
  const implied = declared === undefined ? impliedType(node) : undefined;
  if (implied !== undefined) at.report('type', 'narrower');
  const types = (declared ?? (implied && [implied]) ?? []).filter(
    (type) => values?.some((value) => isOfType(value, type)) !== false,
  );
  const [only, ...others] = types;
  if (only === undefined) {
    if (values !== undefined) {
      at.report('enum', 'wider');
      at.notes.push(valuesNote(values));
    }
    noteConstraints(node, at);
    return described({}, node, at);
  }
  if (others.length === 0) return described(plainOfType(state, node, only, at), node, at);
  return described({ anyOf: types.map((type) => plainOfType(state, node, type, at)) }, node, at);
}

function plainUnion(state: Projection, node: JsonObject, union: Union, at: Place): JsonObject {
  if (union.both) {
    at.report('oneOf', 'wider');
    at.notes.push(keywordNote('oneOf', node.oneOf));
  }
  const { branches, lost } = alternativesOf(state, node, union, at.pointer, at.report, true);
  if (lost || branches.length === 0) at.report(union.key, 'wider');
  const anyOf = branches.map(({ schema, pointer }) => plainNode(state, schema, pointer));
  return described(anyOf.length === 0 ? {} : { anyOf }, node, at);
}

function described(out: JsonObject, { description }: JsonObject, { notes }: Place): JsonObject {
  const text = withNotes(description, notes);
  return text === undefined ? out : { ...out, description: text };
}

function plainForm(state: Projection, schema: JsonObject, at: Place): JsonObject {
  const { node, dropped } = mergeAllOf(schema);
  if (dropped.length > 0) {
    at.report('allOf', 'wider');
    const branches = Array.isArray(schema.allOf) ? schema.allOf : [];
    at.notes.push(...dropped.map((index) => keywordNote('allOf', branches[index])));
  }
  const union = unionOf(node);
  return union === undefined ? plainTyped(state, node, at) : plainUnion(state, node, union, at);
}

function plainNode(state: Projection, schema: Json, pointer: string): JsonObject {
  const report: Report = (keyword, effect) => state.changes.push({ keyword, effect, pointer });
  if (!isObject(schema)) {
    if (schema === false) report('false', 'wider');
    return {};
  }
  const plain = descend(state, () => plainForm(state, schema, { pointer, notes: [], report }));
  if (plain === undefined) report('size', 'wider');
  return plain ?? {};
}

const project = projection((schema): ObjectSchemaResult => {
  const changes: SchemaChange[] = [];
  const inlined = inlineRefs(toCurrentShape(schema, changes), {
    depth: 4,
    recursive: (name) => ({ type: 'object', description: `recursive ${name}` }),
    unresolved: { type: 'string' },
  });
  changes.push(...inlined.changes);
  return { schema: plainNode(createProjection(inlined.schema, changes), inlined.schema, ''), changes };
});

/**
 * A schema for servers that build a grammar of it and know few keywords (translation.md 3): types, properties, items,
 * lists of words and `anyOf`, without references; every other constraint is moved to the description. The root of an
 * object keeps its `properties`.
 */
export function encodePlainSchema(schema: unknown): ObjectSchemaResult {
  return project(isObject(schema) ? schema : {}, 'arguments');
}
