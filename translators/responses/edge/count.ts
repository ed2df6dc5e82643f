import { TranslationError } from '../../canonical/errors.js';
import type { JsonObject } from '../../canonical/node.js';
import type { CountTokens, EncodedRequest, TokenCount } from '../../dialect.js';
import { isObject } from '../../wire/json.js';
import { isCounted, keysWhere } from '../../wire/members.js';
import { DIALECT } from '../nodes.js';
import { decodeRequest } from '../request/decode.js';
import { members } from '../request/members.js';

/** Fields of a create body that a count takes [R §1.1]. */
const COUNTED = [...keysWhere(members, isCounted)];

/** Token counting (translation.md 8). */
export const count: CountTokens = {
  decodeRequest: (body, context) => decodeRequest(body, { ...context, counting: true }),
  encodeRequest: ({ body }: EncodedRequest): JsonObject =>
    Object.fromEntries(COUNTED.filter((key) => body[key] !== undefined).map((key) => [key, body[key]])),
  decodeResponse(body): TokenCount {
    const tokens = isObject(body) ? body.input_tokens : undefined;
    if (typeof tokens === 'number') return { input: tokens };
    throw new TranslationError('upstream', 'the backend returned no token count', { dialect: DIALECT });
  },
  encodeResponse: ({ input }) => ({ object: 'response.input_tokens', input_tokens: input }),
};
