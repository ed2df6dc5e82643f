import { describe, expect, test } from '@jest/globals';
import { decodeSchema as fromSchemaSubset } from '../../translators/generate-content/schema/decode.js';
import { encodeSchema as toSchemaSubset } from '../../translators/generate-content/schema/encode.js';
import { describeChanges } from '../../translators/schema/index.js';
import type { Json, JsonObject } from '../../translators/wire/json.js';

/** The projection of one property, and what changed about it as `keyword effect`. */
function projectProperty(property: Json): { schema: Json | undefined; changes: string[] } {
  const { schema, changes } = toSchemaSubset({ type: 'object', properties: { keep: { type: 'string' }, p: property } });
  const properties = (schema?.properties ?? {}) as JsonObject;
  return { schema: properties.p, changes: changes.map(({ keyword, effect }) => `${keyword} ${effect}`) };
}

type Row = [name: string, source: Json, expected: JsonObject | undefined, changes?: string[]];

const TYPES: Row[] = [
  [
    'types go upper-case',
    { type: 'string', title: 'T', description: 'D' },
    { type: 'STRING', title: 'T', description: 'D' },
  ],
  ['a type list with null is nullable', { type: ['integer', 'null'] }, { type: 'INTEGER', nullable: true }],
  [
    'several types become anyOf, each with its own keywords and the description',
    { type: ['string', 'integer', 'null'], description: 'id', minLength: 2, minimum: 1, default: 7 },
    {
      nullable: true,
      anyOf: [
        { type: 'STRING', minLength: 2, description: 'id' },
        { type: 'INTEGER', minimum: 1, default: 7, description: 'id' },
      ],
    },
  ],
  ['number and integer are a number', { type: ['number', 'integer'] }, { type: 'NUMBER' }],
  [
    'TOOL-04: a null branch with annotations',
    { anyOf: [{ type: 'integer' }, { type: 'null', title: 'None' }], default: null },
    { type: 'INTEGER', nullable: true },
  ],
  [
    'annotations of the node count before those of the branch that is left',
    {
      anyOf: [{ type: 'string', title: 'inner', description: 'b' }, { type: 'null' }],
      title: 'outer',
      description: 'a',
      default: 'x',
      examples: ['y'],
    },
    { type: 'STRING', nullable: true, title: 'outer', description: 'a\nb', default: 'x', example: 'y' },
  ],
  [
    'several branches and null',
    { anyOf: [{ type: 'integer' }, { type: 'null' }, { type: 'string' }], description: 'd' },
    {
      nullable: true,
      anyOf: [
        { type: 'INTEGER', description: 'd' },
        { type: 'STRING', description: 'd' },
      ],
    },
  ],
  [
    'only null',
    { type: 'null' },
    { type: 'STRING', nullable: true, description: '[Note: always null.]' },
    ['type wider'],
  ],
  ['nullable as OpenAPI writes it', { type: 'string', nullable: true }, { type: 'STRING', nullable: true }],
  [
    'no type but properties',
    { properties: { a: { type: 'string' } } },
    {
      type: 'OBJECT',
      properties: { a: { type: 'STRING' } },
      propertyOrdering: ['a'],
    },
    ['type narrower'],
  ],
  ['true is an object', true, { type: 'OBJECT' }, ['true narrower']],
  ['false is removed', false, undefined, ['properties wider']],
];

