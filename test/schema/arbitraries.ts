import fc from 'fast-check';
import type { Json, JsonObject } from '../../translators/wire/json.js';

const NAMES = ['a', 'b', 'c', 'kind'];
/** Names that are keywords, members of every object, or need escapes in a pointer. */
const ODD_NAMES = ['properties', 'type', '$ref', 'required', '__proto__', 'constructor', 'x/~y', '0', 'ключ', ''];
const STRINGS = ['', 'x', 'y', 'xyz', 'aaaaaa'];
const NUMBERS = [-3, 0, 1, 2, 1.5, 60];

const scalar: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(...STRINGS),
  fc.constantFrom<Json>(...NUMBERS),
  fc.constantFrom<Json>(null, true, false),
);

function optional(shape: Record<string, fc.Arbitrary<Json>>): fc.Arbitrary<JsonObject> {
  const keys = Object.keys(shape);
  return fc.subarray(keys).chain((chosen) => {
    const taken = chosen.map((key) => [key, shape[key] ?? fc.constant<Json>(null)] as const);
    return fc.record<JsonObject>(Object.fromEntries(taken), { noNullPrototype: true });
  });
}

const small = fc.constantFrom<Json>(0, 1, 2, 3);
const bound = fc.constantFrom<Json>(...NUMBERS);
const names = fc.subarray(NAMES, { maxLength: 2 });

const stringKeywords = optional({
  minLength: small,
  maxLength: small,
  pattern: fc.constantFrom<Json>('^x', 'y$'),
  description: fc.constant('words'),
  format: fc.constantFrom<Json>('date-time', 'email', 'uuid', 'enum', 'made-up'),
});
const numberKeywords = optional({
  minimum: bound,
  maximum: bound,
  exclusiveMinimum: bound,
  exclusiveMaximum: bound,
  multipleOf: fc.constantFrom<Json>(1, 2, 0.5),
  format: fc.constantFrom<Json>('int32', 'double'),
});

interface Nodes {
  node: Json;
  object: JsonObject;
  array: JsonObject;
  union: JsonObject;
}

/** Mostly plain names, now and then an odd one. */
const propertyName = fc.oneof({ arbitrary: fc.constantFrom(...NAMES), weight: 12 }, fc.constantFrom(...ODD_NAMES));

function objectKeywords(node: fc.Arbitrary<Json>): fc.Arbitrary<JsonObject> {
  const properties = fc.dictionary(propertyName, node, { maxKeys: 3, noNullPrototype: true });
  return fc
    .tuple(
      optional({
        properties,
        required: fc.oneof({ arbitrary: names, weight: 9 }, fc.constant<Json[]>(['constructor', 'a'])),
      }),
      optional({
        additionalProperties: fc.oneof(fc.boolean(), node),
        minProperties: fc.constantFrom<Json>(0, 1),
        maxProperties: fc.constantFrom<Json>(2, 3),
        propertyNames: fc.constantFrom<Json>({ maxLength: 1 }, { enum: ['a', 'b'] }, true),
        patternProperties: fc
          .tuple(fc.constantFrom('^c', 'd$'), node)
          .map(([pattern, schema]) => ({ [pattern]: schema })),
        dependentRequired: fc.constantFrom<Json>({ a: ['b'] }, { b: ['a', 'kind'], c: [] }),
        dependentSchemas: node.map((schema) => ({ a: schema })),
        unevaluatedProperties: fc.oneof(fc.boolean(), node),
      }),
      fc.nat(5),
    )
    .map(([main, rare, chance]) => {
      if (chance === 0) return { ...main, ...rare };
      return chance < 4 ? { ...main, additionalProperties: false } : main;
    });
}

function arrayKeywords(node: fc.Arbitrary<Json>): fc.Arbitrary<JsonObject> {
  const rare = optional({
    prefixItems: fc.array(node, { minLength: 1, maxLength: 2 }),
    uniqueItems: fc.boolean(),
    contains: node,
    minContains: fc.constantFrom<Json>(0, 1, 2),
    maxContains: fc.constantFrom<Json>(1, 2),
    unevaluatedItems: fc.oneof(fc.boolean(), node),
    minItems: small,
    maxItems: small,
  });
  return fc
    .tuple(optional({ items: node }), rare, fc.boolean())
    .map(([main, more, take]) => (take ? { ...main, ...more } : main));
}

