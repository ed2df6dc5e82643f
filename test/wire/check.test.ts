import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as z from 'zod/mini';
import { members as chatMembers } from '../../translators/chat-completions/request/members.js';
import * as chatCompletions from '../../translators/chat-completions/wire/index.js';
import {
  config as configMembers,
  members as contentMembers,
} from '../../translators/generate-content/request/members.js';
import * as generateContent from '../../translators/generate-content/wire/index.js';
import { members as messagesMembers } from '../../translators/messages/request/members.js';
import * as messages from '../../translators/messages/wire/index.js';
import { members as responsesMembers } from '../../translators/responses/request/members.js';
import * as responses from '../../translators/responses/wire/index.js';
import { checkValue } from '../../translators/wire/check.js';
import { firstFault, IN_WORDS, type SchemaFault } from '../../translators/wire/fault.js';
import { type Members, schemaOf } from '../../translators/wire/members.js';
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

const BODIES: Readonly<Record<string, Members>> = {
  chatCompletions: chatMembers,
  generateContent: contentMembers,
  generationConfig: configMembers,
  messages: messagesMembers,
  responses: responsesMembers,
};

const refuse = ({ path, reason }: SchemaFault) => new Error(`${path}: ${reason}`);

/** A value that a schema takes as it is, with everything that it names. */
function taken(schema: z.core.$ZodType): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'optional' || def.type === 'nullable') return taken(def.innerType);
  if (def.type === 'record') return { a: 'b' };
  if (def.type === 'array') return [taken(def.element)];
  if (def.type === 'object')
    return { ...Object.fromEntries(Object.entries(def.shape).map(([key, one]) => [key, taken(one)])), unnamed: 1 };
  if (def.type === 'enum') return Object.values(def.entries)[0];
  const found = [true, 1, 2000, 'a', 'TEXT', [], {}].find((one) => z.safeParse(schema, one).success);
  expect(found).toBeDefined();
  return found;
}

// Members of its objects that nobody names yet would be lost with a copy.
test.each(Object.entries(BODIES))('%s: a body with every member is checked without a copy', (_name, members) => {
  const schemas = Object.entries(members).flatMap(([key, { schema }]) =>
    schema === undefined ? [] : [{ key, schema, value: taken(schema) }],
  );
  const copied = schemas.filter(({ schema, value }) => checkValue(schema, value, refuse) !== value);
  expect(copied.map(({ key }) => key)).toEqual([]);
  const body = Object.fromEntries(schemas.map(({ key, value }) => [key, value]));
  expect(checkValue(schemaOf(members), body, refuse)).toBe(body);
});

test('lists and records with bounds come back themselves too, and are refused by them', () => {
  const schema = z.object({
    list: z.array(z.string()).check(z.maxLength(1)),
    map: z.record(z.string().check(z.maxLength(1)), z.string()).check(z.refine((map) => Object.keys(map).length < 2)),
  });
  const whole = { list: ['a'], map: { a: 'b' } };
  expect(checkValue(schema, whole, refuse)).toBe(whole);
  const wrong = [
    { list: ['a', 'b'], map: {} },
    { list: [], map: { a: '', b: '' } },
    { list: [], map: { ab: '' } },
    { list: [], map: { a: 1 } },
  ];
  for (const value of wrong) expect(() => checkValue(schema, value, refuse)).toThrow(/list|map/);
});
