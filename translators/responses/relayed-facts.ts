import type { JsonObject } from '../canonical/node.js';
import type { AnswerFacts, RelayedFacts } from '../dialect.js';
import { isObject } from '../wire/json.js';
import { CLIENT } from './nodes.js';
import { decodeUsage } from './usage.js';

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

function factsOf({ id, model, status, incomplete_details: details, usage }: JsonObject): AnswerFacts {
  const reason = isObject(details) ? details.reason : undefined;
  const over = typeof status === 'string' && status !== 'in_progress' && status !== 'queued';
  const counts = isObject(usage) ? countsOf(usage) : undefined;
  return {
    ...(typeof id === 'string' && { id }),
    ...(typeof model === 'string' && { model }),
    ...(over && { finish: typeof reason === 'string' ? reason : status }),
    ...(counts !== undefined && { usage: counts }),
  };
}

/** Counts that are none are unknown: what is relayed is not refused for them. */
function countsOf(usage: JsonObject): AnswerFacts['usage'] {
  try {
    return decodeUsage(usage, '/usage', CLIENT);
  } catch {
    return undefined;
  }
}
