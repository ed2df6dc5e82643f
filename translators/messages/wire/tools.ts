import * as z from 'zod/mini';
import { anyList, anyObject, cache, count, strings } from './content.js';

/** A tool of the client's own; `type` is absent, null or `custom` [M §2.5]. */
export const customTool = z.object({
  type: z.nullish(z.literal('custom')),
  name: z.string().check(z.minLength(1, 'must not be empty'), z.maxLength(128, 'must have at most 128 characters')),
  description: z.nullish(z.string()),
  input_schema: anyObject,
  strict: z.nullish(z.boolean()),
  input_examples: z.nullish(anyList),
  cache_control: cache,
});
export const userLocation = z.object({
  type: z.nullish(z.string()),
  city: z.nullish(z.string()),
  region: z.nullish(z.string()),
  country: z.nullish(z.string()),
  timezone: z.nullish(z.string()),
});
/** The common fields of every tool that has a `type` of its own. */
export const typedTool = z.object({
  type: z.string(),
  name: z.nullish(z.string()),
  allowed_domains: z.nullish(strings),
  blocked_domains: z.nullish(strings),
  user_location: z.nullish(userLocation),
  max_uses: z.nullish(count),
  display_width_px: z.nullish(count),
  display_height_px: z.nullish(count),
  cache_control: cache,
});
export const mcpToolset = z.object({
  type: z.literal('mcp_toolset'),
  mcp_server_name: z.string(),
  default_config: z.nullish(anyObject),
  configs: z.nullish(anyObject),
  cache_control: cache,
});
export const mcpServer = z.object({
  type: z.nullish(z.string()),
  name: z.string(),
  url: z.string(),
  authorization_token: z.nullish(z.string()),
  tool_configuration: z.nullish(z.object({ enabled: z.nullish(z.boolean()), allowed_tools: z.nullish(strings) })),
});
