import type { RequestDialect } from '../dialect.js';
import { generateContentBackendRequests } from './backend-requests.js';
import { generateContentClientRequests } from './client-requests.js';
import type { DIALECT } from './nodes.js';

/** What reads and writes the requests of the generateContent dialect. */
export const generateContentRequests: RequestDialect<typeof DIALECT> = {
  ...generateContentClientRequests,
  ...generateContentBackendRequests,
};
