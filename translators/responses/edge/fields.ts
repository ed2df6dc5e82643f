import type { RequestFields } from '../../dialect.js';

export const requestFields: RequestFields = {
  optional: [
    { path: ['temperature'], feature: 'sampling.temperature' },
    { path: ['top_p'], feature: 'sampling.topP' },
    { path: ['text', 'verbosity'], feature: 'verbosity' },
  ],
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
