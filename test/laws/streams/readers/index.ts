import type { DialectId } from '../../../../translators/index.js';
import { readGenerateContent } from './generate-content.js';
import { readMessages } from './messages.js';
import type { Reading } from './reading.js';
import { readResponses } from './responses.js';

export type { Reading } from './reading.js';

/** Strict readers of what clients of each dialect are sent. They throw where a rule is broken. */
export const readers: Record<DialectId, (text: string) => Reading> = {
  messages: readMessages,
  responses: readResponses,
  generateContent: readGenerateContent,
};
