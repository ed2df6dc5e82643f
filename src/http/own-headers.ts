import { gatewayDialect } from '../dialects/index.js';
import type { ClientCall } from './client-call.js';

/**
 * The request id in the form the client's SDK reads, and under the name everybody else knows; and the state of
 * the limits of the caller's key.
 */
export function answerHeaders(call: ClientCall): Record<string, string> {
  const headers: Record<string, string> = { ...call.admission?.headers };
  for (const name of gatewayDialect(call.dialect).idHeaders) headers[name] = call.id;
  return headers;
}
