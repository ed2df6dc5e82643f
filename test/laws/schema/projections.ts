import { type DialectId, type Loss, translateRequest } from '../../../translators/index.js';
import type { Json, JsonObject } from '../../../translators/wire/json.js';
import type { Reading } from '../../schema/validate.js';
import { atVendor } from '../../support/vendors.js';
import { lawTableOf } from '../dialects/index.js';
import { readSubset } from './subset-reader.js';

/** One way a schema goes: as the input of a tool or as the form of the answer, to a service that reads it its way. */
export interface Projection {
  readonly name: string;
  readonly of: 'arguments' | 'answer';
  readonly from: DialectId;
  readonly to: DialectId;
  readonly strict?: boolean;
  /** Objects have to be closed. */
  readonly closes?: boolean;
  /** The function whose input the answer is. */
  readonly hidden?: string;
  readonly profile?: JsonObject | string;
  /** The schema in what is sent; undefined when none is. */
  find(body: JsonObject): Json | undefined;
  /** What was found as JSON Schema, where the service has another form. */
  read?(schema: Json): JsonObject;
  readonly reading?: Reading;
}

/** What became of a schema on one way. */
export interface Projected {
  /** As it is on the wire. */
  readonly sent: Json | undefined;
  /** As JSON Schema; without one everything passes that the place can hold. */
  readonly schema: JsonObject;
  readonly claims: Claims;
  readonly wrapped: boolean;
  /** The service holds answers to the schema, which was made strict for that. */
  readonly held: boolean;
  readonly losses: readonly Loss[];
}

/** The keywords that the losses of a schema name, by direction. */
export interface Claims {
  readonly wider: readonly string[];
  readonly narrower: readonly string[];
}

function at(value: unknown, ...path: (string | number)[]): Json | undefined {
  let found: unknown = value;
  for (const key of path) found = (found as Record<string | number, unknown> | undefined)?.[key];
  return found as Json | undefined;
}

const inputSchema = (body: JsonObject) => at(body, 'tools', 0, 'input_schema');
const parameters = (body: JsonObject) => at(body, 'tools', 0, 'parameters');
const functionSchema = (field: string) => (body: JsonObject) => at(body, 'tools', 0, 'functionDeclarations', 0, field);
const outputSchema = (body: JsonObject) => at(body, 'output_config', 'format', 'schema');
const textSchema = (body: JsonObject) => at(body, 'text', 'format', 'schema');
const declared = (body: JsonObject) => at(body, 'tools', 0, 'function', 'parameters');
const formatSchema = (body: JsonObject) => at(body, 'response_format', 'json_schema', 'schema');
const configSchema = (field: string) => (body: JsonObject) => at(body, 'generationConfig', field);

const LOOSE: Reading = { looseOneOf: true };
const SUBSET: JsonObject = { jsonSchemaField: false };
/** Before structured outputs. */
const OLD = 'claude-3-7-sonnet';
/** Whose service holds calls and answers to a schema. */
const HOLDING = 'gpt-4.1';

