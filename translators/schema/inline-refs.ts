import { spendNode } from './budget.js';
import type { SchemaChange } from './change.js';
import { isObject, type Json, type JsonObject, without } from './json.js';
import { DEFINITIONS } from './keywords.js';
import { createResolver, nameOf, REF, type Resolver, withSiblings } from './refs.js';
import { MAX_LEVELS, MAX_NODES, mapChildren } from './walk.js';

/** How references are replaced. */
export interface InlineOptions {
  /** How often one schema may appear below itself before it is cut. */
  depth: number;
  /** What replaces a recursion where it is cut; `name` is the referenced schema's. */
  recursive: (name: string) => JsonObject;
  /** What replaces a reference that leads nowhere. */
  unresolved: JsonObject;
  /** Nodes that may be made; beyond it every reference is cut. */
  budget?: number;
}

interface Inlining {
  root: JsonObject;
  options: InlineOptions;
  resolve: Resolver;
  allowed: number;
  /** How often each schema is open above the present place. */
  active: Map<string, number>;
  nodes: number;
  changes: SchemaChange[];
}

/** Names of a schema resource; copies of them would clash. */
const RESOURCE: ReadonlySet<string> = new Set([...DEFINITIONS, '$anchor', '$dynamicAnchor']);

function cut(state: Inlining, name: string, target: Json | undefined, pointer: string): JsonObject {
  const isPlainObject = isObject(target) && target.type === 'object';
  const stub = state.options.recursive(name);
  state.changes.push({ keyword: '$ref', effect: 'wider', pointer });
  if (!isPlainObject || Object.hasOwn(stub, 'additionalProperties')) {
    state.changes.push({ keyword: '$ref', effect: 'narrower', pointer });
  }
  return stub;
}

function inlineRef(state: Inlining, node: JsonObject, ref: string, pointer: string, level: number): Json {
  const siblings = without(without(node, REF), RESOURCE);
  const target = state.resolve(ref);
  if (target === undefined) {
    state.changes.push({ keyword: '$ref', effect: 'wider', pointer }, { keyword: '$ref', effect: 'narrower', pointer });
    return { ...state.options.unresolved, ...without(siblings, new Set(['type'])) };
  }
  const times = state.active.get(target.pointer) ?? 0;
  const budget = state.options.budget ?? MAX_NODES;
  if (times >= state.allowed || state.nodes > budget || level >= MAX_LEVELS) {
    return cut(state, nameOf(target.pointer, state.root), target.schema, pointer);
  }
  state.active.set(target.pointer, times + 1);
  const expanded = inlineNode(state, target.schema, pointer, level + 1);
  state.active.set(target.pointer, times);
  const beside = inlineNode(state, siblings, pointer, level + 1);
  return withSiblings(expanded, isObject(beside) ? beside : {});
}

function inlineNode(state: Inlining, node: Json, pointer: string, level: number): Json {
  if (!isObject(node)) {
    return node;
  }
  state.nodes += 1;
  if (!spendNode()) state.nodes += state.options.budget ?? MAX_NODES;
  if (level > MAX_LEVELS) {
    state.changes.push({ keyword: 'depth', effect: 'wider', pointer });
    return true;
  }
  if (typeof node.$ref === 'string') {
    return inlineRef(state, node, node.$ref, pointer, level);
  }
  return mapChildren(without(node, RESOURCE), pointer, (child, at) => inlineNode(state, child, at, level + 1));
}

/**
 * Replaces every local `$ref` by the schema it names, keywords next to it kept, and drops the definitions. A recursion
 * is cut after `depth` rounds, or earlier, evenly over all branches, where that many rounds would need more than
 * `budget` nodes. The same object is returned when there is nothing to replace.
 */
export function inlineRefs(
  schema: JsonObject,
  options: InlineOptions,
): { schema: JsonObject; changes: SchemaChange[] } {
  const resolve = createResolver(schema);
  for (let allowed = Math.max(1, options.depth); ; allowed--) {
    const state: Inlining = {
      root: schema,
      options,
      resolve,
      allowed,
      active: new Map([['', 1]]),
      nodes: 0,
      changes: [],
    };
    const inlined = inlineNode(state, schema, '', 0);
    if (allowed === 1 || state.nodes <= (options.budget ?? MAX_NODES)) {
      return { schema: isObject(inlined) ? inlined : inlined === false ? { not: {} } : {}, changes: state.changes };
    }
  }
}
