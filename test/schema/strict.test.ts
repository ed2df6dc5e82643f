import { describe, expect, test } from '@jest/globals';
import { countOptional, encodeStrictSchema as toStrictMessages } from '../../translators/messages/schema/strict.js';
import { encodeStrictSchema as toStrictResponses } from '../../translators/responses/schema/encode.js';
import { describeChanges, removeAddedNulls } from '../../translators/schema/index.js';
import type { Json, JsonObject } from '../../translators/wire/json.js';

function object(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: 'object', properties, ...more };
}

/** The strict form of one required property. */
function strictProperty(property: Json): Json | { refused: string } | undefined {
  const strict = toStrictResponses(object({ p: property }, { required: ['p'] }));
  return 'refused' in strict ? strict : (strict.schema.properties as JsonObject).p;
}

describe('strict mode of responses', () => {
  test('objects are closed, optional properties become required and nullable', () => {
    const source = object(
      {
        must: { type: 'string' },
        may: { type: 'integer', minimum: 1, description: 'd' },
        word: { type: 'string', enum: ['a', 'b'] },
        kind: { const: 'x' },
        list: { type: ['array', 'null'], items: { type: 'string' } },
        either: { anyOf: [{ type: 'string' }, { type: 'number' }] },
        other: { $ref: '#/$defs/O', description: 'o' },
      },
      { required: ['must'], $defs: { O: object({}, { additionalProperties: false }) } },
    );
    const strict = toStrictResponses(source);
    expect(strict).toMatchObject({
      schema: {
        type: 'object',
        properties: {
          must: { type: 'string' },
          may: { type: ['integer', 'null'], minimum: 1, description: 'd' },
          word: { type: ['string', 'null'], enum: ['a', 'b', null] },
          kind: { type: ['string', 'null'], enum: ['x', null] },
          list: { type: ['array', 'null'], items: { type: 'string' } },
          either: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] },
          other: { anyOf: [{ $ref: '#/$defs/O' }, { type: 'null' }], description: 'o' },
        },
        required: ['must', 'may', 'word', 'kind', 'list', 'either', 'other'],
        additionalProperties: false,
        $defs: { O: { type: 'object', properties: {}, required: [], additionalProperties: false } },
      },
      wrapped: false,
    });
    expect('changes' in strict && describeChanges(strict.changes)).toBe(
      'wider: nullable; narrower: additionalProperties, required',
    );
  });

  test('a strict schema is passed as it is', () => {
    const schema = object(
      { a: { type: 'array', items: { $ref: '#/$defs/A' } } },
      {
        required: ['a'],
        additionalProperties: false,
        $defs: { A: object({ a: { $ref: '#/$defs/A' } }, { required: ['a'], additionalProperties: false }) },
      },
    );
    const strict = toStrictResponses(schema);
    expect('schema' in strict && strict.schema).toBe(schema);
  });

  const kept: [name: string, source: Json, expected: Json][] = [
    [
      'numbers, lengths, patterns and counts stay',
      { type: 'array', items: { type: 'string', pattern: '^a', maxLength: 3 }, minItems: 1 },
      {
        type: 'array',
        items: { type: 'string', pattern: '^a', maxLength: 3 },
        minItems: 1,
      },
    ],
    [
      'oneOf',
      { oneOf: [{ type: 'string' }, { type: 'integer' }] },
      { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    ],
    ['enum without type', { enum: ['a'] }, { type: 'string', enum: ['a'] }],
    ['description beside $ref', { $ref: '#', description: 'd' }, { anyOf: [{ $ref: '#' }], description: 'd' }],
    ['draft 4 bounds', { type: 'number', minimum: 0, exclusiveMinimum: true }, { type: 'number', exclusiveMinimum: 0 }],
    [
      'what is told in words',
      { type: 'array', items: { type: 'string' }, uniqueItems: true },
      {
        type: 'array',
        items: { type: 'string' },
        description: '[Note: all items different.]',
      },
    ],
    ['allOf', { allOf: [{ type: 'string' }, { minLength: 1 }] }, { type: 'string', minLength: 1 }],
    [
      'keywords beside a union',
      { type: 'string', anyOf: [{ minLength: 1 }, { const: 'a' }] },
      {
        anyOf: [
          { minLength: 1, type: 'string' },
          { const: 'a', type: 'string' },
        ],
      },
    ],
  ];
  test.each(kept)('%s', (_name, source, expected) => {
    expect(strictProperty(source)).toEqual(expected);
  });

  const refused: [source: Json, reason: string][] = [
    [{ type: 'object', additionalProperties: { type: 'string' } }, 'names that are not known'],
    [{ type: 'object', patternProperties: { a: {} }, properties: {} }, 'patternProperties'],
    [{ type: 'object' }, 'names that are not known'],
    [{}, 'allows any value'],
    [{ type: 'array' }, 'what its items are'],
    [{ type: 'array', prefixItems: [{ type: 'string' }] }, 'prefixItems'],
    [{ type: 'string', not: { const: 'a' } }, 'not is not possible'],
    [{ type: 'string', if: {}, else: false }, 'if is not possible'],
    [object({ a: { type: 'string' } }, { dependentRequired: { a: ['b'] } }), 'dependentRequired'],
    [{ allOf: [{ type: 'string', pattern: 'a' }, { pattern: 'b' }] }, 'allOf cannot be merged'],
    [object({ a: { type: 'string' } }, { required: ['b'] }), 'a required property has no schema'],
    [{ $ref: 'https://example.com/schema' }, 'leads nowhere'],
    [{ type: 'string', enum: [...Array(1001).keys()].map(String) }, 'enum values'],
  ];
  test.each(refused)('%j is refused', (source, reason) => {
    expect(strictProperty(source)).toMatchObject({ refused: expect.stringContaining(reason) });
  });

  test('size limits', () => {
    const many = Object.fromEntries([...Array(5001).keys()].map((index) => [`p${index}`, { type: 'string' }]));
    expect(toStrictResponses(object(many))).toEqual({ refused: 'more than 5000 properties' });
    const nested = (levels: number): JsonObject =>
      object(levels === 1 ? {} : { a: nested(levels - 1) }, {
        additionalProperties: false,
      });
    expect(toStrictResponses(nested(11))).toEqual({ refused: 'more than 10 levels of objects' });
    expect(toStrictResponses(nested(10))).toHaveProperty('schema');
    const long = object({ a: { enum: ['x'.repeat(120_001)] } });
    expect(toStrictResponses(long)).toEqual({ refused: 'more than 120000 characters of names and values' });
  });

  test('a union at the root is wrapped', () => {
    const strict = toStrictResponses({ anyOf: [object({ a: { type: 'string' } }), object({ b: { type: 'string' } })] });
    expect(strict).toMatchObject({ schema: { type: 'object', required: ['value'] }, wrapped: true });
  });

  test('no parameters', () => {
    const empty = { type: 'object', properties: {}, required: [], additionalProperties: false };
    expect(toStrictResponses(undefined)).toMatchObject({ schema: empty });
    expect(toStrictResponses({ type: 'object' })).toMatchObject({ schema: empty });
  });
});

