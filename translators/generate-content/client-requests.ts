import type { ClientRequestDialect } from '../dialect.js';
import { DIALECT } from './nodes.js';
import { decodeRequest } from './request/decode.js';
import { schemaFields } from './schema/fields.js';

/** What reads the requests of clients of the generateContent dialect. */
export const generateContentClientRequests: ClientRequestDialect<typeof DIALECT> = {
  id: DIALECT,
  bodyKeys: ['contents', 'generationConfig', 'systemInstruction'],
  schemaFields,
  mediaPath: ({ mime }) => (mime === undefined ? '/inlineData/mimeType' : ''),
  decodeRequest,
};
