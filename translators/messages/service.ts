import type { ServiceDialect } from '../dialect.js';
import { messagesBackend } from './backend.js';
import { serviceCount } from './edge/count.js';
import { endpoint } from './edge/endpoint.js';
import { asVendorError } from './edge/errors.js';
import { decodeLimits } from './edge/limits.js';
import { models } from './edge/models.js';
import { wholeAsStream } from './edge/whole.js';
import type { DIALECT } from './nodes.js';

/** The half of the messages dialect for services, with what a host needs of it that calls them. */
export const messagesService: ServiceDialect<typeof DIALECT> = {
  ...messagesBackend,
  asVendorError,
  decodeLimits,
  count: serviceCount,
  models,
  endpoint,
  wholeAsStream,
};
