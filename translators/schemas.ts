import { isZodSchema, schemaFromZod } from './schema/index.js';
import { isObject } from './wire/json.js';

/** Where a request body may hold a schema: a path with `*` for every element, and the key under which JSON Schema goes. */
const PLACES: readonly { readonly path: readonly string[]; readonly key: string; readonly as: string }[] = [
  { path: ['tools', '*'], key: 'input_schema', as: 'input_schema' },
  { path: ['tools', '*'], key: 'parameters', as: 'parameters' },
  { path: ['tools', '*', 'tools', '*'], key: 'parameters', as: 'parameters' },
  { path: ['tools', '*', 'functionDeclarations', '*'], key: 'parameters', as: 'parametersJsonSchema' },
  { path: ['tools', '*', 'functionDeclarations', '*'], key: 'parametersJsonSchema', as: 'parametersJsonSchema' },
  { path: ['output_config', 'format'], key: 'schema', as: 'schema' },
  { path: ['output_format'], key: 'schema', as: 'schema' },
  { path: ['text', 'format'], key: 'schema', as: 'schema' },
  { path: ['generationConfig'], key: 'responseSchema', as: 'responseJsonSchema' },
  { path: ['generationConfig'], key: 'responseJsonSchema', as: 'responseJsonSchema' },
];

/** The body with every Zod schema (zod 3 or 4) in a schema's place turned into JSON Schema; the same body when it has none. */
export function withSchemas(body: unknown): unknown {
  let out = body;
  for (const { path, key, as } of PLACES) {
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
