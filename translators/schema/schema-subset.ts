import { mergeAllOf, OUTER_ONLY } from './all-of.js';
import { budgeted, spendNode } from './budget.js';
import { isLarge } from './cache.js';
import type { SchemaChange, SchemaResult } from './change.js';
import { inlineRefs } from './inline-refs.js';
import { compact, isObject, type Json, type JsonObject, ownValue, sameJson, without } from './json.js';
import { isAny, isNeutral } from './neutral.js';
import { joinDescriptions, keywordNote, withNotes } from './notes.js';
import { toCurrentShape } from './shape.js';
import { emitTyped, type NodeContext, REMOVED_EVERYWHERE } from './subset-types.js';
import {
  allowedValues,
  declaredTypes,
  IMPLYING_KEYWORDS,
  impliedType,
  isExclusive,
  isOfType,
  type TypeName,
  typesOfValues,
  type ValueType,
} from './types.js';
import { distribute, unionOf } from './unions.js';
import { MAX_NODES } from './walk.js';

/** What a schema describes: arguments are objects whatever it says, an answer can be anything. */
type Described = 'arguments' | 'answer';

interface Projection {
  changes: SchemaChange[];
  nodes: number;
  of: Described;
}

function contextOf(projection: Projection, pointer: string): NodeContext {
  return {
    pointer,
    notes: [],
    argument: projection.of === 'arguments' && pointer === '',
    report: (keyword, effect) => projection.changes.push({ keyword, effect, pointer }),
    child: (schema, path) => project(projection, schema, `${pointer}/${path}`),
  };
}

/** Any JSON value: the subset has no word for it, so every type is listed. */
const ANYTHING: readonly JsonObject[] = [
  { type: 'STRING' },
  { type: 'NUMBER' },
  { type: 'BOOLEAN' },
  { type: 'OBJECT' },
  { type: 'ARRAY', items: { type: 'STRING' } },
];

function withDescription(branch: JsonObject, description: string | undefined): JsonObject {
  return description === undefined ? branch : { ...branch, description };
}

/** `anyOf` has to stand alone [G §3.1], so the description moves into its branches. */
function union(
  node: JsonObject,
  branches: readonly JsonObject[],
  nullable: boolean,
  notes: readonly string[],
): JsonObject {
  const outer = withNotes(node.description, notes);
  const described = branches.map((branch) => withDescription(branch, joinDescriptions(outer, branch.description)));
  return { ...(nullable && { nullable }), anyOf: described };
}

function isNullOnly(schema: Json | undefined): boolean {
  if (!isObject(schema)) {
    return false;
  }
  const values = allowedValues(schema);
  const types = values === undefined || values.length === 0 ? declaredTypes(schema) : typesOfValues(values);
  return types?.length === 1 && types[0] === 'null';
}

/** Comparing is quadratic; the branches beyond these stay as they are. */
const COMPARED_BRANCHES = 48;

/** The branches without those that only repeat an earlier one, once the description of their node is added. */
function distinct(branches: readonly JsonObject[], outer: Json | undefined): JsonObject[] {
  const described = branches.map((branch) => withDescription(branch, joinDescriptions(outer, branch.description)));
  return branches.filter(
    (_branch, index) =>
      index >= COMPARED_BRANCHES || !described.slice(0, index).some((earlier) => sameJson(earlier, described[index])),
  );
}

/** A single branch that is left of a union takes the place of its node, whose annotations count before its own. */
function inlineBranch(node: JsonObject, branch: JsonObject, nullable: boolean, notes: readonly string[]): JsonObject {
  const types = declaredTypes(branch);
  const examples = node.example === undefined ? node.examples : [node.example];
  const fitting = (Array.isArray(examples) ? examples : []).filter((value) =>
    types === undefined ? true : types.some((type) => isOfType(value, type)),
  );
  return compact({
    ...branch,
    nullable: nullable || branch.nullable === true ? true : undefined,
    title: typeof node.title === 'string' ? node.title : branch.title,
    description: withNotes(joinDescriptions(node.description, branch.description), notes),
    default: node.default ?? branch.default,
    example: fitting[0] ?? branch.example,
  });
}

function alwaysNull(node: JsonObject, context: NodeContext): JsonObject {
  context.report('type', 'wider');
  const description = withNotes(node.description, [...context.notes, 'always null']);
  return compact({ type: 'STRING', nullable: true, description });
}

/** Annotations that describe a whole union have no place beside `anyOf`. */
function reportUnplaced(node: JsonObject, context: NodeContext): void {
  for (const keyword of ['title', 'default', 'example', 'examples']) {
    if (Object.hasOwn(node, keyword) && node[keyword] !== null) {
      context.report(keyword, 'same');
    }
  }
}