const VALUES: Row[] = [
  [
    'TOOL-05: null in enum',
    { type: ['string', 'null'], enum: ['a', 'b', null] },
    {
      type: 'STRING',
      nullable: true,
      enum: ['a', 'b'],
    },
  ],
  [
    'TOOL-05: empty string in enum',
    { type: 'string', enum: ['', 'x'] },
    {
      type: 'STRING',
      enum: ['x'],
      description: '[Note: empty string allowed.]',
    },
    ['enum narrower'],
  ],
  [
    'TOOL-05: nothing left of enum',
    { type: 'string', enum: [''], description: 'd' },
    {
      type: 'STRING',
      description: 'd [Note: empty string allowed.]',
    },
    ['enum wider'],
  ],
  [
    'TOOL-06: numbers in enum',
    { type: 'integer', enum: [60, 1440] },
    {
      type: 'INTEGER',
      description: '[Note: one of 60, 1440.]',
    },
    ['enum wider'],
  ],
  ['TOOL-06: const true', { const: true }, { type: 'BOOLEAN', description: '[Note: one of true.]' }, ['const wider']],
  ['both booleans say nothing', { enum: [true, false] }, { type: 'BOOLEAN' }],
  ['TOOL-07: enum without type', { enum: ['a', 'b'] }, { type: 'STRING', enum: ['a', 'b'] }],
  ['TOOL-07: format enum without enum', { type: 'string', format: 'enum' }, { type: 'STRING' }],
  ['const is an enum of one', { const: 'circle' }, { type: 'STRING', enum: ['circle'] }],
  [
    'mixed values',
    { enum: ['a', 1, null] },
    {
      nullable: true,
      anyOf: [
        { type: 'STRING', enum: ['a'] },
        { type: 'INTEGER', description: '[Note: one of 1.]' },
      ],
    },
    ['enum wider'],
  ],
];

const CONSTRAINTS: Row[] = [
  [
    'TOOL-01: exclusive bound of an integer',
    { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 10 },
    {
      type: 'INTEGER',
      minimum: 1,
      maximum: 9,
    },
  ],
  [
    'the tighter of two bounds counts',
    { type: 'integer', minimum: 5, exclusiveMinimum: 0 },
    { type: 'INTEGER', minimum: 5 },
  ],
  [
    'exclusive bound of a number',
    { type: 'number', exclusiveMinimum: 0 },
    {
      type: 'NUMBER',
      description: '[Note: greater than 0.]',
    },
    ['exclusiveMinimum wider'],
  ],
  ['draft 4 exclusive bound', { type: 'integer', minimum: 0, exclusiveMinimum: true }, { type: 'INTEGER', minimum: 1 }],
  [
    'TOOL-01: uniqueItems',
    { type: 'array', items: { type: 'string' }, uniqueItems: true },
    {
      type: 'ARRAY',
      items: { type: 'STRING' },
      description: '[Note: all items different.]',
    },
    ['uniqueItems wider'],
  ],
  [
    'TOOL-01: a map',
    { type: 'object', propertyNames: { pattern: '^a' }, additionalProperties: { type: 'string' } },
    {
      type: 'OBJECT',
      description: '[Note: values of other properties: {"type":"string"}; propertyNames: {"pattern":"^a"}.]',
    },
    ['additionalProperties wider', 'propertyNames wider'],
  ],
  ['format that is known', { type: 'string', format: 'date-time' }, { type: 'STRING', format: 'date-time' }],
  [
    'format on the wrong type',
    { type: 'number', format: 'int64' },
    {
      type: 'NUMBER',
      description: '[Note: format int64.]',
    },
    ['format wider'],
  ],
  [
    'format that is unknown',
    { type: 'string', format: 'email' },
    {
      type: 'STRING',
      description: '[Note: format email.]',
    },
    ['format wider'],
  ],
  [
    'several removed constraints share one sentence',
    { type: 'number', multipleOf: 5, not: { const: 5 }, description: 'd' },
    {
      type: 'NUMBER',
      description: 'd [Note: not: {"const":5}; a multiple of 5.]',
    },
    ['not wider', 'multipleOf wider'],
  ],
  ['examples', { type: 'string', examples: ['a', 'b'] }, { type: 'STRING', example: 'a' }, ['examples same']],
  [
    'extension keywords',
    { type: 'string', 'x-order': 1, deprecated: true },
    { type: 'STRING' },
    ['x-order same', 'deprecated same'],
  ],
];

