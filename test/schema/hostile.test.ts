import { describe, expect, test } from '@jest/globals';
import { decodeSchema as fromSchemaSubset } from '../../translators/generate-content/schema/decode.js';
import { encodeSchema as toSchemaSubset } from '../../translators/generate-content/schema/encode.js';
import { encodeJsonSchema as forJsonSchemaField } from '../../translators/generate-content/schema/json-schema.js';
import { encodeToolSchema as messagesToolSchema } from '../../translators/messages/schema/encode.js';
import { countOptional, encodeStrictSchema as toStrictMessages } from '../../translators/messages/schema/strict.js';
import { encodeStrictSchema as toStrictResponses } from '../../translators/responses/schema/encode.js';
import { inlineRefs, isRecursive, objectRoot, removeAddedNulls } from '../../translators/schema/index.js';
import type { Json, JsonObject } from '../../translators/wire/json.js';
import { knownMs } from '../support/cost.js';
import { share } from '../support/runs.js';
import { strictMessagesFaults, subsetFaults } from './legality.js';

function nested(levels: number, step: (inner: JsonObject) => JsonObject): JsonObject {
  let schema: JsonObject = { type: 'string' };
  for (let level = 0; level < levels; level++) schema = step(schema);
  return schema;
}

function doubling(steps: number): JsonObject {
  const $defs: JsonObject = { d0: { type: 'string' } };
  for (let index = 1; index < steps; index++) {
    const below = { $ref: `#/$defs/d${index - 1}` };
    $defs[`d${index}`] = { type: 'object', properties: { l: below, r: below } };
  }
  return { type: 'object', properties: { a: { $ref: `#/$defs/d${steps - 1}` } }, $defs };
}

function chain(steps: number, keyword: string): JsonObject {
  const $defs: JsonObject = { [`d${steps}`]: { type: 'string' } };
  for (let index = 0; index < steps; index++) {
    const next = { $ref: `#/$defs/d${index + 1}` };
    $defs[`d${index}`] = keyword === '$ref' ? next : { type: 'object', properties: { next } };
  }
  return { type: 'object', properties: { a: { $ref: '#/$defs/d0' } }, $defs };
}

const wide = Object.fromEntries([...Array(3000).keys()].map((index) => [`p${index}`, { type: 'string' }]));
const selfRefs = Object.fromEntries([...Array(40).keys()].map((index) => [`p${index}`, { $ref: '#' }]));
const inside = (inner: Json): JsonObject => ({ type: 'object', properties: { a: inner }, required: ['a'] });
const unionBeside = (inner: JsonObject): JsonObject => ({
  type: 'object',
  properties: { a: inner },
  anyOf: [{ required: ['a'] }, { required: ['b'] }, { minProperties: 1 }],
});

