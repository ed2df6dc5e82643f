import type { RequestFields } from '../../dialect.js';
import { betasOf, capsOf, tuningsOf } from '../../wire/members.js';
import { members } from '../request/members.js';
import { dataMembers } from './data.js';
import { REFUSALS } from './refusals.js';

export const requestFields: RequestFields = {
  optional: tuningsOf(members),
  refusals: REFUSALS,
  caps: capsOf(members),
  betas: betasOf(members),
  model: { resource: (model) => model, repeatedIn: [], repeatedInLists: [] },
  data: dataMembers,
};
