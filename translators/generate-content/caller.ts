import type { CallerDialect } from '../dialect.js';
import { generateContentClient } from './client.js';
import { clientCount } from './edge/count.js';
import { dataMembers } from './edge/data.js';
import { encodeLimits } from './edge/limits.js';
import { models } from './edge/models.js';
import type { DIALECT } from './nodes.js';

/** The half of the generateContent dialect for clients, with what a host needs of it that calls services for them. */
export const generateContentCaller: CallerDialect<typeof DIALECT> = {
  ...generateContentClient,
  requestFields: { betas: [], data: dataMembers },
  encodeLimits,
  count: clientCount,
  models,
};
