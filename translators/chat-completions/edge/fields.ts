import type { JsonObject } from '../../canonical/node.js';
import type { RequestFields } from '../../dialect.js';
import { type MessageMarks, markedBy } from '../../wire/likeness.js';
import { REFUSALS } from '../servers/index.js';

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
    { path: ['reasoning_effort'], feature: 'reasoning.effort' },
    { path: ['prompt_cache_key'], feature: 'cache.key' },
    { path: ['metadata'], feature: 'metadata' },
    { path: ['service_tier'], feature: 'tier' },
    { path: ['parallel_tool_calls'], feature: 'toolChoice.parallel' },
    { path: ['safety_identifier'], feature: 'user' },
    // Servers hear only one of the two [H §2.2].
    { path: ['max_tokens'], feature: 'maxOutput', otherName: 'max_completion_tokens' },
    { path: ['max_completion_tokens'], feature: 'maxOutput', otherName: 'max_tokens' },
  ],
  refusals: REFUSALS,
  caps: ['max_completion_tokens', 'max_tokens'],
  betas: [],
  model: { resource: (model) => model, repeatedIn: [], repeatedInLists: [] },
  data: ['messages', 'parameters', 'schema', 'metadata'],
};

const MARKS: MessageMarks = {
  message: ({ role, tool_calls: calls, tool_call_id: id, function_call: call }, first) =>
    ['developer', 'tool', 'function'].includes(String(role)) ||
    (first && role === 'system') ||
    [calls, id, call].some((value) => value !== undefined),
  parts: new Set(['image_url', 'input_audio', 'file', 'refusal', 'video_url']),
  keys: [
    'max_completion_tokens',
    'response_format',
    'n',
    'stop',
    'seed',
    'logprobs',
    'logit_bias',
    'stream_options',
    'reasoning_effort',
    'frequency_penalty',
    'presence_penalty',
    'parallel_tool_calls',
    'functions',
    'modalities',
    'store',
  ],
  tool: (tool) => tool.function !== undefined || tool.custom !== undefined,
  choice: (choice) => typeof choice === 'string',
};

/**
 * What only this dialect writes in a message outvotes everything, also what only another writes there, and a body that
 * nothing marks and nothing caps is of this one (translation.md 8).
 */
export function likeness(body: JsonObject): number {
  const mark = markedBy(body, MARKS);
  if (mark === 'message') return 5;
  return (mark === 'key' ? 2 : 0) + (body.max_tokens === undefined ? 1 : 0);
}
