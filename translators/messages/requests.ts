import type { RequestDialect } from '../dialect.js';
import { targetOf } from '../target/resolve.js';
import { likeness } from './edge/fields.js';
import { DIALECT } from './nodes.js';
import { profile } from './profile.js';
import { decodeRequest } from './request/decode.js';
import { encodeRequest } from './request/encode.js';
import { rules } from './rules.js';
import { schemaFields } from './schema/encode.js';

/** The half of the messages dialect that translates requests. */
export const messagesRequests: RequestDialect<typeof DIALECT> = {
  id: DIALECT,
  bodyKeys: ['messages'],
  likeness,
  schemaFields,
  mediaPath: () => '/source',
  rules,
  target: (model, choice) => targetOf(rules, profile(model, choice)),
  decodeRequest,
  encodeRequest,
};
