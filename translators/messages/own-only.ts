import type { JsonObject } from '../canonical/node.js';
import type { NativeOnly } from '../canonical/request.js';

/** Fields that no other dialect can do without changing what was asked (translation.md 2.2, 0.10). */
const FIELDS: Readonly<Record<string, Omit<NativeOnly, 'path'>>> = {
  max_tokens: { message: 'max_tokens 0 warms the prompt cache, which the backend cannot do' },
  fallback_credit_token: { message: 'fallback credits can only be spent with the service that gave them' },
  billing_policy: { message: 'a billing policy cannot be passed on to another service' },
  thread: { message: 'threads are not kept here; send the whole conversation', code: 'thread_unsupported_request' },
};

/** What of a request's own bag makes every other dialect refuse it. */
export function nativeOnly(bag: Readonly<JsonObject>): NativeOnly[] {
  return Object.entries(FIELDS)
    .filter(([key]) => bag[key] !== undefined && bag[key] !== null)
    .map(([key, reason]) => ({ path: `/${key}`, ...reason }));
}

const SESSION = /_session_([0-9a-fA-F-]{8,})$/;

/** The session that a stable user id names: as JSON, or at its end (translation.md 2.2, hard case USE-09). */
export function sessionKey(user: string): string | undefined {
  if (user.startsWith('{')) {
    try {
      const { session_id: id } = JSON.parse(user);
      return typeof id === 'string' && id !== '' ? id : undefined;
    } catch {
      return undefined;
    }
  }
  return SESSION.exec(user)?.[1];
}
