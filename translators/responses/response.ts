import { dropExtras } from '../adapt/losses.js';
import type { Part } from '../canonical/content.js';
import { TranslationError } from '../canonical/errors.js';
import type { JsonObject } from '../canonical/node.js';
import type { CanonicalResponse } from '../canonical/response.js';
import type { DecodeResponseContext, EncodeResponseContext } from '../dialect.js';
import { createAnswerWriter } from './answer-writer.js';
import { createEnvelope, reportEnvelope, responseObject, tierOf } from './echo.js';
import { decodeInBandError } from './errors.js';
import { responseId } from './ids.js';
import { encodeInput } from './input.js';
import { decodeAssistantItem } from './items.js';
import { decodeAssistantMessage } from './messages.js';
import { bagOf, check, DIALECT, echoIn, NATIVE, put, type Reader, withEcho } from './nodes.js';
import { decodeFinish, encodeFinish } from './stop.js';
import { decodeToolUsage, decodeUsage, encodeNativeUsage, encodeUsage } from './usage.js';
import * as wire from './wire.js';

/** Keys of the response object that the model has places for; all others are its echo. */
const READ: ReadonlySet<string> = new Set(['id', 'object', 'created_at', 'model', 'output', 'usage', 'service_tier']);

/** Reads what a backend sent. */
export function backendReader(context: DecodeResponseContext): Reader {
  return { fault: 'upstream', domain: context.domain, carriers: false };
}

/** The parts of one output item. */
export function decodeOutputItem(node: JsonObject, index: number, reader: Reader): readonly Part[] {
  const ptr = `/output/${index}`;
  return node.type === 'message'
    ? decodeAssistantMessage(node, ptr, index, reader)
    : decodeAssistantItem(node, ptr, index, reader);
}

/** Fields that only repeat the request or say how far the answer is [R §4.1]. */
const ECHOED: ReadonlySet<string> = new Set([
  'status',
  'completed_at',
  'error',
  'incomplete_details',
  'output_text',
  'background',
  'instructions',
  'max_output_tokens',
  'max_tool_calls',
  'parallel_tool_calls',
  'previous_response_id',
  'conversation',
  'prompt',
  'prompt_cache_key',
  'prompt_cache_retention',
  'prompt_cache_options',
  'reasoning',
  'safety_identifier',
  'store',
  'temperature',
  'text',
  'tool_choice',
  'tools',
  'top_logprobs',
  'top_p',
  'truncation',
  'user',
  'metadata',
  'frequency_penalty',
  'presence_penalty',
  'access_programs',
  'image',
  'context_management',
  'tool_usage',
]);

/** What a response object says besides its output: its echo, and what only this dialect knows. */
export function bagsOf(body: JsonObject): { [dialect: string]: JsonObject } {
  const echo: JsonObject = {};
  const bag: JsonObject = {};
  for (const key of Object.keys(body)) {
    if (READ.has(key)) continue;
    put(ECHOED.has(key) || body[key] === null ? echo : bag, key, body[key]);
  }
  return { [DIALECT]: withEcho(bag, echo) };
}

/**
 * A whole answer. Throws TranslationError: the backend's own failure for an error body, `upstream` for a body that is no
 * answer or is not finished.
 */
export function decodeResponse(body: unknown, context: DecodeResponseContext): CanonicalResponse {
  const reader = backendReader(context);
  const raw = check(wire.looseObject, body, '', reader);
  if (raw.object !== 'response' && raw.error !== undefined && raw.error !== null && raw.output === undefined) {
    const error = decodeInBandError(raw);
    throw new TranslationError(error.kind, error.message, { code: error.code, dialect: DIALECT });
  }
  const fields = check(wire.responseBody, raw, '', reader);
  const parts = (fields.output ?? []).flatMap((node, index) => decodeOutputItem(node, index, reader));
  const ending = decodeFinish(raw, parts);
  if (ending === undefined) {
    throw new TranslationError('upstream', `the answer is not finished: its status is ${fields.status ?? 'missing'}`, {
      dialect: DIALECT,
      code: 'upstream_incomplete',
    });
  }
  const words = [
    ...(fields.usage === null ? ['null:usage'] : []),
    ...(fields.output === undefined || fields.output === null ? ['no:output'] : []),
    ...(fields.created_at === null ? ['null:created_at'] : []),
    ...(fields.service_tier === null ? ['null:service_tier'] : []),
    ...(raw.object === undefined ? ['no:object'] : []),
  ];
  const hosted = decodeToolUsage(raw.tool_usage);
  const usage = fields.usage ? decodeUsage(fields.usage, '/usage', reader) : undefined;
  return {
    source: DIALECT,
    id: fields.id,
    model: fields.model ?? '',
    createdAt: fields.created_at ?? undefined,
    parts,
    finish: ending.finish,
    usage: usage === undefined || hosted === undefined ? usage : { ...usage, hosted },
    tier: fields.service_tier ?? undefined,
    error: ending.error,
    ext: bagsOf(raw),
    src: words.length === 0 ? { ptr: '' } : { ptr: '', shape: words },
  };
}

/** A whole answer for a client; an answer of this dialect is printed as it came. */
export function encodeResponse(response: CanonicalResponse, context: EncodeResponseContext): JsonObject {
  return response.source === DIALECT ? encodeNative(response) : encodeForeign(response, context);
}

function encodeNative(response: CanonicalResponse): JsonObject {
  const words = response.src?.shape ?? [];
  const body: JsonObject = {
    id: response.id,
    ...Object.fromEntries(Object.entries(bagOf(response) ?? {})),
    ...echoIn(response.ext),
  };
  if (!words.includes('no:object')) body.object = 'response';
  if (response.createdAt !== undefined) body.created_at = response.createdAt;
  if (response.model !== '') body.model = response.model;
  if (!words.includes('no:output')) body.output = nativeOutput(response.parts);
  if (response.usage !== undefined) body.usage = encodeNativeUsage(response.usage);
  if (response.tier !== undefined) body.service_tier = response.tier;
  for (const word of words) if (word.startsWith('null:')) body[word.slice(5)] = null;
  if (response.finish.dialect !== DIALECT) body.status = 'completed';
  return body;
}

function nativeOutput(parts: readonly Part[]): unknown {
  if (parts.length === 0) return [];
  const turns = [{ role: 'assistant', parts } as const];
  return encodeInput({ source: DIALECT, model: '', stream: false, instructions: [], turns, tools: [] }, [], NATIVE);
}

function encodeForeign(response: CanonicalResponse, context: EncodeResponseContext): JsonObject {
  dropExtras(response, DIALECT, context.losses);
  reportEnvelope(response, context.losses);
  const id = responseId(response.id, context.nonce);
  const writer = createAnswerWriter({ responseId: id, native: false, losses: context.losses });
  response.parts.forEach((part, ix) => {
    writer.write({ type: 'part.start', ix, part });
    writer.write({ type: 'part.end', ix, part });
  });
  const { finish } = response;
  if (finish.kind === 'refusal' && !writer.refused && finish.detail) writer.refuse(finish.detail);
  const ending = encodeFinish(finish, response.error, writer, context.losses);
  writer.finish(ending.status === 'incomplete');
  return responseObject(createEnvelope(id, response.model, context), {
    status: ending.status,
    output: writer.items,
    usage:
      ending.status === 'failed' && response.usage === undefined ? null : encodeUsage(response.usage, context.losses),
    tier: tierOf(response.tier),
    completedAt: ending.status === 'completed' ? Math.floor(context.now) : undefined,
    ending,
  });
}
