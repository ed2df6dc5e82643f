import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as z from 'zod';
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
import { checkValue, taken } from '../../translators/wire/check.js';
import type { SchemaFault } from '../../translators/wire/fault.js';
import { type Members, schemaOf } from '../../translators/wire/members.js';
import { pointer } from '../../translators/wire/pointer.js';
import * as s from '../../translators/wire/schema.js';
import { runs } from '../support/runs.js';

class Refusal extends Error {
  constructor(readonly fault: SchemaFault) {
    super(fault.reason);
  }
}

type Outcome = { readonly data: unknown } | { readonly path: string };

/** What the check makes of a value. */
function checked(schema: s.Schema, value: unknown): Outcome {
  try {
    return { data: checkValue(schema, value, (fault) => new Refusal(fault)) };
  } catch (error) {
    if (error instanceof Refusal) return { path: error.fault.path };
    throw error;
  }
}

/** What a library of schemas makes of it; of the branches of a union, the one whose fault lies deepest. */
function parsed(schema: s.Schema, value: unknown): Outcome {
  const { error, data } = inZod(schema).safeParse(value);
  return error === undefined ? { data } : { path: pointer(...firstPath(error.issues)) };
}

function firstPath([issue]: readonly z.core.$ZodIssue[]): (string | number)[] {
  const path = (issue?.path ?? []) as (string | number)[];
  if (issue?.code !== 'invalid_union') return path;
  const branches = issue.errors.map((errors) => firstPath(errors));
  return [...path, ...branches.reduce((best, one) => (one.length > best.length ? one : best), [])];
}

/** The schema as Zod writes it. */
function inZod(schema: s.Schema): z.ZodType {
  switch (schema.kind) {
    case 'boolean':
      return z.boolean();
    case 'string':
      return ruled(z.string(), schema.rules);
    case 'number':
      return ruled(z.number(), schema.rules);
    case 'oneOf':
      return z.enum(schema.values as [string]);
    case 'custom':
      // It ends the check of its value, as a value of another kind does.
      return z.any().refine((value) => schema.is(value), { abort: true });
    case 'array':
      return ruled(z.array(inZod(schema.element)), schema.rules);
    case 'record':
      return ruled(z.record(inZod(schema.keys) as z.ZodString, inZod(schema.values)), schema.rules);
    case 'union':
      return z.union(schema.options.map(inZod));
    case 'object':
      return z.object(Object.fromEntries(Object.entries(schema.shape).map(([key, one]) => [key, inZod(one)])));
    case 'optional':
      return z.optional(inZod(schema.inner));
    case 'nullable':
      return z.nullable(inZod(schema.inner));
    case 'nullish':
      return z.nullish(inZod(schema.inner));
    case 'fallback':
      return inZod(schema.inner).catch(schema.value);
    case 'filled':
      return inZod(schema.inner).default(schema.value);
  }
}

