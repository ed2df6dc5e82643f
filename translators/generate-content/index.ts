import type { Dialect } from '../dialect.js';
import { count } from './count.js';
import { decodeFailure, decodeLimits, encodeError, encodeLimits } from './errors.js';
import { models } from './models.js';
import { endpoint } from './names.js';
import { profile } from './profile.js';
import { relayedEnd } from './relayed-end.js';
import { relayedFacts } from './relayed-facts.js';
import { decodeRequest, encodeRequest } from './request.js';
import { decodeResponse, encodeResponse } from './response.js';
import { resume } from './resume.js';
import { rules } from './rules.js';
import { createStreamDecoder } from './stream-decode.js';
import { createStreamEncoder } from './stream-encode.js';
import { FOREIGN_MARKS, withholdState } from './withhold.js';

/** The generateContent dialect. */
export const generateContent: Dialect = {
  id: 'generateContent',
  rules,
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  createStreamDecoder,
  createStreamEncoder,
  decodeError: decodeFailure,
  encodeError,
  decodeLimits,
  encodeLimits,
  count,
  models,
  profile,
  endpoint,
  resume,
  withholdState,
  foreignMarks: FOREIGN_MARKS,
  relayedEnd,
  relayedFacts,
  isTerminal,
};

/** A key stands in quotes and is never escaped, so that a text which only speaks of one does not count. */
function isTerminal(_event: string, data: string): boolean {
  return data.includes('"finishReason"') || data.includes('"blockReason"') || /^\s*\{\s*"error"\s*:/.test(data);
}
