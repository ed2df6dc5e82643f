import type { RequestDialect } from '../dialect.js';
import { chatCompletionsBackendRequests } from './backend-requests.js';
import { chatCompletionsClientRequests } from './client-requests.js';
import type { DIALECT } from './nodes.js';

/** What reads and writes the requests of the chatCompletions dialect. */
export const chatCompletionsRequests: RequestDialect<typeof DIALECT> = {
  ...chatCompletionsClientRequests,
  ...chatCompletionsBackendRequests,
};
