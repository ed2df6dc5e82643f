import type { RequestDialect } from '../dialect.js';
import { messagesBackendRequests } from './backend-requests.js';
import { messagesClientRequests } from './client-requests.js';
import type { DIALECT } from './nodes.js';

/** What reads and writes the requests of the messages dialect. */
export const messagesRequests: RequestDialect<typeof DIALECT> = {
  ...messagesClientRequests,
  ...messagesBackendRequests,
};
