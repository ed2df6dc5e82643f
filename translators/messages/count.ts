import { TranslationError } from '../canonical/errors.js';
import type { CountTokens } from '../dialect.js';
import { DIALECT } from './nodes.js';
import { decodeRequest } from './request.js';
import * as wire from './wire.js';

/** What a create request has and a count request must not have [M §1.1]. */
const CREATE_ONLY: ReadonlySet<string> = new Set([
  'max_tokens',
  'stream',
  'metadata',
  'stop_sequences',
  'service_tier',
  'container',
  'inference_geo',
  'diagnostics',
  'temperature',
  'top_p',
  'top_k',
]);

/** Token counting: the create form without what concerns the answer. */
export const count: CountTokens = {
  decodeRequest: (body, context) => decodeRequest(body, { ...context, counting: true }),
  encodeRequest: ({ body }) => Object.fromEntries(Object.entries(body).filter(([key]) => !CREATE_ONLY.has(key))),
  decodeResponse(body) {
    const answer = wire.tokenCount.safeParse(body).data;
    if (answer === undefined) {
      throw new TranslationError('upstream', 'the backend did not answer with a token count', { dialect: DIALECT });
    }
    return { input: answer.input_tokens };
  },
  encodeResponse: ({ input }) => ({ input_tokens: input }),
};
