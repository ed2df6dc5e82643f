import type { DialectId } from '../../../translators/index.js';
import { chatCompletions } from './chat-completions.js';
import { generateContent } from './generate-content.js';
import { messages } from './messages.js';
import { responses } from './responses.js';
import type { Speech } from './speech.js';

export type { Speech } from './speech.js';

/** What each dialect is asked in. */
export const SPEECHES: Readonly<Record<DialectId, Speech>> = {
  chatCompletions,
  messages,
  responses,
  generateContent,
};
