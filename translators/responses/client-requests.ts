import type { ClientRequestDialect } from '../dialect.js';
import { DIALECT } from './nodes.js';
import { decodeRequest } from './request/decode.js';
import { schemaFields } from './schema/fields.js';

/** What reads the requests of clients of the responses dialect. */
export const responsesClientRequests: ClientRequestDialect<typeof DIALECT> = {
  id: DIALECT,
  vendor: 'openai',
  bodyKeys: ['input', 'instructions', 'previous_response_id'],
  schemaFields,
  mediaPath: ({ src, class: kind }) => (kind === 'image' && src?.at?.data === undefined ? '/image_url' : '/file_data'),
  decodeRequest,
};
