import { describe, expect, test } from '@jest/globals';
import { encodeJsonSchema as forJsonSchemaField } from '../../translators/generate-content/schema/json-schema.js';
import { encodeToolSchema as messagesToolSchema } from '../../translators/messages/schema/encode.js';
import { foldRootCombinators, objectRoot, unwrapValue, wrapValue } from '../../translators/schema/index.js';
import type { JsonObject } from '../../translators/wire/json.js';

const EMPTY = { type: 'object', properties: {} };

describe('the root of a tool', () => {
  test.each([[undefined], [null], [true], [{}], [{ type: 'object' }]])(
    'TOOL-18: %j is an object without properties',
    (schema) => {
      expect(objectRoot(schema)).toEqual({ schema: EMPTY, changes: [], wrapped: false });
      expect(messagesToolSchema(schema)).toEqual({ schema: EMPTY, changes: [], wrapped: false });
    },
  );

  test('a whole schema is passed as it is', () => {
    const schema = { type: 'object', properties: { a: { anyOf: [{ type: 'string' }] } }, $schema: 'x' };
    expect(objectRoot(schema).schema).toBe(schema);
    expect(messagesToolSchema(schema).schema).toBe(schema);
    const { $schema: _schema, ...clean } = schema;
    expect(forJsonSchemaField(clean).schema).toBe(clean);
  });

  test('properties without a type', () => {
    const properties = { a: { type: 'string' } };
    expect(objectRoot({ properties })).toEqual({ schema: { type: 'object', properties }, changes: [], wrapped: false });
  });

  test('a type list with object in it', () => {
    const { schema, changes } = objectRoot({ type: ['object', 'null'], properties: {} });
    expect(schema.type).toBe('object');
    // Arguments are objects anyway.
    expect(changes).toEqual([]);
    const answer = objectRoot({ type: ['object', 'null'], properties: {} }, { combinators: 'wrap', of: 'answer' });
    expect(answer).toMatchObject({ wrapped: true, changes: [] });
  });

  test('a reference at the root', () => {
    const A = { type: 'object', properties: { next: { $ref: '#/$defs/A' } } };
    expect(objectRoot({ $ref: '#/$defs/A', $defs: { A } }).schema).toEqual({ ...A, $defs: { A } });
  });

  test.each<JsonObject>([
    { type: 'array', items: { type: 'string' } },
    { type: 'string' },
    { enum: ['a', 'b'] },
    { anyOf: [{ type: 'object' }, { type: 'object', required: ['a'] }] },
  ])('%j is wrapped', (schema) => {
    expect(objectRoot(schema)).toEqual({
      schema: { type: 'object', properties: { value: schema }, required: ['value'] },
      changes: [],
      wrapped: true,
    });
  });

  test('wrapping lifts the definitions and keeps references whole', () => {
    const { schema } = objectRoot({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'array',
      items: { anyOf: [{ $ref: '#' }, { $ref: '#/$defs/A' }] },
      $defs: { A: { type: 'string' } },
    });
    const items = { anyOf: [{ $ref: '#/$defs/schema' }, { $ref: '#/$defs/A' }] };
    expect(schema).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { value: { type: 'array', items } },
      required: ['value'],
      $defs: {
        A: { type: 'string' },
        schema: { type: 'array', items },
      },
    });
  });

  test('allOf at the root is merged where that is exact', () => {
    const schema = {
      allOf: [{ $ref: '#/$defs/Base' }, { properties: { b: { type: 'integer' } }, required: ['b'] }],
      $defs: { Base: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } },
    };
    expect(objectRoot(schema)).toMatchObject({
      schema: {
        type: 'object',
        properties: { a: { type: 'string' }, b: { type: 'integer' } },
        required: ['a', 'b'],
      },
      changes: [],
      wrapped: false,
    });
  });

  test('an answer that may be anything is wrapped, arguments never are', () => {
    expect(objectRoot({}, { combinators: 'wrap', of: 'answer' }).wrapped).toBe(true);
    expect(objectRoot({ type: ['object', 'array'] }, { combinators: 'wrap', of: 'answer' }).wrapped).toBe(true);
    expect(objectRoot({ type: ['object', 'array'] }).wrapped).toBe(false);
  });

  test('combinators stay where the target takes them', () => {
    const anyOf = [
      { type: 'object', required: ['a'] },
      { type: 'object', required: ['b'] },
    ];
    expect(objectRoot({ type: 'object', anyOf }, { combinators: 'keep' })).toMatchObject({
      schema: { type: 'object', properties: {}, anyOf },
      wrapped: false,
    });
  });
});

