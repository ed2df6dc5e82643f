import { describe, expect, it } from '@jest/globals';
import { type DialectId, dialectIds, type JsonObject, translateRequest } from '../../translators/index.js';
import { LONG } from './growth/growth.js';
import { times } from './growth/requests.js';

/** Schemas that name each other until nothing could hold them expanded (attacks.md finding 2). */

/** Definitions of `levels` levels, each of which names the next `width` times: expanded, they are width^levels. */
type Shape = (levels: number, width: number) => JsonObject;

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

const SHAPES: Readonly<Record<string, Shape>> = {
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

const REQUESTS: Readonly<Record<DialectId, (schemas: JsonObject[], strict: boolean) => JsonObject>> = {
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

/** Processor time that one request may take, in milliseconds: a few times what it takes on an idle machine. */
const MOST_MS = 2500;

const PAIRS = dialectIds.flatMap((from) =>
  dialectIds
    .filter((to) => to !== from)
    .flatMap((to) => [true, false].map((strict) => ({ from, to, strict }) as const)),
);

const CASES = Object.entries(SHAPES).flatMap(([name, shape]) =>
  [[30, 10, 1] as const, [8, 4, 100] as const].map((size) => ({ name, shape, size })),
);

/** Of the pairs every fifth in the short run, from another one on in each case. */
function pairsOf(index: number): typeof PAIRS {
  return LONG ? PAIRS : PAIRS.filter((_, pair) => pair % 5 === index % 5);
}

describe('Schemas that multiply when they are expanded cost one request no more than its budget', () => {
  CASES.forEach(({ name, shape, size: [levels, width, tools] }, index) => {
    it(`${name}: ${levels} levels, ${width} wide, ${tools} tools`, () => {
      for (const { from, to, strict } of pairsOf(index)) {
        const body = REQUESTS[from](
          times(tools, () => shape(levels, width)),
          strict,
        );
        const before = process.cpuUsage();
        const sent = translateRequest({ from, to, body });
        const { user, system } = process.cpuUsage(before);
        expect((user + system) / 1000).toBeLessThan(MOST_MS);
        expect(JSON.stringify(sent.body).length).toBeLessThan(10_000_000);
      }
    });
  });
});
