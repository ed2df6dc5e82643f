import { z } from 'zod';
import { anyList, anyObject, cache, count, strings } from './content.js';

/** A tool of the client's own; `type` is absent, null or `custom` [M §2.5]. */
export const customTool = z.object({
  type: z.literal('custom').nullish(),
  name: z.string().min(1, 'must not be empty').max(128, 'must have at most 128 characters'),
  description: z.string().nullish(),
  input_schema: anyObject,
  strict: z.boolean().nullish(),
  input_examples: anyList.nullish(),
  cache_control: cache,
});
export const userLocation = z.object({
  type: z.string().nullish(),
  city: z.string().nullish(),
  region: z.string().nullish(),
  country: z.string().nullish(),
  timezone: z.string().nullish(),
});
/** The common fields of every tool that has a `type` of its own. */
export const typedTool = z.object({
  type: z.string(),
  name: z.string().nullish(),
  allowed_domains: strings.nullish(),
  blocked_domains: strings.nullish(),
  user_location: userLocation.nullish(),
  max_uses: count.nullish(),
  display_width_px: count.nullish(),
  display_height_px: count.nullish(),
  cache_control: cache,
});
export const mcpToolset = z.object({
  type: z.literal('mcp_toolset'),
  mcp_server_name: z.string(),
  default_config: anyObject.nullish(),
  configs: anyObject.nullish(),
  cache_control: cache,
});
export const mcpServer = z.object({
  type: z.string().nullish(),
  name: z.string(),
  url: z.string(),
  authorization_token: z.string().nullish(),
  tool_configuration: z.object({ enabled: z.boolean().nullish(), allowed_tools: strings.nullish() }).nullish(),
});
