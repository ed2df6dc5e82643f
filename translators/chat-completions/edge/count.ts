import { TranslationError } from '../../canonical/errors.js';
import type { CountTokens } from '../../dialect.js';
import { DIALECT } from '../nodes.js';
import { decodeRequest } from '../request/decode.js';

/**
 * No service of this dialect counts tokens [H §1.4]: a host estimates them. A count request is a create request, and a
 * count is told as an answer tells it.
 */
export const count: CountTokens = {
  decodeRequest: (body, context) => decodeRequest(body, { ...context, counting: true }),
  encodeRequest: ({ body }) => body,
  decodeResponse() {
    throw new TranslationError('upstream', 'the backend did not answer with a token count', { dialect: DIALECT });
  },
  encodeResponse: ({ input }) => ({ usage: { prompt_tokens: input } }),
};
