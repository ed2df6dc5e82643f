import type { Dialect } from '../dialect.js';
import { count } from './edge/count.js';
import { decodeError, encodeError } from './edge/errors.js';
import { likeness, requestFields } from './edge/fields.js';
import { decodeLimits, encodeLimits } from './edge/limits.js';
import { models } from './edge/models.js';
import { relayedEnd, relayedFacts } from './edge/relayed.js';
import { resume } from './edge/resume.js';
import { foreignMarks, withholdState } from './edge/withhold.js';
import { DIALECT } from './nodes.js';
import { profile } from './profile.js';
import { decodeRequest } from './request/decode.js';
import { encodeRequest } from './request/encode.js';
import { decodeResponse } from './response/decode.js';
import { encodeResponse } from './response/encode.js';
import { rules } from './rules.js';
import { schemaFields } from './schema/encode.js';
import { fitHost } from './servers/index.js';
import { createStreamDecoder } from './stream/decode.js';
import { createStreamEncoder } from './stream/encode.js';

/** The messages dialect. */
export const messages: Dialect = {
  id: DIALECT,
  bodyKeys: ['messages'],
  likeness,
  requestFields,
  schemaFields,
  mediaPath: () => '/source',
  rules,
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  createStreamDecoder,
  createStreamEncoder,
  decodeError,
  encodeError,
  decodeLimits,
  encodeLimits,
  count,
  models,
  profile,
  endpoint(operation) {
    switch (operation) {
      case 'create':
        return '/v1/messages';
      case 'count':
        return '/v1/messages/count_tokens';
      case 'models':
        return '/v1/models?limit=1000';
    }
  },
  resume,
  withholdState,
  fitHost,
  foreignMarks,
  relayedEnd,
  relayedFacts,
  isTerminal: (event, data) => event === 'message_stop' || event === 'error' || (event === '' && endsUnnamed(data)),
};

/** Streams of data lines alone name their events inside. */
function endsUnnamed(data: string): boolean {
  return /"type"\s*:\s*"(?:message_stop|error)"/.test(data.slice(0, 200));
}
