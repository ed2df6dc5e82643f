import type { JsonObject } from '../../canonical/node.js';
import type { AnswerFacts, RelayedEnd, RelayedFacts } from '../../dialect.js';
import { isObject, parseJson } from '../../wire/json.js';
import { formatSse } from '../../wire/sse.js';
import { decodeUsage, tierOf } from '../response/usage.js';
import { decodeError, errorBody } from './errors.js';

const REASON = /"stop_reason"\s*:\s*"/;
const UNNAMED = /"type"\s*:\s*"message_delta"/;
const UNNAMED_ERROR = /"type"\s*:\s*"error"/;

/** After the stop reason nothing is missing but the last event; before it the answer broke off (translation.md 6.5). */
export const relayedEnd: RelayedEnd = {
  keeps: (event, data) =>
    (event === 'message_delta' || (event === '' && UNNAMED.test(data.slice(0, 200)))) && REASON.test(data),
  told(event, data) {
    if (event === '' ? !UNNAMED_ERROR.test(data.slice(0, 200)) : event !== 'error') return undefined;
    const parsed = parseJson(data);
    return decodeError(200, parsed.ok ? parsed.value : undefined, {});
  },
  trailer: ([reason]) => (reason === undefined ? undefined : formatSse('message_stop', '{"type":"message_stop"}')),
  failure: (error, _seen, { requestId }) => formatSse('error', JSON.stringify(errorBody(error, requestId))),
};

const COUNTING = /"type"\s*:\s*"message_(?:start|delta)"/;
const UNNAMED_CONTENT = /"type"\s*:\s*"content_block_delta"/;
const UNNAMED_START = /"type"\s*:\s*"content_block_start"/;
const CALL = /"type"\s*:\s*"\w*tool_use"/;

/** Begins with the counts of the input; those of the output are next to the reason of the end [M §5.5]. */
export const relayedFacts: RelayedFacts = {
  keeps(event, data) {
    const counts = event === '' ? COUNTING.test(data) : event === 'message_start' || event === 'message_delta';
    return counts ? 'beside' : undefined;
  },
  content(event, data) {
    if (event === 'content_block_delta') return true;
    if (event !== '' && event !== 'content_block_start') return false;
    return (event === '' && UNNAMED_CONTENT.test(data)) || (UNNAMED_START.test(data) && CALL.test(data));
  },
  read(kept) {
    let facts: AnswerFacts = {};
    let usage: JsonObject | undefined;
    for (const node of kept) {
      if (isObject(node.message)) {
        facts = { ...facts, ...named(node.message) };
        if (isObject(node.message.usage)) {
          // The output count at the start is a placeholder [M §5.5].
          const { output_tokens: _placeholder, ...counts } = node.message.usage;
          usage = counts;
        }
        continue;
      }
      const holder = isObject(node.delta) ? node.delta : node;
      if (node.type === 'message') facts = { ...facts, ...named(node) };
      if (typeof holder.stop_reason === 'string') facts = { ...facts, finish: holder.stop_reason };
      // Where code ran, there is a container.
      if (isObject(holder.container)) facts = { ...facts, fees: true };
      const counts = isObject(node.usage) ? node.usage : holder.usage;
      if (isObject(counts)) usage = { ...usage, ...known(counts) };
    }
    return usage === undefined ? facts : { ...facts, usage: decodeUsage(usage, '/usage'), tier: tierOf(usage) };
  },
};

function named({ id, model }: JsonObject): AnswerFacts {
  return {
    ...(typeof id === 'string' && { id }),
    ...(typeof model === 'string' && { model }),
  };
}

function known(counts: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(counts).filter(([, value]) => value !== null && value !== undefined));
}
