import type { JsonObject } from '../../canonical/node.js';
import type { DecodeResponseContext } from '../../dialect.js';
import { isObject } from '../../wire/json.js';

/**
 * A response object of a server that says `completed` of every answer: one with as many tokens as it may have was cut. `cap` = the
 * one that was asked for; absent where only the answer may repeat it. The very object where nothing says that it was cut.
 */
export function withCutStatus(response: JsonObject, cap: unknown = response.max_output_tokens): JsonObject {
  const { status, usage } = response;
  const made = isObject(usage) ? usage.output_tokens : undefined;
  if (status !== 'completed' || typeof cap !== 'number' || typeof made !== 'number' || made < cap) return response;
  return { ...response, status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
}

/** A response object as its server would tell it that does not say of some answers that they were cut. */
export function asEnded(response: JsonObject, { target, sent }: DecodeResponseContext): JsonObject {
  return target?.unsupported.has('cutStatus') ? withCutStatus(response, sent?.max_output_tokens) : response;
}
