import { toJSONSchema, type ZodType } from 'zod';
import type { ZodTypeAny } from 'zod/v3';
import { zodToJsonSchema } from 'zod-to-json-schema';
import { isObject, type JsonObject } from './json.js';
import { toCurrentShape } from './shape.js';

function isZod4(value: unknown): value is ZodType {
  return isObject(value) && isObject(value._zod) && isObject(value._zod.def);
}

function isZod3(value: unknown): value is ZodTypeAny {
  return isObject(value) && !('_zod' in value) && isObject(value._def) && typeof value._def.typeName === 'string';
}

/** What the converters give, as plain JSON: they leave `undefined` and hidden keys behind. */
function asJson(schema: object): JsonObject {
  const json: unknown = JSON.parse(JSON.stringify(schema));
  return isObject(json) ? json : {};
}

/** Whether a value is a schema of Zod 4 (also mini) or Zod 3. */
export function isZodSchema(value: unknown): boolean {
  return isZod4(value) || isZod3(value);
}

/**
 * The JSON Schema (2020-12) of a Zod schema, version 4 (also mini) or 3: what a value must look like before parsing,
 * because the model writes the input. Types JSON cannot hold become `{}`; recursive schemas become `$ref`s. Undefined
 * for anything that is no Zod schema; a schema Zod itself cannot describe makes it throw.
 */
export function schemaFromZod(value: unknown): JsonObject | undefined {
  if (isZod4(value)) {
    return asJson(toJSONSchema(value, { unrepresentable: 'any', target: 'draft-2020-12', io: 'input' }));
  }
  if (isZod3(value)) {
    // The converter's own 2019-09 target writes boolean exclusive bounds; draft 7 is brought up to date instead.
    const { $schema: _schema, ...schema } = asJson(zodToJsonSchema(value, { $refStrategy: 'root' }));
    return toCurrentShape(schema, []);
  }
  return undefined;
}
