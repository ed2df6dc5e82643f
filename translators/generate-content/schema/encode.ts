import {
  allowedValues,
  type Described,
  declaredTypes,
  impliedType,
  inlineRefs,
  isAny,
  isNeutral,
  isObject,
  isOfType,
  type Json,
  type JsonObject,
  keywordNote,
  keywords,
  MAX_NODES,
  mergeAllOf,
  OUTER_ONLY,
  ownValue,
  projection,
  type SchemaChange,
  type SchemaResult,
  spendNode,
  TYPED_KEYWORDS,
  type TypeName,
  toCurrentShape,
  typesOfValues,
  unionOf,
  type ValueType,
  without,
} from '../../schema/index.js';
import { emitTyped, type NodeContext, REMOVED_EVERYWHERE } from './types.js';
import { ANYTHING, alwaysNull, anyOf, projectUnion, reportUnplaced } from './unions.js';

interface Projecting {
  changes: SchemaChange[];
  nodes: number;
  of: Described;
}

function contextOf(state: Projecting, pointer: string): NodeContext {
  return {
    pointer,
    notes: [],
    argument: state.of === 'arguments' && pointer === '',
    report: (keyword, effect) => state.changes.push({ keyword, effect, pointer }),
    child: (schema, path) => project(state, schema, `${pointer}/${path}`),
  };
}

const DEFAULT = keywords('default');

/** The types a node is projected for; undefined when it can be anything. */
function typesToProject(
  node: JsonObject,
  values: readonly Json[] | undefined,
  context: NodeContext,
): readonly TypeName[] | undefined {
  const declared = declaredTypes(node);
  if (declared !== undefined || values !== undefined) {
    return declared ?? typesOfValues(values ?? []);
  }
  const implied = impliedType(node);
  if (implied !== undefined && !(context.argument && implied === 'object')) {
    context.report('type', 'narrower');
  }
  return implied && [implied];
}

function projectTypes(node: JsonObject, context: NodeContext): JsonObject | undefined {
  const values = allowedValues(node);
  const types = typesToProject(node, values, context);
  if (types === undefined) {
    context.report('type', 'narrower');
    removeEverywhere(node, context);
    reportUnplaced(node, context);
    return anyOf(node, ANYTHING, true, context.notes);
  }
  const nullable = types.includes('null') && values?.includes(null) !== false;
  const wanted = types.filter(
    (type): type is ValueType =>
      type !== 'null' &&
      !(type === 'integer' && types.includes('number')) &&
      values?.some((value) => isOfType(value, type)) !== false,
  );
  const [only, ...others] = wanted;
  if (only === undefined) {
    return nullable ? alwaysNull(node, context) : undefined;
  }
  removeEverywhere(node, context);
  if (others.length === 0) {
    return emitTyped(node, only, nullable, values, context);
  }
  const branches = wanted.map((type) => {
    const fits = isOfType(node.default, type);
    const own = fits ? node : without(node, DEFAULT);
    return emitTyped(own, type, false, values, { ...context, notes: [...context.notes] });
  });
  return { ...(nullable && { nullable }), anyOf: branches };
}

/** Constraints that the subset has no room for, whatever the type. */
function removeEverywhere(node: JsonObject, context: NodeContext): void {
  for (const keyword of REMOVED_EVERYWHERE) {
    if (Object.hasOwn(node, keyword) && node[keyword] !== undefined && !isNeutral(node, keyword)) {
      context.report(keyword, 'wider');
      context.notes.push(keywordNote(keyword, node[keyword]));
    }
  }
}

/** Keywords that are carried over, spoken for by the rules above, or say nothing about a value. */
const SPOKEN_FOR: ReadonlySet<string> = new Set([
  ...keywords('$schema $id $comment $anchor $dynamicAnchor $vocabulary $defs definitions'),
  ...keywords('title description default example examples propertyOrdering nullable type enum const format'),
  ...TYPED_KEYWORDS.flatMap(([, typed]) => [...typed]),
  ...keywords('not if then else $dynamicRef $recursiveRef anyOf oneOf allOf'),
]);

function reportUnknown(node: JsonObject, context: NodeContext): void {
  for (const keyword of Object.keys(node)) {
    if (!SPOKEN_FOR.has(keyword)) {
      context.report(keyword, 'same');
    }
  }
}

function project(state: Projecting, schema: Json | undefined, pointer: string): JsonObject | undefined {
  const context = contextOf(state, pointer);
  if (schema === false) {
    return undefined;
  }
  if (!isObject(schema)) {
    // [G §3.1] gives a boolean schema as an object without properties.
    context.report('true', 'narrower');
    return { type: 'OBJECT' };
  }
  state.nodes += 1;
  if (state.nodes > MAX_NODES || !spendNode()) {
    context.report('size', 'wider');
    context.report('size', 'narrower');
    return { type: 'OBJECT' };
  }
  const { node, dropped } = mergeAllOf(schema);
  if (dropped.length > 0) {
    context.report('allOf', 'wider');
    const branches = Array.isArray(schema.allOf) ? schema.allOf : [];
    dropped.forEach((index) => {
      context.notes.push(keywordNote('allOf', branches[index]));
    });
    for (const keyword of OUTER_ONLY) {
      const value = ownValue(schema, keyword);
      if (!isAny(value)) {
        context.report(keyword, 'wider');
        context.notes.push(keywordNote(keyword, value));
      }
    }
  }
  reportUnknown(node, context);
  return unionOf(node) === undefined ? projectTypes(node, context) : projectUnion(node, context);
}

/** A root that says no more than that it is an object is left out; what it did say is lost. */
function leaveOut(root: JsonObject | undefined, of: Described, changes: SchemaChange[]): boolean {
  if (root === undefined) {
    changes.push({ keyword: 'false', effect: 'wider', pointer: '' });
    return true;
  }
  if (root.type !== 'OBJECT' || root.properties !== undefined) {
    return false;
  }
  for (const keyword of ['minProperties', 'maxProperties']) {
    if (Object.hasOwn(root, keyword)) changes.push({ keyword, effect: 'wider', pointer: '' });
  }
  if (of === 'answer') {
    changes.push({ keyword: 'type', effect: 'wider', pointer: '' });
  }
  return true;
}

const projectRoot = projection((schema, of): SchemaResult => {
  const changes: SchemaChange[] = [];
  const inlined = inlineRefs(toCurrentShape(schema, changes), {
    depth: 4,
    recursive: (name) => ({ type: 'object', description: `recursive ${name}` }),
    unresolved: { type: 'string' },
  });
  const state: Projecting = { changes: [...changes, ...inlined.changes], nodes: 0, of };
  if (Object.keys(inlined.schema).length === 0) {
    return { schema: undefined, changes: state.changes };
  }
  const root = project(state, inlined.schema, '');
  if (!leaveOut(root, of, state.changes)) {
    return { schema: root, changes: state.changes };
  }
  // What is not sent refuses nothing.
  return { schema: undefined, changes: state.changes.filter(({ effect }) => effect !== 'narrower') };
});

/**
 * The projection of a JSON Schema to the `Schema` of generateContent (translation.md 3.2): an allow-list of keywords,
 * local references inlined, upper-case types, `nullable`; constraints it cannot hold go to the descriptions. `schema`
 * is undefined when nothing but an empty object is left. The root of arguments counts as an object when it names no type.
 */
export function encodeSchema(schema: unknown, of: Described = 'arguments'): SchemaResult {
  return isObject(schema) ? projectRoot(schema, of) : { schema: undefined, changes: [] };
}
