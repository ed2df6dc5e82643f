import type { RequestFields } from '../../dialect.js';
import { THINKING_REFUSALS } from '../../refusals.js';

export const requestFields: RequestFields = {
  optional: [
    { path: ['generationConfig', 'temperature'], feature: 'sampling.temperature' },
    { path: ['generationConfig', 'topP'], feature: 'sampling.topP' },
    { path: ['generationConfig', 'topK'], feature: 'sampling.topK' },
    { path: ['generationConfig', 'seed'], feature: 'sampling.seed' },
    { path: ['generationConfig', 'presencePenalty'], feature: 'sampling.presencePenalty' },
    { path: ['generationConfig', 'frequencyPenalty'], feature: 'sampling.frequencyPenalty' },
  ],
  refusals: THINKING_REFUSALS,
  betas: [],
  // The path names the model; a body may repeat it, in both spellings that the service reads [G §2.2].
  model: {
    resource: (model) => `models/${model}`,
    repeatedIn: ['generateContentRequest', 'generate_content_request'],
    repeatedInLists: ['requests'],
  },
  data: [
    'contents',
    'systemInstruction',
    'system_instruction',
    'parameters',
    'parametersJsonSchema',
    'response',
    'responseSchema',
    'responseJsonSchema',
    '_responseJsonSchema',
    'schema',
    'labels',
  ],
};
