import { describe, expect, test } from '@jest/globals';
import { describeChanges, hoistRefs, inlineRefs, isRecursive, toCurrentShape } from '../../translators/schema/index.js';
import type { JsonObject } from '../../translators/wire/json.js';

const OPTIONS = {
  depth: 4,
  recursive: (name: string) => ({ type: 'object', description: `recursive ${name}` }),
  unresolved: { type: 'string' },
};

function inlined(schema: JsonObject): JsonObject {
  return inlineRefs(schema, OPTIONS).schema;
}

describe('inlining local references', () => {
  const text = { type: 'string' };
  const rows: [name: string, source: JsonObject, expected: JsonObject][] = [
    ['#/$defs', { items: { $ref: '#/$defs/A' }, $defs: { A: text } }, { items: text }],
    ['#/definitions', { items: { $ref: '#/definitions/A' }, definitions: { A: text } }, { items: text }],
    ['any pointer', { properties: { a: text, b: { $ref: '#/properties/a' } } }, { properties: { a: text, b: text } }],
    ['escaped names', { items: { $ref: '#/$defs/a~1b%20c~0' }, $defs: { 'a/b c~': text } }, { items: text }],
    ['an anchor', { items: { $ref: '#here' }, $defs: { A: { $anchor: 'here', type: 'string' } } }, { items: text }],
    [
      'the own $id',
      { $id: 'urn:x', items: { $ref: 'urn:x#/$defs/A' }, $defs: { A: text } },
      { $id: 'urn:x', items: text },
    ],
    ['the root', { $ref: '#/$defs/A', title: 'T', $defs: { A: text } }, { type: 'string', title: 'T' }],
    ['a chain', { items: { $ref: '#/$defs/A' }, $defs: { A: { $ref: '#/$defs/B' }, B: text } }, { items: text }],
    [
      'annotations beside it win',
      { items: { $ref: '#/$defs/A', description: 'outer' }, $defs: { A: { type: 'string', description: 'inner' } } },
      { items: { type: 'string', description: 'outer' } },
    ],
    [
      'constraints beside it are merged',
      { items: { $ref: '#/$defs/A', minLength: 2 }, $defs: { A: { type: 'string', maxLength: 5 } } },
      { items: { type: 'string', minLength: 2, maxLength: 5 } },
    ],
    [
      'constraints that cannot be merged stand side by side',
      { items: { $ref: '#/$defs/A', pattern: 'a' }, $defs: { A: { type: 'string', pattern: 'b' } } },
      { items: { allOf: [{ type: 'string', pattern: 'b' }, { pattern: 'a' }] } },
    ],
    [
      'data that looks like a reference',
      { default: { $ref: '#/x' }, enum: [{ $ref: '#/x' }], properties: { $ref: { type: 'string' } } },
      { default: { $ref: '#/x' }, enum: [{ $ref: '#/x' }], properties: { $ref: { type: 'string' } } },
    ],
  ];
  test.each(rows)('%s', (_name, source, expected) => {
    expect(inlineRefs(source, OPTIONS)).toEqual({ schema: expected, changes: [] });
  });

  test('a schema without references is returned as it is', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    expect(inlined(schema)).toBe(schema);
  });

  test('mutual recursion is cut where a schema would appear the fifth time below itself', () => {
    const { schema, changes } = inlineRefs(
      {
        $ref: '#/$defs/A',
        $defs: { A: { type: 'object', properties: { b: { $ref: '#/$defs/B' } } }, B: { items: { $ref: '#/$defs/A' } } },
      },
      OPTIONS,
    );
    expect(JSON.stringify(schema).match(/"b":/g)).toHaveLength(4);
    expect(JSON.stringify(schema)).toContain('recursive A');
    expect(describeChanges(changes)).toBe('wider: $ref');
  });

  test('a reference to itself alone ends', () => {
    expect(inlined({ $ref: '#' })).toEqual({ type: 'object', description: 'recursive schema' });
  });

  test('a recursion that would be too large is cut earlier and evenly', () => {
    const properties = Object.fromEntries([...Array(30).keys()].map((index) => [`p${index}`, { $ref: '#' }]));
    const { schema } = inlineRefs({ type: 'object', properties }, OPTIONS);
    const sizes = Object.values(schema.properties as JsonObject).map((child) => JSON.stringify(child).length);
    expect(new Set(sizes).size).toBe(1);
    expect(JSON.stringify(schema).length).toBeLessThan(2_000_000);
  });

  test('definitions that double at every step do not explode', () => {
    const $defs: JsonObject = { d0: { type: 'string' } };
    for (let index = 1; index < 60; index++) {
      const below = { $ref: `#/$defs/d${index - 1}` };
      $defs[`d${index}`] = { type: 'object', properties: { l: below, r: below } };
    }
    const { schema, changes } = inlineRefs({ $ref: '#/$defs/d59', $defs }, OPTIONS);
    expect(JSON.stringify(schema).length).toBeLessThan(5_000_000);
    expect(describeChanges(changes)).toContain('wider');
  });
});