const COMPOUND: Row[] = [
  ['TOOL-18: empty object', { type: 'object' }, { type: 'OBJECT' }],
  ['TOOL-18: array without items', { type: 'array' }, { type: 'ARRAY', items: { type: 'STRING' } }, ['items narrower']],
  [
    'required is cut to the properties',
    { type: 'object', properties: { a: { type: 'string' } }, required: ['a', 'b'] },
    {
      type: 'OBJECT',
      properties: { a: { type: 'STRING' } },
      required: ['a'],
      propertyOrdering: ['a'],
      description: '[Note: also required: b.]',
    },
    ['required wider'],
  ],
  [
    'a tuple',
    { type: 'array', prefixItems: [{ type: 'number' }, { type: 'string' }], minItems: 2, items: false },
    {
      type: 'ARRAY',
      minItems: 2,
      maxItems: 2,
      items: { anyOf: [{ type: 'NUMBER' }, { type: 'STRING' }] },
    },
    ['prefixItems wider'],
  ],
  [
    'a tuple of one type, as draft 7 writes it',
    { type: 'array', items: [{ type: 'number' }, { type: 'number' }] },
    {
      type: 'ARRAY',
      minItems: 2,
      maxItems: 2,
      items: { type: 'NUMBER' },
    },
    ['prefixItems narrower'],
  ],
  [
    'allOf of objects',
    {
      allOf: [
        { type: 'object', properties: { a: { type: 'string' } } },
        { properties: { b: { type: 'integer' } }, required: ['b'] },
      ],
    },
    {
      type: 'OBJECT',
      properties: { a: { type: 'STRING' }, b: { type: 'INTEGER' } },
      required: ['b'],
      propertyOrdering: ['a', 'b'],
    },
  ],
  [
    'allOf in conflict keeps the first',
    { allOf: [{ type: 'string' }, { type: 'integer' }] },
    {
      type: 'STRING',
      description: '[Note: allOf: {"type":"integer"}.]',
    },
    ['allOf wider'],
  ],
  [
    'oneOf of different types',
    { oneOf: [{ type: 'string' }, { type: 'integer' }] },
    {
      anyOf: [{ type: 'STRING' }, { type: 'INTEGER' }],
    },
  ],
  [
    'oneOf with a discriminator',
    {
      oneOf: ['a', 'b'].map((kind) => ({ type: 'object', properties: { kind: { const: kind } }, required: ['kind'] })),
    },
    {
      anyOf: ['a', 'b'].map((kind) => ({
        type: 'OBJECT',
        properties: { kind: { type: 'STRING', enum: [kind] } },
        required: ['kind'],
        propertyOrdering: ['kind'],
      })),
    },
  ],
  [
    'oneOf whose branches overlap',
    { oneOf: [{ type: 'number', minimum: 0 }, { type: 'integer' }] },
    {
      anyOf: [{ type: 'NUMBER', minimum: 0 }, { type: 'INTEGER' }],
    },
    ['oneOf wider'],
  ],
  [
    'keywords beside anyOf move into its branches',
    {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    {
      anyOf: ['a', 'b'].map((name) => ({
        type: 'OBJECT',
        properties: { a: { type: 'STRING' }, b: { type: 'STRING' } },
        required: [name],
        propertyOrdering: ['a', 'b'],
      })),
    },
  ],
  [
    'conditionals',
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    { type: 'string', if: { minLength: 3 }, then: { pattern: 'x' } },
    {
      type: 'STRING',
      description: '[Note: if: {"minLength":3}; then: {"pattern":"x"}.]',
    },
    ['if wider', 'then wider'],
  ],
];

describe.each([
  ['types', TYPES],
  ['values', VALUES],
  ['constraints', CONSTRAINTS],
  ['compound schemas', COMPOUND],
])('the Schema subset: %s', (_group, rows) => {
  test.each(rows)('%s', (_name, source, expected, changes = []) => {
    expect(projectProperty(source)).toEqual({ schema: expected, changes });
  });
});

describe('the Schema subset: documents', () => {
  test('TOOL-02: local references are inlined, definitions vanish', () => {
    const task = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] };
    for (const key of ['$defs', 'definitions']) {
      const source = {
        type: 'object',
        properties: { task: { $ref: `#/${key}/Task`, description: 'what to do' } },
        required: ['task'],
        [key]: { Task: task },
      };
      expect(toSchemaSubset(source)).toEqual({
        schema: {
          type: 'OBJECT',
          properties: {
            task: {
              type: 'OBJECT',
              properties: { title: { type: 'STRING' } },
              required: ['title'],
              propertyOrdering: ['title'],
              description: 'what to do',
            },
          },
          required: ['task'],
          propertyOrdering: ['task'],
        },
        changes: [],
      });
    }
  });

  test('TOOL-02: a recursion is cut at depth 4 and named', () => {
    const { schema, changes } = toSchemaSubset({
      $ref: '#/$defs/Task',
      $defs: { Task: { type: 'object', properties: { next: { $ref: '#/$defs/Task' } } } },
    });
    expect(JSON.stringify(schema).match(/"next":\{"type"/g)).toHaveLength(4);
    expect(JSON.stringify(schema)).toContain('{"type":"OBJECT","description":"recursive Task"}');
    expect(describeChanges(changes)).toBe('wider: $ref');
  });

  test('an unresolved reference is a string', () => {
    expect(projectProperty({ $ref: 'https://example.com/x', description: 'd' })).toEqual({
      schema: { type: 'STRING', description: 'd' },
      changes: ['$ref wider', '$ref narrower'],
    });
  });

  test('TOOL-17: names are not keywords and data is not schema', () => {
    const { schema } = toSchemaSubset({
      type: 'object',
      properties: {
        pattern: { type: 'string' },
        title: { type: 'string' },
        format: { type: 'string', default: { id: 1, $ref: '#/nowhere', const: 2 } },
        $defs: { type: 'string', enum: ['$ref'] },
      },
      required: ['pattern', 'title'],
    });
    expect(schema).toEqual({
      type: 'OBJECT',
      properties: {
        pattern: { type: 'STRING' },
        title: { type: 'STRING' },
        format: { type: 'STRING', default: { id: 1, $ref: '#/nowhere', const: 2 } },
        $defs: { type: 'STRING', enum: ['$ref'] },
      },
      required: ['pattern', 'title'],
      propertyOrdering: ['pattern', 'title', 'format', '$defs'],
    });
  });

  test.each([[{}], [{ type: 'object' }], [{ type: 'object', properties: {} }], [undefined], [true]])(
    'TOOL-18: %j is left out at the root',
    (source) => {
      expect(toSchemaSubset(source)).toEqual({ schema: undefined, changes: [] });
    },
  );

  test('propertyOrdering of the source wins over the order of its keys', () => {
    const properties = { a: { type: 'string' }, b: { type: 'string' } };
    const { schema } = toSchemaSubset({ type: 'object', properties, propertyOrdering: ['b'] });
    expect(schema?.propertyOrdering).toEqual(['b', 'a']);
  });

  test('changes name their place', () => {
    const { changes } = toSchemaSubset({
      type: 'object',
      properties: { 'a/b': { type: 'array', items: { type: 'string', format: 'uri' } } },
    });
    expect(changes).toEqual([{ keyword: 'format', effect: 'wider', pointer: '/properties/a~1b/items' }]);
  });

  test('a large schema that is kept is projected once', () => {
    const large = { type: 'object', properties: { a: { $ref: '#/$defs/A' } }, $defs: { A: { type: 'string' } } };
    expect(toSchemaSubset(large)).toBe(toSchemaSubset(large));
  });
});

