import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import {
  forJsonSchemaField,
  fromSchemaSubset,
  inlineRefs,
  messagesToolSchema,
  objectRoot,
  removeAddedNulls,
  type SchemaChange,
  toSchemaSubset,
  toStrictMessages,
  toStrictResponses,
  wrapValue,
} from '../../translators/schema/index.js';
import type { Json, JsonObject } from '../../translators/wire/json.js';
import { instances, objectInstances, objectSchemas, schemas } from './arbitraries.js';

const INSTANCES = 20;
const RUNS = 80;

/** The verdict of a validator; undefined where ajv itself fails (its code for `patternProperties` beside `oneOf`). */
function validator(schema: JsonObject): (value: Json) => boolean | undefined {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false, logger: false });
  const validate = ajv.compile(schema);
  return (value) => {
    try {
      return validate(value) === true;
    } catch {
      return undefined;
    }
  };
}

function says(changes: readonly SchemaChange[], effect: string): boolean {
  return changes.some((change) => change.effect === effect);
}

/** How often the law had teeth: conversions that claim not to widen, or not to narrow. It cannot hold by reporting everything. */
interface Tally {
  tight: number;
  roomy: number;
  total: number;
}

function hasTeeth({ tight, roomy, total }: Tally): void {
  expect(Math.min(tight, roomy)).toBeGreaterThan(total / 25);
}

interface Converted {
  schema: JsonObject;
  changes: readonly SchemaChange[];
  wrapped?: boolean;
}

function holds(source: JsonObject, converted: Converted, values: readonly Json[], tally: Tally): void {
  const before = validator(source);
  const after = validator(converted.schema);
  tally.total += 1;
  tally.tight += says(converted.changes, 'wider') ? 0 : 1;
  tally.roomy += says(converted.changes, 'narrower') ? 0 : 1;
  for (const value of values) {
    const accepted = before(value);
    const acceptedAfter = after(converted.wrapped === true ? wrapValue(value) : value);
    if (accepted !== undefined && acceptedAfter !== undefined && accepted !== acceptedAfter) {
      const effect = accepted ? 'narrower' : 'wider';
      if (!says(converted.changes, effect)) {
        throw new Error(
          `${JSON.stringify(value)} is ${accepted ? 'refused' : 'let through'} without a change that says so: ` +
            `${JSON.stringify(source)} became ${JSON.stringify(converted)}`,
        );
      }
    }
  }
}

function law(
  convert: (schema: JsonObject) => Converted | undefined,
  from: fc.Arbitrary<JsonObject>,
  values: fc.Arbitrary<Json>,
): Tally {
  const tally: Tally = { tight: 0, roomy: 0, total: 0 };
  fc.assert(
    fc.property(from, fc.array(values, { minLength: INSTANCES, maxLength: INSTANCES }), (schema, samples) => {
      const copy = structuredClone(schema);
      const converted = convert(schema);
      expect(schema).toEqual(copy);
      if (converted !== undefined) holds(schema, converted, samples, tally);
    }),
    { numRuns: RUNS },
  );
  return tally;
}

describe('what a conversion lets through or refuses is what it says', () => {
  const values = fc.oneof({ arbitrary: instances, weight: 1 }, { arbitrary: objectInstances, weight: 3 });

  test('references inlined', () => {
    const options = { depth: 4, recursive: () => ({ type: 'object' }), unresolved: { type: 'string' } };
    const tally = law((schema) => inlineRefs(schema, options), schemas, values);
    hasTeeth(tally);
  });

  test('the Schema subset of generateContent, read back', () => {
    const tally = law(
      (schema) => {
        const { schema: subset, changes } = toSchemaSubset(schema);
        return { schema: subset === undefined ? { type: 'object' } : fromSchemaSubset(subset), changes };
      },
      schemas.filter((schema) => schema.type !== undefined || schema.enum !== undefined),
      values,
    );
    hasTeeth(tally);
  });

  test('the JSON Schema field of generateContent', () => {
    const tally = law((schema) => forJsonSchemaField(schema), schemas, values);
    hasTeeth(tally);
  });

  test('strict mode of responses', () => {
    const tally = law(
      (schema) => {
        const strict = toStrictResponses(schema, 'answer');
        return 'refused' in strict ? undefined : strict;
      },
      schemas,
      values,
    );
    expect(tally.total).toBeGreaterThan(10);
    expect(tally.tight).toBeGreaterThan(0);
  });

  test('strict mode of messages', () => {
    const tally = law((schema) => toStrictMessages(schema, 'answer'), schemas, values);
    hasTeeth(tally);
  });

  test('roots: wrapped, folded, kept', () => {
    for (const combinators of ['wrap', 'fold', 'keep'] as const) {
      const tally = law((schema) => objectRoot(schema, { combinators, of: 'answer' }), schemas, values);
      hasTeeth(tally);
    }
  });

  test('tools of messages, whose arguments are objects', () => {
    const tally = law((schema) => messagesToolSchema(schema), objectSchemas, objectInstances);
    hasTeeth(tally);
  });
});

test('nulls that strict mode of responses added go away without touching others', () => {
  let tried = 0;
  fc.assert(
    fc.property(objectSchemas, fc.array(objectInstances, { minLength: 60, maxLength: 60 }), (schema, values) => {
      const strict = toStrictResponses(schema);
      if ('refused' in strict || strict.wrapped) return;
      const wider = strict.changes.filter(({ effect, keyword }) => effect === 'wider' && keyword !== 'nullable');
      if (wider.length > 0) return;
      const before = validator(schema);
      const after = validator(strict.schema);
      for (const value of values) {
        const full = { ...Object.fromEntries(['a', 'b', 'c', 'kind'].map((name) => [name, null])), ...value };
        const declared = Object.keys((strict.schema.properties as JsonObject | undefined) ?? {});
        const candidate = Object.fromEntries(Object.entries(full).filter(([name]) => declared.includes(name)));
        if (after(candidate)) {
          tried += 1;
          expect({ schema, candidate, ok: before(removeAddedNulls(candidate, schema)) }).toMatchObject({ ok: true });
        }
      }
    }),
    { numRuns: 300 },
  );
  expect(tried).toBeGreaterThan(20);
});
