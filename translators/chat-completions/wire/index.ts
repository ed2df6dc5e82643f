import { z } from 'zod';
import { anyList, anyObject, cache, content, count, share, strings } from './content.js';

export * from './content.js';
export { CALL_IDS } from './content.js';
export * from './tools.js';

/** What a request must be before its parts are looked at [M §2.1]. */
export const request = z.object({
  model: z.string().min(1, 'must not be empty').max(256, 'must have at most 256 characters').nullish(),
  max_tokens: z.number().int('must be a whole number').nonnegative('must not be negative').nullish(),
  messages: anyList,
  system: content.nullish(),
  stop_sequences: strings.nullish(),
  stream: z.boolean().nullish(),
  temperature: share.nullish(),
  top_p: share.nullish(),
  top_k: z.number().int('must be a whole number').positive('must be greater than 0').nullish(),
  metadata: z.object({ user_id: z.string().max(256, 'must have at most 256 characters').nullish() }).nullish(),
  tools: anyList.nullish(),
  tool_choice: z
    .object({ type: z.string(), name: z.string().nullish(), disable_parallel_tool_use: z.boolean().nullish() })
    .nullish(),
  thinking: z
    .object({
      type: z.string(),
      budget_tokens: z.number().int('must be a whole number').min(1024, 'must be at least 1024').nullish(),
      display: z.string().nullish(),
    })
    .nullish(),
  output_config: z.object({ effort: z.string().nullish(), format: anyObject.nullish() }).nullish(),
  output_format: anyObject.nullish(),
  cache_control: cache,
  service_tier: z.string().nullish(),
  mcp_servers: z.array(anyObject).nullish(),
});
export type Request = z.infer<typeof request>;

export const message = z.object({ role: z.string(), content });

export const outputFormat = z.object({ type: z.string(), schema: anyObject.nullish() });

const counter = count.nullish();
/** Token counts [M §4.3]; what is not here is telemetry. */
export const usage = z.object({
  input_tokens: counter,
  output_tokens: counter,
  cache_creation_input_tokens: counter,
  cache_read_input_tokens: counter,
  cache_creation: anyObject.nullish(),
  output_tokens_details: anyObject.nullish(),
  server_tool_use: anyObject.nullish(),
  service_tier: z.string().nullish(),
});

/** A whole answer [M §4.1]. */
export const response = z.object({
  id: z.string().nullish(),
  type: z.string().nullish(),
  role: z.string().nullish(),
  model: z.string().nullish(),
  content: anyList,
  stop_reason: z.string().nullish(),
  stop_sequence: z.string().nullish(),
  stop_details: anyObject.nullish(),
  usage: anyObject.nullish(),
});

export const tokenCount = z.object({ input_tokens: count });

export const modelInfo = z.object({
  id: z.string(),
  display_name: z.string().nullish(),
  created_at: z.string().nullish(),
  max_input_tokens: counter,
  max_tokens: counter,
});
export const modelList = z.object({
  data: anyList,
  has_more: z.boolean().nullish(),
  last_id: z.string().nullish(),
});
