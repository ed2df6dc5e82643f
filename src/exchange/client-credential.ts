import type { DialectId } from '../../translators/index.js';
import { callerCredential } from '../protocol/index.js';
import type { Attempt } from './attempt.js';

/** The caller's own credential in the form of a backend's dialect. */
export function clientCredential({ request, query }: Attempt['call'], dialect: DialectId): Record<string, string> {
  return callerCredential({ headers: request.headers, query }, dialect);
}
