import { INSIDE } from '../../adapt/index.js';
import type { Losses } from '../../canonical/loss.js';
import type { Extensions, JsonObject } from '../../canonical/node.js';
import { hashHex } from '../../wire/hash.js';
import { isObject, lookUp } from '../../wire/json.js';
import { DIALECT } from '../nodes.js';

/** The id of an answer of another service, as a client sees it (translation.md 5.1). */
export function answerId(id: string, nonce: string): string {
  return `chatcmpl-il${hashHex(`${id}:${nonce}`, 32)}`;
}

/** Words for tiers of other services [H §2.1]. */
const TIERS: Readonly<Record<string, string>> = {
  standard: 'default',
  default: 'default',
  on_demand: 'default',
  flex: 'flex',
  priority: 'priority',
  scale: 'scale',
};

/** The service tier as a member of an answer; reports one that has no word here. */
export function tierMember(tier: string | undefined, losses: Losses): JsonObject {
  if (tier === undefined) return {};
  const word = lookUp(TIERS, tier.toLowerCase());
  if (word === undefined) losses.add('', 'tier', 'dropped', 'the target has no such tier');
  return word === undefined ? {} : { service_tier: word };
}

/** What of an own answer the model has no fields for, by the object that it stood in. */
export function ownMembers(ext: Extensions | undefined): Record<'body' | 'choice' | 'message', JsonObject> {
  const { telemetry, [INSIDE]: inside, ...body } = ext?.[DIALECT] ?? {};
  const objectAt = (value: unknown): JsonObject => (isObject(value) ? value : {});
  const kept = objectAt(inside);
  return {
    body: { ...body, ...objectAt(telemetry) },
    choice: objectAt(kept['/choices/0']),
    message: objectAt(kept['/choices/0/message']),
  };
}
