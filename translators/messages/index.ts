import type { Dialect } from '../dialect.js';
import { count } from './count.js';
import { decodeError, encodeError } from './errors.js';
import { decodeLimits, encodeLimits } from './limits.js';
import { models } from './models.js';
import { profile } from './profiles.js';
import { relayedEnd } from './relayed-end.js';
import { relayedFacts } from './relayed-facts.js';
import { decodeRequest, encodeRequest } from './request.js';
import { decodeResponse, encodeResponse } from './response.js';
import { resume } from './resume.js';
import { RULES } from './rules.js';
import { createStreamDecoder } from './stream-decode.js';
import { createStreamEncoder } from './stream-encode.js';
import { FOREIGN_MARKS, withholdState } from './withhold.js';

/** The messages dialect. */
export const messages: Dialect = {
  id: 'messages',
  rules: RULES,
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
  foreignMarks: FOREIGN_MARKS,
  relayedEnd,
  relayedFacts,
  isTerminal: (event, data) => event === 'message_stop' || event === 'error' || (event === '' && endsUnnamed(data)),
};

/** Streams of data lines alone name their events inside. */
function endsUnnamed(data: string): boolean {
  return /"type"\s*:\s*"(?:message_stop|error)"/.test(data.slice(0, 200));
}
