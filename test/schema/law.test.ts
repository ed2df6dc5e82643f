import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { encodeStrictSchema as toStrictResponses } from '../../translators/responses/schema/encode.js';
import { encodePlainSchema, inlineRefs, objectRoot, type SchemaChange } from '../../translators/schema/index.js';
import { isObject, type Json, type JsonObject } from '../../translators/wire/json.js';
import { runs } from '../support/runs.js';
import { schemas } from './arbitraries.js';
import { createDice, nearMiss, sampleOf } from './instances.js';
import { verdict } from './validate.js';

const EFFECTS = ['wider', 'narrower'] as const;

interface Converted {
  readonly schema: JsonObject;
  readonly changes: readonly SchemaChange[];
  readonly wrapped?: boolean;
}

/** How many conversions there were, and how many claimed nothing: the law cannot hold by claiming everything. */
interface Tally {
  silent: number;
  total: number;
}

function says({ changes }: Converted, effect: string): boolean {
  return changes.some((change) => change.effect === effect);
}

function valuesFor(source: JsonObject, { schema, wrapped }: Converted, seed: number): Json[] {
  const dice = createDice(seed);
  const inner = wrapped === true && isObject(schema.properties) ? schema.properties.value : schema;
  const sides = isObject(inner) ? [source, inner] : [source];
  return [...Array(12).keys()].flatMap((index) => {
    const value = sampleOf(sides[index % sides.length] ?? source, dice);
    return [value, nearMiss(value, dice)];
  });
}

function holds(source: JsonObject, converted: Converted, seed: number): void {
  const before = verdict(source);
  const after = verdict(converted.schema);
  for (const value of valuesFor(source, converted, seed)) {
    const accepted = before(value);
    const acceptedAfter = after(converted.wrapped === true ? { value } : value);
    if (accepted === undefined || acceptedAfter === undefined || accepted === acceptedAfter) continue;
    const effect = accepted ? 'narrower' : 'wider';
    if (!says(converted, effect)) {
      throw new Error(
        `${JSON.stringify(value)} is judged in two ways and no change says ${effect}: ` +
          `${JSON.stringify(source)} became ${JSON.stringify(converted)}`,
      );
    }
  }
}

function law(convert: (schema: JsonObject) => Converted | undefined): Tally {
  const tally: Tally = { silent: 0, total: 0 };
  fc.assert(
    fc.property(schemas, fc.integer(), (schema, seed) => {
      const copy = structuredClone(schema);
      const converted = convert(schema);
      expect(schema).toEqual(copy);
      if (converted === undefined) return;
      tally.total += 1;
      tally.silent += EFFECTS.some((effect) => says(converted, effect)) ? 0 : 1;
      holds(schema, converted, seed);
    }),
    { numRuns: Math.max(80, runs(80)) },
  );
  return tally;
}

/** Conversions that no translation shows alone; the others are held by test/laws/schema. */
describe('what a conversion lets through or refuses is what it says', () => {
  test('references inlined', () => {
    const options = { depth: 4, recursive: () => ({ type: 'object' }), unresolved: { type: 'string' } };
    const { silent, total } = law((schema) => inlineRefs(schema, options));
    expect(silent).toBeGreaterThan(total / 4);
  });

  test('strict answers of responses', () => {
    const { silent, total } = law((schema) => {
      const strict = toStrictResponses(schema, 'answer');
      return 'refused' in strict ? undefined : strict;
    });
    expect(total).toBeGreaterThan(10);
    expect(silent).toBeGreaterThan(0);
  });

  test('schemas of few keywords', () => {
    const { silent } = law(encodePlainSchema);
    expect(silent).toBeGreaterThan(0);
  });

  test.each(['wrap', 'fold', 'keep'] as const)('roots: %s', (combinators) => {
    const { silent, total } = law((schema) => objectRoot(schema, { combinators, of: 'answer' }));
    expect(silent).toBeGreaterThan(total / 4);
  });
});
