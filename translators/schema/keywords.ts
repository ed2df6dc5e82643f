/** The type names of JSON Schema. */
export type TypeName = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'null';

/** Keywords, written as one text. */
export function keywords(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}

/** Keywords that describe and do not constrain; of two, the outer or earlier one stays. */
export const ANNOTATIONS = keywords(
  'title description default example examples deprecated readOnly writeOnly discriminator $comment $schema $id propertyOrdering',
);

/** The keywords that hold schemas for reference only. */
export const DEFINITIONS = keywords('$defs definitions');

/** Keywords that see what every branch of their node sees, so they stay outside when branches are merged. */
export const OUTER_ONLY = keywords('unevaluatedProperties unevaluatedItems');

/** Keywords without which `additionalProperties` refuses more, and those without which `unevaluatedProperties` does. */
export const OPENING = {
  additionalProperties: ['patternProperties'],
  unevaluatedProperties: [
    ...['patternProperties', 'if', 'then', 'else', 'dependentSchemas', '$dynamicRef', '$recursiveRef'],
    ...['allOf', 'anyOf', 'oneOf'],
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** What a keyword holds: one schema, a list of them, or schemas by names that are no keywords. */
export type Position = 'schema' | 'list' | 'map';

const HOLDERS: Readonly<Record<Position, string>> = {
  schema:
    'items additionalItems unevaluatedItems contains additionalProperties unevaluatedProperties propertyNames contentSchema not if then else',
  list: 'prefixItems allOf anyOf oneOf',
  map: 'properties patternProperties $defs definitions dependentSchemas dependencies',
};

/**
 * Where subschemas sit. Every other keyword holds plain data (`default`, `const`, `enum`, `example(s)` and unknown
 * keywords); keys below a `map` position are names, never keywords [translation.md 3].
 */
export const POSITIONS: ReadonlyMap<string, Position> = new Map(
  (Object.keys(HOLDERS) as Position[]).flatMap((position) =>
    [...keywords(HOLDERS[position])].map((keyword) => [keyword, position] as const),
  ),
);

/** The keywords that say something about values of one type only; a type that comes first is implied first. */
export const TYPED_KEYWORDS: readonly (readonly [TypeName, ReadonlySet<string>])[] = [
  [
    'object',
    keywords(
      'properties required additionalProperties patternProperties propertyNames minProperties maxProperties dependentRequired dependentSchemas unevaluatedProperties',
    ),
  ],
  [
    'array',
    keywords('items prefixItems minItems maxItems uniqueItems contains minContains maxContains unevaluatedItems'),
  ],
  ['number', keywords('minimum maximum exclusiveMinimum exclusiveMaximum multipleOf')],
  ['string', keywords('minLength maxLength pattern format contentEncoding contentMediaType contentSchema')],
];
