import type { TranslatorDialect } from '../dialect.js';
import { decodeError, encodeError } from './edge/errors.js';
import { relayedEnd, relayedFacts } from './edge/relayed.js';
import { resume } from './edge/resume.js';
import type { DIALECT } from './nodes.js';
import { messagesRequests } from './requests.js';
import { decodeResponse } from './response/decode.js';
import { encodeResponse } from './response/encode.js';
import { createStreamDecoder } from './stream/decode.js';
import { createStreamEncoder } from './stream/encode.js';

/** The messages dialect, as translators take it. */
export const messages: TranslatorDialect<typeof DIALECT> = {
  ...messagesRequests,
  decodeResponse,
  encodeResponse,
  createStreamDecoder,
  createStreamEncoder,
  decodeError,
  encodeError,
  resume,
  isTerminal: (event, data) => event === 'message_stop' || event === 'error' || (event === '' && endsUnnamed(data)),
  relayedEnd,
  relayedFacts,
};

/** Streams of data lines alone name their events inside. */
function endsUnnamed(data: string): boolean {
  return /"type"\s*:\s*"(?:message_stop|error)"/.test(data.slice(0, 200));
}
