import type { JsonObject } from '../../canonical/node.js';
import type { CanonicalResponse } from '../../canonical/response.js';
import type { EncodeResponseContext } from '../../dialect.js';
import { createBlocks } from '../answer/blocks.js';
import { answerId, betaMembers } from '../answer/envelope.js';
import { createBlockWriter } from '../answer/writer.js';
import { encodePart } from '../content/encode.js';
import { DIALECT, remembered, restore } from '../nodes.js';
import { encodeOwnFinish, finishError } from './stop.js';
import { betaCounts, encodeOwnUsage, usageExtras } from './usage.js';

/** A whole answer for a client of this dialect. Throws TranslationError for ends that are failures here. */
export function encodeResponse(response: CanonicalResponse, context: EncodeResponseContext): JsonObject {
  return response.source === DIALECT ? encodeOwnResponse(response) : encodeForeign(response, context);
}

/** An answer of this dialect as it came, or as its service would have given it. */
export function encodeOwnResponse(response: CanonicalResponse): JsonObject {
  const form = remembered(response);
  if (form !== undefined) return { ...form };
  const out: JsonObject = {
    id: response.id,
    type: 'message',
    role: 'assistant',
    model: response.model,
    content: response.parts.map((part) => encodePart(part, true)),
    ...encodeOwnFinish(response.finish),
  };
  if (response.usage !== undefined) out.usage = encodeOwnUsage(response.usage, response.tier);
  return restore(out, response);
}

function encodeForeign(response: CanonicalResponse, context: EncodeResponseContext): JsonObject {
  const { finish, tier, usage = {} } = response;
  if (finish.kind === 'failed') throw finishError(finish, response.error);
  const blocks = createBlocks();
  const writer = createBlockWriter(response.id, blocks, context);
  if (finish.kind !== 'prompt_blocked') writer.parts.whole(response.parts);
  const { stop, counts } = writer.end(finish, response, usage, tier);
  // Assigned one by one: spread would take longer here than writing the blocks.
  return {
    id: answerId(response.id, context.nonce),
    type: 'message',
    role: 'assistant',
    model: context.model ?? response.model,
    content: blocks.content,
    stop_reason: stop.stop_reason,
    stop_sequence: stop.stop_sequence,
    stop_details: stop.stop_details,
    container: null,
    diagnostics: null,
    ...betaMembers(context),
    usage: Object.assign(counts, usageExtras(usage, tier), betaCounts(context)),
  };
}
