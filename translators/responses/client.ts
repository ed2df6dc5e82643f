import type { ClientDialect } from '../dialect.js';
import { answerRules } from './answer/rules.js';
import { responsesClientRequests } from './client-requests.js';
import { encodeError } from './edge/errors.js';
import type { DIALECT } from './nodes.js';
import { encodeResponse } from './response/encode.js';
import { createStreamEncoder } from './stream/encode.js';

/** The half of the responses dialect that is spoken with its clients. */
export const responsesClient: ClientDialect<typeof DIALECT> = {
  ...responsesClientRequests,
  answerRules,
  encodeResponse,
  createStreamEncoder,
  encodeError,
};
