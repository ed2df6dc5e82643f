import type { RequestDialect } from '../dialect.js';
import { targetOf } from '../target/resolve.js';
import { DIALECT } from './nodes.js';
import { profile } from './profile.js';
import { decodeRequest } from './request/decode.js';
import { encodeRequest } from './request/encode.js';
import { rules } from './rules.js';
import { schemaFields } from './schema/encode.js';

/** The half of the responses dialect that translates requests. */
export const responsesRequests: RequestDialect<typeof DIALECT> = {
  id: DIALECT,
  vendor: 'openai',
  bodyKeys: ['input', 'instructions', 'previous_response_id'],
  schemaFields,
  mediaPath: ({ src, class: kind }) => (kind === 'image' && src?.at?.data === undefined ? '/image_url' : '/file_data'),
  rules,
  target: (model, choice) => targetOf(rules, profile(model, choice)),
  decodeRequest,
  encodeRequest,
};
