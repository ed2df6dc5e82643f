import type { JsonObject } from '../../canonical/node.js';
import type { EncodeResponseContext } from '../../dialect.js';
import { hashHex } from '../../wire/hash.js';

/** The id of an answer of another service, as a client sees it (translation.md 5.4). */
export function answerId(id: string, nonce: string): string {
  return `msg_il${hashHex(`${id}:${nonce}`, 32)}`;
}

/** What every answer to a call of the beta has beside its content, and the last event of its stream [M §4.1, §5.2]. */
export function betaMembers({ asksBeta }: Pick<EncodeResponseContext, 'asksBeta'>): JsonObject {
  return asksBeta === true ? { context_management: null } : {};
}
