import type { DialectId, Edit } from '../../translators/index.js';
import type { AnswerHeaders } from '../backend/index.js';
import { callerCredential, callerHeaders, relayedText } from '../protocol/index.js';
import type { Attempt } from './call-plan.js';

/** The client's body with another model name and without what belongs to features that stay behind. */
export function relayedBody(
  { ask, backend, target }: Pick<Attempt, 'ask' | 'backend' | 'target'>,
  edits: Readonly<Record<string, Edit>>,
  operation: 'create' | 'count' = 'create',
): string {
  const { text, value } = ask.json;
  return relayedText({ text, value, asked: ask.model, model: target.model }, backend.config, edits, operation);
}

/** The headers that go along with a client's own request. */
export function relayedHeaders(
  { call, backend }: Attempt,
  betas: { readonly name: string; readonly value: string } | undefined,
): AnswerHeaders {
  return callerHeaders({ headers: call.request.headers, query: call.query }, backend.config, betas);
}

/** The caller's own credential in the form of a backend's dialect. */
export function clientCredential({ request, query }: Attempt['call'], dialect: DialectId): Record<string, string> {
  return callerCredential({ headers: request.headers, query }, dialect);
}
