import type { RequestDialect } from '../dialect.js';
import { responsesBackendRequests } from './backend-requests.js';
import { responsesClientRequests } from './client-requests.js';
import type { DIALECT } from './nodes.js';

/** What reads and writes the requests of the responses dialect. */
export const responsesRequests: RequestDialect<typeof DIALECT> = {
  ...responsesClientRequests,
  ...responsesBackendRequests,
};
