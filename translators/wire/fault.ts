import { isObject, type JsonObject } from './json.js';
import { pointer } from './pointer.js';
import type { Rule, Schema } from './schema.js';

/** Where a value departs from its schema first, and how, in words. No part of the value is repeated. */
export interface SchemaFault {
  /** JSON Pointer from the value that was checked. */
  readonly path: string;
  readonly reason: string;
}

/** The value as a schema takes it, with what is filled in or replaced, in a copy then; or its first fault. */
export function readValue(
  schema: Schema,
  value: unknown,
): { readonly value: unknown } | { readonly fault: SchemaFault } {
  const read = reading(schema, value);
  if (!(read instanceof Fault)) return { value: read };
  return { fault: { path: pointer(...read.path), reason: read.reason } };
}

class Fault {
  constructor(
    readonly reason: string,
    readonly path: readonly (string | number)[] = [],
  ) {}

  below(key: string | number): Fault {
    return new Fault(this.reason, [key, ...this.path]);
  }
}

const REQUIRED = 'field required';

/** The value as the schema takes it, or what is wrong with it first. */
function reading(schema: Schema, value: unknown): unknown {
  switch (schema.kind) {
    case 'boolean':
      return typeof value === 'boolean' ? value : otherKind('boolean', value);
    case 'string':
      return typeof value === 'string' ? ruled(value, schema.rules) : otherKind('string', value);
    case 'number':
      return Number.isFinite(value) ? ruled(value, schema.rules) : otherKind('number', value);
    case 'oneOf':
      return (schema.values as readonly unknown[]).includes(value) ? value : new Fault(schema.reason);
    case 'custom':
      return schema.is(value) ? value : new Fault(schema.reason);
    case 'array': {
      if (!Array.isArray(value)) return otherKind('array', value);
      const read = members(value, [...value.keys()], () => schema.element);
      return read instanceof Fault ? read : ruled(read, schema.rules);
    }
    case 'record': {
      if (!isObject(value)) return otherKind('record', value);
      const keys = Object.keys(value);
      const wrong = keys.find((key) => reading(schema.keys, key) instanceof Fault);
      const read = members(value, keys, (key) => (key === wrong ? NO_KEY : schema.values));
      return read instanceof Fault ? read : ruled(read, schema.rules);
    }
    case 'object': {
      const { shape, reason } = schema;
      if (isObject(value)) return members(value, Object.keys(shape), (key) => shape[key] as Schema);
      return reason === undefined ? otherKind('object', value) : new Fault(reason);
    }
    case 'union':
      return unionReading(schema.options, schema.reason, value);
    case 'optional':
      return value === undefined ? value : reading(schema.inner, value);
    case 'nullable':
      return value === null ? value : reading(schema.inner, value);
    case 'nullish':
      return value === undefined || value === null ? value : reading(schema.inner, value);
    case 'fallback': {
      const read = reading(schema.inner, value);
      return read instanceof Fault ? schema.value : read;
    }
    case 'filled':
      return value === undefined ? schema.value : reading(schema.inner, value);
  }
}

/** The schema of what stands under a key that a record may not have. */
const NO_KEY: Schema = { kind: 'custom', is: () => false, reason: 'invalid key in record' };

function otherKind(expected: string, value: unknown): Fault {
  return new Fault(value === undefined ? REQUIRED : `expected ${expected}, received ${kindOf(value)}`);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : typeof value;
}

function ruled(value: unknown, rules: readonly Rule[]): unknown {
  const broken = rules.find((rule) => !rule.holds(value));
  return broken === undefined ? value : new Fault(broken.reason);
}

/** The object or list with its members read; itself where none of them changed. */
function members<K extends string | number>(
  value: JsonObject | unknown[],
  keys: readonly K[],
  schemaOf: (key: K) => Schema,
): unknown {
  const held = value as Record<K, unknown>;
  let out = held;
  for (const key of keys) {
    const read = reading(schemaOf(key), held[key]);
    if (read instanceof Fault) return read.below(key);
    if (read === held[key]) continue;
    if (out === held) out = (Array.isArray(value) ? [...value] : { ...value }) as Record<K, unknown>;
    out[key] = read;
  }
  return out;
}

/** Of the faults of a union's branches the one that lies deepest, which was most likely meant; else one sentence for all. */
function unionReading(options: readonly Schema[], reason: string | undefined, value: unknown): unknown {
  const faults: Fault[] = [];
  for (const option of options) {
    const read = reading(option, value);
    if (!(read instanceof Fault)) return read;
    faults.push(read);
  }
  const deepest = faults.reduce((best, one) => (one.path.length > best.path.length ? one : best), faults[0] as Fault);
  if (deepest.path.length > 0) return deepest;
  return new Fault(value === undefined ? REQUIRED : (reason ?? inOneSentence(faults.map((fault) => fault.reason))));
}

function inOneSentence(reasons: readonly string[]): string {
  if (reasons.includes(REQUIRED)) return REQUIRED;
  const kinds = reasons.map((reason) => /^expected (.+?)(?:, received .*)?$/.exec(reason)?.[1]);
  const known = [...new Set(kinds.filter((kind) => kind !== undefined))];
  return known.length === 0 ? 'malformed' : `expected ${known.join(' or ')}`;
}
