import type { RequestFields } from '../../dialect.js';

export const requestFields: RequestFields = {
  optional: [
    { path: ['temperature'], feature: 'sampling.temperature' },
    { path: ['top_p'], feature: 'sampling.topP' },
    { path: ['top_k'], feature: 'sampling.topK' },
    { path: ['presence_penalty'], feature: 'sampling.presencePenalty' },
    { path: ['frequency_penalty'], feature: 'sampling.frequencyPenalty' },
    { path: ['seed'], feature: 'sampling.seed' },
    { path: ['random_seed'], feature: 'sampling.seed' },
    { path: ['verbosity'], feature: 'verbosity' },
  ],
  betas: [],
  model: { resource: (model) => model, repeatedIn: [], repeatedInLists: [] },
  data: ['messages', 'parameters', 'schema', 'metadata'],
};