describe('nulls that strict mode added', () => {
  const schema = object(
    {
      q: { type: 'string' },
      limit: { type: 'integer' },
      after: { type: ['string', 'null'] },
      any: {},
      opts: object({ deep: { type: 'boolean' }, on: { enum: [true, null] } }),
      list: { type: 'array', items: { $ref: '#/$defs/Item' } },
    },
    {
      required: ['q'],
      $defs: { Item: object({ id: { type: 'string' }, note: { $ref: '#/$defs/Note' } }), Note: { type: 'string' } },
    },
  );

  const rows: [value: JsonObject, expected: JsonObject][] = [
    [
      { q: 'x', limit: null, after: null, any: null, opts: null, list: null },
      { q: 'x', after: null, any: null },
    ],
    [{ q: null }, { q: null }],
    [
      { q: 'x', opts: { deep: null, on: null } },
      { q: 'x', opts: { on: null } },
    ],
    [
      {
        q: 'x',
        list: [
          { id: null, note: 'n' },
          { id: 'i', note: null },
        ],
      },
      { q: 'x', list: [{ note: 'n' }, { id: 'i' }] },
    ],
    [
      { q: 'x', unknown: null },
      { q: 'x', unknown: null },
    ],
  ];
  test.each(rows)('%j', (value, expected) => {
    expect(removeAddedNulls(value, schema)).toEqual(expected);
  });

  test('a value without added nulls is returned as it is', () => {
    const value = { q: 'x', after: null, list: [{ id: 'a' }] };
    expect(removeAddedNulls(value, schema)).toBe(value);
  });

  test('the branch of a union is found by its keys and discriminator', () => {
    const shape = (kind: string, more: JsonObject) =>
      object({ kind: { const: kind }, ...more }, { required: ['kind'] });
    const union = object({
      s: { oneOf: [shape('a', { x: { type: ['string', 'null'] } }), shape('b', { x: { type: 'string' } })] },
    });
    expect(removeAddedNulls({ s: { kind: 'a', x: null } }, union)).toEqual({ s: { kind: 'a', x: null } });
    expect(removeAddedNulls({ s: { kind: 'b', x: null } }, union)).toEqual({ s: { kind: 'b' } });
  });

  test('a recursive schema', () => {
    const tree = object({ name: { type: 'string' }, next: { $ref: '#' } });
    expect(removeAddedNulls({ name: 'a', next: { name: null, next: null } }, tree)).toEqual({ name: 'a', next: {} });
  });
});

