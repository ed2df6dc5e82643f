import type { BackendRequestDialect } from '../dialect.js';
import { targetOf } from '../target/resolve.js';
import { DIALECT } from './nodes.js';
import { profile } from './profile.js';
import { encodeRequest } from './request/encode.js';
import { rules, rulesFor } from './rules.js';

/** What writes the requests for services of the chatCompletions dialect. */
export const chatCompletionsBackendRequests: BackendRequestDialect<typeof DIALECT> = {
  id: DIALECT,
  vendor: 'openai',
  rules,
  target(model, choice) {
    const known = profile(model, choice);
    return targetOf(rulesFor(known), known);
  },
  encodeRequest,
};
