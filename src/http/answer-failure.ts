import { type ClientRedactor, isUnforeseen, type Logger, toCanonicalError } from '../ground/index.js';
import type { ClientCall } from './client-call.js';
import { sendFailure } from './send.js';

/** Answers a request with what was thrown for it, and logs what nobody foresaw. */
export function answerFailure(
  { logger, redact }: { readonly logger: Logger; readonly redact: ClientRedactor },
  call: ClientCall,
  thrown: unknown,
): void {
  if (isUnforeseen(thrown)) logger.error({ id: call.id, err: thrown }, 'unexpected failure');
  // The words may be those of a backend that was called, which may quote what was said to it.
  if (call.record.backendMs === undefined) call.record.words = toCanonicalError(thrown).message;
  call.record.error = sendFailure(call, thrown, redact);
}