/** Every form of translation.md 3.1 that differs from the source. */
export const PROJECTIONS: readonly Projection[] = [
  { name: 'a tool of messages', of: 'arguments', from: 'responses', to: 'messages', find: inputSchema },
  {
    name: 'a strict tool of messages',
    of: 'arguments',
    from: 'responses',
    to: 'messages',
    strict: true,
    closes: true,
    find: inputSchema,
  },
  {
    name: 'a strict tool of messages, for a model that holds none',
    ...{ of: 'arguments', from: 'responses', to: 'messages', strict: true, profile: OLD },
    find: inputSchema,
  },
  {
    name: 'an answer of messages',
    ...{ of: 'answer', from: 'generateContent', to: 'messages', closes: true },
    find: outputSchema,
  },
  {
    name: 'an answer of messages, as a call',
    ...{ of: 'answer', from: 'generateContent', to: 'messages', profile: OLD, hidden: 'il_final_answer' },
    find: inputSchema,
  },
  { name: 'a tool of responses', of: 'arguments', from: 'messages', to: 'responses', find: parameters },
  {
    name: 'a strict tool of responses',
    of: 'arguments',
    from: 'messages',
    to: 'responses',
    strict: true,
    closes: true,
    find: parameters,
  },
  { name: 'an answer of responses', of: 'answer', from: 'generateContent', to: 'responses', find: textSchema },
  { name: 'a tool of chatCompletions', of: 'arguments', from: 'messages', to: 'chatCompletions', find: declared },
  {
    name: 'a strict tool of chatCompletions',
    ...{ of: 'arguments', from: 'messages', to: 'chatCompletions', strict: true, closes: true, profile: HOLDING },
    find: declared,
  },
  {
    name: 'an answer of chatCompletions',
    ...{ of: 'answer', from: 'generateContent', to: 'chatCompletions', profile: HOLDING },
    find: formatSchema,
  },
  {
    name: 'a tool of generateContent, JSON Schema field',
    ...{ of: 'arguments', from: 'messages', to: 'generateContent' },
    find: functionSchema('parametersJsonSchema'),
    reading: LOOSE,
  },
  {
    name: 'an answer of generateContent, JSON Schema field',
    ...{ of: 'answer', from: 'responses', to: 'generateContent' },
    find: configSchema('responseJsonSchema'),
    reading: LOOSE,
  },
  {
    name: 'a tool of generateContent, Schema subset',
    ...{ of: 'arguments', from: 'messages', to: 'generateContent', profile: SUBSET },
    find: functionSchema('parameters'),
    read: readSubset,
  },
  {
    name: 'an answer of generateContent, Schema subset',
    ...{ of: 'answer', from: 'messages', to: 'generateContent', profile: SUBSET },
    find: configSchema('responseSchema'),
    read: readSubset,
  },
];

function toolBody({ from, strict }: Projection, schema: JsonObject): JsonObject {
  return TOOL_BODIES[from](schema, strict === true ? { strict } : {});
}

const TOOL_BODIES = lawTableOf('requestWithTool');

const ANSWER_BODIES = lawTableOf('requestWithAnswer');

/** The client's request that sends a schema on its way. */
export function requestBody(projection: Projection, schema: JsonObject): JsonObject {
  return projection.of === 'arguments' ? toolBody(projection, schema) : ANSWER_BODIES[projection.from](schema);
}

const FEATURES = { arguments: 'tool.schema', answer: 'output.schema' } as const;

function claimsOf(losses: readonly Loss[], feature: string): Claims {
  const claims = { wider: [] as string[], narrower: [] as string[] };
  for (const loss of losses) {
    if (loss.feature !== feature) continue;
    for (const group of loss.detail.split('; ')) {
      const [effect, keywords] = group.split(': ');
      if ((effect !== 'wider' && effect !== 'narrower') || keywords === undefined) {
        throw new Error(`a loss of a schema must say what it does to the values: ${loss.detail}`);
      }
      claims[effect].push(...keywords.split(', '));
    }
  }
  return claims;
}

/** Sends a schema on its way. Throws TranslationError as the translation does. */
export function projectSchema(projection: Projection, schema: JsonObject): Projected {
  const { from, to, of } = projection;
  const body = requestBody(projection, schema);
  const given = projection.profile ?? {};
  const profile = typeof given === 'string' ? given : { ...atVendor(to), ...given };
  const result = translateRequest({ from, to, body, model: 'm', profile });
  const sent = projection.find(result.body as JsonObject);
  const held = !result.losses.some(({ feature }) => feature === 'tool.strict');
  return {
    sent,
    schema: sent === undefined ? {} : (projection.read?.(sent) ?? (sent as JsonObject)),
    claims: claimsOf(result.losses, FEATURES[of]),
    wrapped: result.losses.some(({ feature }) => feature === 'schema.root'),
    held,
    losses: result.losses,
  };
}
