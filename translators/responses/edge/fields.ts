import type { RequestFields } from '../../dialect.js';
import { REFUSALS } from '../servers/index.js';

export const requestFields: RequestFields = {
  optional: [
    { path: ['temperature'], feature: 'sampling.temperature' },
    { path: ['top_p'], feature: 'sampling.topP' },
    { path: ['text', 'verbosity'], feature: 'verbosity' },
    { path: ['service_tier'], feature: 'tier' },
    { path: ['safety_identifier'], feature: 'user' },
    { path: ['prompt_cache_key'], feature: 'cache.key' },
    { path: ['reasoning', 'summary'], feature: 'reasoning.show' },
    {
      path: ['top_logprobs'],
      feature: 'logprobs',
      word: { list: 'include', word: 'message.output_text.logprobs' },
    },
    { path: ['parallel_tool_calls'], feature: 'toolChoice.parallel' },
  ],
  refusals: REFUSALS,
  caps: ['max_output_tokens'],
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
