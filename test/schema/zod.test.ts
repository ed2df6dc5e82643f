import { describe, expect, jest, test } from '@jest/globals';
import { z } from 'zod';
import * as mini from 'zod/mini';
import { z as z3 } from 'zod/v3';
import { encodeSchema as toSchemaSubset } from '../../translators/generate-content/schema/encode.js';
import { inlineRefs, isRecursive, selfDescribing } from '../../translators/schema/index.js';
import { zodSchemas } from '../../translators/zod.js';

const schemaFromZod = (value: unknown) => zodSchemas.find(({ owns }) => owns(value))?.toJsonSchema(value);

interface Tree {
  name: string;
  kids: Tree[];
}

describe('Zod schemas as JSON Schema', () => {
  test('version 4', () => {
    const schema = schemaFromZod(
      z.object({
        name: z.string().min(1).describe('the name'),
        size: z.number().int().positive().optional(),
        mode: z.enum(['a', 'b']).default('a'),
        pair: z.tuple([z.string(), z.number()]).nullable(),
      }),
    );
    expect(schema).toMatchObject({
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1, description: 'the name' },
        size: { type: 'integer', exclusiveMinimum: 0 },
        mode: { enum: ['a', 'b'], default: 'a' },
      },
      required: ['name', 'pair'],
    });
    expect(JSON.stringify(schema)).toContain('prefixItems');
  });

  test('version 4: input side, and types that JSON cannot hold', () => {
    const schema = schemaFromZod(z.object({ n: z.string().transform(Number), when: z.date(), id: z.bigint() }));
    expect(schema).toMatchObject({ properties: { n: { type: 'string' }, when: {}, id: {} } });
  });

  test('version 4 describes itself in the same words', () => {
    const schema = z.object({ a: z.string().min(1), when: z.date(), b: z.union([z.int(), z.null()]).optional() });
    expect(selfDescribing.owns(schema)).toBe(true);
    const { $schema: _schema, ...converted } = schemaFromZod(schema) ?? {};
    expect(selfDescribing.toJsonSchema(schema)).toEqual(converted);
    expect(selfDescribing.owns({ type: 'object' })).toBe(false);
  });

  test('version 4 mini', () => {
    expect(schemaFromZod(mini.object({ a: mini.string() }))).toMatchObject({ properties: { a: { type: 'string' } } });
  });

  test('version 4: recursion', () => {
    const tree = z.object({
      name: z.string(),
      get kids() {
        return z.array(tree);
      },
    });
    const schema = schemaFromZod(z.object({ root: tree })) ?? {};
    expect(isRecursive(schema)).toBe(true);
    expect(JSON.stringify(toSchemaSubset(schema).schema)).toContain('recursive');
  });

  test('version 3', () => {
    const schema = schemaFromZod(
      z3.object({
        name: z3.string().min(1).describe('the name'),
        size: z3.number().gt(0).optional(),
        pair: z3.tuple([z3.string(), z3.number()]),
        map: z3.record(z3.string()),
        none: z3.string().nullable(),
      }),
    );
    expect(schema).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1, description: 'the name' },
        size: { type: 'number', exclusiveMinimum: 0 },
        pair: { type: 'array', minItems: 2, maxItems: 2, prefixItems: [{ type: 'string' }, { type: 'number' }] },
        map: { type: 'object', additionalProperties: { type: 'string' } },
        none: { type: ['string', 'null'] },
      },
      required: ['name', 'pair', 'map', 'none'],
      additionalProperties: false,
    });
  });

  test('version 3: recursion and repetition become references that resolve', () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => {});
    const tree: z3.ZodType<Tree> = z3.object({ name: z3.string(), kids: z3.lazy(() => z3.array(tree)) });
    const point = z3.tuple([z3.object({ x: z3.number() }), z3.string()]);
    const schema = schemaFromZod(z3.object({ tree, from: point, to: point, first: point.items[0] })) ?? {};
    expect(isRecursive(schema)).toBe(true);
    const { schema: inlined, changes } = inlineRefs(schema, {
      depth: 1,
      recursive: () => ({ type: 'object' }),
      unresolved: { type: 'null' },
    });
    expect(changes.every(({ effect }) => effect === 'wider')).toBe(true);
    const { from, to, first } = inlined.properties as Record<string, unknown>;
    expect(to).toEqual(from);
    expect(first).toMatchObject({ type: 'object', properties: { x: { type: 'number' } } });
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });

  test.each([[undefined], [null], ['x'], [{}], [{ type: 'object' }], [{ _zod: true }], [{ _def: {} }], [[]]])(
    '%j is no Zod schema',
    (value) => {
      expect(schemaFromZod(value)).toBeUndefined();
    },
  );
});
