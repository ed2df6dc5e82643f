import type { BackendDialect } from '../dialect.js';
import { responsesBackendRequests } from './backend-requests.js';
import { decodeError } from './edge/errors.js';
import type { DIALECT } from './nodes.js';
import { decodeResponse } from './response/decode.js';
import { createStreamDecoder } from './stream/decode.js';

/** The half of the responses dialect that is spoken with its services. */
export const responsesBackend: BackendDialect<typeof DIALECT> = {
  ...responsesBackendRequests,
  decodeResponse,
  createStreamDecoder,
  decodeError,
};
