import { TranslationError } from '../../canonical/errors.js';
import type { JsonObject } from '../../canonical/node.js';
import type { CanonicalRequest } from '../../canonical/request.js';
import type {
  ClientCount,
  CountTokens,
  DecodeRequestContext,
  EncodedRequest,
  ServiceCount,
  TokenCount,
} from '../../dialect.js';
import { isObject } from '../../wire/json.js';
import { DIALECT } from '../nodes.js';
import { decodeRequest as decodeCreate } from '../request/decode.js';

/**
 * No service of this dialect counts tokens [H §1.4], but for llama.cpp: other hosts estimate them. A count request is a create request,
 * and to clients a count is told as an answer tells it.
 */
export const count: CountTokens = { decodeRequest, encodeRequest, decodeResponse, encodeResponse };

/** The same by halves. */
export const clientCount: ClientCount = { decodeRequest, encodeResponse };
export const serviceCount: ServiceCount = { encodeRequest, decodeResponse };

function decodeRequest(body: unknown, context: DecodeRequestContext): CanonicalRequest {
  return decodeCreate(body, { ...context, counting: true });
}

function encodeRequest({ body }: EncodedRequest): JsonObject {
  return body;
}

function decodeResponse(body: unknown): TokenCount {
  const tokens = isObject(body) ? body.input_tokens : undefined;
  if (typeof tokens === 'number') return { input: tokens };
  throw new TranslationError('upstream', 'the backend returned no token count', { dialect: DIALECT });
}

function encodeResponse({ input }: TokenCount): JsonObject {
  return { usage: { prompt_tokens: input } };
}
