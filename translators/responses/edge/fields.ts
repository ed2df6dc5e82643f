import type { RequestFields } from '../../dialect.js';
import { THINKING_REFUSALS } from '../../refusals.js';

export const requestFields: RequestFields = {
  optional: [
    { path: ['temperature'], feature: 'sampling.temperature' },
    { path: ['top_p'], feature: 'sampling.topP' },
    { path: ['text', 'verbosity'], feature: 'verbosity' },
  ],
  refusals: THINKING_REFUSALS,
  betas: [],
  model: { resource: (model) => model, repeatedIn: [], repeatedInLists: [] },
  data: [
    'input',
    'instructions',
    'parameters',
    'schema',
    'metadata',
    'client_metadata',
    'attributes',
    'variables',
    'headers',
  ],
};
