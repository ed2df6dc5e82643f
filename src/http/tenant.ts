import { createHash } from 'node:crypto';
import type { BackendConfig, Config } from '../config/index.js';
import { credentials } from '../protocol/index.js';
import type { ClientCall } from './client-call.js';

const ANYBODY = 'all';

/**
 * Whose ids a caller may use: those made with its own key. Where callers bring the backend's credentials, those tell
 * them apart; where anybody may call, all are one.
 */
export function tenantOf({ key, request, query }: ClientCall, { backends }: Config): string {
  if (key !== undefined) return `key-${digest(key.name)}`;
  const brought = Object.values(backends).some(({ auth }) => auth === 'client');
  return brought ? `caller-${digest(credentials(request.headers, query).join('\n'))}` : ANYBODY;
}

/**
 * Eight characters that tell the tenants of {@link tenantOf} apart, for what goes out: they follow from secrets, so that nobody finds
 * the name of a key by trying.
 */
export function tagOf(call: ClientCall, config: Config): string {
  return digest(call.key?.sha256 ?? tenantOf(call, config)).slice(0, 8);
}

/** The tenant whose entry is at a key of the store: the text before the first colon; '' where there is none. */
export function ownerOfKey(key: string): string {
  return key.slice(0, Math.max(0, key.indexOf(':')));
}

/**
 * Whether a backend may be asked about an id that is not known here. Not where it would be asked with the operator's
 * credentials and the id may be another caller's.
 */
export function mayAsk(backend: BackendConfig, tenant: string, { keys }: Config): boolean {
  return keys.length === 0 && (backend.auth === 'client' || tenant === ANYBODY);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
