import * as s from '../../wire/schema.js';
import { anyList, anyObject, content, count } from './content.js';

export * from './content.js';
export { CALL_IDS } from './content.js';
export * from './tools.js';

export const toolChoice = s.object({
  type: s.string(),
  name: s.nullish(s.string()),
  disable_parallel_tool_use: s.nullish(s.boolean()),
});
export type ToolChoice = s.Infer<typeof toolChoice>;
export const thinkingConfig = s.object({
  type: s.string(),
  budget_tokens: s.nullish(s.number(s.whole('must be a whole number'), s.gte(1024, 'must be at least 1024'))),
  display: s.nullish(s.string()),
});
export const outputConfig = s.object({ effort: s.nullish(s.string()), format: s.nullish(anyObject) });

export const message = s.object({ role: s.string(), content });

export const outputFormat = s.object({ type: s.string(), schema: s.nullish(anyObject) });

const counter = s.nullish(count);
/** Token counts [M §4.3]; what is not here is telemetry. */
export const usage = s.object({
  input_tokens: counter,
  output_tokens: counter,
  cache_creation_input_tokens: counter,
  cache_read_input_tokens: counter,
  cache_creation: s.nullish(anyObject),
  output_tokens_details: s.nullish(anyObject),
  server_tool_use: s.nullish(anyObject),
  service_tier: s.nullish(s.string()),
});

/** A whole answer [M §4.1]; some servers say `null` for no content. */
export const response = s.object({
  id: s.nullish(s.string()),
  type: s.nullish(s.string()),
  role: s.nullish(s.string()),
  model: s.nullish(s.string()),
  content: s.nullable(anyList),
  stop_reason: s.nullish(s.string()),
  stop_sequence: s.nullish(s.string()),
  stop_details: s.nullish(anyObject),
  usage: s.nullish(anyObject),
});

export const tokenCount = s.object({ input_tokens: count });

export const modelInfo = s.object({
  id: s.string(),
  display_name: s.nullish(s.string()),
  created_at: s.nullish(s.string()),
  max_input_tokens: s.optional(s.present()),
  max_tokens: s.optional(s.present()),
});
export const modelList = s.object({
  data: anyList,
  has_more: s.nullish(s.boolean()),
  last_id: s.nullish(s.string()),
});
