import { TranslationError } from '../../canonical/errors.js';
import { createFold } from '../../canonical/fold.js';
import type { CanonicalResponse } from '../../canonical/response.js';
import type { DecodeResponseContext } from '../../dialect.js';
import { WireError } from '../../wire/errors.js';
import { isObject } from '../../wire/json.js';
import { DIALECT, remember } from '../nodes.js';
import { addChunk, createAnswerReader, endAnswer } from '../stream/assembly.js';

/**
 * A whole answer as the model: read as a stream of one chunk, so that both ways give the same. Throws TranslationError: the
 * backend's own failure for an error body, `upstream` for a body that is no answer.
 */
export function decodeResponse(body: unknown, context: DecodeResponseContext): CanonicalResponse {
  const answer: unknown = Array.isArray(body) ? body[0] : body;
  if (!isObject(answer)) throw broken('the backend returned no object');
  const fold = createFold(DIALECT);
  const reader = createAnswerReader(context, fold.sink, true);
  try {
    addChunk(reader, answer);
    endAnswer(reader, true);
  } catch (thrown) {
    throw thrown instanceof WireError ? broken(thrown.message) : thrown;
  }
  const { error, response } = fold;
  if (error !== undefined)
    throw new TranslationError(error.kind, error.message, { code: error.code, dialect: DIALECT });
  if (response === undefined) throw broken('the answer of the backend has no finish reason');
  return remember({ ...response, src: { ptr: '' } }, answer);
}

function broken(message: string): TranslationError {
  return new TranslationError('upstream', message, { code: 'upstream_bad_body', dialect: DIALECT });
}
