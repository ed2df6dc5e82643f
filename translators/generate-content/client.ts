import type { ClientDialect } from '../dialect.js';
import { answerRules } from './answer/rules.js';
import { generateContentClientRequests } from './client-requests.js';
import { encodeError } from './edge/errors.js';
import type { DIALECT } from './nodes.js';
import { encodeResponse } from './response/encode.js';
import { createStreamEncoder } from './stream/encode.js';

/** The half of the generateContent dialect that is spoken with its clients. */
export const generateContentClient: ClientDialect<typeof DIALECT> = {
  ...generateContentClientRequests,
  answerRules,
  encodeResponse,
  createStreamEncoder,
  encodeError,
};
