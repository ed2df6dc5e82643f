import { TranslationError } from '../canonical/errors.js';
import type { JsonObject } from '../canonical/node.js';
import { isZod3, isZod4, type SchemaLibrary, selfDescribing } from '../schema/index.js';
import { isObject } from '../wire/json.js';

/** A field of request bodies that holds a schema. */
export interface SchemaField {
  /** The path of the object that has the field, with `*` for every element. */
  readonly path: readonly string[];
  readonly key: string;
  /** The key under which JSON Schema goes, where it is another. */
  readonly as?: string;
}

/**
 * The body with every schema of a library in one of `fields` turned into JSON Schema; the same body when it has none. Known
 * are the libraries in `further`, and schemas that describe themselves. Throws TranslationError (`invalid_request`) for one
 * of Zod whose converter was not handed over.
 */
export function withSchemas(body: unknown, fields: readonly SchemaField[], further: readonly SchemaLibrary[]): unknown {
  let out = body;
  for (const { path, key, as = key } of fields) {
    out = edit(out, path, 0, (node) => {
      if (!isObject(node) || !isObject(node[key])) return node;
      const json = fromLibrary(node[key], further);
      if (json === undefined) return node;
      const { [key]: _schema, ...rest } = node;
      return { ...rest, [as]: json };
    });
  }
  return out;
}

function fromLibrary(value: JsonObject, further: readonly SchemaLibrary[]): JsonObject | undefined {
  const library = [...further, selfDescribing].find(({ owns }) => owns(value));
  if (library !== undefined) return library.toJsonSchema(value);
  if (!isZod3(value) && !isZod4(value)) return undefined;
  throw new TranslationError('invalid_request', 'this Zod schema needs `zodSchemas` of interlingua/translators/zod');
}

/** Copies only along paths where something changed. */
function edit(value: unknown, path: readonly string[], depth: number, change: (node: unknown) => unknown): unknown {
  const step = path[depth];
  if (step === undefined) return change(value);
  if (step === '*') {
    if (!Array.isArray(value)) return value;
    let copy: unknown[] | undefined;
    value.forEach((element, index) => {
      const edited = edit(element, path, depth + 1, change);
      if (edited === element) return;
      copy ??= [...value];
      copy[index] = edited;
    });
    return copy ?? value;
  }
  if (!isObject(value) || value[step] === undefined) return value;
  const edited = edit(value[step], path, depth + 1, change);
  return edited === value[step] ? value : { ...value, [step]: edited };
}
