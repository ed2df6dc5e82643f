import { isObject, type JsonObject } from './json.js';
import { eachNode } from './walk.js';

/** Nodes that the schemas of one request may be expanded to, beyond a few times those they hold. */
const REQUEST_NODES = 20_000;
const PER_NODE = 4;

/** What is left of the budget of the request that is being encoded; undefined where none is. */
let left: number | undefined;

/**
 * Runs `work`, which encodes one request, on one budget: definitions that name each other multiply, and many schemas of
 * that kind add up. Schemas for which nothing is left are reported as too large (translation.md 3.2, 3.3).
 */
export function withSchemaBudget<Result>(work: () => Result): Result {
  const outer = left;
  left = REQUEST_NODES;
  try {
    return work();
  } finally {
    left = outer;
  }
}

/** Takes one node from the budget; false when it is used up. */
export function spendNode(): boolean {
  if (left === undefined) return true;
  left -= 1;
  return left >= 0;
}

interface Projected<Result> {
  readonly result: Result;
  /** Nodes that the projection took from the budget of all schemas. */
  readonly cost: number;
}

/**
 * A projection that may take some nodes for each that its schema holds, and what is more from the budget of the request.
 * Results are remembered for large schemas, as long as the caller keeps the schema, and cost the same then.
 */
export function budgeted<Result>(project: (schema: JsonObject) => Result): (schema: JsonObject) => Result {
  const results = new WeakMap<JsonObject, Projected<Result>>();
  return (schema) => {
    const large = isLarge(schema);
    const known = large ? results.get(schema) : undefined;
    if (known !== undefined && known.cost <= (left ?? known.cost)) {
      if (left !== undefined) left -= known.cost;
      return known.result;
    }
    const before = left;
    if (left !== undefined) left += sizeOf(schema) * PER_NODE;
    const result = project(schema);
    const whole = left === undefined || left > 0;
    if (left !== undefined && before !== undefined) left = Math.min(left, before);
    if (whole && large) results.set(schema, { result, cost: (before ?? 0) - (left ?? 0) });
    return result;
  };
}

const LARGE = 10;

/** Whether a schema takes long enough to convert for its projection to be kept: many properties, or definitions. */
function isLarge({ properties, $defs, definitions }: JsonObject): boolean {
  return (
    $defs !== undefined || definitions !== undefined || (isObject(properties) && Object.keys(properties).length > LARGE)
  );
}

function sizeOf(schema: JsonObject): number {
  let nodes = 0;
  eachNode(schema, () => {
    nodes += 1;
  });
  return nodes;
}
