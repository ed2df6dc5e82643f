import type { JsonObject } from '../../canonical/node.js';
import type { EncodedRequest } from '../../dialect.js';
import { isObject } from '../../wire/json.js';

/** The request that lets a cut answer go on: the same one, with the token of the cut ([G §9] trap 55). */
export function resume(sent: EncodedRequest, answer: JsonObject): EncodedRequest {
  const first: unknown = Array.isArray(answer.candidates) ? answer.candidates[0] : undefined;
  const continuationToken = isObject(first) ? first.continuationToken : undefined;
  return continuationToken === undefined ? sent : { ...sent, body: { ...sent.body, continuationToken } };
}
