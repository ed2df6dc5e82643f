import fc from 'fast-check';
import type { Json, JsonObject } from '../../translators/wire/json.js';

const NAMES = ['a', 'b', 'c', 'kind'];
const STRINGS = ['', 'x', 'y', 'xyz', 'aaaaaa'];
const NUMBERS = [-3, 0, 1, 2, 1.5, 60];

const scalar: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(...STRINGS),
  fc.constantFrom<Json>(...NUMBERS),
  fc.constantFrom<Json>(null, true, false),
);

function objectOf(value: fc.Arbitrary<Json>): fc.Arbitrary<JsonObject> {
  return fc.dictionary(fc.constantFrom(...NAMES), value, { maxKeys: 3, noNullPrototype: true });
}

/** JSON values from the same small pools as the schemas, so that both verdicts occur. */
export const instances: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    objectOf(tie('value')),
  ),
})).value;

export const objectInstances: fc.Arbitrary<JsonObject> = objectOf(instances);

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
});
const numberKeywords = optional({
  minimum: bound,
  maximum: bound,
  exclusiveMinimum: bound,
  exclusiveMaximum: bound,
  multipleOf: fc.constantFrom<Json>(1, 2),
});

interface Nodes {
  node: Json;
  object: JsonObject;
  array: JsonObject;
  union: JsonObject;
}

function objectKeywords(node: fc.Arbitrary<Json>): fc.Arbitrary<JsonObject> {
  const properties = fc.dictionary(fc.constantFrom(...NAMES), node, { maxKeys: 3, noNullPrototype: true });
  return fc
    .tuple(
      optional({ properties, required: names }),
      optional({
        additionalProperties: fc.oneof(fc.boolean(), node),
        minProperties: fc.constantFrom<Json>(0, 1),
        maxProperties: fc.constantFrom<Json>(2, 3),
        propertyNames: fc.constant({ maxLength: 1 }),
        patternProperties: node.map((schema) => ({ '^c': schema })),
        dependentRequired: fc.constant({ a: ['b'] }),
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
  );
}

function weighted(weight: number, arbitrary: fc.Arbitrary<Json>): fc.WeightedArbitrary<Json> {
  return { arbitrary, weight };
}

const typed: fc.Arbitrary<JsonObject> = fc.oneof<fc.Arbitrary<JsonObject>[]>(
  fc.tuple(stringKeywords, fc.boolean()).map(([rest, add]) => withNull({ type: 'string', ...rest }, add)),
  numberKeywords.map((rest) => ({ type: 'integer', ...rest })),
  numberKeywords.map((rest) => ({ type: 'number', ...rest })),
  fc.constantFrom<JsonObject>({ type: 'boolean' }, { type: ['integer', 'string', 'null'], minimum: 1 }),
  fc.array(scalar, { minLength: 1, maxLength: 3 }).map((values) => ({ enum: values })),
  fc.array(scalar, { minLength: 1, maxLength: 3 }).map((values) => ({ type: ['string', 'null'], enum: values })),
  scalar.map((value) => ({ const: value })),
  stringKeywords,
);

/** A schema of some 2 or 3 levels over the keywords that conversions touch, with `$ref` to the definitions below. */
const nodes = fc.letrec<Nodes>(
  (tie: fc.LetrecTypedTie<Nodes>): fc.LetrecValue<Nodes> => ({
    node: fc.oneof<fc.WeightedArbitrary<Json>[]>(
      { depthSize: 'small', maxDepth: 3 },
      weighted(6, typed),
      weighted(1, fc.constantFrom<Json>({ $ref: '#/$defs/Tree' }, { $ref: '#/$defs/Leaf', minLength: 1 })),
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
};

/** A whole document: any kind of root, definitions where it refers to them. */
export const schemas: fc.Arbitrary<JsonObject> = fc
  .oneof(nodes.object, nodes.object, nodes.object, nodes.union, nodes.array, typed)
  .map((root) => (JSON.stringify(root).includes('$ref') ? { ...root, $defs: DEFINITIONS } : root));

/** The object schemas among them, as tools have them. */
export const objectSchemas: fc.Arbitrary<JsonObject> = nodes.object.map((root) =>
  JSON.stringify(root).includes('$ref') ? { ...root, $defs: DEFINITIONS } : root,
);
