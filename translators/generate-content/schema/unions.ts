import {
  allowedValues,
  compact,
  declaredTypes,
  distribute,
  isExclusive,
  isObject,
  isOfType,
  type Json,
  type JsonObject,
  joinDescriptions,
  keywordNote,
  sameJson,
  typesOfValues,
  unionOf,
  withNotes,
} from '../../schema/index.js';
import type { NodeContext } from './types.js';

/** Any JSON value: the subset has no word for it, so every type is listed. */
export const ANYTHING: readonly JsonObject[] = [
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
export function anyOf(
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

export function alwaysNull(node: JsonObject, context: NodeContext): JsonObject {
  context.report('type', 'wider');
  const description = withNotes(node.description, [...context.notes, 'always null']);
  return compact({ type: 'STRING', nullable: true, description });
}

/** Annotations that describe a whole union have no place beside `anyOf`. */
export function reportUnplaced(node: JsonObject, context: NodeContext): void {
  for (const keyword of ['title', 'default', 'example', 'examples']) {
    if (Object.hasOwn(node, keyword) && node[keyword] !== null) {
      context.report(keyword, 'same');
    }
  }
}

export function projectUnion(node: JsonObject, context: NodeContext): JsonObject | undefined {
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
  return anyOf(node, [only, ...others], nullable, context.notes);
}
