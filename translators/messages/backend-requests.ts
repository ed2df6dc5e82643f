import type { BackendRequestDialect } from '../dialect.js';
import { targetOf } from '../target/resolve.js';
import { DIALECT } from './nodes.js';
import { profile } from './profile.js';
import { encodeRequest } from './request/encode.js';
import { rules } from './rules.js';

/** What writes the requests for services of the messages dialect. */
export const messagesBackendRequests: BackendRequestDialect<typeof DIALECT> = {
  id: DIALECT,
  rules,
  target: (model, choice) => targetOf(rules, profile(model, choice)),
  encodeRequest,
};
