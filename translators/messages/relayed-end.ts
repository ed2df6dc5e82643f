import type { RelayedEnd } from '../dialect.js';
import { parseJson } from '../wire/json.js';
import { formatSse } from '../wire/sse.js';
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