function projectUnion(node: JsonObject, context: NodeContext): JsonObject | undefined {
  const found = unionOf(node);
  if (found === undefined) {
    return undefined;
  }
  if (found.both) {
    context.report('oneOf', 'wider');
    context.notes.push(keywordNote('oneOf', node.oneOf));
  } else if (found.key === 'oneOf' && !isExclusive(found.branches, () => undefined)) {
    context.report('oneOf', 'wider');
  }
  // `nullable` beside a union is OpenAPI's way to add a null branch.
  let nullable = node.nullable === true;
  const branches: JsonObject[] = [];
  for (const { schema, index, lost } of distribute(node, found.branches)) {
    if (isNullOnly(schema)) {
      nullable = true;
      continue;
    }
    if (lost) {
      context.report(found.key, 'wider');
    }
    const branch = context.child(schema, `${found.key}/${index}`);
    if (branch !== undefined && Array.isArray(branch.anyOf)) {
      nullable ||= branch.nullable === true;
      branches.push(...branch.anyOf.filter(isObject));
    } else if (branch !== undefined) {
      branches.push(branch);
    }
  }
  const [only, ...others] = distinct(branches, node.description);
  if (only === undefined) {
    return nullable ? alwaysNull(node, context) : undefined;
  }
  if (others.length === 0) {
    return inlineBranch(node, only, nullable, context.notes);
  }
  reportUnplaced(node, context);
  return union(node, [only, ...others], nullable, context.notes);
}

const DEFAULT: ReadonlySet<string> = new Set(['default']);

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
    return union(node, ANYTHING, true, context.notes);
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
  ...['$schema', '$id', '$comment', '$anchor', '$dynamicAnchor', '$vocabulary', '$defs', 'definitions'],
  ...['title', 'description', 'default', 'example', 'examples', 'propertyOrdering', 'nullable'],
  ...['type', 'enum', 'const', 'format', ...IMPLYING_KEYWORDS, ...REMOVED_EVERYWHERE],
  ...['anyOf', 'oneOf', 'allOf', 'contentSchema', 'minContains', 'maxContains'],
]);

function reportUnknown(node: JsonObject, context: NodeContext): void {
  for (const keyword of Object.keys(node)) {
    if (!SPOKEN_FOR.has(keyword)) {
      context.report(keyword, 'same');
    }
  }
}

function project(projection: Projection, schema: Json | undefined, pointer: string): JsonObject | undefined {
  const context = contextOf(projection, pointer);
  if (schema === false) {
    return undefined;
  }
  if (!isObject(schema)) {
    // [G §3.1] gives a boolean schema as an object without properties.
    context.report('true', 'narrower');
    return { type: 'OBJECT' };
  }
  projection.nodes += 1;
  if (projection.nodes > MAX_NODES || !spendNode()) {
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

function projectRoot(schema: JsonObject, of: Described): SchemaResult {
  const changes: SchemaChange[] = [];
  const inlined = inlineRefs(toCurrentShape(schema, changes), {
    depth: 4,
    recursive: (name) => ({ type: 'object', description: `recursive ${name}` }),
    unresolved: { type: 'string' },
  });
  const projection: Projection = { changes: [...changes, ...inlined.changes], nodes: 0, of };
  if (Object.keys(inlined.schema).length === 0) {
    return { schema: undefined, changes: projection.changes };
  }
  const root = project(projection, inlined.schema, '');
  if (!leaveOut(root, of, projection.changes)) {
    return { schema: root, changes: projection.changes };
  }
  // What is not sent refuses nothing.
  return { schema: undefined, changes: projection.changes.filter(({ effect }) => effect !== 'narrower') };
}

const projectArguments = budgeted((schema: JsonObject) => projectRoot(schema, 'arguments'), isLarge);
const projectAnswer = budgeted((schema: JsonObject) => projectRoot(schema, 'answer'), isLarge);

/**
 * The projection of a JSON Schema to the `Schema` of generateContent (translation.md 3.2): an allow-list of keywords,
 * local references inlined, upper-case types, `nullable`; constraints it cannot hold go to the descriptions. `schema`
 * is undefined when nothing but an empty object is left. The root of arguments counts as an object when it names no type.
 */
export function toSchemaSubset(schema: unknown, of: Described = 'arguments'): SchemaResult {
  if (!isObject(schema)) {
    return { schema: undefined, changes: [] };
  }
  return of === 'answer' ? projectAnswer(schema) : projectArguments(schema);
}
