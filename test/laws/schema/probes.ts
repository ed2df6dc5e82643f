import type { Json, JsonObject } from '../../../translators/wire/json.js';

const text: JsonObject = { type: 'string' };
const whole: JsonObject = { type: 'integer' };
const yes: JsonObject = { type: 'boolean' };

function closed(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false, ...more };
}

/** Properties that may be left out, in an object that says nothing of others. */
function loose(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: 'object', properties, ...more };
}

const kinds = (name: string): JsonObject => closed({ kind: { const: name }, [name]: text });

/** One keyword each, in a schema where it refuses something; `$defs` beside them holds what they refer to. */
export const PROBES: Readonly<Record<string, Json>> = {
  'a string': text,
  minLength: { ...text, minLength: 2 },
  'minLength 0': { ...text, minLength: 0 },
  maxLength: { ...text, maxLength: 2 },
  pattern: { ...text, pattern: '^x' },
  'format date-time': { ...text, format: 'date-time' },
  'format email': { ...text, format: 'email' },
  'format uri-template': { ...text, format: 'uri-template' },
  'format made-up': { ...text, format: 'made-up' },
  contentEncoding: { ...text, contentEncoding: 'base64' },
  'strings to choose from': { ...text, enum: ['x', 'y'] },
  'strings, one of them empty': { enum: ['x', ''] },
  'strings or null': { enum: ['x', null] },
  'whole numbers to choose from': { ...whole, enum: [1, 2] },
  'values of three types': { enum: ['x', 1, true] },
  'both truth values': { enum: [true, false] },
  'a list among the values': { enum: [['x'], 'y'] },
  'const, a string': { const: 'x' },
  'const, a number': { const: 1.5 },
  'const, null': { const: null },
  'const, an object': { const: { a: 'x' } },
  minimum: { ...whole, minimum: 1 },
  'exclusiveMinimum, whole': { ...whole, exclusiveMinimum: 1 },
  'exclusiveMaximum, whole': { ...whole, exclusiveMaximum: 1.5 },
  exclusiveMinimum: { type: 'number', exclusiveMinimum: 1 },
  'exclusiveMinimum below minimum': { type: 'number', minimum: 2, exclusiveMinimum: 1 },
  multipleOf: { type: 'number', multipleOf: 2 },
  'multipleOf 1, whole': { ...whole, multipleOf: 1 },
  'format int32': { ...whole, format: 'int32' },
  'format double': { type: 'number', format: 'double' },
  items: { type: 'array', items: text },
  'a list of anything': { type: 'array' },
  'no items': { type: 'array', items: false },
  minItems: { type: 'array', items: text, minItems: 1 },
  maxItems: { type: 'array', items: text, maxItems: 1 },
  uniqueItems: { type: 'array', items: text, uniqueItems: true },
  contains: { type: 'array', items: text, contains: { const: 'x' } },
  minContains: { type: 'array', items: text, contains: { const: 'x' }, minContains: 2 },
  'minContains alone': { type: 'array', items: text, minContains: 2 },
  'a tuple': { type: 'array', prefixItems: [text, whole] },
  'a closed tuple': { type: 'array', prefixItems: [text, whole], items: false },
  'a whole tuple': { type: 'array', prefixItems: [text, whole], items: false, minItems: 2 },
  'a tuple of one kind': { type: 'array', prefixItems: [text, text], items: false, minItems: 2 },
  'a tuple with a rest': { type: 'array', prefixItems: [text], items: whole, minItems: 1 },
  unevaluatedItems: { type: 'array', prefixItems: [text], minItems: 1, unevaluatedItems: false },
  'a closed object': closed({ a: text }),
  'an open object': loose({ a: text }, { required: ['a'] }),
  'an optional property': closed({ a: text, b: whole }, { required: ['a'] }),
  'an optional property that may be null': closed({ a: { type: ['string', 'null'] } }, { required: [] }),
  'a property without a schema': closed({ a: text }, { required: ['a', 'z'] }),
  'a property of anything': closed({ a: true }),
  'a property of nothing': loose({ a: text, b: false }, { required: ['a'] }),
  'an empty object': closed({}),
  'a map': { type: 'object', additionalProperties: whole },
  'a map beside properties': loose({ a: text }, { required: ['a'], additionalProperties: whole }),
  patternProperties: { type: 'object', patternProperties: { '^x': whole }, additionalProperties: false },
  propertyNames: { type: 'object', additionalProperties: text, propertyNames: { maxLength: 1 } },
  minProperties: loose({ a: text, b: text }, { minProperties: 1 }),
  maxProperties: loose({ a: text, b: text }, { maxProperties: 1 }),
  dependentRequired: loose({ a: text, b: text }, { dependentRequired: { a: ['b'] } }),
  dependentSchemas: loose({ a: text, b: text }, { dependentSchemas: { a: { required: ['b'] } } }),
  unevaluatedProperties: loose({ a: text }, { required: ['a'], unevaluatedProperties: false }),
  not: { ...text, not: { const: 'x' } },
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
  'if and then': loose({ a: text, b: text }, { if: { required: ['a'] }, then: { required: ['b'] } }),
  'if alone': closed({ a: text }, { if: { required: ['a'] } }),
  'several types': { type: ['string', 'integer'], minLength: 2 },
  'null among the types': { type: ['string', 'null'] },
  'null alone': { type: 'null' },
  nullable: { ...text, nullable: true },
  anyOf: { anyOf: [text, whole] },
  'anyOf of objects': { anyOf: [kinds('x'), kinds('y')] },
  'oneOf, told apart by type': { oneOf: [text, whole] },
  'oneOf, told apart by a property': { oneOf: [kinds('x'), kinds('y')] },
  'oneOf that overlaps': { oneOf: [text, { ...text, maxLength: 1 }] },
  'oneOf that overlaps, refused': { ...text, not: { oneOf: [{ minLength: 2 }, { maxLength: 3 }] } },
  'a reference with a constraint beside it, refused': { ...text, not: { $ref: '#/$defs/Word', maxLength: 1 } },
  'a property called not': closed({ not: { oneOf: [text, { ...text, maxLength: 1 }] } }),
  'allOf of objects': { allOf: [closed({ a: text }, { additionalProperties: true }), loose({ b: whole })] },
  'allOf of two patterns': { ...text, allOf: [{ pattern: '^x' }, { pattern: 'y$' }] },
  'constraints beside anyOf': { ...text, anyOf: [{ minLength: 3 }, { maxLength: 1 }] },
  anything: {},
  'truth values': yes,
  'a reference': { $ref: '#/$defs/Word' },
  'a reference with words beside it': { $ref: '#/$defs/Word', description: 'words', title: 'Title' },
  'a reference with a constraint beside it': { $ref: '#/$defs/Word', maxLength: 3 },
  'a recursion': { $ref: '#/$defs/Tree' },
};

export const DEFINITIONS: JsonObject = {
  Word: { type: 'string', enum: ['x', 'xy', 'xyz', 'aaaaaa'] },
  Tree: closed({ name: text, below: { type: 'array', items: { $ref: '#/$defs/Tree' } } }),
};

/** Places in which a probe stands, none of which loses anything itself where objects are closed as the target wants it. */
export const PLACES: Readonly<Record<string, (probe: Json) => Json>> = {
  property: (probe) => probe,
  union: (probe) => ({ anyOf: [probe, { type: 'null', description: 'nothing' }] }),
};
