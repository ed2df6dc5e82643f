import { chatCompletions } from './chat-completions/index.js';
import type { Dialect } from './dialect.js';
import type { DialectId } from './dialect-ids.js';
import { generateContent } from './generate-content/index.js';
import { messages } from './messages/index.js';
import { responses } from './responses/index.js';

export { type DialectId, dialectIds, isDialectId } from './dialect-ids.js';

/** Every dialect there is. */
export const dialects = {
  messages,
  responses,
  generateContent,
  chatCompletions,
} as const satisfies Record<DialectId, Dialect>;
