import { sha256 } from '@noble/hashes/sha2.js';
import { credentials, findKey, type KnownKey, noValidKey } from '../protocol/index.js';
import type { ClientCall } from '../web/index.js';
import type { HandlerKey } from './options.js';

/** Whose key a call has; undefined where everybody may call. Throws a 401 that is always the same when none of its keys is valid. */
export function admit(keys: readonly KnownKey<HandlerKey>[], call: ClientCall): HandlerKey | undefined {
  if (keys.length === 0) return undefined;
  const found = findKey(keys, credentials(call.headers, call.query), digestOf, isEqual);
  if (found === undefined) throw noValidKey();
  return found;
}

/** Whether two digests are equal. Takes the same time for all that are of one length. */
function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  let differs = one.length ^ other.length;
  for (let index = 0; index < one.length; index += 1) differs |= (one[index] ?? 0) ^ (other[index] ?? 0);
  return differs === 0;
}

/** The digest by which a key is known. */
export function digestOf(text: string): Uint8Array {
  return sha256(new TextEncoder().encode(text));
}
