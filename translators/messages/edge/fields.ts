import type { JsonObject } from '../../canonical/node.js';
import type { RequestFields } from '../../dialect.js';
import { isObject } from '../../wire/json.js';
import { type MessageMarks, markedBy } from '../../wire/likeness.js';
import { betasOf, capsOf, tuningsOf } from '../../wire/members.js';
import { THREADLESS } from '../nodes.js';
import { members } from '../request/members.js';
import { dataMembers } from './data.js';
import { REFUSALS } from './refusals.js';

export const requestFields: RequestFields = {
  optional: tuningsOf(members),
  refusals: REFUSALS,
  caps: capsOf(members),
  betas: betasOf(members),
  thread: {
    field: 'thread',
    begins: (value) => isObject(value) && value.type === 'create',
    code: THREADLESS,
  },
  model: { resource: (model) => model, repeatedIn: [], repeatedInLists: [] },
  data: dataMembers,
};

const MARKS: MessageMarks = {
  message: () => false,
  parts: new Set(['tool_use', 'tool_result', 'thinking', 'redacted_thinking', 'document', 'image', 'server_tool_use']),
  keys: ['system', 'stop_sequences', 'output_config', 'anthropic_version', 'mcp_servers'],
  tool: ({ input_schema: schema }) => schema !== undefined,
  choice: (choice) => isObject(choice) && ['auto', 'any', 'tool', 'none'].includes(String(choice.type)),
};

/** Bodies of this dialect have to cap the answer: where nothing else tells, the cap does (translation.md 8). */
export function likeness(body: JsonObject): number {
  const mark = markedBy(body, MARKS);
  if (mark === 'message') return 4;
  return (mark === 'key' ? 2 : 0) + (body.max_tokens === undefined ? 0 : 1);
}
