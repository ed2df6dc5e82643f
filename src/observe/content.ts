import type { Logger, Redact } from '../ground/index.js';
import { type ClientCall, type Content, createSaid, isText, redactorFor, type Said, saidText } from '../http/index.js';

/** A line for what was asked and one for what was answered. Secrets are taken out. */
export function reportContent(logger: Logger, call: ClientCall, content: Content, hide: Redact): void {
  const redact = redactorFor(call, hide);
  const id = redact(call.id);
  logSaid(logger, id, 'request', content.request, redact);
  if (isText(content.type)) {
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
  const found = saidText(said, redact);
  if (found !== undefined) logger.info({ id, side, ...found }, 'content');
}
