import { chatCompletions } from './chat-completions/index.js';
import type { Dialect } from './dialect.js';
import { generateContent } from './generate-content/index.js';
import { messages } from './messages/index.js';
import { responses } from './responses/index.js';

/** Every dialect there is. A new one is a folder and a line here. */
export const dialects = {
  messages,
  responses,
  generateContent,
  chatCompletions,
} as const satisfies Record<string, Dialect>;

/** The name of a dialect. */
export type DialectId = keyof typeof dialects;

export const dialectIds = Object.keys(dialects) as readonly DialectId[];

/** Whether a word is the id of a dialect. */
export function isDialectId(word: unknown): word is DialectId {
  return typeof word === 'string' && Object.hasOwn(dialects, word);
}
