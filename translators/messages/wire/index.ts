import * as z from 'zod/mini';
import { anyList, anyObject, content, count } from './content.js';

export * from './content.js';
export { CALL_IDS } from './content.js';
export * from './tools.js';

export const toolChoice = z.object({
  type: z.string(),
  name: z.nullish(z.string()),
  disable_parallel_tool_use: z.nullish(z.boolean()),
});
export type ToolChoice = z.infer<typeof toolChoice>;
export const thinkingConfig = z.object({
  type: z.string(),
  budget_tokens: z.nullish(z.number().check(z.int('must be a whole number'), z.gte(1024, 'must be at least 1024'))),
  display: z.nullish(z.string()),
});
export const outputConfig = z.object({ effort: z.nullish(z.string()), format: z.nullish(anyObject) });

export const message = z.object({ role: z.string(), content });

export const outputFormat = z.object({ type: z.string(), schema: z.nullish(anyObject) });

const counter = z.nullish(count);
/** Token counts [M §4.3]; what is not here is telemetry. */
export const usage = z.object({
  input_tokens: counter,
  output_tokens: counter,
  cache_creation_input_tokens: counter,
  cache_read_input_tokens: counter,
  cache_creation: z.nullish(anyObject),
  output_tokens_details: z.nullish(anyObject),
  server_tool_use: z.nullish(anyObject),
  service_tier: z.nullish(z.string()),
});

/** A whole answer [M §4.1]; some servers say `null` for no content. */
export const response = z.object({
  id: z.nullish(z.string()),
  type: z.nullish(z.string()),
  role: z.nullish(z.string()),
  model: z.nullish(z.string()),
  content: z.nullable(anyList),
  stop_reason: z.nullish(z.string()),
  stop_sequence: z.nullish(z.string()),
  stop_details: z.nullish(anyObject),
  usage: z.nullish(anyObject),
});

export const tokenCount = z.object({ input_tokens: count });

export const modelInfo = z.object({
  id: z.string(),
  display_name: z.nullish(z.string()),
  created_at: z.nullish(z.string()),
  max_input_tokens: counter,
  max_tokens: counter,
});
export const modelList = z.object({
  data: anyList,
  has_more: z.nullish(z.boolean()),
  last_id: z.nullish(z.string()),
});
