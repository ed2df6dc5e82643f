import { sha256 } from '@noble/hashes/sha2.js';
import { isSampleKey } from '../ground/plain/index.js';
import { credentials, findKey, type KnownKey, noValidKey } from '../protocol/index.js';
import type { ClientCall, Fault } from '../web/index.js';
import { checkNames, fault, faultAt, type Known } from './faults.js';
import type { CommonHandlerOptions, HandlerKey } from './options.js';

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

const KEY: Known<HandlerKey> = { name: true, key: true, sha256: true, models: true, explain: true };

const NOTHING = 'are needed, or `open: true` for everybody: whoever reaches the handler could use the backends';

/** The keys of the options by their digests; none = everybody may call. Throws TypeError that names the option which cannot be meant. */
export function readKeys({ keys, open = false }: CommonHandlerOptions): readonly KnownKey<HandlerKey>[] {
  if (typeof open !== 'boolean') throw fault('open', 'must be true or false');
  if (keys === undefined || (Array.isArray(keys) && keys.length === 0)) {
    if (!open) throw fault('keys', NOTHING);
    return [];
  }
  if (!Array.isArray(keys)) throw fault('keys', 'must be a list');
  return keys.map((given: HandlerKey, index) => {
    const at = faultAt(`keys[${index}]`);
    checkNames(given, Object.keys(KEY), at);
    const { name, key, sha256: hex, models, explain } = given;
    if (typeof name !== 'string' || name === '') throw at('name', 'must name the key');
    if (models !== undefined && (!Array.isArray(models) || !models.every((one) => typeof one === 'string')))
      throw at('models', 'must hold names or patterns of models');
    if (explain !== undefined && explain !== 'path' && explain !== 'full') throw at('explain', 'must be path or full');
    if ((key === undefined) === (hex === undefined)) throw at('key', 'give either key or sha256');
    return { key: given, digest: hex === undefined ? digestOf(checkedKey(key, at)) : bytesOf(hex, at) };
  });
}

function checkedKey(key: unknown, at: Fault): string {
  if (typeof key !== 'string' || !/^[\x21-\x7e]{16,}$/.test(key))
    throw at('key', 'must have 16 characters or more of printable ASCII without blanks');
  if (isSampleKey(key)) throw at('key', 'is a published example key');
  return key;
}

function bytesOf(hex: unknown, at: Fault): Uint8Array {
  if (typeof hex !== 'string' || !/^[\da-f]{64}$/.test(hex)) throw at('sha256', 'must be 64 lower-case hex digits');
  return Uint8Array.from(hex.match(/../g) ?? [], (two) => Number.parseInt(two, 16));
}
