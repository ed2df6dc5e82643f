import type { RequestDialect } from '../dialect.js';
import { targetOf } from '../target/resolve.js';
import { mediaPath } from './content/media.js';
import { likeness } from './edge/fields.js';
import { DIALECT } from './nodes.js';
import { profile } from './profile.js';
import { decodeRequest } from './request/decode.js';
import { encodeRequest } from './request/encode.js';
import { rules, rulesFor } from './rules.js';
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
  target(model, choice) {
    const known = profile(model, choice);
    return targetOf(rulesFor(known), known);
  },
  decodeRequest,
  encodeRequest,
};
