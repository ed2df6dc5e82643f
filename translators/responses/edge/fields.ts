import type { RequestFields } from '../../dialect.js';
import { type RefusalRule, THINKING_REFUSALS, UNTHINKING } from '../../refusals.js';

const REFUSALS: readonly RefusalRule[] = [
  ...THINKING_REFUSALS,
  { words: ["'reasoning.effort' is not supported"], flags: UNTHINKING },
  { words: ['strict', 'extra inputs'], flags: { strictTools: false } },
];

export const requestFields: RequestFields = {
  optional: [
    { path: ['temperature'], feature: 'sampling.temperature' },
    { path: ['top_p'], feature: 'sampling.topP' },
    { path: ['text', 'verbosity'], feature: 'verbosity' },
    { path: ['service_tier'], feature: 'tier' },
    { path: ['safety_identifier'], feature: 'user' },
    { path: ['prompt_cache_key'], feature: 'cache.key' },
    { path: ['top_logprobs'], feature: 'logprobs' },
    { path: ['parallel_tool_calls'], feature: 'toolChoice.parallel' },
  ],
  refusals: REFUSALS,
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
