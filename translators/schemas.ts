import { isZodSchema, schemaFromZod } from './schema/index.js';
import { isObject } from './wire/json.js';

/** A field of request bodies that holds a schema. */
export interface SchemaField {
  /** The path of the object that has the field, with `*` for every element. */
  readonly path: readonly string[];
  readonly key: string;
  /** The key under which JSON Schema goes, where it is another. */
  readonly as?: string;
}

/** The body with every Zod schema (zod 3 or 4) in one of `fields` turned into JSON Schema; the same body when it has none. */
export function withSchemas(body: unknown, fields: readonly SchemaField[]): unknown {
  let out = body;
  for (const { path, key, as = key } of fields) {
    out = edit(out, path, (node) => {
      if (!isObject(node) || !isZodSchema(node[key])) return node;
      const { [key]: schema, ...rest } = node;
      return { ...rest, [as]: schemaFromZod(schema) };
    });
  }
  return out;
}

/** Copies only along paths where something changed. */
function edit(value: unknown, path: readonly string[], change: (node: unknown) => unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return change(value);
  if (step === '*') {
    if (!Array.isArray(value)) return value;
    let copy: unknown[] | undefined;
    value.forEach((element, index) => {
      const edited = edit(element, rest, change);
      if (edited === element) return;
      copy ??= [...value];
      copy[index] = edited;
    });
    return copy ?? value;
  }
  if (!isObject(value) || value[step] === undefined) return value;
  const edited = edit(value[step], rest, change);
  return edited === value[step] ? value : { ...value, [step]: edited };
}
