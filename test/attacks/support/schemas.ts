import type { DialectId, JsonObject } from '../../../translators/index.js';
import { tableOf } from '../../support/dialects/index.js';
import { requestTo } from '../../support/requests.js';
import { times } from '../growth/grown.js';

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

const MODELS = tableOf('model');

/** A request that declares tools with these schemas. */
export function requestWithTools(dialect: DialectId, schemas: readonly JsonObject[], strict: boolean): JsonObject {
  const tools = schemas.map((schema, index) => ({ name: `t${index}`, schema, strict }));
  return requestTo(dialect, { model: MODELS[dialect], turns: ['hi'], tools }).body;
}
