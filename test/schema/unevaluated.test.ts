import { describe, expect, test } from '@jest/globals';
import { encodeToolSchema as messagesToolSchema } from '../../translators/messages/schema/encode.js';
import { encodeStrictSchema as toStrictMessages } from '../../translators/messages/schema/strict.js';
import {
  type StrictResult,
  encodeStrictSchema as toStrictResponses,
} from '../../translators/responses/schema/encode.js';
import type { Json, JsonObject } from '../../translators/wire/json.js';
import { verdict } from './validate.js';

const foo = { foo: { type: 'string' } };
const bar = { bar: { type: 'string' } };
const CLOSED = { type: 'object', properties: foo, unevaluatedProperties: false };

function when(condition: Json, then: Json): JsonObject {
  return { if: condition, then };
}

/** Schemas that refuse what nothing in them evaluates, each with a value that something in them does evaluate. */
const ROWS: readonly [name: string, schema: JsonObject, value: Json][] = [
  ['allOf', { ...CLOSED, allOf: [{ patternProperties: { '^b': { type: 'string' } } }] }, { foo: 'a', bar: 'b' }],
  ['if', { ...CLOSED, ...when({ properties: bar, required: ['bar'] }, { minProperties: 1 }) }, { bar: 'b' }],
  ['then', { ...CLOSED, ...when({ required: ['foo'] }, { properties: bar }) }, { foo: 'a', bar: 'b' }],
  ['else', { ...CLOSED, if: { required: ['foo'] }, else: { properties: bar } }, { bar: 'b' }],
  ['dependentSchemas', { ...CLOSED, dependentSchemas: { bar: { properties: bar } } }, { bar: 'b' }],
  [
    'anyOf',
    { type: 'object', anyOf: [{ properties: foo }, { properties: bar }], unevaluatedProperties: false },
    { foo: 'a', bar: 'b' },
  ],
  [
    'anyOf beside oneOf',
    { ...CLOSED, anyOf: [{ required: ['foo'] }], oneOf: [{ properties: bar }] },
    { foo: 'a', bar: 'b' },
  ],
  [
    'an alternative with a condition',
    {
      type: 'object',
      oneOf: [when({}, { properties: bar }), { required: ['x'] }],
      unevaluatedProperties: false,
    },
    { bar: 'b' },
  ],
  [
    'an alternative with a pattern',
    {
      type: 'object',
      oneOf: [
        { patternProperties: { '^b': { type: 'string' } }, additionalProperties: false },
        { properties: foo, required: ['foo'], additionalProperties: false },
      ],
    },
    { bar: 'b' },
  ],
];

const CONVERSIONS: readonly [string, (schema: JsonObject) => StrictResult][] = [
  ['tools of messages', (schema) => messagesToolSchema(schema)],
  ['strict tools of messages', (schema) => toStrictMessages(schema)],
  ['answers of messages', (schema) => toStrictMessages(schema, 'answer')],
  ['strict tools of responses', (schema) => toStrictResponses(schema)],
];

describe('what refuses the unevaluated goes with what evaluates, or is told as narrower', () => {
  describe.each(CONVERSIONS)('%s', (_conversion, convert) => {
    test.each(ROWS)('%s', (_name, schema, value) => {
      // The validator gives no verdict on dependentSchemas.
      expect(verdict(schema)(value)).not.toBe(false);
      const converted = convert(schema);
      const told = 'refused' in converted || converted.changes.some(({ effect }) => effect === 'narrower');
      if (told) return;
      expect(verdict(converted.schema)(converted.wrapped ? { value } : value)).not.toBe(false);
    });
  });

  test('an allOf that goes from the root of a tool takes it along', () => {
    const source = { ...CLOSED, allOf: [{ patternProperties: { '^b': { type: 'string' } } }] };
    expect(messagesToolSchema(source)).toEqual({
      schema: { type: 'object', properties: foo },
      changes: [{ keyword: 'allOf', effect: 'wider', pointer: '' }],
      wrapped: false,
    });
  });
});
