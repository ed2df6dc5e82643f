import type { JsonObject } from '../canonical/node.js';
import type { RelayedEnd } from '../dialect.js';
import { isObject, parseJson } from '../wire/json.js';
import { formatSse } from '../wire/sse.js';
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
