import type { Part } from '../../canonical/content.js';
import { TranslationError } from '../../canonical/errors.js';
import type { JsonObject } from '../../canonical/node.js';
import type { CanonicalRequest } from '../../canonical/request.js';
import type { Tool } from '../../canonical/tools.js';
import type {
  ClientCount,
  CountTokens,
  DecodeRequestContext,
  EncodedRequest,
  ServiceCount,
  TokenCount,
} from '../../dialect.js';
import { taken } from '../../wire/check.js';
import { isCounted, keysWhere } from '../../wire/members.js';
import { DIALECT } from '../nodes.js';
import { decodeRequest as decodeCreate } from '../request/decode.js';
import { members } from '../request/members.js';
import * as wire from '../wire/index.js';

/** What a create request has and a count request must not have [M §1.1]. */
const CREATE_ONLY = keysWhere(members, (member) => !isCounted(member));

/** Token counting: the create form without what concerns the answer. */
export const count: CountTokens = { decodeRequest, encodeRequest, decodeResponse, encodeResponse };

/** The same by halves. */
export const clientCount: ClientCount = { decodeRequest, encodeResponse };
export const serviceCount: ServiceCount = { encodeRequest, decodeResponse };

function decodeRequest(body: unknown, context: DecodeRequestContext): CanonicalRequest {
  return decodeCreate(body, { ...context, counting: true });
}

function encodeRequest({ body }: EncodedRequest): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([key]) => !CREATE_ONLY.has(key)));
}

function decodeResponse(body: unknown): TokenCount {
  const answer = taken(wire.tokenCount, body);
  if (answer === undefined) {
    throw new TranslationError('upstream', 'the backend returned no token count', { dialect: DIALECT });
  }
  return { input: answer.input_tokens };
}

function encodeResponse({ input }: TokenCount): JsonObject {
  return { input_tokens: input };
}

/** Characters that make a token, about, and tokens of a picture or a page. */
const CHARACTERS = 4;
const MEDIA = 1500;

/** A cheap guess at the input tokens of a request, for the beginning of a stream. No tokenizer runs here. */
export function estimateInput(request: CanonicalRequest | undefined): number {
  if (request === undefined) return 0;
  let characters = 0;
  for (const instruction of request.instructions) characters += lengthOf(instruction.parts);
  for (const turn of request.turns) characters += lengthOf(turn.parts);
  for (const tool of request.tools) characters += toolLength(tool);
  return Math.ceil(characters / CHARACTERS);
}

function lengthOf(parts: readonly Part[]): number {
  let sum = 0;
  for (const part of parts) sum += partLength(part);
  return sum;
}

function partLength(part: Part): number {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return part.text.length;
    case 'media':
      return MEDIA * CHARACTERS;
    case 'textdoc':
    case 'searchResult':
    case 'result':
      return lengthOf(part.parts);
    case 'call':
      return (part.args.text ?? JSON.stringify(part.args.value ?? {})).length + part.name.length;
    default:
      return 0;
  }
}

function toolLength(tool: Tool): number {
  if (tool.kind !== 'function') return 0;
  return tool.name.length + (tool.description?.length ?? 0) + JSON.stringify(tool.schema ?? {}).length;
}
