import type { RequestDialect } from '../dialect.js';
import { mediaPath } from './content/media.js';
import { likeness } from './edge/fields.js';
import { DIALECT } from './nodes.js';
import { profile } from './profile.js';
import { decodeRequest } from './request/decode.js';
import { encodeRequest } from './request/encode.js';
import { rules } from './rules.js';
import { schemaFields } from './schema/encode.js';

/** The half of the chatCompletions dialect that translates requests. */
export const chatCompletionsRequests: RequestDialect<typeof DIALECT> = {
  id: DIALECT,
  vendor: 'openai',
  bodyKeys: ['messages'],
  likeness,
  schemaFields,
  mediaPath,
  rules,
  profile,
  decodeRequest,
  encodeRequest,
};