describe('recursion', () => {
  test.each([
    [{ items: { $ref: '#' } }, true],
    [{ items: { $ref: '#/$defs/A' }, $defs: { A: { items: { $ref: '#/$defs/A' } } } }, true],
    [{ $ref: '#/$defs/A', $defs: { A: { not: { $ref: '#/$defs/B' } }, B: { items: { $ref: '#/$defs/A' } } } }, true],
    [{ properties: { a: { $ref: '#/$defs/A' }, b: { $ref: '#/$defs/A' } }, $defs: { A: { type: 'string' } } }, false],
    [{ type: 'string', $defs: { A: { items: { $ref: '#/$defs/A' } } } }, false],
    [{ default: { $ref: '#' } }, false],
  ])('%j: %s', (schema, expected) => {
    expect(isRecursive(schema)).toBe(expected);
  });
});

describe('giving references a name at the root', () => {
  test('a pointer into the document', () => {
    const schema = { properties: { a: { type: 'string' }, b: { $ref: '#/properties/a' } } };
    expect(hoistRefs(schema, false)).toEqual({
      properties: { a: { type: 'string' }, b: { $ref: '#/$defs/a' } },
      $defs: { a: { type: 'string' } },
    });
  });

  test('the root itself, only where asked for', () => {
    const schema = { items: { $ref: '#' }, $defs: { A: { type: 'string' } } };
    expect(hoistRefs(schema, false)).toBe(schema);
    expect(hoistRefs(schema, true)).toEqual({
      items: { $ref: '#/$defs/schema' },
      $defs: { A: { type: 'string' }, schema: { items: { $ref: '#/$defs/schema' } } },
    });
  });

  test('a name that needs encoding in a reference', () => {
    const escaped = { properties: { a: { $ref: '#/$defs/a%25b' } }, $defs: { 'a%b': { type: 'string' } } };
    expect(hoistRefs(escaped, false)).toBe(escaped);
    const anchored = { items: { $ref: '#here' }, $defs: { 'a% #b': { $anchor: 'here', type: 'string' } } };
    expect(hoistRefs(anchored, false)).toMatchObject({ items: { $ref: '#/$defs/a%25%20%23b' } });
  });

  test('a name that is taken', () => {
    const schema = { properties: { A: { type: 'string' }, b: { $ref: '#/properties/A' } }, $defs: { A: true } };
    expect(hoistRefs(schema, false)).toMatchObject({ $defs: { A: true, A_2: { type: 'string' } } });
  });
});

describe('older drafts in the shape of 2020-12', () => {
  const rows: [name: string, source: JsonObject, expected: JsonObject][] = [
    [
      'exclusive bounds',
      { minimum: 1, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: false },
      {
        exclusiveMinimum: 1,
        maximum: 5,
      },
    ],
    [
      'a tuple',
      { $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'string' }], additionalItems: false },
      {
        prefixItems: [{ type: 'string' }],
        items: false,
      },
    ],
    [
      'a reference into a tuple',
      { properties: { t: { items: [{ type: 'string' }] }, r: { $ref: '#/properties/t/items/0' } } },
      {
        properties: { t: { prefixItems: [{ type: 'string' }] }, r: { $ref: '#/properties/t/prefixItems/0' } },
      },
    ],
    [
      'dependencies',
      { dependencies: { a: ['b'], c: { minProperties: 2 } } },
      {
        dependentRequired: { a: ['b'] },
        dependentSchemas: { c: { minProperties: 2 } },
      },
    ],
    [
      'required on the property',
      { properties: { a: { type: 'string', required: true }, b: { required: false } } },
      {
        properties: { a: { type: 'string' }, b: {} },
        required: ['a'],
      },
    ],
  ];
  test.each(rows)('%s', (_name, source, expected) => {
    expect(toCurrentShape(source, [])).toEqual(expected);
  });

  test('a property named like an old keyword', () => {
    const schema = { properties: { additionalItems: { type: 'string' }, dependencies: { type: 'string' } } };
    expect(toCurrentShape(schema, [])).toBe(schema);
  });
});
