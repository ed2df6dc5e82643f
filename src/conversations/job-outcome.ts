import { dialects, type JsonObject, storedResponses } from '../../translators/index.js';
import { endpointFor } from '../config/index.js';
import { Failure, toCanonicalError, withoutSecrets } from '../ground/index.js';
import type { ClientCall } from '../http/index.js';
import type { ConversationServices } from './services.js';

/** Why an answer has no end. */
export const BROKEN = new Failure({ kind: 'upstream', message: 'the answer broke off' });
export const STOPPED = new Failure({ kind: 'internal', message: 'the gateway was stopped' });
export const TOO_LONG = new Failure({ kind: 'upstream', message: 'the stream of the answer is too long to be stored' });
export const NOT_KEPT = new Failure({ kind: 'internal', message: 'the answer could not be stored' });

/** The state domain of the endpoint that answered, where it is of the client's own dialect. */
export function domainOf({ config }: ConversationServices, { dialect, record }: ClientCall): string | undefined {
  const { facts } = record;
  const backend = facts?.dialect === dialect ? config.backends[String(facts.backend)] : undefined;
  return backend && endpointFor(backend, dialect)?.domain;
}

/** The answer as it failed. Its code is the one that a request would have been refused with. */
export function failedAnswer(
  gateway: ConversationServices,
  call: ClientCall,
  shown: JsonObject,
  thrown: unknown,
): JsonObject {
  const error = toCanonicalError(thrown);
  const { body } = dialects[call.dialect].encodeError(withoutSecrets(error, gateway.redact), {});
  return storedResponses.failedAnswer(shown, body);
}
