import { TranslationError } from '../canonical/errors.js';
import type { JsonObject, Node } from '../canonical/node.js';
import { checkValue } from './check.js';
import { createMemory, type Memory } from './memory.js';
import type * as s from './schema.js';

/** What decoders and encoders of one dialect do with its nodes. */
interface DialectNodes extends Memory {
  /** The value as the schema types it. Throws TranslationError `invalid_request` with the path and a reason. */
  check<S extends s.Schema>(schema: S, value: unknown, ptr: string): s.Infer<S>;
  /** A fault of the client's body. */
  invalid(path: string, reason: string): TranslationError;
  /** The dialect's own bag of a node. */
  bagOf(node: Node): Readonly<JsonObject> | undefined;
  /** The same node with one more key in that bag. */
  withExtra<N extends Node>(node: N, key: string, value: unknown): N;
}

/** These functions for a dialect. An untouched node is encoded as the very wire node that it came as. */
export function dialectNodes(dialect: string): DialectNodes {
  const invalid = (path: string, reason: string): TranslationError =>
    new TranslationError('invalid_request', reason, { path, dialect });
  return {
    ...createMemory(),
    check: (schema, value, ptr) => checkValue(schema, value, ({ path, reason }) => invalid(ptr + path, reason)),
    invalid,
    bagOf: ({ ext }) => ext?.[dialect],
    withExtra: (node, key, value) => ({
      ...node,
      ext: { ...node.ext, [dialect]: { ...node.ext?.[dialect], [key]: value } },
    }),
  };
}
