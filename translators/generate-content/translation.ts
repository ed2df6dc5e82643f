import type { TranslatorDialect } from '../dialect.js';
import { decodeError, encodeError } from './edge/errors.js';
import { relayedEnd, relayedFacts } from './edge/relayed.js';
import { resume } from './edge/resume.js';
import type { DIALECT } from './nodes.js';
import { generateContentRequests } from './requests.js';
import { decodeResponse } from './response/decode.js';
import { encodeResponse } from './response/encode.js';
import { createStreamDecoder } from './stream/decode.js';
import { createStreamEncoder } from './stream/encode.js';

/** The generateContent dialect, as translators take it. */
export const generateContent: TranslatorDialect<typeof DIALECT> = {
  ...generateContentRequests,
  decodeResponse,
  encodeResponse,
  createStreamDecoder,
  createStreamEncoder,
  decodeError,
  encodeError,
  resume,
  isTerminal,
  relayedEnd,
  relayedFacts,
};

/** A key stands in quotes and is never escaped, so that a text which only speaks of one does not count. */
function isTerminal(_event: string, data: string): boolean {
  return data.includes('"finishReason"') || data.includes('"blockReason"') || /^\s*\{\s*"error"\s*:/.test(data);
}
