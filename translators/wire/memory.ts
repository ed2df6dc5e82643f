import type { JsonObject } from '../canonical/node.js';

/** The wire forms of the nodes that one dialect has decoded. */
interface Memory {
  /** Notes that `node` was decoded from `form`, and returns the node. Neither may be written to from then on. */
  remember<N extends object>(node: N, form: JsonObject): N;
  /** The wire form of a node that is the very one decoded; undefined for any other, even for an equal one. */
  remembered(node: object): JsonObject | undefined;
  /** Notes that `nodes` were decoded from one form, and returns them. */
  rememberAll<N extends object>(nodes: readonly N[], form: JsonObject): readonly N[];
  /** The form that these nodes were decoded from; undefined unless they are all of its nodes, in their order. */
  rememberedAll(nodes: readonly object[]): JsonObject | undefined;
}

/**
 * A memory for one dialect, so that what it decodes and encodes again is the same JSON, spellings included (Decision 0006,
 * translation.md 0.5). Nodes of the model are never changed: a pass or a caller that wants another value makes a new node,
 * which is not in the memory and is encoded from its fields. Forms live as long as their nodes.
 */
export function createMemory(): Memory {
  const forms = new WeakMap<object, JsonObject>();
  /** Forms of several nodes, by the first of them. */
  const shared = new WeakMap<object, { readonly nodes: readonly object[]; readonly form: JsonObject }>();
  return {
    remember(node, form) {
      forms.set(node, form);
      return node;
    },
    remembered: (node) => forms.get(node),
    rememberAll(nodes, form) {
      const [first] = nodes;
      if (first !== undefined) shared.set(first, { nodes, form });
      return nodes;
    },
    rememberedAll(nodes) {
      const known = nodes[0] && shared.get(nodes[0]);
      const isWhole = known?.nodes.length === nodes.length && nodes.every((node, index) => node === known.nodes[index]);
      return isWhole ? known.form : undefined;
    },
  };
}
