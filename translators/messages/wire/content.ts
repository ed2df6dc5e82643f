import * as z from 'zod/mini';
import type { JsonObject } from '../../canonical/node.js';
import { isObject } from '../../wire/json.js';

export const anyObject = z.custom<JsonObject>(isObject, 'expected an object');
export const anyList = z.custom<readonly unknown[]>(Array.isArray, 'expected an array');
export const content = z.custom<string | readonly unknown[]>(
  (value) => typeof value === 'string' || Array.isArray(value),
  'expected a string or an array of blocks',
);
export const strings = z.array(z.string());
export const count = z.number().check(z.int(), z.nonnegative());
export const share = z.number().check(z.gte(0, 'must be at least 0'), z.lte(1, 'must be at most 1'));

/** A mark that asks for the prompt to be cached up to here [M §2.1]. */
export const cacheControl = z.object({ type: z.string(), ttl: z.nullish(z.string()) });
export const cache = z.nullish(cacheControl);
/** Ids of calls [M §2.3]. */
export const CALL_IDS = { pattern: /^[a-zA-Z0-9_-]+$/ };
/** The same, of what a client sends; answers of other services that speak this dialect have ids of any form. */
export const givenCallId = z.string().check(z.regex(CALL_IDS.pattern, "must match the pattern '^[a-zA-Z0-9_-]+$'"));
const citing = z.nullish(z.object({ enabled: z.nullish(z.boolean()) }));

export const text = z.object({
  type: z.literal('text'),
  text: z.string(),
  citations: z.nullish(anyList),
  cache_control: cache,
});

export const base64Source = z.object({ type: z.literal('base64'), media_type: z.string(), data: z.string() });
export const urlSource = z.object({ type: z.literal('url'), url: z.string() });
export const fileSource = z.object({ type: z.literal('file'), file_id: z.string() });
export const textSource = z.object({ type: z.literal('text'), media_type: z.nullish(z.string()), data: z.string() });
export const contentSource = z.object({ type: z.literal('content'), content });

export const image = z.object({ type: z.literal('image'), source: anyObject, cache_control: cache });
export const document = z.object({
  type: z.literal('document'),
  source: anyObject,
  title: z.nullish(z.string()),
  context: z.nullish(z.string()),
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
  signature: z.nullish(z.string()),
});
export const redactedThinking = z.object({ type: z.literal('redacted_thinking'), data: z.string() });
export const toolUse = z.object({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string().check(z.minLength(1, 'must not be empty')),
  input: anyObject,
  cache_control: cache,
});
export const toolResult = z.object({
  type: z.literal('tool_result'),
  tool_use_id: givenCallId,
  content: z.nullish(content),
  is_error: z.nullish(z.boolean()),
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
  is_error: z.nullish(z.boolean()),
  cache_control: cache,
});
export const compaction = z.object({ type: z.literal('compaction'), content: z.nullish(z.string()) });
export const toolChange = z.object({ type: z.string(), tool: anyObject, cache_control: cache });

const span = {
  cited_text: z.nullish(z.string()),
  document_title: z.nullish(z.string()),
  file_id: z.nullish(z.string()),
};
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
    title: z.nullish(z.string()),
    cited_text: z.nullish(z.string()),
  }),
  web_search_result_location: z.object({
    type: z.string(),
    url: z.string(),
    title: z.nullish(z.string()),
    cited_text: z.nullish(z.string()),
  }),
} as const;
