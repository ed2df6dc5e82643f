import * as z from 'zod/mini';
import { anyList, anyObject, cache, content, count, share, strings } from './content.js';

export * from './content.js';
export { CALL_IDS } from './content.js';
export * from './tools.js';

const metadata = z.object({
  user_id: z.nullish(z.string().check(z.maxLength(256, 'must have at most 256 characters'))),
});
const toolChoice = z.object({
  type: z.string(),
  name: z.nullish(z.string()),
  disable_parallel_tool_use: z.nullish(z.boolean()),
});
const thinkingConfig = z.object({
  type: z.string(),
  budget_tokens: z.nullish(z.number().check(z.int('must be a whole number'), z.gte(1024, 'must be at least 1024'))),
  display: z.nullish(z.string()),
});
const outputConfig = z.object({ effort: z.nullish(z.string()), format: z.nullish(anyObject) });
/** The objects inside a request, whose further keys are kept with them. */
export const settings = { metadata, toolChoice, thinking: thinkingConfig, outputConfig };

/** What a request must be before its parts are looked at [M §2.1]. */
export const request = z.object({
  model: z.nullish(
    z.string().check(z.minLength(1, 'must not be empty'), z.maxLength(256, 'must have at most 256 characters')),
  ),
  max_tokens: z.nullish(z.number().check(z.int('must be a whole number'), z.nonnegative('must not be negative'))),
  messages: anyList,
  system: z.nullish(content),
  stop_sequences: z.nullish(strings),
  stream: z.nullish(z.boolean()),
  temperature: z.nullish(share),
  top_p: z.nullish(share),
  top_k: z.nullish(z.number().check(z.int('must be a whole number'), z.positive('must be greater than 0'))),
  metadata: z.nullish(metadata),
  tools: z.nullish(anyList),
  tool_choice: z.nullish(toolChoice),
  thinking: z.nullish(thinkingConfig),
  output_config: z.nullish(outputConfig),
  output_format: z.nullish(anyObject),
  cache_control: cache,
  service_tier: z.nullish(z.string()),
  mcp_servers: z.nullish(z.array(anyObject)),
});
export type Request = z.infer<typeof request>;

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
