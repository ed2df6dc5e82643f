import { isObject, type JsonObject } from './json.js';

/** A library of schemas whose values may stand where a body has a JSON Schema. */
export interface SchemaLibrary {
  owns(value: unknown): boolean;
  /**
   * The JSON Schema (2020-12) of one of its schemas: what a value must look like before parsing, because the model writes
   * the input. Types JSON cannot hold become `{}`; recursive schemas become `$ref`s. A schema that the library itself cannot
   * describe makes it throw.
   */
  toJsonSchema(schema: unknown): JsonObject;
}

/** What Zod is asked for, whoever asks. */
export const ZOD_OPTIONS = { unrepresentable: 'any' } as const;

/** Schemas that tell their JSON Schema themselves (Standard JSON Schema), as those of Zod from 4.2 do. */
export const selfDescribing: SchemaLibrary = {
  owns: (value) => describer(value) !== undefined,
  toJsonSchema(schema) {
    const { $schema: _schema, ...json } = asJson(
      describer(schema)?.({ target: 'draft-2020-12', libraryOptions: ZOD_OPTIONS }) ?? {},
    );
    return json;
  },
};

type Describe = (options: { readonly target: string; readonly libraryOptions: object }) => object;

function describer(value: unknown): Describe | undefined {
  const standard = isObject(value) ? value['~standard'] : undefined;
  const jsonSchema = isObject(standard) ? standard.jsonSchema : undefined;
  return isObject(jsonSchema) && typeof jsonSchema.input === 'function' ? (jsonSchema.input as Describe) : undefined;
}

/** Whether a value is a schema of Zod 4, of its mini form too. */
export function isZod4(value: unknown): boolean {
  return isObject(value) && isObject(value._zod) && isObject(value._zod.def);
}

/** Whether a value is a schema of Zod 3. */
export function isZod3(value: unknown): boolean {
  return isObject(value) && !('_zod' in value) && isObject(value._def) && typeof value._def.typeName === 'string';
}

/** What the converters give, as plain JSON: they leave `undefined` and hidden keys behind. */
export function asJson(schema: object): JsonObject {
  const json: unknown = JSON.parse(JSON.stringify(schema));
  return isObject(json) ? json : {};
}
