import type { Dialect } from '../dialect.js';
import { count } from './edge/count.js';
import { decodeError, encodeError } from './edge/errors.js';
import { requestFields } from './edge/fields.js';
import { decodeLimits, encodeLimits } from './edge/limits.js';
import { endpoint, models } from './edge/models.js';
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
import { createStreamDecoder } from './stream/decode.js';
import { createStreamEncoder } from './stream/encode.js';

/** The generateContent dialect. */
export const generateContent: Dialect = {
  id: DIALECT,
  bodyKeys: ['contents', 'generationConfig', 'systemInstruction'],
  requestFields,
  schemaFields,
  mediaPath: ({ mime }) => (mime === undefined ? '/inlineData/mimeType' : ''),
  rules,
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  createStreamDecoder,
  createStreamEncoder,
  decodeError: decodeError,
  encodeError,
  decodeLimits,
  encodeLimits,
  count,
  models,
  profile,
  endpoint,
  resume,
  withholdState,
  foreignMarks,
  relayedEnd,
  relayedFacts,
  isTerminal,
};

/** A key stands in quotes and is never escaped, so that a text which only speaks of one does not count. */
function isTerminal(_event: string, data: string): boolean {
  return data.includes('"finishReason"') || data.includes('"blockReason"') || /^\s*\{\s*"error"\s*:/.test(data);
}
