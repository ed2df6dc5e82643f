import type { JsonObject } from '../../canonical/node.js';
import type { RequestFields } from '../../dialect.js';
import { type MessageMarks, markedBy } from '../../wire/likeness.js';
import { capsOf, tuningsOf } from '../../wire/members.js';
import { members } from '../request/members.js';
import { dataMembers } from './data.js';
import { REFUSALS } from './refusals.js';

export const requestFields: RequestFields = {
  optional: tuningsOf(members),
  refusals: REFUSALS,
  caps: capsOf(members),
  betas: [],
  model: { resource: (model) => model, repeatedIn: [], repeatedInLists: [] },
  data: dataMembers,
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
