import type { DialectId } from '../library.js';
import { chatCompletions } from './chat-completions.js';
import { generateContent } from './generate-content.js';
import { messages } from './messages.js';
import { responses } from './responses.js';
import type { Sdk } from './sdk.js';

export type { Copied, Sdk } from './sdk.js';

/** The SDKs of the dialects, by which programs are both read and written; a dialect without one has none. */
export const SDKS: Readonly<Partial<Record<DialectId, Sdk>>> = {
  messages,
  responses,
  chatCompletions,
  generateContent,
};
