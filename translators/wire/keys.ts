import type { JsonObject } from '../canonical/node.js';
import type { ObjectSchema } from './schema.js';

/** The keys that the schema of an object names. */
export function keysOf(schema: ObjectSchema): Keys {
  return new Keys(Object.keys(schema.shape));
}

const NO_MARKS: readonly string[] = [];

/** Keys that nodes of one kind may have. */
export class Keys extends Set<string> {
  /** The key that the last nodes had at each place: nodes of one kind mostly have theirs in one order, and need no look-up. */
  private readonly order: string[] = [];

  /** Whether the node has no others, and none of `marks`, which the model has apart: always the same ones. */
  cover(node: JsonObject, marks: readonly string[] = NO_MARKS): boolean {
    const { order } = this;
    let place = 0;
    for (const key in node) {
      if (order[place] !== key) {
        if (!this.has(key) || marks.includes(key)) return false;
        order[place] = key;
      }
      place += 1;
    }
    return true;
  }
}
