import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { decodeSchema as fromSchemaSubset } from '../../translators/generate-content/schema/decode.js';
import { encodeSchema as toSchemaSubset } from '../../translators/generate-content/schema/encode.js';
import { encodeJsonSchema as forJsonSchemaField } from '../../translators/generate-content/schema/json-schema.js';
import { encodeToolSchema as messagesToolSchema } from '../../translators/messages/schema/encode.js';
import { countOptional, encodeStrictSchema as toStrictMessages } from '../../translators/messages/schema/strict.js';
import { encodeStrictSchema as toStrictResponses } from '../../translators/responses/schema/encode.js';
import { encodePlainSchema, objectRoot } from '../../translators/schema/index.js';
import type { JsonObject } from '../../translators/wire/json.js';
import { CORPUS_ABSENT, corpusPresent, recordedExchanges } from '../support/corpus.js';
import { runs } from '../support/runs.js';
import { documents, objectSchemas, schemas } from './arbitraries.js';
import { plainFaults, strictMessagesFaults, strictResponsesFaults, subsetFaults } from './legality.js';
import type { Draft } from './validate.js';

const ajv = new Ajv2020({ strict: false, logger: false });

function checkAll(schema: JsonObject, draft: Draft = '2020'): void {
  const subset = toSchemaSubset(schema).schema;
  expect({ schema, faults: subset === undefined ? [] : subsetFaults(subset) }).toEqual({ schema, faults: [] });

  const strict = toStrictResponses(schema);
  const strictFaults = 'refused' in strict ? [] : strictResponsesFaults(strict.schema);
  expect({ schema, faults: strictFaults }).toEqual({ schema, faults: [] });

  const messages = toStrictMessages(schema).schema;
  expect({ schema, faults: strictMessagesFaults(messages) }).toEqual({ schema, faults: [] });

  const plain = encodePlainSchema(schema).schema;
  expect({ schema, faults: plainFaults(plain) }).toEqual({ schema, faults: [] });

  const tool = messagesToolSchema(schema).schema;
  expect(['anyOf', 'oneOf', 'allOf'].filter((key) => Object.hasOwn(tool, key))).toEqual([]);
  expect(tool.type).toBe('object');
  const current = [tool, messages, plain, forJsonSchemaField(schema).schema];
  for (const result of draft === '2020' ? [...current, objectRoot(schema).schema] : current) {
    const { $schema: _draft, ...schemaOnly } = result;
    expect({ result, valid: ajv.validateSchema(schemaOnly) }).toMatchObject({ valid: true });
  }
}

describe('every projection is one its target takes', () => {
  test('generated schemas', () => {
    fc.assert(
      fc.property(documents, ({ schema, draft }) => checkAll(schema, draft)),
      { numRuns: runs(150) },
    );
    fc.assert(
      fc.property(objectSchemas, (schema) => checkAll(schema)),
      { numRuns: runs(150) },
    );
  });

  test('doing it twice changes nothing more', () => {
    fc.assert(
      fc.property(fc.oneof(schemas, objectSchemas), (schema) => {
        const once = toSchemaSubset(schema).schema;
        if (once !== undefined) {
          const again = toSchemaSubset(fromSchemaSubset(once));
          expect(again).toEqual({ schema: once, changes: [] });
        }
        const messages = toStrictMessages(schema).schema;
        expect(toStrictMessages(messages).schema).toEqual(messages);
        const strict = toStrictResponses(schema);
        if (!('refused' in strict)) {
          const same = toStrictResponses(strict.schema);
          expect('refused' in same ? same : same.schema).toEqual(strict.schema);
        }
        const rooted = objectRoot(schema).schema;
        expect(objectRoot(rooted).schema).toBe(rooted);
      }),
      { numRuns: runs(300) },
    );
  });
});

function recordedSchemas(): JsonObject[] {
  const found = new Map<string, JsonObject>();
  const keep = (schema: unknown) => {
    if (typeof schema === 'object' && schema !== null) found.set(JSON.stringify(schema), { ...schema } as JsonObject);
  };
  for (const dialect of ['messages', 'responses', 'generateContent'] as const) {
    for (const { request } of recordedExchanges(dialect)) {
      // biome-ignore lint/suspicious/noExplicitAny: a recorded body
      const body: any = request ?? {};
      for (const tool of body.tools ?? []) {
        const declared = tool.functionDeclarations ?? tool.function_declarations ?? [];
        for (const one of [tool, ...declared]) {
          [one.input_schema, one.parameters, one.parametersJsonSchema].forEach(keep);
        }
      }
      const config = body.generationConfig;
      [body.text?.format?.schema, config?.responseSchema, config?.responseJsonSchema].forEach(keep);
    }
  }
  return [...found.values()];
}

(corpusPresent ? test : test.skip)(`recorded schemas ${corpusPresent ? '' : CORPUS_ABSENT}`, () => {
  const recorded = recordedSchemas();
  expect(recorded.length).toBeGreaterThan(20);
  for (const schema of recorded) {
    checkAll(fromSchemaSubset(schema));
    expect(countOptional(schema)).toBeLessThan(25);
  }
});
