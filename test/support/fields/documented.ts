import type { JsonObject } from '../../../translators/index.js';

/** A documented object of a dialect, with a value for every field it may have. */
export interface Documented {
  /** What the object is called in the dialect's own documents. */
  readonly name: string;
  /** The smallest request that holds the object with these fields added. */
  request(fields: JsonObject): JsonObject;
  /** Every optional field, each with a value that is not the dialect's default. */
  readonly fields: JsonObject;
}

type Keys<T> = T extends unknown ? keyof T : never;

/**
 * The fields of the official client's type `T`: `least` is what every such object has, `fields` names all the others, so
 * that a field which the client learns does not compile until it has a value here; the wire may have more. `within` gives the
 * request around the object.
 */
export function documented<T>() {
  return <L extends Partial<Record<Keys<T>, unknown>>>(
    name: string,
    within: (node: JsonObject) => JsonObject,
    least: L,
    fields: Record<Exclude<Keys<T>, keyof L>, unknown> & JsonObject,
  ): Documented => ({
    name,
    request: (more) => within({ ...least, ...more }),
    fields,
  });
}

/** A value that means something only beside other fields. */
export interface Beside {
  readonly value: unknown;
  readonly beside: JsonObject;
}

const BESIDE = new WeakSet<object>();

/** Marks a value that needs other fields of the same object, which then stand there without it too. */
export function beside(fields: JsonObject, value: unknown): Beside {
  const marked = { value, beside: fields };
  BESIDE.add(marked);
  return marked;
}

/** What a field of a table stands for. */
export function fieldValue(given: unknown): Beside {
  return typeof given === 'object' && given !== null && BESIDE.has(given)
    ? (given as Beside)
    : { value: given, beside: {} };
}

export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
export const PDF = 'JVBERi0=';
export const SCHEMA = {
  type: 'object',
  properties: { a: { type: 'string' } },
  required: ['a'],
  additionalProperties: false,
};
