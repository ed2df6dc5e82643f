import type { TranslatorDialect } from '../dialect.js';
import { messagesBackend } from './backend.js';
import { messagesClient } from './client.js';
import { relayedEnd, relayedFacts } from './edge/relayed.js';
import type { DIALECT } from './nodes.js';

/** The messages dialect, as translators take it. */
export const messages: TranslatorDialect<typeof DIALECT> = {
  ...messagesClient,
  ...messagesBackend,
  isTerminal: (event, data) => event === 'message_stop' || event === 'error' || (event === '' && endsUnnamed(data)),
  relayedEnd,
  relayedFacts,
};

/** Streams of data lines alone name their events inside. */
function endsUnnamed(data: string): boolean {
  return /"type"\s*:\s*"(?:message_stop|error)"/.test(data.slice(0, 200));
}
