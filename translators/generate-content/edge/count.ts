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
import { isCounted, keysWhere } from '../../wire/members.js';
import { check, checkObject, invalid } from '../nodes.js';
import { decodeRequest as decodeCreate } from '../request/decode.js';
import { members } from '../request/members.js';
import { asUpstream } from '../response/decode.js';
import * as wire from '../wire/index.js';
import { bareModel, isCloudName } from './models.js';

/** Token counting ([G §1] `countTokens`). */
export const count: CountTokens = { decodeRequest, encodeRequest, decodeResponse, encodeResponse };

/** The same by halves. */
export const clientCount: ClientCount = { decodeRequest, encodeResponse };
export const serviceCount: ServiceCount = { encodeRequest, decodeResponse };

/** `{contents}` with or without the other fields, or the whole request under `generateContentRequest`; never both. */
function decodeRequest(body: unknown, context: DecodeRequestContext): CanonicalRequest {
  const node = checkObject(body, '');
  const key = ['generateContentRequest', 'generate_content_request'].find((name) => node[name] !== undefined);
  if (key === undefined) return decodeCreate(node, { ...context, counting: true });
  if (node.contents !== undefined) throw invalid(`contents and ${key} exclude each other`, `/${key}`);
  return decodeCreate(checkObject(node[key], `/${key}`), { ...context, counting: true });
}

const COUNTED = keysWhere(members, isCounted);

/** The public host takes the whole request in a field of its own, the enterprise host takes it flat. */
function encodeRequest({ body, model }: EncodedRequest): JsonObject {
  const counted: JsonObject = {};
  for (const key of COUNTED) if (body[key] !== undefined) counted[key] = body[key];
  if (isCloudName(model)) {
    const { toolConfig: _toolConfig, cachedContent: _cachedContent, ...flat } = counted;
    return flat;
  }
  const name = bareModel(model);
  return { generateContentRequest: { model: name.includes('/') ? name : `models/${name}`, ...counted } };
}

/** A total of zero is left out ([G §2.1.9]), so that any of these makes a count. */
const COUNT_KEYS = ['totalTokens', 'promptTokensDetails', 'cachedContentTokenCount', 'cacheTokensDetails'];

function decodeResponse(body: unknown): TokenCount {
  try {
    const node = checkObject(body, '');
    if (!COUNT_KEYS.some((key) => node[key] !== undefined)) throw invalid('totalTokens is missing', '/totalTokens');
    const { totalTokens, cachedContentTokenCount } = check(wire.count, node, '');
    return { input: totalTokens, ...(cachedContentTokenCount !== undefined && { cached: cachedContentTokenCount }) };
  } catch (thrown) {
    throw asUpstream(thrown);
  }
}

function encodeResponse({ input, cached }: TokenCount): JsonObject {
  return { totalTokens: input, ...(cached !== undefined && cached > 0 && { cachedContentTokenCount: cached }) };
}
