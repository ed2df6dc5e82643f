import type { ServiceDialect } from '../dialect.js';
import { chatCompletionsBackend } from './backend.js';
import { serviceCount } from './edge/count.js';
import { endpoint } from './edge/endpoint.js';
import { errorIn } from './edge/errors.js';
import { decodeLimits } from './edge/limits.js';
import { models } from './edge/models.js';
import { wholeAsStream } from './edge/whole.js';
import type { DIALECT } from './nodes.js';

/** The half of the chatCompletions dialect for services, with what a host needs of it that calls them. */
export const chatCompletionsService: ServiceDialect<typeof DIALECT> = {
  ...chatCompletionsBackend,
  errorIn,
  decodeLimits,
  count: serviceCount,
  models,
  endpoint,
  wholeAsStream,
};
