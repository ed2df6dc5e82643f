import { expect, test } from '@jest/globals';
import { TranslationError, translateRequest } from '../../translators/index.js';
import { knownMs } from '../support/cost.js';
import { tableOf } from '../support/dialects/index.js';
import { ASK, DIALECTS, messageOf, send, startGateway, type Tree } from '../support/gateway/harness.js';
import { CROSS_PAIRS } from '../support/pairs.js';

/** What the translation of a schema may cost, see {@link knownMs}. */
const MOST = 1000;
/** Deeper than any schema of a person, and within the depth of JSON that the gateway takes. */
const DEPTH = 55;

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

/** `count` definitions, each of which refers to what `next` says. */
const chain = (count: number, next: (index: number) => object) =>
  Object.fromEntries(Array.from({ length: count }, (_none, index) => [`d${index}`, next(index)]));
const ref = (name: string, at = '$defs') => ({ $ref: `#/${at}/${name}` });

function nested(depth: number, wrap: (inner: object) => object): object {
  let schema: object = { type: 'string' };
  for (let level = 0; level < depth; level += 1) schema = wrap(schema);
  return schema;
}

/** Schemas that go round in circles, deep down, or wide. */
const SCHEMAS: Readonly<Record<string, object>> = {
  'to itself': object({ a: { $ref: '#' } }),
  'a definition to itself': object({ a: ref('a') }, { $defs: { a: ref('a') } }),
  'two in a circle': object({ a: ref('a') }, { $defs: { a: ref('b'), b: ref('a') } }),
  'a tree': object({ a: ref('t') }, { $defs: { t: object({ left: ref('t'), right: ref('t') }) } }),
  'a list': object({ a: ref('l') }, { $defs: { l: { type: 'array', items: ref('l') } } }),
  'old definitions': object(
    { a: ref('a', 'definitions') },
    { definitions: { a: object({ a: ref('a', 'definitions') }) } },
  ),
  'by anyOf': object({ a: ref('a') }, { $defs: { a: { anyOf: [ref('a'), ref('a')] } } }),
  'by allOf': object({ a: ref('a') }, { $defs: { a: { allOf: [ref('a'), ref('a')] } } }),
  'by oneOf': object({ a: ref('a') }, { $defs: { a: { oneOf: [ref('a'), { type: 'null' }] } } }),
  'by not': object({ a: ref('a') }, { $defs: { a: { not: ref('a') } } }),
  'by patternProperties': object(
    { a: ref('a') },
    { $defs: { a: object({}, { patternProperties: { '^x': ref('a') } }) } },
  ),
  'by additionalProperties': object({ a: ref('a') }, { $defs: { a: object({}, { additionalProperties: ref('a') }) } }),
  'by prefixItems': object({ a: ref('a') }, { $defs: { a: { type: 'array', prefixItems: [ref('a'), ref('a')] } } }),
  'into a property': object({ a: { $ref: '#/properties/a' } }),
  'to nothing': object({ a: ref('absent') }),
  'to elsewhere': object({ a: { $ref: 'https://example.com/schema.json' } }),
  'a pointer of escapes': object({ a: { $ref: '#/$defs/~0~1~' } }, { $defs: { '~/~': ref('~0~1~') } }),
  'a reference that is no text': object({ a: { $ref: 7 } }),
  dynamic: object({ a: { $dynamicRef: '#n' } }, { $dynamicAnchor: 'n' }),
  'two hundred in a row': object({ a: ref('d0') }, { $defs: chain(200, (index) => ref(`d${(index + 1) % 200}`)) }),
  'doubled thirty times': object(
    { a: ref('d0') },
    { $defs: chain(30, (index) => object({ l: ref(`d${index + 1}`), r: ref(`d${index + 1}`) })) },
  ),
  'allOf doubled thirty times': object(
    { a: ref('d0') },
    { $defs: chain(30, (index) => ({ allOf: [ref(`d${index + 1}`), ref(`d${index + 1}`)] })) },
  ),
  'all to all': object(
    { a: ref('d0') },
    {
      $defs: chain(40, () =>
        object(Object.fromEntries(Array.from({ length: 40 }, (_none, to) => [`p${to}`, ref(`d${to}`)]))),
      ),
    },
  ),
  'deep objects': nested(DEPTH, (inner) => object({ a: inner })),
  'deep arrays': object({ a: nested(DEPTH, (items) => ({ type: 'array', items })) }),
  'deep anyOf': object({ a: nested(25, (inner) => ({ anyOf: [inner, { type: 'null' }] })) }),
  'deep allOf': object({ a: nested(25, (inner) => ({ allOf: [inner, { description: 'x' }] })) }),
  'deep not': object({ a: nested(DEPTH, (inner) => ({ not: inner })) }),
  'a deep chain of types': object({
    a: nested(DEPTH, (inner) => ({ type: ['object', 'null'], properties: { a: inner } })),
  }),
  wide: object(Object.fromEntries(Array.from({ length: 5000 }, (_none, index) => [`p${index}`, { type: 'string' }]))),
  'wide and required': object({ a: { type: 'string' } }, { required: Array.from({ length: 20_000 }, () => 'a') }),
  'a wide enum': object({ a: { enum: Array.from({ length: 20_000 }, (_none, index) => `e${index}`) } }),
  'a wide anyOf': object({ a: { anyOf: Array.from({ length: 3000 }, (_none, index) => ({ const: index })) } }),
  'a wide allOf': object({
    a: { allOf: Array.from({ length: 2000 }, (_none, index) => object({ [`p${index}`]: {} })) },
  }),
  'wide references': object(
    Object.fromEntries(Array.from({ length: 2000 }, (_none, index) => [`p${index}`, ref('d')])),
    { $defs: { d: object({ a: ref('d') }) } },
  ),
  'many definitions that nobody needs': object({}, { $defs: chain(3000, () => ({ type: 'string' })) }),
  'long names': object({ ['n'.repeat(100_000)]: { type: 'string' } }),
  'a long description': object({ a: { type: 'string', description: 'd'.repeat(1_000_000) } }),
  'a costly pattern': object({ a: { type: 'string', pattern: '^(a+)+$', default: `${'a'.repeat(60)}!` } }),
  'names of the language': object(
    JSON.parse('{"__proto__":{"$ref":"#"},"constructor":{"$ref":"#"},"toString":{"type":"string"}}'),
  ),
};

