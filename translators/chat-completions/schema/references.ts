import {
  createResolver,
  eachNode,
  hoistRefs,
  inlineRefs,
  isObject,
  isRecursive,
  type JsonObject,
  type Resolver,
  refSiblings,
  type SchemaChange,
} from '../../schema/index.js';

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

/** The schema with references to definitions only, as far as the grammar takes those; the others are replaced by what they name. */
export function withoutRefs(root: JsonObject, changes: SchemaChange[]): JsonObject {
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

/** The pointers of the definitions that a schema needs: the others may be recursive, and nobody would cut them. */
export function reachedFrom(schema: JsonObject, resolve: Resolver): ReadonlySet<string> {
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
