import * as s from '../../wire/schema.js';
import { anyList, anyObject, cache, count, strings } from './content.js';

/** A tool of the client's own; `type` is absent, null or `custom` [M §2.5]. */
export const customTool = s.object({
  type: s.nullish(s.literal('custom')),
  name: s.string(s.minLength(1, 'must not be empty'), s.maxLength(128, 'must have at most 128 characters')),
  description: s.nullish(s.string()),
  input_schema: anyObject,
  strict: s.nullish(s.boolean()),
  input_examples: s.nullish(anyList),
  cache_control: cache,
});
export const userLocation = s.object({
  type: s.nullish(s.string()),
  city: s.nullish(s.string()),
  region: s.nullish(s.string()),
  country: s.nullish(s.string()),
  timezone: s.nullish(s.string()),
});
/** The common fields of every tool that has a `type` of its own. */
export const typedTool = s.object({
  type: s.string(),
  name: s.nullish(s.string()),
  allowed_domains: s.nullish(strings),
  blocked_domains: s.nullish(strings),
  user_location: s.nullish(userLocation),
  max_uses: s.nullish(count),
  display_width_px: s.nullish(count),
  display_height_px: s.nullish(count),
  cache_control: cache,
});
export const mcpToolset = s.object({
  type: s.literal('mcp_toolset'),
  mcp_server_name: s.string(),
  default_config: s.nullish(anyObject),
  configs: s.nullish(anyObject),
  cache_control: cache,
});
export const mcpServer = s.object({
  type: s.nullish(s.string()),
  name: s.string(),
  url: s.string(),
  authorization_token: s.nullish(s.string()),
  tool_configuration: s.nullish(s.object({ enabled: s.nullish(s.boolean()), allowed_tools: s.nullish(strings) })),
});
