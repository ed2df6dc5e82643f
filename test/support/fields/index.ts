import type { DialectId } from '../../../translators/index.js';
import type { Documented } from './documented.js';
import { GENERATE_CONTENT_FIELDS } from './generate-content.js';
import { MESSAGES_FIELDS } from './messages.js';
import { RESPONSES_FIELDS } from './responses.js';

/** Every documented object of a request, by dialect. */
export const DOCUMENTED: Record<DialectId, readonly Documented[]> = {
  messages: MESSAGES_FIELDS,
  responses: RESPONSES_FIELDS,
  generateContent: GENERATE_CONTENT_FIELDS,
};