describe('Schema read as JSON Schema', () => {
  const rows: [name: string, subset: JsonObject, expected: JsonObject][] = [
    ['types in any spelling', { type: 'ARRAY', items: { type: 3 } }, { type: 'array', items: { type: 'integer' } }],
    ['unspecified type', { type: 'TYPE_UNSPECIFIED', description: 'd' }, { description: 'd' }],
    ['nullable', { type: 'STRING', nullable: true, enum: ['a'] }, { type: ['string', 'null'], enum: ['a', null] }],
    [
      'nullable beside anyOf',
      { anyOf: [{ type: 'STRING' }, { type: 'NUMBER' }], nullable: true },
      {
        anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }],
      },
    ],
    ['nullable false', { type: 'STRING', nullable: false }, { type: 'string' }],
    [
      'snake case',
      {
        type: 'OBJECT',
        min_properties: 1,
        properties: { l: { type: 'ARRAY', min_items: '2', max_items: 3, items: { any_of: [{ type: 'STRING' }] } } },
        property_ordering: ['l'],
      },
      {
        type: 'object',
        minProperties: 1,
        properties: { l: { type: 'array', minItems: 2, maxItems: 3, items: { anyOf: [{ type: 'string' }] } } },
      },
    ],
    [
      'int64 as string',
      { type: 'STRING', minLength: '1', maxLength: '10' },
      { type: 'string', minLength: 1, maxLength: 10 },
    ],
    [
      'enum of integers',
      { type: 'INTEGER', enum: ['60', '1440'], format: 'enum' },
      {
        type: 'integer',
        enum: [60, 1440],
        format: 'enum',
      },
    ],
    ['example', { type: 'STRING', example: 'x' }, { type: 'string', examples: ['x'] }],
    [
      'references of the cloud host',
      { ref: '#/defs/X', defs: { X: { type: 'STRING' } } },
      {
        $ref: '#/$defs/X',
        $defs: { X: { type: 'string' } },
      },
    ],
    [
      'a property by the name of a keyword',
      { type: 'OBJECT', properties: { type: { type: 'STRING' }, any_of: { type: 'STRING' } } },
      {
        type: 'object',
        properties: { type: { type: 'string' }, any_of: { type: 'string' } },
      },
    ],
    [
      'standard keywords that clients send all the same',
      { type: 'object', additionalProperties: false, oneOf: [{ type: 'OBJECT' }] },
      {
        type: 'object',
        additionalProperties: false,
        oneOf: [{ type: 'object' }],
      },
    ],
  ];
  test.each(rows)('%s', (_name, subset, expected) => {
    expect(fromSchemaSubset(subset)).toEqual(expected);
  });

  test('propertyOrdering is the order of the keys', () => {
    const read = fromSchemaSubset({
      type: 'OBJECT',
      properties: { a: { type: 'STRING' }, b: { type: 'STRING' }, c: { type: 'STRING' } },
      propertyOrdering: ['c', 'a'],
    });
    expect(JSON.stringify(read)).toBe(
      '{"type":"object","properties":{"c":{"type":"string"},"a":{"type":"string"},"b":{"type":"string"}}}',
    );
  });

  test('an order that keys cannot have is kept beside them', () => {
    const subset = {
      type: 'OBJECT',
      properties: { 1: { type: 'STRING' }, a: { type: 'STRING' } },
      propertyOrdering: ['a', '1'],
    };
    const read = fromSchemaSubset(subset);
    expect(read.propertyOrdering).toEqual(['a', '1']);
    expect(toSchemaSubset(read).schema).toEqual(subset);
  });

  test('projecting the reading gives the Schema again', () => {
    const subset = {
      type: 'OBJECT',
      title: 'T',
      description: 'D',
      properties: {
        when: { type: 'STRING', format: 'date-time', nullable: true, example: '2020-01-01T00:00:00Z' },
        size: { type: 'STRING', enum: ['s', 'm'], format: 'enum', default: 's' },
        count: { type: 'INTEGER', format: 'int64', minimum: 1, maximum: 5 },
        tags: { type: 'ARRAY', minItems: 1, maxItems: 4, items: { type: 'STRING', minLength: 1, pattern: '^a' } },
        either: { anyOf: [{ type: 'STRING' }, { type: 'OBJECT', minProperties: 1 }], nullable: true },
      },
      required: ['when', 'count'],
      propertyOrdering: ['when', 'size', 'count', 'tags', 'either'],
    };
    expect(toSchemaSubset(fromSchemaSubset(subset))).toEqual({ schema: subset, changes: [] });
  });
});
