import type { Gateway } from '../gateway.js';
import type { ClientCall } from './client-call.js';
import { isUnforeseen, sendFailure } from './failure.js';

/** Answers a request with what was thrown for it, and logs what nobody foresaw. */
export function answerFailure(
  { logger, redact }: Pick<Gateway, 'logger' | 'redact'>,
  call: ClientCall,
  thrown: unknown,
): void {
  if (isUnforeseen(thrown)) logger.error({ id: call.id, err: thrown }, 'unforeseen failure');
  call.record.error = sendFailure(call, thrown, redact);
}
