import { type CanonicalError, dialects, type JsonObject, storedResponses } from '../../translators/index.js';
import { withoutSecrets } from '../ground/index.js';
import type { ClientCall } from '../http/index.js';
import type { ConversationServices } from './services.js';

/** The frame that tells in a stream, after its first byte, why it has no end. The kind is noted for the log. */
export function errorFrame(
  { redact }: Pick<ConversationServices, 'redact'>,
  call: ClientCall,
  error: CanonicalError,
  sequence_number: number,
): string {
  call.record.error = error.kind;
  const { body } = dialects[call.dialect].encodeError(withoutSecrets(error, redact), {});
  return storedResponses.errorFrame(body, sequence_number);
}

const CANCELLED: CanonicalError = { kind: 'cancelled', message: 'the response was cancelled' };

/**
 * The frame that ends the stream of an answer where its own last frame does not: it was cancelled or deleted (undefined),
 * or failed when nobody was there to say so. The dialect has no event for a cancelled answer, so that it is an error.
 */
export function terminalFrame(
  gateway: Pick<ConversationServices, 'redact'>,
  call: ClientCall,
  answer: JsonObject | undefined,
  number: number,
): string {
  if (answer?.status === 'completed' || answer?.status === 'incomplete') return '';
  if (answer?.status === 'failed') return storedResponses.numbered(storedResponses.failedFrame(answer), number);
  return errorFrame(gateway, call, CANCELLED, number);
}
