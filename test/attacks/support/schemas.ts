import type { DialectId, JsonObject } from '../../../translators/index.js';
import { times } from '../growth/requests.js';

/** Definitions of `levels` levels, each of which names the next `width` times: expanded, they are width^levels. */
export type Shape = (levels: number, width: number) => JsonObject;

const LEAF = { type: 'object', properties: { a: { type: 'string' } } };

function chain(
  root: (first: JsonObject, second: JsonObject) => JsonObject,
  level: (refs: JsonObject[]) => JsonObject,
): Shape {
  const ref = (index: number): JsonObject => ({ $ref: `#/$defs/d${index}` });
  return (levels, width) => ({
    type: 'object',
    $defs: Object.fromEntries(
      times(levels, (index) => [`d${index}`, index === levels - 1 ? LEAF : level(times(width, () => ref(index + 1)))]),
    ),
    ...root(ref(0), ref(1)),
  });
}

const named = (refs: JsonObject[]): JsonObject => Object.fromEntries(refs.map((ref, index) => [`p${index}`, ref]));

export const SHAPES: Readonly<Record<string, Shape>> = {
  allOf: chain(
    (first) => ({ allOf: [first] }),
    (refs) => ({ allOf: refs }),
  ),
  properties: chain(
    (first) => ({ properties: { q: first } }),
    (refs) => ({ type: 'object', properties: named(refs) }),
  ),
  'properties with keywords beside the reference': chain(
    (first) => ({ properties: { q: first } }),
    (refs) => ({ type: 'object', properties: named(refs.map((ref) => ({ ...ref, minProperties: 1 }))) }),
  ),
  unions: chain(
    (first, second) => ({ anyOf: [first, second] }),
    (refs) => ({ anyOf: refs }),
  ),
  'allOf of properties and more': chain(
    (first) => ({ allOf: [first] }),
    (refs) => ({ allOf: [...refs.map((ref, index) => ({ properties: { [`p${index}`]: ref } })), ...refs.slice(0, 1)] }),
  ),
};

/** Requests of which each tool has one of the schemas. */
export const SCHEMA_REQUESTS: Readonly<Record<DialectId, (schemas: JsonObject[], strict: boolean) => JsonObject>> = {
  messages: (schemas, strict) => ({
    model: 'claude-sonnet-4-5',
    max_tokens: 9,
    messages: [{ role: 'user', content: 'hi' }],
    tools: schemas.map((schema, index) => ({ name: `t${index}`, strict, input_schema: schema })),
  }),
  responses: (schemas, strict) => ({
    model: 'gpt-5.1',
    input: 'hi',
    tools: schemas.map((schema, index) => ({ type: 'function', name: `t${index}`, strict, parameters: schema })),
  }),
  generateContent: (schemas) => ({
    contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
    tools: [
      { functionDeclarations: schemas.map((schema, index) => ({ name: `t${index}`, parametersJsonSchema: schema })) },
    ],
  }),
};
