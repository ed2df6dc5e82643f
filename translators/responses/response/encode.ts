import { dropExtras } from '../../adapt/index.js';
import type { Part } from '../../canonical/content.js';
import type { JsonObject } from '../../canonical/node.js';
import type { CanonicalResponse } from '../../canonical/response.js';
import type { EncodeResponseContext } from '../../dialect.js';
import { changing, createEnvelope, reportEnvelope, tierOf } from '../answer/envelope.js';
import { createOutputWriter } from '../answer/writer.js';
import { encodeInput } from '../content/turns.js';
import { bagOf, DIALECT, echoIn, NATIVE, remembered, responseId } from '../nodes.js';
import { encodeFinish } from './stop.js';
import { encodeForeignUsage, encodeOwnUsage } from './usage.js';

/** A whole answer for a client; an answer of this dialect is printed as it came. */
export function encodeResponse(response: CanonicalResponse, context: EncodeResponseContext): JsonObject {
  return response.source === DIALECT ? encodeOwn(response, context) : encodeForeign(response, context);
}

function encodeOwn(response: CanonicalResponse, context: EncodeResponseContext): JsonObject {
  const form = remembered(response);
  if (form !== undefined) return { ...form };
  const { ext, finish, error, parts } = response;
  const refused = parts.some(({ kind }) => kind === 'refusal');
  const ending = encodeFinish(finish, error, { refused, compacted: true }, context.losses);
  const body: JsonObject = {
    id: response.id,
    object: 'response',
    ...Object.fromEntries(Object.entries(bagOf(response) ?? {})),
    status: ending.status,
    error: ending.error ?? null,
    incomplete_details: ending.incompleteReason === undefined ? null : { reason: ending.incompleteReason },
    ...echoIn(ext),
    output: nativeOutput(parts),
  };
  if (response.createdAt !== undefined) body.created_at = response.createdAt;
  if (response.model !== '') body.model = response.model;
  if (response.usage !== undefined) body.usage = encodeOwnUsage(response.usage);
  if (response.tier !== undefined) body.service_tier = response.tier;
  if (finish.dialect !== DIALECT) body.status = 'completed';
  return body;
}

function nativeOutput(parts: readonly Part[]): unknown {
  if (parts.length === 0) return [];
  const turns = [{ role: 'assistant', parts } as const];
  return encodeInput({ source: DIALECT, model: '', stream: false, instructions: [], turns, tools: [] }, [], NATIVE);
}

function encodeForeign(response: CanonicalResponse, context: EncodeResponseContext): JsonObject {
  dropExtras(response, DIALECT, context.losses);
  reportEnvelope(response, context.losses);
  const id = responseId(response.id, context);
  const writer = createOutputWriter({
    responseId: id,
    own: false,
    asIssuer: context.asIssuer,
    losses: context.losses,
  });
  writer.parts.whole(response.parts);
  const ending = writer.end(response.finish, response.error);
  const isUncounted = ending.status === 'failed' && response.usage === undefined;
  const progress = {
    status: ending.status,
    usage: isUncounted ? null : encodeForeignUsage(response.usage, context.losses),
    tier: tierOf(response.tier),
    completedAt: ending.status === 'completed' ? Math.floor(context.now) : undefined,
    ending,
  };
  // Assigned, because spreading so many keys takes longer than all the rest.
  return Object.assign(createEnvelope(id, response.model, context), changing(progress), { output: writer.items });
}
