import { Failure, matchesName } from '../ground/plain/index.js';

/** Which models a key may use. */
export interface ModelKey {
  /** Names or patterns; absent = all. */
  readonly models?: readonly string[];
}

/** A key with the digest by which it is known. */
export interface KnownKey<Key> {
  readonly key: Key;
  /** SHA-256 of the key. */
  readonly digest: Uint8Array;
}

/**
 * The key that one of the credentials of a request is; undefined where none is one. Every key is compared, also after a match: the time
 * taken must not tell which one it was. `isEqual` takes the same time for all digests.
 */
export function findKey<Key>(
  known: readonly KnownKey<Key>[],
  sent: readonly string[],
  digestOf: (text: string) => Uint8Array,
  isEqual: (one: Uint8Array, other: Uint8Array) => boolean,
): Key | undefined {
  let found: Key | undefined;
  for (const credential of sent) {
    const digest = digestOf(credential);
    for (const { key, digest: expected } of known) {
      if (isEqual(digest, expected)) found ??= key;
    }
  }
  return found;
}

/** The 401 for a request without a valid key: always the same. */
export function noValidKey(message = 'a valid API key is required'): Failure {
  return new Failure({ kind: 'authentication', message }, { headers: { 'www-authenticate': 'Bearer' } });
}

/** Throws 403 when the caller's key does not permit the model. */
export function checkKeyModel(key: ModelKey | undefined, model: string): void {
  if (mayUse(key, model)) return;
  throw new Failure({ kind: 'permission', message: 'this API key may not use this model', path: '/model' });
}

/** Whether a key permits a model. Without a list it permits all. */
export function mayUse(key: ModelKey | undefined, model: string): boolean {
  return key?.models === undefined || key.models.some((pattern) => matchesName(pattern, model));
}
