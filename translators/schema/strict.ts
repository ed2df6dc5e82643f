import { budgeted, spendNode } from './budget.js';
import type { ChangeEffect, SchemaChange } from './change.js';
import { type Json, type JsonObject, only, without } from './json.js';
import { ANNOTATIONS, DEFINITIONS } from './keywords.js';
import { createResolver, dereferenced, type Resolver } from './refs.js';
import { isExclusive } from './types.js';
import { distribute, isTornApart, type Union } from './unions.js';
import { MAX_LEVELS, MAX_NODES } from './walk.js';

/** What a schema describes: arguments are objects whatever it declares, an answer can be anything. */
export type Described = 'arguments' | 'answer';

/** What the projection of one schema shares. */
export interface Projection {
  readonly resolve: Resolver;
  readonly changes: SchemaChange[];
  nodes: number;
  level: number;
}

/** A projection that begins at `root`, whose references it resolves. */
export function createProjection(root: JsonObject, changes: SchemaChange[]): Projection {
  return { resolve: createResolver(root), changes, nodes: 0, level: 0 };
}

/** The projection of one node below the others; undefined where the schema is too large for it. */
export function descend<Result>(projection: Projection, project: () => Result): Result | undefined {
  if (projection.level > MAX_LEVELS || projection.nodes > MAX_NODES || !spendNode()) return undefined;
  projection.nodes += 1;
  projection.level += 1;
  const result = project();
  projection.level -= 1;
  return result;
}

/** Records a change at a place of the schema. */
export type Report = (keyword: string, effect: ChangeEffect) => void;

/** The alternatives of a union that is written as `anyOf`. */
export interface Alternatives {
  readonly branches: readonly { readonly schema: Json; readonly pointer: string }[];
  /** Keywords next to the union could not be merged into a branch. */
  readonly lost: boolean;
  readonly annotations: JsonObject;
}

/**
 * The alternatives of a union, each with the constraints next to it; where `anyOf` means something else it is reported. `dangling`
 * replaces a branch whose reference leads nowhere.
 */
export function alternativesOf(
  { resolve }: Projection,
  node: JsonObject,
  { key, branches }: Union,
  pointer: string,
  report: Report,
  dangling: boolean,
): Alternatives {
  const lookup = (ref: string) => resolve(ref)?.schema;
  if (key === 'oneOf' && !isExclusive(branches, lookup)) report('oneOf', 'wider');
  if (isTornApart(node, lookup)) report(key, 'narrower');
  const alone = Object.keys(node).every((name) => name === 'anyOf' || name === 'oneOf' || ANNOTATIONS.has(name));
  const parts = alone
    ? branches.map((schema, index) => ({ schema, index, lost: false }))
    : distribute(
        without(node, DEFINITIONS),
        branches.map((branch) => dereferenced(branch, resolve) ?? dangling),
      );
  return {
    branches: parts
      .filter(({ schema }) => schema !== false)
      .map(({ schema, index }) => ({ schema: schema ?? true, pointer: `${pointer}/${key}/${index}` })),
    lost: parts.some(({ lost }) => lost),
    annotations: only(node, ANNOTATIONS),
  };
}

/** A projection for both uses of a schema, remembered for large ones and bounded by the budget of the request. */
export function projection<Result>(
  project: (schema: JsonObject, of: Described) => Result,
): (schema: JsonObject, of: Described) => Result {
  const uses = {
    arguments: budgeted((schema) => project(schema, 'arguments')),
    answer: budgeted((schema) => project(schema, 'answer')),
  } satisfies Record<Described, (schema: JsonObject) => Result>;
  return (schema, of) => uses[of](schema);
}
