import { type DialectId, type Loss, translateRequest } from '../../../translators/index.js';
import type { Json, JsonObject } from '../../../translators/wire/json.js';
import type { Reading } from '../../schema/validate.js';
import { type Data, readData } from '../../support/frames.js';
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

/** Every form of translation.md 3.1 that differs from the source. */
export const PROJECTIONS: readonly Projection[] = readData('laws/schema/projections.yaml').map(
  ({ find, read, ...projection }: Data) => ({
    ...projection,
    find: (body: JsonObject) => at(body, ...find),
    ...(read === 'subset' && { read: readSubset }),
  }),
);

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
