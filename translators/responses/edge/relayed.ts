import type { JsonObject } from '../../canonical/node.js';
import type { AnswerFacts, RelayedEnd, RelayedFacts } from '../../dialect.js';
import { isObject, parseJson } from '../../wire/json.js';
import { formatSse } from '../../wire/sse.js';
import { CLIENT } from '../nodes.js';
import { decodeToolUsage, decodeUsage } from '../response/usage.js';
import { decodeInBandError, errorBody, inBandCode } from './errors.js';

const KEPT = /^response\.(?:created|output_item\.done)$/;
const TYPE = /"type"\s*:\s*"(response\.(?:created|output_item\.done))"/;
const FAILED = /"type"\s*:\s*"(?:error|response\.failed)"/;

/**
 * A relayed stream that breaks ends in an error and, when its response had begun, in that response as it failed: with
 * the items that were done (translation.md 6.5). Only what was kept is parsed, and only then.
 */
export const relayedEnd: RelayedEnd = {
  keeps: (event, data) => (event === '' ? TYPE.test(data.slice(0, 200)) : KEPT.test(event)),
  told(event, data) {
    if (event === '' ? !FAILED.test(data) : event !== 'error' && event !== 'response.failed') return undefined;
    const node = objectIn(data);
    const type = event === '' ? node.type : event;
    if (type === 'error') return decodeInBandError(node);
    return type === 'response.failed' ? decodeInBandError(node.response) : undefined;
  },
  trailer: () => undefined,
  failure(error, { kept, last }) {
    const number = nextNumber(last);
    const body = errorBody(error);
    const { code, message, param } = body;
    const told = frame('error', number, { error: body, code, message, param });
    const events = kept.map(objectIn);
    const begun = events.find(({ response }) => isObject(response))?.response;
    if (!isObject(begun)) return told;
    const output = events.map(({ item }) => item).filter(isObject);
    const response = { ...begun, status: 'failed', error: { code: inBandCode(error), message }, output };
    return told + frame('response.failed', number + 1, { response });
  },
};

function frame(type: string, sequence_number: number, members: JsonObject): string {
  return formatSse(type, JSON.stringify({ type, sequence_number, ...members }));
}

function nextNumber(last: string | undefined): number {
  const { sequence_number: number } = objectIn(last ?? '');
  return typeof number === 'number' ? number + 1 : 0;
}

function objectIn(data: string): JsonObject {
  const parsed = parseJson(data);
  return parsed.ok && isObject(parsed.value) ? parsed.value : {};
}

const TELLING = /^response\.(?:created|completed|incomplete|failed)$/;
const UNNAMED = /"type"\s*:\s*"response\.(?:created|completed|incomplete|failed)"/;
const DELTA = /"type"\s*:\s*"response\.[\w.]+\.delta"/;
const ADDED = /"type"\s*:\s*"response\.output_item\.added"/;
const CALL = /"type"\s*:\s*"\w+_call"/;

/**
 * The last event holds the whole response, however it ended; the first names it. Where events have no names, some hosts
 * tell the type last.
 */
export const relayedFacts: RelayedFacts = {
  keeps(event, data) {
    return (event === '' ? UNNAMED.test(data) : TELLING.test(event)) ? 'beside' : undefined;
  },
  content(event, data) {
    if (event.endsWith('.delta')) return true;
    if (event !== '' && event !== 'response.output_item.added') return false;
    return (event === '' && DELTA.test(data)) || (ADDED.test(data) && CALL.test(data));
  },
  read(told) {
    let facts: AnswerFacts = {};
    for (const node of told) {
      const response = isObject(node.response) ? node.response : node;
      facts = { ...facts, ...factsOf(response) };
    }
    return facts;
  },
};

/** Calls that the service ran for a fee. */
const PAID = /^(?:web_search|file_search|code_interpreter|image_generation|shell)_call$/;

function factsOf(response: JsonObject): AnswerFacts {
  const { id, model, status, incomplete_details: details, usage, service_tier: tier, output } = response;
  const reason = isObject(details) ? details.reason : undefined;
  const over = typeof status === 'string' && status !== 'in_progress' && status !== 'queued';
  const counts = isObject(usage) ? countsOf(usage) : undefined;
  return {
    ...(typeof id === 'string' && { id }),
    ...(typeof model === 'string' && { model }),
    ...(over && { finish: typeof reason === 'string' ? reason : status }),
    ...(counts !== undefined && { usage: counts }),
    ...(typeof tier === 'string' && { tier }),
    ...((Array.isArray(output) && output.some(isPaid)) || decodeToolUsage(response.tool_usage) !== undefined
      ? { fees: true }
      : {}),
  };
}

function isPaid(item: unknown): boolean {
  return isObject(item) && typeof item.type === 'string' && PAID.test(item.type);
}

/** Counts that are none are unknown: what is relayed is not refused for them. */
function countsOf(usage: JsonObject): AnswerFacts['usage'] {
  try {
    return decodeUsage(usage, '/usage', CLIENT);
  } catch {
    return undefined;
  }
}
