import type { Dialect, DialectId } from './dialect.js';
import { generateContent } from './generate-content/index.js';
import { messages } from './messages/index.js';
import { responses } from './responses/index.js';

/** Every dialect there is. A new one is a folder and a line here. */
export const dialects = { messages, responses, generateContent } as const satisfies Record<DialectId, Dialect>;

export const dialectIds = Object.keys(dialects) as readonly DialectId[];

/** Whether a word is the id of a dialect. */
export function isDialectId(word: unknown): word is DialectId {
  return typeof word === 'string' && Object.hasOwn(dialects, word);
}

/** The dialect a request body is most likely written in, from the keys only one dialect has; undefined when none fits. */
export function detectDialect(body: unknown): DialectId | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  if ('contents' in body || 'generationConfig' in body || 'systemInstruction' in body) return 'generateContent';
  if ('input' in body || 'instructions' in body || 'previous_response_id' in body) return 'responses';
  if ('messages' in body) return 'messages';
  return undefined;
}
