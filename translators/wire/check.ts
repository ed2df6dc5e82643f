import { readValue, type SchemaFault } from './fault.js';
import type { JsonObject } from './json.js';
import type { Infer, Rule, Schema, Shape } from './schema.js';

/**
 * The value as its schema types it; throws what `refuse` makes of the first fault. A value that the schema takes without a
 * change comes back itself, with the keys that the schema does not name; it may not be written to.
 */
export function checkValue<S extends Schema>(
  schema: S,
  value: unknown,
  refuse: (fault: SchemaFault) => Error,
): Infer<S> {
  if (fits(schema, value)) return value;
  const read = readValue(schema, value);
  if ('fault' in read) throw refuse(read.fault);
  return read.value as Infer<S>;
}

/** The same; undefined for a value that the schema does not take. */
export function taken<S extends Schema>(schema: S, value: unknown): Infer<S> | undefined {
  if (fits(schema, value)) return value;
  const read = readValue(schema, value);
  return 'fault' in read ? undefined : (read.value as Infer<S>);
}

/** Whether a schema takes a value as it is. */
type Test = (value: unknown) => boolean;

const TESTS = new WeakMap<Schema, Test>();

/** Whether the schema takes the value as it is, filling in and replacing nothing (docs/internals/decisions/0013-checks-without-copies.md). */
function fits<S extends Schema>(schema: S, value: unknown): value is Infer<S> {
  let test = TESTS.get(schema);
  if (test === undefined) {
    test = testOf(schema);
    TESTS.set(schema, test);
  }
  return test(value);
}

/** The test of a schema. */
function testOf(schema: Schema): Test {
  switch (schema.kind) {
    case 'boolean':
      return (value) => typeof value === 'boolean';
    case 'string':
      return ruled((value) => typeof value === 'string', schema.rules);
    case 'number':
      return ruled(Number.isFinite, schema.rules);
    case 'oneOf': {
      const values: ReadonlySet<unknown> = new Set(schema.values);
      const [only] = values;
      return values.size === 1 ? (value) => value === only : (value) => values.has(value);
    }
    case 'custom':
      return schema.is;
    case 'array': {
      const test = testOf(schema.element);
      return ruled((value) => Array.isArray(value) && value.every(test), schema.rules);
    }
    case 'record': {
      const [isKey, test] = [testOf(schema.keys), testOf(schema.values)];
      const isTaken = (value: unknown): boolean =>
        isPlain(value) && Object.entries(value).every(([key, one]) => isKey(key) && test(one));
      return ruled(isTaken, schema.rules);
    }
    case 'union': {
      const tests = schema.options.map(testOf);
      return (value) => tests.some((test) => test(value));
    }
    case 'object':
      return objectTest(schema.shape);
    case 'optional': {
      const test = testOf(schema.inner);
      return (value) => value === undefined || test(value);
    }
    case 'nullable': {
      const test = testOf(schema.inner);
      return (value) => value === null || test(value);
    }
    case 'nullish': {
      const test = testOf(schema.inner);
      return (value) => value === undefined || value === null || test(value);
    }
    case 'fallback':
      return testOf(schema.inner);
    case 'filled': {
      const test = testOf(schema.inner);
      return (value) => value !== undefined && test(value);
    }
  }
}

function ruled(isOfKind: Test, rules: readonly Rule[]): Test {
  const [only] = rules;
  if (only === undefined) return isOfKind;
  if (rules.length === 1) return (value) => isOfKind(value) && only.holds(value);
  return (value) => isOfKind(value) && rules.every((rule) => rule.holds(value));
}

/** A member of an object, while objects are tested. */
interface Member {
  readonly key: string;
  readonly test: Test;
  readonly isRequired: boolean;
  /** The test takes every text. */
  readonly takesText: boolean;
  /** What came behind it in the last object. */
  next: Member | undefined;
}

/**
 * Looks at the members that there are: of those that a schema names most are left out of most nodes. Objects of one schema mostly
 * have their members in one order, so that the next one need not be looked up, and mostly texts, which need no test of their own.
 */
function objectTest(shape: Shape): Test {
  const members = new Map<string, Member>();
  let required = 0;
  for (const [key, schema] of Object.entries(shape)) {
    const test = testOf(schema);
    const isRequired = !test(undefined);
    members.set(key, { key, test, isRequired, takesText: takesText(schema), next: undefined });
    if (isRequired) required += 1;
  }
  let first: Member | undefined;
  return (value) => {
    if (!isPlain(value)) return false;
    let missing = required;
    let last: Member | undefined;
    let member = first;
    for (const key in value) {
      if (member?.key !== key) {
        member = members.get(key);
        if (last === undefined) first = member;
        else last.next = member;
        if (member === undefined) continue;
      }
      const one = value[key];
      if (!(member.takesText && typeof one === 'string') && !member.test(one)) return false;
      if (member.isRequired) missing -= 1;
      last = member;
      member = member.next;
    }
    return missing === 0;
  };
}

/** Whether a schema takes every text, and maybe other values. */
function takesText(schema: Schema): boolean {
  if (schema.kind === 'nullish' || schema.kind === 'optional' || schema.kind === 'nullable')
    return takesText(schema.inner);
  return schema.kind === 'string' && schema.rules.length === 0;
}

/** Whether a value is an object of no class, whose members are all its own. In doubt, as with a member of this name, it is none. */
function isPlain(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && value.constructor === Object;
}
