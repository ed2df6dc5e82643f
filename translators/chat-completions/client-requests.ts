import type { ClientRequestDialect } from '../dialect.js';
import { mediaPath } from './content/media.js';
import { likeness } from './edge/fields.js';
import { DIALECT } from './nodes.js';
import { decodeRequest } from './request/decode.js';
import { schemaFields } from './schema/fields.js';

/** What reads the requests of clients of the chatCompletions dialect. */
export const chatCompletionsClientRequests: ClientRequestDialect<typeof DIALECT> = {
  id: DIALECT,
  vendor: 'openai',
  bodyKeys: ['messages'],
  likeness,
  schemaFields,
  mediaPath,
  decodeRequest,
};
