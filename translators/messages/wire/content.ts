import type { JsonObject } from '../../canonical/node.js';
import { isObject } from '../../wire/json.js';
import * as s from '../../wire/schema.js';

export const anyObject = s.custom<JsonObject>(isObject, 'expected an object');
export const anyList = s.custom<readonly unknown[]>(Array.isArray, 'expected an array');
export const content = s.custom<string | readonly unknown[]>(
  (value) => typeof value === 'string' || Array.isArray(value),
  'expected a string or an array of blocks',
);
export const strings = s.array(s.string());
export const count = s.number(s.whole(), s.gte(0));
export const share = s.number(s.gte(0, 'must be at least 0'), s.lte(1, 'must be at most 1'));

/** A mark that asks for the prompt to be cached up to here [M §2.1]. */
export const cacheControl = s.object({ type: s.string(), ttl: s.nullish(s.string()) });
export const cache = s.nullish(cacheControl);
/** Ids of calls [M §2.3]. */
export const CALL_IDS = { pattern: /^[a-zA-Z0-9_-]+$/ };
/** The same, of what a client sends; answers of other services that speak this dialect have ids of any form. */
export const givenCallId = s.string(s.matches(CALL_IDS.pattern, "must match the pattern '^[a-zA-Z0-9_-]+$'"));
const citing = s.nullish(s.object({ enabled: s.nullish(s.boolean()) }));

export const text = s.object({
  type: s.literal('text'),
  text: s.string(),
  citations: s.nullish(anyList),
  cache_control: cache,
});

export const base64Source = s.object({ type: s.literal('base64'), media_type: s.string(), data: s.string() });
export const urlSource = s.object({ type: s.literal('url'), url: s.string() });
export const fileSource = s.object({ type: s.literal('file'), file_id: s.string() });
export const textSource = s.object({ type: s.literal('text'), media_type: s.nullish(s.string()), data: s.string() });
export const contentSource = s.object({ type: s.literal('content'), content });

export const image = s.object({ type: s.literal('image'), source: anyObject, cache_control: cache });
export const document = s.object({
  type: s.literal('document'),
  source: anyObject,
  title: s.nullish(s.string()),
  context: s.nullish(s.string()),
  citations: citing,
  cache_control: cache,
});
export const searchResult = s.object({
  type: s.literal('search_result'),
  source: s.string(),
  title: s.string(),
  content: anyList,
  citations: citing,
  cache_control: cache,
});
export const thinking = s.object({
  type: s.literal('thinking'),
  thinking: s.string(),
  signature: s.nullish(s.string()),
});
export const redactedThinking = s.object({ type: s.literal('redacted_thinking'), data: s.string() });
export const toolUse = s.object({
  type: s.literal('tool_use'),
  id: s.string(),
  name: s.string(s.minLength(1, 'must not be empty')),
  input: anyObject,
  cache_control: cache,
});
export const toolResult = s.object({
  type: s.literal('tool_result'),
  tool_use_id: givenCallId,
  content: s.nullish(content),
  is_error: s.nullish(s.boolean()),
  cache_control: cache,
});
export const serverToolUse = s.object({
  type: s.literal('server_tool_use'),
  id: s.string(),
  name: s.string(),
  input: anyObject,
  cache_control: cache,
});
export const mcpToolUse = s.object({
  type: s.literal('mcp_tool_use'),
  id: s.string(),
  name: s.string(),
  server_name: s.string(),
  input: anyObject,
  cache_control: cache,
});
/** Every `*_tool_result` of a server tool; what `content` is depends on the tool [M §2.3]. */
export const serverToolResult = s.object({
  type: s.string(),
  tool_use_id: s.string(),
  content: s.present(),
  is_error: s.nullish(s.boolean()),
  cache_control: cache,
});
export const compaction = s.object({ type: s.literal('compaction'), content: s.nullish(s.string()) });
export const toolChange = s.object({ type: s.string(), tool: anyObject, cache_control: cache });

const span = {
  cited_text: s.nullish(s.string()),
  document_title: s.nullish(s.string()),
  file_id: s.nullish(s.string()),
};
/** The kinds of citation [M §2.4]. */
export const citations = {
  char_location: s.object({
    type: s.string(),
    document_index: count,
    start_char_index: count,
    end_char_index: count,
    ...span,
  }),
  page_location: s.object({
    type: s.string(),
    document_index: count,
    start_page_number: count,
    end_page_number: count,
    ...span,
  }),
  content_block_location: s.object({
    type: s.string(),
    document_index: count,
    start_block_index: count,
    end_block_index: count,
    ...span,
  }),
  search_result_location: s.object({
    type: s.string(),
    search_result_index: count,
    start_block_index: count,
    end_block_index: count,
    source: s.string(),
    title: s.nullish(s.string()),
    cited_text: s.nullish(s.string()),
  }),
  web_search_result_location: s.object({
    type: s.string(),
    url: s.string(),
    title: s.nullish(s.string()),
    cited_text: s.nullish(s.string()),
  }),
} as const;
