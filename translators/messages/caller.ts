import type { CallerDialect } from '../dialect.js';
import { betasOf } from '../wire/members.js';
import { messagesClient } from './client.js';
import { clientCount } from './edge/count.js';
import { dataMembers } from './edge/data.js';
import { encodeLimits } from './edge/limits.js';
import { models } from './edge/models.js';
import type { DIALECT } from './nodes.js';
import { members } from './request/members.js';

/** The half of the messages dialect for clients, with what a host needs of it that calls services for them. */
export const messagesCaller: CallerDialect<typeof DIALECT> = {
  ...messagesClient,
  requestFields: { betas: betasOf(members), data: dataMembers },
  encodeLimits,
  count: clientCount,
  models,
};
