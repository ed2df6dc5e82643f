import type { CanonicalError, JsonObject } from '../../translators/index.js';
import type { Gateway } from '../gateway.js';
import type { ClientCall } from '../http/client-call.js';
import { errorFrame } from './error-frame.js';
import { failedFrame, numbered } from './run-frames.js';

const CANCELLED: CanonicalError = { kind: 'cancelled', message: 'the response was cancelled' };

/**
 * The frame that ends the stream of an answer where its own last frame does not: it was cancelled or deleted (undefined),
 * or failed when nobody was there to say so. The dialect has no event for a cancelled answer, so that it is an error.
 */
export function endedWord(
  gateway: Pick<Gateway, 'redact'>,
  call: ClientCall,
  answer: JsonObject | undefined,
  number: number,
): string {
  if (answer?.status === 'completed' || answer?.status === 'incomplete') return '';
  if (answer?.status === 'failed') return numbered(failedFrame(answer), number);
  return errorFrame(gateway, call, CANCELLED, number);
}
