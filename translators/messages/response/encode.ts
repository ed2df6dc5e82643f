import type { JsonObject } from '../../canonical/node.js';
import type { CanonicalResponse } from '../../canonical/response.js';
import type { EncodeResponseContext } from '../../dialect.js';
import { hashHex } from '../../wire/hash.js';
import { encodePart } from '../content/encode.js';
import { DIALECT, remembered, restore } from '../nodes.js';
import { createBlocks } from '../stream/blocks.js';
import { createAnswerWriter } from '../stream/writer.js';
import { encodeOwnFinish, finishError } from './stop.js';
import { betaCounts, encodeOwnUsage, usageExtras } from './usage.js';

/** A whole answer for a client of this dialect. Throws TranslationError for ends that are failures here. */
export function encodeResponse(response: CanonicalResponse, context: EncodeResponseContext): JsonObject {
  return response.source === DIALECT ? encodeOwn(response) : encodeForeign(response, context);
}

function encodeOwn(response: CanonicalResponse): JsonObject {
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
  const writer = createAnswerWriter(response.id, blocks, context);
  const parts = finish.kind === 'prompt_blocked' ? [] : response.parts;
  for (const [ix, part] of parts.entries()) writer.whole(ix, part);
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

/** What every answer to a call of the beta has beside its content, and the last event of its stream [M §4.1, §5.2]. */
export function betaMembers({ asksBeta }: Pick<EncodeResponseContext, 'asksBeta'>): JsonObject {
  return asksBeta === true ? { context_management: null } : {};
}

/** The id of an answer of another service, as a client sees it (translation.md 5.4). */
export function answerId(id: string, nonce: string): string {
  return `msg_il${hashHex(`${id}:${nonce}`, 32)}`;
}
