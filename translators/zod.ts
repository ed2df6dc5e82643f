/**
 * The schemas of every form of Zod, for `createTranslators(dialects, { schemas: zodSchemas })`. They are apart because the
 * converters bring as much code as a dialect, and most bodies have JSON Schemas or schemas that describe themselves.
 */
import type { ZodTypeAny } from 'zod/v3';
import { type $ZodType, toJSONSchema } from 'zod/v4/core';
import { zodToJsonSchema } from 'zod-to-json-schema';
import { asJson, isZod3, isZod4, type SchemaLibrary, toCurrentShape, ZOD_OPTIONS } from './schema/index.js';

/** Schemas of Zod 4, of its mini form too. */
const zod4: SchemaLibrary = {
  owns: isZod4,
  toJsonSchema: (schema) =>
    asJson(toJSONSchema(schema as $ZodType, { ...ZOD_OPTIONS, target: 'draft-2020-12', io: 'input' })),
};

/** Schemas of Zod 3. */
const zod3: SchemaLibrary = {
  owns: isZod3,
  toJsonSchema(schema) {
    // The converter's own 2019-09 target writes boolean exclusive bounds; draft 7 is brought up to date instead.
    const { $schema: _schema, ...draft7 } = asJson(zodToJsonSchema(schema as ZodTypeAny, { $refStrategy: 'root' }));
    return toCurrentShape(draft7, []);
  },
};

export const zodSchemas: readonly SchemaLibrary[] = [zod4, zod3];
