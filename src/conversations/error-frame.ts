import { type CanonicalError, dialects } from '../../translators/index.js';
import type { Gateway } from '../gateway.js';
import type { ClientCall } from '../http/client-call.js';
import { isObject } from '../json.js';

/** The frame that tells in a stream, after its first byte, why it has no end. The kind is noted for the log. */
export function errorFrame(
  { redact }: Pick<Gateway, 'redact'>,
  call: ClientCall,
  error: CanonicalError,
  sequence_number: number,
): string {
  call.record.error = error.kind;
  const { body } = dialects[call.dialect].encodeError({ ...error, message: redact(error.message) }, {});
  const data = { ...(isObject(body.error) && body.error), ...body, type: 'error', sequence_number };
  return `event: error\ndata: ${JSON.stringify(data)}\n\n`;
}
