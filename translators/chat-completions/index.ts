import type { Dialect } from '../dialect.js';
import { mediaPath } from './content/media.js';
import { count } from './edge/count.js';
import { decodeError, encodeError, errorIn } from './edge/errors.js';
import { likeness, requestFields } from './edge/fields.js';
import { decodeLimits, encodeLimits } from './edge/limits.js';
import { models } from './edge/models.js';
import { isTerminal, relayedEnd, relayedFacts } from './edge/relayed.js';
import { foreignMarks, withholdState } from './edge/withhold.js';
import { DIALECT } from './nodes.js';
import { profile } from './profile.js';
import { decodeRequest } from './request/decode.js';
import { encodeRequest } from './request/encode.js';
import { decodeResponse } from './response/decode.js';
import { encodeResponse } from './response/encode.js';
import { rules } from './rules.js';
import { schemaFields } from './schema/encode.js';
import { createStreamDecoder } from './stream/decode.js';
import { createStreamEncoder } from './stream/encode.js';

/**
 * The dialect of `/v1/chat/completions` (protocols/chat-completions.md). Service roots hold the version, or whatever else a
 * server has before `/chat/completions` [H §1.1].
 */
export const chatCompletions: Dialect = {
  id: DIALECT,
  bodyKeys: ['messages'],
  likeness,
  requestFields,
  schemaFields,
  mediaPath,
  rules,
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  createStreamDecoder,
  createStreamEncoder,
  decodeError,
  encodeError,
  errorIn,
  decodeLimits,
  encodeLimits,
  count,
  models,
  profile,
  endpoint: (operation) => (operation === 'models' ? '/models' : '/chat/completions'),
  relayedEnd,
  relayedFacts,
  isTerminal,
  withholdState,
  foreignMarks,
};