describe('strict mode of messages', () => {
  test('objects are closed, constraints become words', () => {
    const { schema, changes } = toStrictMessages(
      object({
        name: { type: 'string', minLength: 1, maxLength: 9, pattern: '^a', description: 'the name' },
        age: { type: 'integer', minimum: 0, exclusiveMaximum: 150 },
        tags: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 4, uniqueItems: true },
        mail: { type: 'string', format: 'email' },
        code: { type: 'string', format: 'iban' },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
      }),
    );
    expect(schema).toEqual({
      type: 'object',
      properties: {
        name: {
          type: 'string',
          description: 'the name [Note: at least 1 characters; at most 9 characters; matches the pattern ^a.]',
        },
        age: { type: 'integer', description: '[Note: at least 0; less than 150.]' },
        tags: {
          type: 'array',
          items: { type: 'string' },
          description: '[Note: at least 1 items; at most 4 items; all items different.]',
        },
        mail: { type: 'string', format: 'email' },
        code: { type: 'string', description: '[Note: format iban.]' },
        labels: {
          type: 'object',
          properties: {},
          additionalProperties: false,
          description: '[Note: values of other properties: {"type":"string"}.]',
        },
      },
      additionalProperties: false,
    });
    expect(describeChanges(changes)).toBe(
      'wider: minLength, maxLength, pattern, minimum, exclusiveMaximum, minItems, maxItems, uniqueItems, format; ' +
        'narrower: additionalProperties',
    );
  });

  test('a schema the grammar takes is passed as it is', () => {
    const schema = object(
      { a: { $ref: '#/$defs/A' }, b: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
      { required: ['a'], additionalProperties: false, $defs: { A: { type: 'string', enum: ['x'] } } },
    );
    expect(toStrictMessages(schema)).toEqual({ schema, changes: [], wrapped: false });
    expect(toStrictMessages(schema).schema).toBe(schema);
  });

  test('combinators', () => {
    const { schema } = toStrictMessages(
      object({
        one: { oneOf: [{ type: 'string' }, { type: 'number' }] },
        all: { allOf: [object({ a: { type: 'string' } }), object({ b: { type: 'string' } })] },
        not: { type: 'string', not: { const: 'a' } },
        ref: { $ref: '#/properties/one', description: 'd' },
      }),
    );
    expect(schema.properties).toEqual({
      one: { anyOf: [{ type: 'string' }, { type: 'number' }] },
      all: object({ a: { type: 'string' }, b: { type: 'string' } }, { additionalProperties: false }),
      not: { type: 'string', description: '[Note: not: {"const":"a"}.]' },
      ref: { anyOf: [{ $ref: '#/$defs/one' }], description: 'd' },
    });
  });

  test('a recursion is cut at depth 4', () => {
    const { schema, changes } = toStrictMessages(
      object({ next: { $ref: '#' } }, { additionalProperties: false, title: 'Node' }),
    );
    expect(JSON.stringify(schema).match(/"next":/g)).toHaveLength(4);
    expect(JSON.stringify(schema)).toContain('"description":"recursive Node"');
    expect(JSON.stringify(schema)).not.toContain('$ref');
    expect(describeChanges(changes)).toBe('wider: $ref; narrower: $ref');
  });

  test('a union at the root is wrapped', () => {
    const closed = object({ a: { type: 'string' } }, { additionalProperties: false });
    expect(toStrictMessages({ anyOf: [closed, { type: 'null' }] }, 'answer')).toEqual({
      schema: {
        type: 'object',
        properties: { value: { anyOf: [closed, { type: 'null' }] } },
        required: ['value'],
        additionalProperties: false,
      },
      changes: [],
      wrapped: true,
    });
  });

  test('optional properties are counted over the whole schema', () => {
    const inner = object({ a: { type: 'string' }, b: { type: 'string' } }, { required: ['a'] });
    expect(
      countOptional(object({ x: inner, y: { $ref: '#/$defs/I' } }, { required: ['x'], $defs: { I: inner } })),
    ).toBe(3);
    expect(countOptional(undefined)).toBe(0);
  });
});
