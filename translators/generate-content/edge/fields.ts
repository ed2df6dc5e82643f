import type { RequestFields } from '../../dialect.js';
import { tuningsOf } from '../../wire/members.js';
import { config } from '../request/members.js';
import { dataMembers } from './data.js';
import { REFUSALS } from './refusals.js';

export const requestFields: RequestFields = {
  optional: tuningsOf(config).map((one) => ({ ...one, path: ['generationConfig', ...one.path] })),
  refusals: REFUSALS,
  caps: [],
  betas: [],
  // The path names the model; a body may repeat it, in both spellings that the service reads [G §2.2].
  model: {
    resource: (model) => `models/${model}`,
    repeatedIn: ['generateContentRequest', 'generate_content_request'],
    repeatedInLists: ['requests'],
  },
  data: dataMembers,
};