const WITH_TOOL = tableOf('withTool');

const CASES = CROSS_PAIRS.map(([from, to]) => ({ from, to }));

test('there are forty of them', () => {
  expect(Object.keys(SCHEMAS)).toHaveLength(40);
});

test.each(CASES)(
  '$from to $to: every schema is translated or refused, and soon (hardening.md row 57)',
  async ({ from, to }) => {
    for (const [name, schema] of Object.entries(SCHEMAS)) {
      const { body } = ASK[from]('m', WITH_TOOL[from](schema));
      const started = process.cpuUsage();
      let size = 0;
      try {
        size = JSON.stringify(translateRequest({ from, to, body, model: 'm' }).body).length;
      } catch (thrown) {
        expect([name, thrown]).toEqual([name, expect.any(TranslationError)]);
        expect([name, (thrown as TranslationError).kind]).toEqual([
          name,
          expect.stringMatching(/^(?:invalid_request|unsupported)$/),
        ]);
      }
      const { user } = process.cpuUsage(started);
      expect([name, user / 1000 / (await knownMs()) < MOST]).toEqual([name, true]);
      // What is not said twice does not grow.
      expect([name, size < 20 * JSON.stringify(body).length + 10_000]).toEqual([name, true]);
    }
  },
);

test('over HTTP they are answered or refused, and a body deeper than its limit is refused', async () => {
  const gateway = await startGateway({
    backends: Object.fromEntries(DIALECTS.map((dialect) => [dialect, { dialect, simulator: true }])),

    models: Object.fromEntries(DIALECTS.map((dialect) => [dialect, { backend: dialect }])),
    limits: { jsonDepth: 64 },
  });
  try {
    for (const [index, [name, schema]] of Object.entries(SCHEMAS).entries()) {
      const from = DIALECTS[index % 3] ?? 'messages';
      const to = DIALECTS[(index + 1) % 3] ?? 'messages';
      const { path, body } = ASK[from](to, WITH_TOOL[from](schema));
      const answer = await send(gateway.url, path, { body });
      expect([name, [200, 400].includes(answer.status)]).toEqual([name, true]);
      if (answer.status === 400) expect(messageOf(from, answer.body)).not.toBe('');
    }
    for (const client of DIALECTS) {
      for (const server of DIALECTS) {
        const deep: Tree = nested(65, (inner) => ({ a: inner }));
        const { path, body } = ASK[client](server, { metadata: deep });
        const answer = await send(gateway.url, path, { body });
        expect([client, server, answer.status]).toEqual([client, server, 400]);
        expect(messageOf(client, answer.body)).toMatch(/64/);
      }
    }
  } finally {
    await gateway.close();
  }
});
