import { z } from 'zod';
import type { JsonObject } from '../canonical/node.js';
import { isObject } from '../wire/json.js';

const anyObject = z.custom<JsonObject>(isObject, 'expected an object');
const anyList = z.custom<readonly unknown[]>(Array.isArray, 'expected an array');
const content = z.custom<string | readonly unknown[]>(
  (value) => typeof value === 'string' || Array.isArray(value),
  'expected a string or an array of blocks',
);
const strings = z.array(z.string());
const count = z.number().int().nonnegative();
const share = z.number().min(0, 'must be at least 0').max(1, 'must be at most 1');

/** A mark that asks for the prompt to be cached up to here [M §2.1]. */
const cacheControl = z.object({ type: z.string(), ttl: z.string().nullish() });
const cache = cacheControl.nullish();
/** Ids of calls [M §2.3]. */
export const CALL_IDS = { pattern: /^[a-zA-Z0-9_-]+$/ };
/** The same, of what a client sends; answers of other services that speak this dialect have ids of any form. */
export const givenCallId = z.string().regex(CALL_IDS.pattern, "must match the pattern '^[a-zA-Z0-9_-]+$'");
const citing = z.object({ enabled: z.boolean().nullish() }).nullish();

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

export const text = z.object({
  type: z.literal('text'),
  text: z.string(),
  citations: anyList.nullish(),
  cache_control: cache,
});

export const base64Source = z.object({ type: z.literal('base64'), media_type: z.string(), data: z.string() });
export const urlSource = z.object({ type: z.literal('url'), url: z.string() });
export const fileSource = z.object({ type: z.literal('file'), file_id: z.string() });
export const textSource = z.object({ type: z.literal('text'), media_type: z.string().nullish(), data: z.string() });
export const contentSource = z.object({ type: z.literal('content'), content });

export const image = z.object({ type: z.literal('image'), source: anyObject, cache_control: cache });
export const document = z.object({
  type: z.literal('document'),
  source: anyObject,
  title: z.string().nullish(),
  context: z.string().nullish(),
  citations: citing,
  cache_control: cache,
});
export const searchResult = z.object({
  type: z.literal('search_result'),
  source: z.string(),
  title: z.string(),
  content: anyList,
  citations: citing,
  cache_control: cache,
});
export const thinking = z.object({
  type: z.literal('thinking'),
  thinking: z.string(),
  signature: z.string().nullish(),
});
export const redactedThinking = z.object({ type: z.literal('redacted_thinking'), data: z.string() });
export const toolUse = z.object({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string().min(1, 'must not be empty'),
  input: anyObject,
  cache_control: cache,
});
export const toolResult = z.object({
  type: z.literal('tool_result'),
  tool_use_id: givenCallId,
  content: content.nullish(),
  is_error: z.boolean().nullish(),
  cache_control: cache,
});
export const serverToolUse = z.object({
  type: z.literal('server_tool_use'),
  id: z.string(),
  name: z.string(),
  input: anyObject,
  cache_control: cache,
});
export const mcpToolUse = z.object({
  type: z.literal('mcp_tool_use'),
  id: z.string(),
  name: z.string(),
  server_name: z.string(),
  input: anyObject,
  cache_control: cache,
});
/** Every `*_tool_result` of a server tool; what `content` is depends on the tool [M §2.3]. */
export const serverToolResult = z.object({
  type: z.string(),
  tool_use_id: z.string(),
  content: z.unknown(),
  is_error: z.boolean().nullish(),
  cache_control: cache,
});
export const compaction = z.object({ type: z.literal('compaction'), content: z.string().nullish() });
export const toolChange = z.object({ type: z.string(), tool: anyObject, cache_control: cache });

const span = { cited_text: z.string().nullish(), document_title: z.string().nullish(), file_id: z.string().nullish() };
/** The kinds of citation [M §2.4]. */
export const citations = {
  char_location: z.object({
    type: z.string(),
    document_index: count,
    start_char_index: count,
    end_char_index: count,
    ...span,
  }),
  page_location: z.object({
    type: z.string(),
    document_index: count,
    start_page_number: count,
    end_page_number: count,
    ...span,
  }),
  content_block_location: z.object({
    type: z.string(),
    document_index: count,
    start_block_index: count,
    end_block_index: count,
    ...span,
  }),
  search_result_location: z.object({
    type: z.string(),
    search_result_index: count,
    start_block_index: count,
    end_block_index: count,
    source: z.string(),
    title: z.string().nullish(),
    cited_text: z.string().nullish(),
  }),
  web_search_result_location: z.object({
    type: z.string(),
    url: z.string(),
    title: z.string().nullish(),
    cited_text: z.string().nullish(),
  }),
} as const;

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
