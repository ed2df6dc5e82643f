import type { RelayedEnd } from '../dialect.js';
import { formatSse } from '../wire/sse.js';
import { errorBody } from './errors.js';

const REASON = /"stop_reason"\s*:\s*"/;
const UNNAMED = /"type"\s*:\s*"message_delta"/;

/** After the stop reason nothing is missing but the last event; before it the answer broke off (translation.md 6.5). */
export const relayedEnd: RelayedEnd = {
  keeps: (event, data) =>
    (event === 'message_delta' || (event === '' && UNNAMED.test(data.slice(0, 200)))) && REASON.test(data),
  trailer: ([reason]) => (reason === undefined ? undefined : formatSse('message_stop', '{"type":"message_stop"}')),
  failure: (error, _seen, { requestId }) => formatSse('error', JSON.stringify(errorBody(error, requestId))),
};
