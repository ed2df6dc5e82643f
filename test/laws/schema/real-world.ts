import type { Source } from './compare.js';

/** Schemas as generators and servers write them, made up in their manner. */
export const REAL_WORLD: Readonly<Record<string, Source>> = {
  'Pydantic, nested models with optional fields': {
    draft: '2020',
    schema: {
      $defs: {
        Address: {
          properties: {
            street: { title: 'Street', type: 'string' },
            zip: { anyOf: [{ pattern: '^\\d{5}$', type: 'string' }, { type: 'null' }], default: null, title: 'Zip' },
          },
          required: ['street'],
          title: 'Address',
          type: 'object',
        },
        Color: { enum: ['red', 'green'], title: 'Color', type: 'string' },
      },
      properties: {
        name: { maxLength: 40, minLength: 1, title: 'Name', type: 'string' },
        age: { anyOf: [{ minimum: 0, type: 'integer' }, { type: 'null' }], default: null, title: 'Age' },
        home: { $ref: '#/$defs/Address', description: 'Where they live' },
        color: { $ref: '#/$defs/Color', default: 'red' },
        tags: { items: { type: 'string' }, title: 'Tags', type: 'array', uniqueItems: true },
        scores: { additionalProperties: { type: 'number' }, title: 'Scores', type: 'object' },
      },
      required: ['name', 'home'],
      title: 'Person',
      type: 'object',
    },
  },
  'Pydantic, a discriminated union in a closed model': {
    draft: '2020',
    schema: {
      $defs: {
        Cat: {
          additionalProperties: false,
          properties: {
            kind: { const: 'cat', title: 'Kind', type: 'string' },
            lives: { title: 'Lives', type: 'integer' },
          },
          required: ['kind', 'lives'],
          title: 'Cat',
          type: 'object',
        },
        Dog: {
          additionalProperties: false,
          properties: {
            kind: { const: 'dog', title: 'Kind', type: 'string' },
            good: { title: 'Good', type: 'boolean' },
          },
          required: ['kind', 'good'],
          title: 'Dog',
          type: 'object',
        },
      },
      additionalProperties: false,
      properties: {
        pet: {
          discriminator: { mapping: { cat: '#/$defs/Cat', dog: '#/$defs/Dog' }, propertyName: 'kind' },
          oneOf: [{ $ref: '#/$defs/Cat' }, { $ref: '#/$defs/Dog' }],
          title: 'Pet',
        },
      },
      required: ['pet'],
      title: 'Owner',
      type: 'object',
    },
  },
  'Pydantic, a recursive model and a tuple': {
    draft: '2020',
    schema: {
      $defs: {
        Node: {
          properties: {
            at: {
              maxItems: 2,
              minItems: 2,
              prefixItems: [{ type: 'number' }, { type: 'string' }],
              title: 'At',
              type: 'array',
            },
            children: { items: { $ref: '#/$defs/Node' }, title: 'Children', type: 'array' },
          },
          required: ['at'],
          title: 'Node',
          type: 'object',
        },
      },
      $ref: '#/$defs/Node',
    },
  },
  'zod, an object with refinements': {
    draft: '2020',
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        email: { type: 'string', format: 'email' },
        id: { type: 'string', format: 'uuid' },
        amount: { type: 'number', exclusiveMinimum: 0, multipleOf: 0.5 },
        count: { type: 'integer', minimum: 1, maximum: 50, default: 10 },
        meta: { type: 'object', propertyNames: { type: 'string' }, additionalProperties: {} },
        pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] },
        when: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'number' }, { type: 'null' }] },
      },
      required: ['email', 'amount'],
      additionalProperties: false,
    },
  },
  'zod-to-json-schema, draft 7': {
    draft: '7',
    schema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: {
        mode: { type: 'string', enum: ['fast', 'slow'] },
        range: { type: 'array', minItems: 2, maxItems: 2, items: [{ type: 'number' }, { type: 'number' }] },
        rule: { $ref: '#/definitions/Rule' },
        limit: { type: ['number', 'null'], exclusiveMinimum: 0 },
      },
      required: ['mode'],
      additionalProperties: false,
      definitions: {
        Rule: {
          type: 'object',
          properties: { all: { type: 'array', items: { $ref: '#/definitions/Rule' } }, field: { type: 'string' } },
          additionalProperties: false,
        },
      },
    },
  },
  'FastMCP, arguments of a function': {
    draft: '2020',
    schema: {
      properties: {
        query: { title: 'Query', type: 'string' },
        limit: { default: 20, title: 'Limit', type: 'integer' },
        filters: {
          anyOf: [{ items: { type: 'string' }, type: 'array' }, { type: 'null' }],
          default: null,
          title: 'Filters',
        },
        options: { anyOf: [{ additionalProperties: true, type: 'object' }, { type: 'null' }], default: null },
      },
      required: ['query'],
      title: 'search_documentsArguments',
      type: 'object',
    },
  },
  'an MCP server of TypeScript, without required fields': {
    draft: '7',
    schema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Where to look' },
        edits: {
          type: 'array',
          items: {
            type: 'object',
            properties: { oldText: { type: 'string' }, newText: { type: 'string' } },
            required: ['oldText', 'newText'],
            additionalProperties: false,
          },
        },
        dryRun: { type: 'boolean', default: false },
      },
      additionalProperties: false,
    },
  },
  'OpenAPI 3.0, nullable and inherited': {
    draft: '2020',
    schema: {
      type: 'object',
      required: ['order'],
      properties: {
        order: {
          allOf: [
            { type: 'object', properties: { id: { type: 'integer', format: 'int64', example: 7 } }, required: ['id'] },
            {
              type: 'object',
              properties: {
                note: { type: 'string', nullable: true },
                status: { type: 'string', enum: ['placed', 'sent'], description: 'Order status' },
                shipDate: { type: 'string', format: 'date-time' },
              },
            },
          ],
          description: 'The order',
        },
        trace: { type: 'string', format: 'byte', readOnly: true, deprecated: true },
      },
    },
  },
  'Kubernetes, a number or a string': {
    draft: '2020',
    schema: {
      type: 'object',
      properties: {
        port: { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        selector: { type: 'object', maxProperties: 2, minProperties: 1, additionalProperties: { type: 'string' } },
      },
      required: ['port'],
    },
  },
  'an answer that is a union': {
    draft: '2020',
    schema: {
      anyOf: [
        {
          type: 'object',
          properties: { answer: { type: 'string' } },
          required: ['answer'],
          additionalProperties: false,
        },
        {
          type: 'object',
          properties: { error: { type: 'integer' } },
          required: ['error'],
          additionalProperties: false,
        },
      ],
    },
  },
  'an answer that is a list': {
    draft: '2020',
    schema: { type: 'array', items: { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] } },
  },
  'conditions, as forms have them': {
    draft: '2020',
    schema: {
      type: 'object',
      properties: {
        country: { enum: ['US', 'CA'] },
        zip: { type: 'string' },
        card: { type: 'string' },
        bill: { type: 'string' },
      },
      required: ['country'],
      if: { properties: { country: { const: 'US' } } },
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
      then: { required: ['zip'] },
      dependentRequired: { card: ['bill'] },
    },
  },
};
