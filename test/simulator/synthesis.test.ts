import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { samplePattern } from '../../src/simulator/pattern.js';
import { synthesise } from '../../src/simulator/synthesis.js';

const ajv = new Ajv2020({ strict: false });
// The package's types describe its CommonJS form, where the function itself is the default export.
(formats as unknown as (target: Ajv2020) => void)(ajv);

const SCHEMAS: Record<string, object> = {
  'required properties only': {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'number' } },
    required: ['a'],
    additionalProperties: false,
  },
  'enum, const and null': {
    type: 'object',
    properties: { e: { enum: ['x', 2] }, c: { const: 'only' }, n: { type: 'null' }, u: { type: ['string', 'null'] } },
    required: ['e', 'c', 'n', 'u'],
  },
  'numbers in bounds': {
    type: 'object',
    properties: {
      low: { type: 'integer', minimum: 7 },
      high: { type: 'integer', maximum: -3 },
      step: { type: 'number', multipleOf: 5, exclusiveMinimum: 5 },
      open: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
    },
    required: ['low', 'high', 'step', 'open'],
  },
  'text with length, format and pattern': {
    type: 'object',
    properties: {
      long: { type: 'string', minLength: 20, maxLength: 22 },
      when: { type: 'string', format: 'date-time' },
      mail: { type: 'string', format: 'email', pattern: '^[^@]+@[^@]+\\.[a-z]{2,}$' },
      code: { type: 'string', pattern: '^[A-Z]{2}-\\d{3}(x|y)?$' },
      id: { type: 'string', format: 'uuid' },
    },
    required: ['long', 'when', 'mail', 'code', 'id'],
  },
  'lists and tuples': {
    type: 'object',
    properties: {
      list: { type: 'array', items: { type: 'integer' }, minItems: 3, uniqueItems: true },
      pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'boolean' }], items: false, minItems: 2 },
      none: { type: 'array', maxItems: 0 },
    },
    required: ['list', 'pair', 'none'],
  },
  'references, alternatives and a recursive tree': {
    $defs: {
      node: {
        type: 'object',
        properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
        required: ['name', 'children'],
        additionalProperties: false,
      },
      link: { anyOf: [{ $ref: '#/$defs/chain' }, { type: 'null' }] },
      chain: { type: 'object', properties: { next: { $ref: '#/$defs/link' } }, required: ['next'] },
    },
    type: 'object',
    properties: {
      tree: { $ref: '#/$defs/node' },
      chain: { $ref: '#/$defs/link' },
      either: { oneOf: [{ type: 'integer' }, { type: 'string' }] },
      all: { allOf: [{ type: 'object', required: ['a'] }, { properties: { a: { type: 'boolean' } } }] },
    },
    required: ['tree', 'chain', 'either', 'all'],
  },
  'a map with a least size': { type: 'object', minProperties: 2, additionalProperties: { type: 'integer' } },
};

test.each(Object.entries(SCHEMAS))('valid for %s', (_name, schema) => {
  const value = synthesise(schema as never);
  const valid = ajv.validate(schema, value);
  expect({ value, errors: valid ? [] : ajv.errors }).toMatchObject({ errors: [] });
});

test('upper-case types of generateContent are understood', () => {
  const schema = {
    type: 'OBJECT',
    properties: { n: { type: 'INTEGER' }, s: { type: 'STRING' } },
    required: ['n', 's'],
  };
  expect(synthesise(schema)).toEqual({ n: 1, s: 'hello' });
});

describe('what tools do with a value harms nobody', () => {
  const made = (properties: object): unknown =>
    synthesise({ type: 'object', properties, required: Object.keys(properties) } as never);
  const text = { type: 'string' };

  test('commands greet, and files lie where nothing is', () => {
    expect(made({ command: text, shell_cmd: text, description: text })).toEqual({
      command: 'echo hello',
      shell_cmd: 'echo hello',
      description: 'hello',
    });
    expect(made({ command: { type: 'array', items: text, minItems: 3 } })).toEqual({
      command: ['echo', 'hello', 'hello 2'],
    });
    expect(made({ file_path: text, cwd: text, url: text })).toEqual({
      file_path: '/nonexistent/hello.txt',
      cwd: '/nonexistent/hello.txt',
      url: 'https://example.org/',
    });
  });

  test('switches are off, but for those that hold a deed back', () => {
    const flag = { type: 'boolean' };
    expect(made({ force: flag, recursive: flag, dry_run: flag })).toEqual({
      force: false,
      recursive: false,
      dry_run: true,
    });
  });

  test('of choices, those that speak of harm come last', () => {
    const action = (word: string): object => ({
      type: 'object',
      properties: { action: { const: word } },
      required: ['action'],
    });
    expect(
      made({ action: { enum: ['delete', 'list'] }, either: { anyOf: [action('remove_all'), action('read')] } }),
    ).toEqual({ action: 'list', either: { action: 'read' } });
    expect(made({ only: { enum: ['delete'] }, odd: { enum: [{ toString: 1 }] } })).toEqual({
      only: 'delete',
      odd: { toString: 1 },
    });
  });
});

test.each(['^a+b?c{2,3}$', '^(?:x|y)[0-9]\\.$', '^[^a-z]$', '\\w{3} \\d', '^\\p{L}$', '^(?=x)x$'])(
  'a sample of %s matches or is not given',
  (pattern) => {
    const sample = samplePattern(pattern);
    if (/\(\?=|\\p/.test(pattern)) expect(sample).toBeUndefined();
    else expect(sample).toMatch(new RegExp(pattern, 'u'));
  },
);
