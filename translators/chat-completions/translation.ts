import type { TranslatorDialect } from '../dialect.js';
import { decodeError, encodeError } from './edge/errors.js';
import { isTerminal, relayedEnd, relayedFacts } from './edge/relayed.js';
import type { DIALECT } from './nodes.js';
import { chatCompletionsRequests } from './requests.js';
import { decodeResponse } from './response/decode.js';
import { encodeResponse } from './response/encode.js';
import { createStreamDecoder } from './stream/decode.js';
import { createStreamEncoder } from './stream/encode.js';

/**
 * The dialect of `/v1/chat/completions` (protocols/chat-completions.md). Service roots hold the version, or whatever else a
 * server has before `/chat/completions` [H §1.1].
 */
export const chatCompletions: TranslatorDialect<typeof DIALECT> = {
  ...chatCompletionsRequests,
  decodeResponse,
  encodeResponse,
  createStreamDecoder,
  createStreamEncoder,
  decodeError,
  encodeError,
  isTerminal,
  relayedEnd,
  relayedFacts,
};
