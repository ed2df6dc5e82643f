import type { ClientRequestDialect } from '../dialect.js';
import { likeness } from './edge/fields.js';
import { DIALECT } from './nodes.js';
import { decodeRequest } from './request/decode.js';
import { schemaFields } from './schema/fields.js';

/** What reads the requests of clients of the messages dialect. */
export const messagesClientRequests: ClientRequestDialect<typeof DIALECT> = {
  id: DIALECT,
  bodyKeys: ['messages'],
  likeness,
  schemaFields,
  mediaPath: () => '/source',
  decodeRequest,
};
