import type { Dialect } from '../dialect.js';
import { count } from './edge/count.js';
import { endpoint } from './edge/endpoint.js';
import { requestFields } from './edge/fields.js';
import { decodeLimits, encodeLimits } from './edge/limits.js';
import { models } from './edge/models.js';
import { wholeAsStream } from './edge/whole.js';
import { foreignMark, withholdState } from './edge/withhold.js';
import type { DIALECT } from './nodes.js';
import { mainline, outputLimit, profileNames, takenForNewest } from './profile.js';
import { generateContent as translation } from './translation.js';

/** The generateContent dialect, with what a host needs of it. */
export const generateContent: Dialect<typeof DIALECT> = {
  ...translation,
  requestFields,
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
  foreignMark,
  wholeAsStream,
};
