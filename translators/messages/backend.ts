import type { BackendDialect } from '../dialect.js';
import { messagesBackendRequests } from './backend-requests.js';
import { decodeError } from './edge/errors.js';
import { resume } from './edge/resume.js';
import type { DIALECT } from './nodes.js';
import { decodeResponse } from './response/decode.js';
import { encodeOwnResponse } from './response/encode.js';
import { createStreamDecoder } from './stream/decode.js';

/** The half of the messages dialect that is spoken with its services. */
export const messagesBackend: BackendDialect<typeof DIALECT> = {
  ...messagesBackendRequests,
  decodeResponse,
  createStreamDecoder,
  decodeError,
  pauses: { whole: encodeOwnResponse, resume },
};
