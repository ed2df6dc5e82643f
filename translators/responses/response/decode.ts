import type { Part } from '../../canonical/content.js';
import { TranslationError } from '../../canonical/errors.js';
import type { JsonObject } from '../../canonical/node.js';
import type { CanonicalResponse } from '../../canonical/response.js';
import type { DecodeResponseContext } from '../../dialect.js';
import { decodeAssistantItem } from '../content/items.js';
import { decodeAssistantMessage } from '../content/messages.js';
import { decodeInBandError } from '../edge/errors.js';
import { check, DIALECT, put, type Reader, remember, withEcho } from '../nodes.js';
import { members } from '../request/members.js';
import { asEnded } from '../restored/index.js';
import * as wire from '../wire/index.js';
import { decodeFinish } from './stop.js';
import { decodeToolUsage, decodeUsage } from './usage.js';

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
  ...Object.keys(members),
  'status',
  'completed_at',
  'error',
  'incomplete_details',
  'output_text',
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
  const raw = asEnded(check(wire.looseObject, body, '', reader), context);
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
  const hosted = decodeToolUsage(raw.tool_usage);
  const usage = fields.usage ? decodeUsage(fields.usage, '/usage', reader) : undefined;
  const answer: CanonicalResponse = {
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
    src: { ptr: '' },
  };
  return remember(answer, raw);
}
