import * as z from 'zod';
import { descriptionAt } from './descriptions.js';
import { schema } from './schema.js';

/** A schema as a plain value. */
export interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly [keyword: string]: unknown;
}

/** A text in which a variable or a file stands for the value. */
const VARIABLE = '\\$\\{[^{}]+\\}';

let made: JsonSchema | undefined;

/** The JSON Schema (2020-12) of a configuration file, for editors. Variables are allowed wherever texts and numbers are. */
export function configSchema(): JsonSchema {
  made ??= {
    title: 'Configuration of interlingua',
    ...described(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override }) as JsonSchema, ''),
  };
  return made;
}

/** A schema with the descriptions of the keys below a path. */
function described(one: JsonSchema, path: string): JsonSchema {
  const { properties, additionalProperties, items, anyOf } = one;
  const member = ([key, value]: readonly [string, JsonSchema]): readonly [string, JsonSchema] => {
    const at = path === '' ? key : `${path}.${key}`;
    return [key, { description: descriptionAt(at), ...described(value, at) }];
  };
  return {
    ...one,
    ...(properties && { properties: Object.fromEntries(Object.entries(properties).map(member)) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: described(additionalProperties, path) }),
    ...(items && { items: described(items, path) }),
    ...(anyOf && { anyOf: anyOf.map((branch) => described(branch, path)) }),
  };
}

type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']>;

const override: Override = ({ zodSchema, jsonSchema }) => {
  const { def } = zodSchema._zod;
  if (def.type === 'pipe' && def.in._zod.def.type === 'transform') {
    // A number, which may come out of a variable as its digits.
    const number = { ...jsonSchema };
    for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
    jsonSchema.anyOf = [number, { type: 'string', pattern: `^\\d+(\\.\\d+)?$|${VARIABLE}` }];
  } else if (jsonSchema.type === 'string' && jsonSchema.enum !== undefined) {
    jsonSchema.anyOf = [
      { type: 'string', enum: jsonSchema.enum },
      { type: 'string', pattern: VARIABLE },
    ];
    delete jsonSchema.type;
    delete jsonSchema.enum;
  } else if (jsonSchema.type === 'string' && jsonSchema.pattern !== undefined) {
    jsonSchema.pattern = `(?:${jsonSchema.pattern})|${VARIABLE}`;
  }
};

/** All alternatives of a schema that are none themselves. */
function alternatives(one: JsonSchema): readonly JsonSchema[] {
  return one.anyOf === undefined ? [one] : one.anyOf.flatMap(alternatives);
}

/** The names that a map at a path of a configuration may have; empty where any may stand. */
export function namesAt(path: readonly PropertyKey[]): readonly string[] {
  let here = alternatives(configSchema());
  for (const step of path) {
    here = here.flatMap(({ properties, additionalProperties, items }) => {
      const next = typeof step === 'number' ? items : (properties?.[String(step)] ?? additionalProperties);
      return typeof next === 'object' ? alternatives(next) : [];
    });
  }
  return here.flatMap(({ properties = {} }) => Object.keys(properties));
}

/** Where a name belongs, such as `listen`, `port`: the place with the fewest steps; undefined where no map has it. */
export function placeOfName(name: string): string[] | undefined {
  let level: { readonly at: readonly string[]; readonly one: JsonSchema }[] = alternatives(configSchema()).map(
    (one) => ({
      at: [],
      one,
    }),
  );
  while (level.length > 0) {
    const found = level.find(({ one }) => Object.hasOwn(one.properties ?? {}, name));
    if (found !== undefined) return [...found.at, name];
    level = level.flatMap(({ at, one: { properties = {}, additionalProperties, items } }) =>
      [
        ...Object.entries(properties).map(([key, next]) => [[...at, key], next] as const),
        [[...at, 'NAME'], additionalProperties] as const,
        [at, items] as const,
      ].flatMap(([place, next]) =>
        typeof next === 'object' ? alternatives(next).map((one) => ({ at: place, one })) : [],
      ),
    );
  }
  return undefined;
}
