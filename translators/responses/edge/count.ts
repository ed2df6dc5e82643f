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
import { isCounted, keysWhere } from '../../wire/members.js';
import { DIALECT } from '../nodes.js';
import { decodeRequest as decodeCreate } from '../request/decode.js';
import { members } from '../request/members.js';

/** Fields of a create body that a count takes [R §1.1]. */
const COUNTED = [...keysWhere(members, isCounted)];

/** Token counting (translation.md 8). */
export const count: CountTokens = { decodeRequest, encodeRequest, decodeResponse, encodeResponse };

/** The same by halves. */
export const clientCount: ClientCount = { decodeRequest, encodeResponse };
export const serviceCount: ServiceCount = { encodeRequest, decodeResponse };

function decodeRequest(body: unknown, context: DecodeRequestContext): CanonicalRequest {
  return decodeCreate(body, { ...context, counting: true });
}

function encodeRequest({ body }: EncodedRequest): JsonObject {
  return Object.fromEntries(COUNTED.filter((key) => body[key] !== undefined).map((key) => [key, body[key]]));
}

function decodeResponse(body: unknown): TokenCount {
  const tokens = isObject(body) ? body.input_tokens : undefined;
  if (typeof tokens === 'number') return { input: tokens };
  throw new TranslationError('upstream', 'the backend returned no token count', { dialect: DIALECT });
}

function encodeResponse({ input }: TokenCount): JsonObject {
  return { object: 'response.input_tokens', input_tokens: input };
}
