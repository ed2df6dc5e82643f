import type * as z from 'zod/mini';
import { firstFault, IN_WORDS, type SchemaFault } from './fault.js';
import type { JsonObject } from './json.js';

/**
 * The value as its schema types it; throws what `refuse` makes of the first fault. A value that the schema takes without a
 * change comes back itself, with the keys that the schema does not name; it may not be written to.
 */
export function checkValue<S extends z.ZodMiniType>(
  schema: S,
  value: unknown,
  refuse: (fault: SchemaFault) => Error,
): z.infer<S> {
  if (fits(schema, value)) return value;
  const result = schema.safeParse(value, IN_WORDS);
  if (result.success) return result.data;
  throw refuse(firstFault(result.error.issues));
}

/** Whether a schema takes a value as it is. */
type Test = (value: unknown) => boolean;

const TESTS = new WeakMap<z.core.$ZodType, Test>();

/** Whether the schema takes the value as it is, filling in and replacing nothing: said without the copy that parsing makes (Decision 0013). */
function fits<S extends z.ZodMiniType>(schema: S, value: unknown): value is z.infer<S> {
  let test = TESTS.get(schema);
  if (test === undefined) {
    test = testOf(schema);
    TESTS.set(schema, test);
  }
  return test(value);
}

/** The test of a schema. False where in doubt: whoever asks parses then. */
function testOf(schema: z.core.$ZodType): Test {
  const { _zod: internals } = schema as z.core.$ZodTypes;
  const { def } = internals;
  if (def.type === 'custom') return def.checks === undefined ? (value) => def.fn(value) === true : parses(schema);
  // What has checks of its own runs more than its parser.
  if (internals.run !== internals.parse) {
    if (def.type === 'string') return checkedTest(schema, isString, def);
    if (def.type === 'number') return checkedTest(schema, Number.isFinite, def);
    if (def.type === 'array') return checkedTest(schema, listTest(def.element), def);
    return def.type === 'record' ? checkedTest(schema, recordTest(schema, def), def) : parses(schema);
  }
  switch (def.type) {
    case 'string':
      return isString;
    case 'boolean':
      return isBoolean;
    case 'number':
      return Number.isFinite;
    case 'literal':
    case 'enum': {
      const values: ReadonlySet<unknown> = internals.values ?? new Set();
      const [only] = values;
      return values.size === 1 ? (value) => value === only : (value) => values.has(value);
    }
    case 'optional': {
      const { def: inner } = (def.innerType as z.core.$ZodTypes)._zod;
      if (inner.type === 'nullable') {
        const test = testOf(inner.innerType);
        return (value) => value === undefined || value === null || test(value);
      }
      const test = testOf(def.innerType);
      return (value) => value === undefined || test(value);
    }
    case 'nullable': {
      const test = testOf(def.innerType);
      return (value) => value === null || test(value);
    }
    case 'array':
      return listTest(def.element);
    case 'record':
      return recordTest(schema, def);
    case 'union': {
      const tests = def.options.map(testOf);
      return (value) => tests.some((test) => test(value));
    }
    case 'object':
      return def.catchall === undefined ? objectTest(def.shape) : parses(schema);
    default:
      return parses(schema);
  }
}

function isString(value: unknown): boolean {
  return typeof value === 'string';
}

function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean';
}

function listTest(element: z.core.$ZodType): Test {
  const test = testOf(element);
  return (value) => Array.isArray(value) && value.every(test);
}

/** One of any keys: whether those that a schema lists are all there is for its parser to say. */
function recordTest(schema: z.core.$ZodType, { keyType, valueType }: z.core.$ZodRecordDef): Test {
  if (keyType._zod.values !== undefined) return parses(schema);
  const [isKey, test] = [testOf(keyType), testOf(valueType)];
  return (value) => isPlain(value) && Object.entries(value).every(([key, one]) => isKey(key) && test(one));
}

/** The test of a value with checks of its own; a format, such as that of an integer, is one of them itself. */
function checkedTest(
  schema: z.core.$ZodType,
  isOfType: Test,
  def: { readonly checks?: readonly unknown[] | undefined },
): Test {
  const given = 'check' in def ? [schema, ...(def.checks ?? [])] : def.checks;
  const checks = (given ?? []) as readonly z.core.$ZodCheck<unknown>[];
  const passes = (value: unknown): boolean => {
    const payload = { value, issues: [] };
    for (const check of checks) check._zod.check(payload);
    return payload.issues.length === 0 && payload.value === value;
  };
  return (value) => isOfType(value) && passes(value);
}

/** Looks at the members that there are: of those that a schema names most are left out of most nodes. */
function objectTest(shape: z.core.$ZodShape): Test {
  const members = new Map<string, { readonly test: Test; readonly isRequired: boolean }>();
  let required = 0;
  for (const [key, schema] of Object.entries(shape)) {
    const test = testOf(schema);
    // Parsing tells a member that is missing from one that is undefined, and fills in what has a default.
    const isRequired = schema._zod.optin === undefined || !test(undefined);
    members.set(key, { test, isRequired });
    if (isRequired) required += 1;
  }
  return (value) => {
    if (!isPlain(value)) return false;
    let missing = required;
    for (const key in value) {
      const member = members.get(key);
      if (member === undefined) continue;
      const given = value[key];
      if ((member.isRequired && given === undefined) || !member.test(given)) return false;
      if (member.isRequired) missing -= 1;
    }
    return missing === 0;
  };
}

/** Whether a value is an object of no class, whose members are all its own. In doubt, as with a member of this name, it is none. */
function isPlain(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && value.constructor === Object;
}

/** The test of a schema of which only its parser knows what it takes. */
function parses(schema: z.core.$ZodType): Test {
  return (value) => {
    const result = schema._zod.run({ value, issues: [] }, { async: false });
    return !(result instanceof Promise) && result.issues.length === 0 && result.value === value;
  };
}
