import type { JsonObject } from '../../canonical/node.js';
import type { AnswerFacts, RelayedEnd, RelayedFacts } from '../../dialect.js';
import { isObject, parseJson } from '../../wire/json.js';
import { decodeUsage } from '../response/usage.js';
import { decodeError, errorFrame } from './errors.js';

const ERROR = /"error"\s*:\s*\{/;

/** Readers of bare JSON throw on the second form, readers of events on the first (translation.md 6.5). */
export const relayedEnd: RelayedEnd = {
  keeps: () => false,
  told(_event, data) {
    const parsed = ERROR.test(data) ? parseJson(data) : undefined;
    const body = parsed?.ok === true ? parsed.value : undefined;
    return isObject(body) && isObject(body.error) ? decodeError(0, body, {}) : undefined;
  },
  trailer: () => undefined,
  failure(error, { framing }) {
    const json = errorFrame(error);
    return framing === 'array' ? json : `data: ${json}\r\n\r\n${json}\r\n`;
  },
};

const CONTENT =
  /"(?:functionCall|executableCode|codeExecutionResult|inlineData|fileData|toolCall)"\s*:|"text"\s*:\s*"[^"]/;

/** Every chunk has the counts so far; the last one that has any has them all. */
export const relayedFacts: RelayedFacts = {
  keeps(_event, data) {
    const at = data.lastIndexOf('"usageMetadata"');
    return at !== -1 && data.includes('TokenCount"', at) ? 'instead' : undefined;
  },
  content: (_event, data) => CONTENT.test(data),
  read(told) {
    let facts: AnswerFacts = {};
    for (const node of told) facts = { ...facts, ...factsOf(node) };
    return facts;
  },
};

function factsOf({ candidates, usageMetadata, responseId, modelVersion }: JsonObject): AnswerFacts {
  const first: unknown = Array.isArray(candidates) ? candidates[0] : undefined;
  const finish = isObject(first) && typeof first.finishReason === 'string' ? first.finishReason : undefined;
  const usage = decodeUsage(usageMetadata);
  // Without an end, no count of what was generated means that nobody has counted yet.
  const open = finish === undefined && usage?.output === 0;
  const tier = isObject(usageMetadata) ? usageMetadata.serviceTier : undefined;
  const grounded = isObject(first) && (isObject(first.groundingMetadata) || isObject(first.urlContextMetadata));
  return {
    ...(typeof responseId === 'string' && { id: responseId }),
    ...(typeof modelVersion === 'string' && { model: modelVersion }),
    ...(finish !== undefined && { finish }),
    ...(usage !== undefined && { usage: open ? { ...usage, output: undefined } : usage }),
    ...(typeof tier === 'string' && { tier }),
    ...(grounded && { fees: true }),
  };
}
