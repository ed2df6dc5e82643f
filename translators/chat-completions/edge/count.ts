import { TranslationError } from '../../canonical/errors.js';
import type { CountTokens } from '../../dialect.js';
import { isObject } from '../../wire/json.js';
import { DIALECT } from '../nodes.js';
import { decodeRequest } from '../request/decode.js';

/**
 * No service of this dialect counts tokens [H §1.4], but for llama.cpp: other hosts estimate them. A count request is a create request,
 * and to clients a count is told as an answer tells it.
 */
export const count: CountTokens = {
  decodeRequest: (body, context) => decodeRequest(body, { ...context, counting: true }),
  encodeRequest: ({ body }) => body,
  decodeResponse(body) {
    const tokens = isObject(body) ? body.input_tokens : undefined;
    if (typeof tokens === 'number') return { input: tokens };
    throw new TranslationError('upstream', 'the backend returned no token count', { dialect: DIALECT });
  },
  encodeResponse: ({ input }) => ({ usage: { prompt_tokens: input } }),
};
