import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as z from 'zod/mini';
import * as chatCompletions from '../../translators/chat-completions/wire/index.js';
import * as generateContent from '../../translators/generate-content/wire/index.js';
import * as messages from '../../translators/messages/wire/index.js';
import * as responses from '../../translators/responses/wire/index.js';
import { checkValue } from '../../translators/wire/check.js';
import { firstFault, IN_WORDS, type SchemaFault } from '../../translators/wire/fault.js';
import { runs } from '../support/runs.js';

class Refusal extends Error {
  constructor(readonly fault: SchemaFault) {
    super(fault.reason);
  }
}

type Outcome = { readonly data: unknown } | { readonly fault: SchemaFault };

/** What the check makes of a value. */
function checked(schema: z.ZodMiniType, value: unknown): Outcome {
  try {
    return { data: checkValue(schema, value, (fault) => new Refusal(fault)) };
  } catch (error) {
    if (error instanceof Refusal) return { fault: error.fault };
    throw error;
  }
}

/** What parsing makes of it. */
function parsed(schema: z.ZodMiniType, value: unknown): Outcome {
  const result = schema.safeParse(value, IN_WORDS);
  return result.success ? { data: result.data } : { fault: firstFault(result.error.issues) };
}

const LEAVES = [
  undefined,
  null,
  true,
  0,
  1.5,
  -1,
  2000,
  '',
  'a',
  'text',
  'auto',
  'user',
  'x'.repeat(129),
  [],
  ['a'],
  {},
];

/** Values near those that a schema takes: its members, some of them missing or of another kind, and one that it does not name. */
function near(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const leaf = fc.constantFrom<unknown>(...LEAVES);
  const often = (right: fc.Arbitrary<unknown>) =>
    fc.oneof({ weight: 12, arbitrary: right }, { weight: 1, arbitrary: leaf });
  switch (def.type) {
    case 'string':
      return often(fc.constantFrom('a', 'text', 'auto'));
    case 'number':
      return often(fc.constantFrom(0, 1, 2, 1.5, Number.POSITIVE_INFINITY));
    case 'boolean':
      return often(fc.boolean());
    case 'literal':
      return often(fc.constantFrom<unknown>(...def.values));
    case 'enum':
      return often(fc.constantFrom<unknown>(...Object.values(def.entries)));
    case 'array':
      return often(fc.array(near(def.element), { maxLength: 2 }));
    case 'union':
      return often(fc.oneof(...def.options.map(near)));
    case 'record':
      return often(fc.dictionary(fc.constantFrom('a', 'b'), near(def.valueType)));
    case 'object': {
      const members = Object.entries(def.shape).map(([key, member]) => [key, near(member)] as const);
      const shape = Object.fromEntries([...members, ['unnamed', leaf] as const]);
      return often(
        fc.record(shape, {
          requiredKeys: members.filter(([key]) => def.shape[key]?._zod.optin === undefined).map(([key]) => key),
        }),
      );
    }
    case 'optional':
    case 'nullable':
    case 'default':
    case 'catch':
      return often(near(def.innerType));
    default:
      return leaf;
  }
}

const DIALECTS = { chatCompletions, generateContent, messages, responses };

describe.each(Object.entries(DIALECTS))('schemas of %s', (_dialect, wire) => {
  const schemas = Object.entries(wire).filter(
    (entry): entry is [string, z.ZodMiniType] => entry[1] instanceof z.ZodMiniType,
  );
  test('are found', () => {
    expect(schemas.length).toBeGreaterThan(20);
  });

  test.each(schemas)('%s: a check takes and refuses what parsing does, in the same words', (_name, schema) => {
    fc.assert(
      fc.property(near(schema), (value) => {
        const [ours, theirs] = [checked(schema, value), parsed(schema, value)];
        // What is returned as it is may have more keys than the schema names.
        if (typeof value === 'object' && value !== null && !Array.isArray(value)) expect(ours).toMatchObject(theirs);
        else expect(ours).toEqual(theirs);
      }),
      { numRuns: runs(100) },
    );
  });
});

test('a value that fits comes back itself; one that has to be filled in is another', () => {
  const schema = z.object({ name: z.string(), count: z._default(z.number(), 0) });
  const refuse = () => new Error('refused');
  const whole = { name: 'a', count: 1, more: true };
  expect(checkValue(schema, whole, refuse)).toBe(whole);
  expect(checkValue(schema, { name: 'a', more: true }, refuse)).toEqual({ name: 'a', count: 0 });
});