const HOSTILE: [name: string, schema: JsonObject][] = [
  ['a reference to itself', { type: 'object', properties: { a: { $ref: '#/properties/a' } } }],
  ['a reference in a circle', { $ref: '#/$defs/A', $defs: { A: { $ref: '#/$defs/B' }, B: { $ref: '#/$defs/A' } } }],
  ['allOf with itself', { type: 'object', allOf: [{ $ref: '#' }] }],
  ['allOf with itself below', inside({ $ref: '#/$defs/A' })],
  ['anyOf with itself', { $ref: '#/$defs/A', $defs: { A: { anyOf: [{ $ref: '#/$defs/A' }, { type: 'object' }] } } }],
  [
    'anyOf with itself twice, below properties',
    {
      ...{ type: 'object', properties: { a: { $ref: '#/$defs/A' } } },
      $defs: {
        A: { anyOf: [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/A' }, { properties: { b: { type: 'string' } } }] },
      },
    },
  ],
  [
    'constraints beside a recursion',
    {
      type: 'object',
      properties: { a: { $ref: '#/$defs/A' } },
      $defs: { A: { type: 'object', properties: { a: { $ref: '#/$defs/A', minProperties: 1 } } } },
    },
  ],
  [
    'constraints beside a union that refers to itself',
    {
      type: 'object',
      properties: { a: { $ref: '#/$defs/A' } },
      $defs: {
        A: {
          type: 'object',
          minProperties: 1,
          anyOf: [{ properties: { a: { $ref: '#/$defs/A' } } }, { $ref: '#/$defs/A' }],
        },
      },
    },
  ],
  ['40 properties that are the root', { type: 'object', properties: selfRefs }],
  ['definitions that double', doubling(64)],
  ['a chain of 5,000 references', chain(5_000, '$ref')],
  ['a chain of 5,000 objects', chain(5_000, 'properties')],
  ['20,000 levels of properties', nested(20_000, inside)],
  ['20,000 levels of anyOf', { type: 'object', properties: { a: nested(20_000, (inner) => ({ anyOf: [inner] })) } }],
  ['20,000 levels of allOf at the root', nested(20_000, (inner) => ({ allOf: [inner] }))],
  ['20,000 levels of not', inside(nested(20_000, (inner) => ({ not: inner })))],
  ['40 levels of unions beside properties', nested(40, unionBeside)],
  ['3,000 properties', { type: 'object', properties: wide }],
  ['3,000 alternatives', { type: 'object', properties: { a: { oneOf: Object.values(wide) } } }],
  [
    '3,000 alternatives at the root',
    { anyOf: Object.keys(wide).map((name) => ({ type: 'object', required: [name] })) },
  ],
  [
    '3,000 different branches of allOf',
    { allOf: Object.keys(wide).map((name) => ({ properties: { [name]: { type: 'string' } } })) },
  ],
  ['20,000 values', inside({ allOf: [...Array(2)].map(() => ({ enum: [...Array(20_000).keys()] })) })],
  [
    'a pattern that explodes when it is run',
    inside({ type: 'string', pattern: '^(a+)+$', default: `${'a'.repeat(40)}!` }),
  ],
  ['deep data', inside({ enum: [nested(20_000, inside)], default: nested(20_000, inside) })],
  [
    'nonsense in every place',
    {
      type: 7,
      properties: [1],
      required: { a: 1 },
      items: 'x',
      anyOf: 'x',
      allOf: [null, 3],
      oneOf: [[]],
      enum: 'x',
      additionalProperties: 'no',
      $ref: 5,
      $defs: [],
      minLength: 'x',
      description: 4,
      pattern: {},
      format: [],
    },
  ],
  [
    'nonsense below',
    inside({ type: ['weird', 4], properties: { x: null, y: 'z' }, items: [null], required: [4], enum: [] }),
  ],
];

/** What the conversions of one schema may cost (see {@link knownMs}); what goes wrong here goes wrong by orders of magnitude. */
const MOST = 2500;

describe.each(share(HOSTILE))('%s', (_name, schema) => {
  test('every conversion ends soon, with something legal', async () => {
    const started = process.cpuUsage();
    const subset = toSchemaSubset(schema).schema;
    const messages = toStrictMessages(schema).schema;
    const strict = toStrictResponses(schema);
    const tool = messagesToolSchema(schema).schema;
    const root = objectRoot(schema).schema;
    const others = [
      forJsonSchemaField(schema).schema,
      fromSchemaSubset(schema),
      isRecursive(schema),
      countOptional(schema),
      removeAddedNulls({ a: { a: null } }, schema),
    ];
    const { user } = process.cpuUsage(started);
    expect(user / 1000 / (await knownMs())).toBeLessThan(MOST);

    expect(subset === undefined ? [] : subsetFaults(subset).slice(0, 3)).toEqual([]);
    expect(strictMessagesFaults(messages).slice(0, 3)).toEqual([]);
    expect('refused' in strict ? strict.refused : strict.schema.type).not.toBe('');
    expect([tool.type, root.type]).toEqual(['object', 'object']);
    expect(others).not.toContain(undefined);
  });
});

describe('names that every object has', () => {
  const text =
    '{"type":"object","properties":{"__proto__":{"type":"string","minLength":1},"constructor":{"$ref":"#/$defs/__proto__"},' +
    '"toString":{"type":["string","null"]}},"required":["__proto__","constructor","hasOwnProperty"],' +
    '"$defs":{"__proto__":{"type":"integer"}}}';
  const schema: JsonObject = JSON.parse(text);

  test('survive as names', () => {
    const subset = toSchemaSubset(schema).schema ?? {};
    expect(JSON.stringify(subset.properties)).toBe(
      '{"__proto__":{"type":"STRING","minLength":1},"constructor":{"type":"INTEGER"},' +
        '"toString":{"type":"STRING","nullable":true}}',
    );
    expect(subset.required).toEqual(['__proto__', 'constructor']);
    expect(Object.keys(fromSchemaSubset(subset).properties as JsonObject)).toEqual([
      '__proto__',
      'constructor',
      'toString',
    ]);
    expect(Object.keys(toStrictMessages(schema).schema.properties as JsonObject)).toHaveLength(3);
    const strict = toStrictResponses({ ...schema, required: [] });
    expect(JSON.stringify(strict)).toContain('"__proto__":{"type":["string","null"],"minLength":1}');
  });

  test('do not reach a prototype', () => {
    const value: Json = JSON.parse('{"__proto__":null,"constructor":null,"polluted":1}');
    const cleaned = removeAddedNulls(value, { ...schema, required: [] });
    expect(JSON.stringify(cleaned)).toBe('{"polluted":1}');
    expect(Object.getPrototypeOf(cleaned)).toBe(Object.prototype);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  test('are found by no reference', () => {
    const unresolved = {
      type: 'object',
      properties: { a: { $ref: '#/constructor' }, b: { $ref: '#/$defs/toString' } },
    };
    const options = { depth: 4, recursive: () => ({}), unresolved: { type: 'null' } };
    expect(inlineRefs(unresolved, options).schema).toEqual({
      type: 'object',
      properties: { a: { type: 'null' }, b: { type: 'null' } },
    });
  });
});
