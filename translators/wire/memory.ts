import type { JsonObject, Node, Source } from '../canonical/node.js';

/** The wire forms of the nodes that one dialect has decoded. */
export interface Memory {
  /** Notes that `node` was decoded from `form`, and returns the node. Neither may be written to from then on. */
  remember<N extends object>(node: N, form: JsonObject): N;
  /** The wire form of a node that is the very one decoded; undefined for any other, even for an equal one. */
  remembered(node: object): JsonObject | undefined;
  /** Notes that `nodes` were decoded from one form, and returns them. */
  rememberAll<N extends object>(nodes: readonly N[], form: JsonObject): readonly N[];
  /** The form that these nodes were decoded from; undefined unless they are all of its nodes, in their order. */
  rememberedAll(nodes: readonly object[]): JsonObject | undefined;
}

/** Nodes that share a form. */
interface Group {
  readonly nodes: readonly object[];
  readonly form: JsonObject;
}

/** What a node came as. */
interface Forms {
  /** The form of the node itself. */
  own?: JsonObject;
  /** Those that this is the first of. */
  group?: Group;
}

/**
 * Where a node came from, with what it came as. Private fields are invisible to copies and comparisons, as entries of a
 * WeakMap are, at a twentieth of its time. A copy of the node shares its source, which knows the one node that it speaks of.
 */
class Origin implements Source, Forms {
  readonly ptr: string;
  readonly at: Source['at'];
  readonly raw: unknown;
  #memory: object | undefined;
  #node: object | undefined;
  #own: JsonObject | undefined;
  #group: Group | undefined;

  constructor(ptr: string, at: Source['at'], raw: unknown) {
    this.ptr = ptr;
    this.at = at;
    this.raw = raw;
  }

  get own(): JsonObject | undefined {
    return this.#own;
  }

  set own(form: JsonObject | undefined) {
    this.#own = form;
  }

  get group(): Group | undefined {
    return this.#group;
  }

  set group(group: Group | undefined) {
    this.#group = group;
  }

  /** The source of this very node, where it is one of this memory. */
  static of(memory: object, node: object, source: Source): Origin | undefined {
    return #node in source && source.#node === node && source.#memory === memory ? source : undefined;
  }

  /** Notes the form of a node whose source is its own, or speaks of no node yet; false where it is another's. */
  static note(memory: object, node: object, source: Source, form: JsonObject): boolean {
    if (!(#node in source)) return false;
    if (source.#node === undefined) {
      source.#memory = memory;
      source.#node = node;
    } else if (source.#node !== node || source.#memory !== memory) return false;
    source.#own = form;
    return true;
  }

  /** The source itself, if it speaks of no node yet, or a copy: either speaks of this node from now on. */
  static bind(memory: object, node: object, source: Source): Origin {
    const isFree = #node in source && source.#node === undefined;
    const origin = isFree ? source : new Origin(source.ptr, source.at, source.raw);
    origin.#memory = memory;
    origin.#node = node;
    return origin;
  }
}

/** The source of a node that is about to be remembered: the memory needs no object beside it then. */
export function sourceAt(ptr: string): Source {
  return new Origin(ptr, undefined, undefined);
}

/**
 * A memory for one dialect, so that what it decodes and encodes again is the same JSON, spellings included (Decision 0006,
 * translation.md 0.5). Nodes of the model are never changed: a pass or a caller that wants another value makes a new node,
 * which is not in the memory and is encoded from its fields. Forms live as long as their nodes.
 */
export function createMemory(): Memory {
  /** Forms of nodes that have no source. */
  const others = new WeakMap<object, Forms>();
  const find = (node: object): Forms | undefined => {
    const { src }: Node = node;
    return src === undefined ? others.get(node) : Origin.of(others, node, src);
  };
  const formsOf = (node: { src?: Source }): Forms => {
    const found = find(node);
    if (found !== undefined) return found;
    if (node.src !== undefined) {
      const origin = Origin.bind(others, node, node.src);
      node.src = origin;
      return origin;
    }
    const forms: Forms = {};
    others.set(node, forms);
    return forms;
  };
  return {
    remember(node, form) {
      const { src }: Node = node;
      if (src === undefined || !Origin.note(others, node, src, form)) formsOf(node).own = form;
      return node;
    },
    remembered: (node) => find(node)?.own,
    rememberAll(nodes, form) {
      const [first] = nodes;
      if (first !== undefined) formsOf(first).group = { nodes, form };
      return nodes;
    },
    rememberedAll(nodes) {
      const group = nodes[0] && find(nodes[0])?.group;
      const isWhole = group?.nodes.length === nodes.length && nodes.every((node, index) => node === group.nodes[index]);
      return isWhole ? group.form : undefined;
    },
  };
}