describe('root combinators folded for messages', () => {
  const a = { type: 'object', title: 'ById', properties: { id: { type: 'string' } }, required: ['id'] };
  const b = { type: 'object', title: 'ByName', properties: { name: { type: 'string' } }, required: ['name'] };

  test.each(['anyOf', 'oneOf'])('%s of objects', (key) => {
    const { schema, changes } = messagesToolSchema({ description: 'find', [key]: [a, b] });
    expect(schema).toEqual({
      type: 'object',
      description: 'find [Note: required in addition, by alternative: ById: id | ByName: name.]',
      properties: { id: { type: 'string' }, name: { type: 'string' } },
    });
    expect(changes).toContainEqual({ keyword: key, effect: 'wider', pointer: '' });
  });

  test('what stands beside the union stays', () => {
    const { schema } = messagesToolSchema({
      type: 'object',
      properties: { all: { type: 'boolean' }, id: { type: 'string' } },
      required: ['all'],
      additionalProperties: false,
      anyOf: [{ required: ['id'] }, {}],
    });
    expect(schema).toEqual({
      type: 'object',
      description: '[Note: required in addition, by alternative: id | nothing more.]',
      properties: { all: { type: 'boolean' }, id: { type: 'string' } },
      required: ['all'],
      additionalProperties: false,
    });
  });

  test('a property that differs by alternative', () => {
    const { schema } = messagesToolSchema({
      oneOf: [
        { type: 'object', properties: { kind: { const: 'a' } }, required: ['kind'] },
        { type: 'object', properties: { kind: { const: 'b' } }, required: ['kind'] },
      ],
    });
    expect(schema).toEqual({
      type: 'object',
      properties: { kind: { anyOf: [{ const: 'a' }, { const: 'b' }] } },
      required: ['kind'],
    });
  });

  test('references in the alternatives', () => {
    const folded = foldRootCombinators({ anyOf: [{ $ref: '#/$defs/A' }, { type: 'null' }], $defs: { A: a } });
    expect(folded).toEqual({ schema: { ...a, $defs: { A: a } }, changes: [] });
  });

  test('an alternative that is no object leaves only wrapping', () => {
    expect(foldRootCombinators({ anyOf: [a, { type: 'string' }] })).toBeUndefined();
    expect(messagesToolSchema({ anyOf: [a, { type: 'string' }] }).wrapped).toBe(true);
  });

  test('the shape of 2020-12', () => {
    const { schema } = messagesToolSchema({
      type: 'object',
      properties: { n: { type: 'number', minimum: 0, exclusiveMinimum: true }, t: { items: [{ type: 'string' }] } },
      definitions: { A: { type: 'string' } },
    });
    expect(schema).toEqual({
      type: 'object',
      properties: { n: { type: 'number', exclusiveMinimum: 0 }, t: { prefixItems: [{ type: 'string' }] } },
      definitions: { A: { type: 'string' } },
    });
  });
});

describe('wrapped values', () => {
  test('there and back', () => {
    for (const value of [1, null, [1], { value: 2 }, 'x']) {
      expect(unwrapValue(wrapValue(value))).toEqual(value);
    }
  });

  test('anything else stays', () => {
    expect(unwrapValue({ value: 1, other: 2 })).toEqual({ value: 1, other: 2 });
    expect(unwrapValue([1])).toEqual([1]);
    expect(unwrapValue({})).toEqual({});
  });
});

describe('the JSON Schema field of generateContent', () => {
  test('$schema goes, at any depth', () => {
    const schema = { $schema: 'x', type: 'object', properties: { $schema: { type: 'string', $schema: 'y' } } };
    expect(forJsonSchemaField(schema)).toEqual({
      schema: { type: 'object', properties: { $schema: { type: 'string' } } },
      changes: [],
    });
  });

  test('TOOL-08: beside $ref only description and default stay', () => {
    const { schema, changes } = forJsonSchemaField({
      type: 'object',
      properties: {
        t: { $ref: '#/$defs/T', type: 'object', title: 'x', nullable: true, description: 'd', default: {} },
      },
      $defs: { T: { type: 'object' } },
    });
    expect(schema).toEqual({
      type: 'object',
      properties: { t: { $ref: '#/$defs/T', description: 'd', default: {} } },
      $defs: { T: { type: 'object' } },
    });
    expect(changes).toEqual([
      { keyword: 'type', effect: 'wider', pointer: '/properties/t' },
      { keyword: 'title', effect: 'same', pointer: '/properties/t' },
      { keyword: 'nullable', effect: 'wider', pointer: '/properties/t' },
    ]);
  });

  test('definitions beside a $ref at the root stay', () => {
    const schema = { $ref: '#/definitions/T', definitions: { T: { type: 'object' } } };
    expect(forJsonSchemaField(schema).schema).toBe(schema);
  });

  test('oneOf stays and is reported only where its branches overlap', () => {
    const exclusive = { oneOf: [{ type: 'string' }, { type: 'integer' }] };
    expect(forJsonSchemaField(exclusive)).toEqual({ schema: exclusive, changes: [] });
    const overlapping = { type: 'object', properties: { a: { oneOf: [{ type: 'number' }, { type: 'integer' }] } } };
    expect(forJsonSchemaField(overlapping)).toEqual({
      schema: overlapping,
      changes: [{ keyword: 'oneOf', effect: 'wider', pointer: '/properties/a' }],
    });
  });
});
