import type { BackendDialect } from '../dialect.js';
import { chatCompletionsBackendRequests } from './backend-requests.js';
import { decodeError } from './edge/errors.js';
import type { DIALECT } from './nodes.js';
import { decodeResponse } from './response/decode.js';
import { createStreamDecoder } from './stream/decode.js';

/** The half of the chatCompletions dialect that is spoken with its services. */
export const chatCompletionsBackend: BackendDialect<typeof DIALECT> = {
  ...chatCompletionsBackendRequests,
  decodeResponse,
  createStreamDecoder,
  decodeError,
};
