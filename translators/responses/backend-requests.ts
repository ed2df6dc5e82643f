import type { BackendRequestDialect } from '../dialect.js';
import { targetOf } from '../target/resolve.js';
import { DIALECT } from './nodes.js';
import { profile } from './profile.js';
import { encodeRequest } from './request/encode.js';
import { rules } from './rules.js';

/** What writes the requests for services of the responses dialect. */
export const responsesBackendRequests: BackendRequestDialect<typeof DIALECT> = {
  id: DIALECT,
  vendor: 'openai',
  rules,
  target: (model, choice) => targetOf(rules, profile(model, choice)),
  encodeRequest,
};