function ruled(type: z.ZodType, rules: readonly s.Rule[]): z.ZodType {
  return rules.reduce((one, { holds }) => one.refine(holds, { abort: true }), type);
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
function near(schema: s.Schema): fc.Arbitrary<unknown> {
  const leaf = fc.constantFrom<unknown>(...LEAVES);
  const often = (right: fc.Arbitrary<unknown>) =>
    fc.oneof({ weight: 12, arbitrary: right }, { weight: 1, arbitrary: leaf });
  switch (schema.kind) {
    case 'string':
      return often(fc.constantFrom('a', 'text', 'auto'));
    case 'number':
      return often(fc.constantFrom(0, 1, 2, 1.5, Number.POSITIVE_INFINITY));
    case 'boolean':
      return often(fc.boolean());
    case 'oneOf':
      return often(fc.constantFrom(...schema.values));
    case 'array':
      return often(fc.array(near(schema.element), { maxLength: 2 }));
    case 'union':
      return often(fc.oneof(...schema.options.map(near)));
    case 'record':
      return often(fc.dictionary(fc.constantFrom('a', 'b'), near(schema.values)));
    case 'object': {
      const members = Object.entries(schema.shape).map(([key, member]) => [key, near(member)] as const);
      const shape = Object.fromEntries([...members, ['unnamed', leaf] as const]);
      const requiredKeys = members.flatMap(([key]) => {
        const member = schema.shape[key];
        return member === undefined || taken(s.object({ key: member }), {}) !== undefined ? [] : [key];
      });
      return often(fc.record(shape, { requiredKeys }));
    }
    case 'optional':
    case 'nullable':
    case 'nullish':
    case 'filled':
    case 'fallback':
      return often(near(schema.inner));
    default:
      return leaf;
  }
}

const DIALECTS = { chatCompletions, generateContent, messages, responses };

function isSchema(value: unknown): value is s.Schema {
  return typeof value === 'object' && value !== null && 'kind' in value;
}

describe.each(Object.entries(DIALECTS))('schemas of %s', (_dialect, wire) => {
  const schemas = Object.entries(wire).filter((entry): entry is [string, s.Schema] => isSchema(entry[1]));
  test('are found', () => {
    expect(schemas.length).toBeGreaterThan(20);
  });

  test.each(schemas)('%s: a check takes and refuses what Zod does, in the same place', (_name, schema) => {
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
  const schema = s.object({ name: s.string(), count: s.filled(s.number(), 0) });
  const refuse = () => new Error('refused');
  const whole = { name: 'a', count: 1, more: true };
  expect(checkValue(schema, whole, refuse)).toBe(whole);
  const given = { name: 'a', more: true };
  expect(checkValue(schema, given, refuse)).toEqual({ name: 'a', count: 0, more: true });
  expect(given).toEqual({ name: 'a', more: true });
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
function full(schema: s.Schema): unknown {
  if (schema.kind === 'optional' || schema.kind === 'nullable' || schema.kind === 'nullish') return full(schema.inner);
  if (schema.kind === 'record') return { a: 'b' };
  if (schema.kind === 'array') return [full(schema.element)];
  if (schema.kind === 'object')
    return { ...Object.fromEntries(Object.entries(schema.shape).map(([key, one]) => [key, full(one)])), unnamed: 1 };
  if (schema.kind === 'oneOf') return schema.values[0];
  const found = [true, 1, 2000, 'a', 'TEXT', [], {}].find((one) => taken(schema, one) !== undefined);
  expect(found).toBeDefined();
  return found;
}

// Members of its objects that nobody names yet would be lost with a copy.
test.each(Object.entries(BODIES))('%s: a body with every member is checked without a copy', (_name, members) => {
  const schemas = Object.entries(members).flatMap(([key, { schema }]) =>
    schema === undefined ? [] : [{ key, schema, value: full(schema) }],
  );
  const copied = schemas.filter(({ schema, value }) => checkValue(schema, value, refuse) !== value);
  expect(copied.map(({ key }) => key)).toEqual([]);
  const body = Object.fromEntries(schemas.map(({ key, value }) => [key, value]));
  expect(checkValue(schemaOf(members), body, refuse)).toBe(body);
});

test('lists and records with bounds come back themselves too, and are refused by them', () => {
  const schema = s.object({
    list: s.array(s.string(), s.maxLength(1)),
    map: s.record(
      s.string(s.maxLength(1)),
      s.string(),
      s.rule((map: object) => Object.keys(map).length < 2, 'too many'),
    ),
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

test('a member that is missing is required, also where a union has a sentence of its own', () => {
  const schema = s.object({
    container: s.union([s.string(), s.object({ id: s.string() })], 'expected an id or an object'),
  });
  const told = (value: unknown): unknown => {
    try {
      return checkValue(schema, value, (faults) => new Error(JSON.stringify(faults)));
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(told({})).toContain('field required');
  expect(told({ container: 5 })).toContain('expected an id or an object');
});
