import type { Dialect } from '../dialect.js';
import { count } from './edge/count.js';
import { endpoint } from './edge/endpoint.js';
import { asVendorError } from './edge/errors.js';
import { requestFields } from './edge/fields.js';
import { decodeLimits, encodeLimits } from './edge/limits.js';
import { models } from './edge/models.js';
import { wholeAsStream } from './edge/whole.js';
import { foreignMark, withholdState } from './edge/withhold.js';
import type { DIALECT } from './nodes.js';
import { mainline, outputLimit, profileNames, takenForNewest } from './profile.js';
import { fitHost } from './servers/index.js';
import { messages as translation } from './translation.js';

/** The messages dialect, with what a host needs of it. */
export const messages: Dialect<typeof DIALECT> = {
  ...translation,
  requestFields,
  asVendorError,
  decodeLimits,
  encodeLimits,
  count,
  models,
  profileNames,
  mainline,
  takenForNewest,
  outputLimit,
  endpoint,
  withholdState,
  fitHost,
  foreignMark,
  wholeAsStream,
};
