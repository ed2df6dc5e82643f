import type { Logger, Redact } from '../ground/index.js';
import { type ClientCall, type Content, createSaid, LOGGED_BYTES, type Said } from '../http/index.js';
import { credentials } from '../protocol/index.js';

/** A line for what was asked and one for what was answered. Secrets are taken out. */
export function reportContent(
  logger: Logger,
  { id: given, request, query }: ClientCall,
  content: Content,
  hide: Redact,
): void {
  // Of keys of callers the configuration has digests alone, but this caller's is at hand.
  const keys = credentials(request.headers, query);
  const redact: Redact = (text) => keys.reduce((rest, key) => rest.replaceAll(key, '[redacted]'), hide(text));
  const id = redact(given);
  logSaid(logger, id, 'request', content.request, redact);
  if (TEXT.test(content.type)) {
    logSaid(logger, id, 'answer', content.answer, redact);
  } else if (content.answer.bytes > 0) {
    logger.info({ id, side: 'answer', bytes: content.answer.bytes }, 'content');
  }
}

/** A line for an answer that was made in the background. */
export function reportMade(logger: Logger, id: string, text: string, redact: Redact): void {
  logSaid(logger, id, 'answer', createSaid(Buffer.from(text)), redact);
}

function logSaid(logger: Logger, id: string, side: 'request' | 'answer', said: Said, redact: Redact): void {
  if (said.bytes === 0) return;
  const text = redact(Buffer.concat(said.chunks).subarray(0, LOGGED_BYTES).toString());
  const cut = said.bytes > Math.min(said.kept, LOGGED_BYTES);
  logger.info({ id, side, bytes: said.bytes, ...(cut && { cut }), text }, 'content');
}

const TEXT = /^(?:text\/|application\/(?:[\w.+-]+\+)?json)/i;