function withNull(schema: JsonObject, add: boolean): JsonObject {
  return add && typeof schema.type === 'string' ? { ...schema, type: [schema.type, 'null'] } : schema;
}

function unions(node: fc.Arbitrary<Json>, beside: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> {
  const list = fc.array(node, { minLength: 1, maxLength: 3 });
  return fc.oneof(
    list.map((anyOf) => ({ anyOf })),
    list.map((oneOf) => ({ oneOf })),
    list.map((allOf) => ({ allOf })),
    fc.tuple(beside, list).map(([schema, anyOf]) => ({ ...schema, anyOf })),
    fc.tuple(beside, list).map(([schema, allOf]) => ({ ...schema, allOf })),
    fc.tuple(beside, list).map(([schema, oneOf]) => ({ ...schema, oneOf })),
    fc.tuple(beside, node).map(([schema, not]) => ({ ...schema, not })),
    fc.tuple(beside, node, node).map(([schema, condition, then]) => ({ ...schema, if: condition, then })),
    fc.tuple(beside, node, node).map(([schema, condition, other]) => ({ ...schema, if: condition, else: other })),
    list.map((branches) => ({ anyOf: [...branches, { type: 'null', description: 'nothing' }] })),
    fc.tuple(list, list).map(([anyOf, oneOf]) => ({ anyOf, oneOf })),
    fc.tuple(list, node).map(([allOf, others]) => ({ allOf, unevaluatedProperties: others })),
  );
}

function weighted(weight: number, arbitrary: fc.Arbitrary<Json>): fc.WeightedArbitrary<Json> {
  return { arbitrary, weight };
}

const annotations = optional({
  title: fc.constant('Title'),
  default: scalar,
  examples: fc.array(scalar, { maxLength: 2 }),
  deprecated: fc.boolean(),
  readOnly: fc.boolean(),
  'x-order': fc.constant(1),
  $comment: fc.constant('a comment'),
});

const typed: fc.Arbitrary<JsonObject> = fc.oneof<fc.Arbitrary<JsonObject>[]>(
  fc.tuple(stringKeywords, fc.boolean()).map(([rest, add]) => withNull({ type: 'string', ...rest }, add)),
  numberKeywords.map((rest) => ({ type: 'integer', ...rest })),
  numberKeywords.map((rest) => ({ type: 'number', ...rest })),
  fc.constantFrom<JsonObject>({ type: 'boolean' }, { type: ['integer', 'string', 'null'], minimum: 1 }),
  fc.array(scalar, { minLength: 1, maxLength: 3 }).map((values) => ({ enum: values })),
  fc.array(scalar, { minLength: 1, maxLength: 3 }).map((values) => ({ type: ['string', 'null'], enum: values })),
  scalar.map((value) => ({ const: value })),
  fc.constantFrom<JsonObject>(
    ...[{ const: { a: 1 } }, { enum: [['x'], { a: 'x' }, 1] }, { enum: ['x', ''] }, { enum: [true] }],
    ...[
      { type: 'string', nullable: true },
      { type: 'integer', enum: [1, 2, 60] },
      { type: 'number', const: 1.5 },
    ],
    ...[{ type: ['object', 'array', 'null'] }, { type: 'string', contentEncoding: 'base64' }],
  ),
  stringKeywords,
  fc.tuple(stringKeywords, annotations).map(([rest, words]) => ({ type: 'string', ...rest, ...words })),
);

/** References: plain, with constraints or words beside them, by anchor, escaped, recursive, in a circle of two. */
const REFS: readonly JsonObject[] = [
  { $ref: '#/$defs/Tree' },
  { $ref: '#/$defs/Leaf', minLength: 1 },
  { $ref: '#/$defs/Leaf', description: 'words beside', default: 'x' },
  { $ref: '#/$defs/a~1b' },
  { $ref: '#leaf' },
  { $ref: '#/$defs/Ping' },
  { $ref: '#/$defs/Tree/properties/a' },
  { allOf: [{ $ref: '#/$defs/Tree' }], description: 'words around' },
];

/** A schema of some 2 or 3 levels over the keywords that conversions touch, with `$ref` to the definitions below. */
const nodes = fc.letrec<Nodes>(
  (tie: fc.LetrecTypedTie<Nodes>): fc.LetrecValue<Nodes> => ({
    node: fc.oneof<fc.WeightedArbitrary<Json>[]>(
      { depthSize: 'small', maxDepth: 3 },
      weighted(6, typed),
      weighted(1, fc.constantFrom<Json>(...REFS)),
      weighted(1, fc.constantFrom<Json>({}, true, false, { type: 'null' })),
      weighted(4, tie('object')),
      weighted(2, tie('array')),
      weighted(3, tie('union')),
    ),
    object: fc
      .tuple(objectKeywords(tie('node')), fc.nat(4), fc.boolean())
      .map(([rest, untyped, add]) =>
        untyped === 0 ? rest : withNull({ type: 'object', ...rest }, add && untyped > 3),
      ),
    array: arrayKeywords(tie('node')).map((rest) => ({ type: 'array', ...rest })),
    union: unions(tie('node'), fc.oneof(typed, tie('object'))),
  }),
);

const DEFINITIONS: JsonObject = {
  Leaf: { type: 'string', maxLength: 3 },
  Tree: {
    type: 'object',
    properties: { a: { $ref: '#/$defs/Leaf' }, b: { anyOf: [{ $ref: '#/$defs/Tree' }, { type: 'null' }] } },
    required: ['a'],
  },
  'a/b': { enum: ['x', 'y', null] },
  Named: { $anchor: 'leaf', type: 'string', minLength: 1 },
  Ping: { type: 'object', properties: { c: { $ref: '#/$defs/Pong' } }, additionalProperties: false },
  Pong: { type: ['object', 'null'], properties: { c: { $ref: '#/$defs/Ping' } }, required: ['c'] },
};

/** A whole document: any kind of root, definitions where it refers to them. */
export const schemas: fc.Arbitrary<JsonObject> = fc
  .oneof(nodes.object, nodes.object, nodes.object, nodes.union, nodes.array, typed)
  .map((root) => (JSON.stringify(root).includes('$ref') ? { ...root, $defs: DEFINITIONS } : root));

/** The object schemas among them, as tools have them. */
export const objectSchemas: fc.Arbitrary<JsonObject> = nodes.object.map((root) =>
  JSON.stringify(root).includes('$ref') ? { ...root, $defs: DEFINITIONS } : root,
);

const INTO_DEFINITIONS = /^#\/\$defs\//;
/** Keywords that came after draft 7. */
const LATER = new Set(['unevaluatedProperties', 'unevaluatedItems', 'minContains', 'maxContains', '$anchor']);

/** A schema of the arbitraries above in the words of draft 7; data is left alone only as far as it holds no keywords. */
function asDraft7(node: Json): Json {
  if (Array.isArray(node)) return node.map(asDraft7);
  if (typeof node !== 'object' || node === null) return node;
  const out: JsonObject = {};
  const dependencies: JsonObject = {};
  for (const [key, value] of Object.entries(node)) {
    const set = (name: string, to: Json) =>
      Object.defineProperty(out, name, { value: to, enumerable: true, configurable: true, writable: true });
    if (key === '$ref' && typeof value === 'string') {
      out.$ref = value === '#leaf' ? '#/definitions/Named' : value.replace(INTO_DEFINITIONS, '#/definitions/');
    } else if (key === '$defs') out.definitions = asDraft7(value);
    else if (key === 'prefixItems' && Array.isArray(value)) out.items = asDraft7(value);
    else if (key === 'items' && Array.isArray(node.prefixItems)) out.additionalItems = asDraft7(value);
    else if (key === 'dependentRequired' || key === 'dependentSchemas') {
      for (const [name, dependent] of Object.entries(value ?? {})) dependencies[name] ??= asDraft7(dependent);
    } else if (!LATER.has(key)) set(key, asDraft7(value));
  }
  return Object.keys(dependencies).length > 0 ? { ...out, dependencies } : out;
}

/** Whole documents of both kinds of draft. */
export const documents: fc.Arbitrary<{ readonly schema: JsonObject; readonly draft: '7' | '2020' }> = fc.oneof(
  { arbitrary: schemas.map((schema) => ({ schema, draft: '2020' as const })), weight: 3 },
  {
    arbitrary: schemas.map((schema) => ({
      schema: { $schema: 'http://json-schema.org/draft-07/schema#', ...(asDraft7(schema) as JsonObject) },
      draft: '7' as const,
    })),
    weight: 1,
  },
);
