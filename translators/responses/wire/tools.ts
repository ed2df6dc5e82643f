import { isObject, type JsonObject } from '../../wire/json.js';
import * as s from '../../wire/schema.js';

const object = s.custom<JsonObject>((value) => isObject(value), 'expected an object');
const flag = s.nullish(s.boolean());
const word = s.nullish(s.string());
const words = s.nullish(s.array(s.string()));
const toolName = s.string(s.minLength(1, 'expected a name'), s.maxLength(128, 'a name has at most 128 characters'));

/** Tools [R §2.6]. Keys that mean nothing outside this dialect are not listed. */
export const functionTool = s.object({
  type: s.string(),
  name: toolName,
  description: word,
  parameters: s.nullish(object),
  strict: flag,
});
export const customTool = s.object({ type: s.string(), name: toolName, description: word, format: s.nullish(object) });
export const grammar = s.object({ type: s.literal('grammar'), syntax: s.string(), definition: s.string() });
export const namespaceTool = s.object({
  type: s.string(),
  name: toolName,
  description: word,
  tools: s.array(object),
});
export const webSearchTool = s.object({
  type: s.string(),
  filters: s.nullish(s.object({ allowed_domains: words, blocked_domains: words })),
  /** The base specification's form of `filters.allowed_domains` [R §7 row 9]. */
  domains: words,
  search_context_size: word,
  user_location: s.nullish(s.object({ type: word, city: word, region: word, country: word, timezone: word })),
});
export const fileSearchTool = s.object({
  type: s.string(),
  vector_store_ids: s.array(s.string()),
  max_num_results: s.nullish(s.int(s.gte(1), s.lte(50))),
  ranking_options: s.nullish(s.object({ score_threshold: s.nullish(s.number(s.gte(0), s.lte(1))) })),
});
export const codeInterpreterTool = s.object({
  type: s.string(),
  container: s.union([s.string(), s.object({ type: word, file_ids: words })], 'expected an id or an object'),
});
export const imageGenerationTool = s.object({ type: s.string() });
export const mcpTool = s.object({
  type: s.string(),
  server_label: s.string(),
  server_url: word,
  connector_id: word,
  authorization: word,
  headers: s.nullish(s.record(s.string(), s.string())),
  allowed_tools: s.nullish(s.union([s.array(s.string()), object], 'expected a list of names or a filter')),
  require_approval: s.nullish(s.union([s.string(), object], 'expected a word or a filter')),
});
export const computerPreviewTool = s.object({
  type: s.string(),
  display_width: s.nullish(s.int()),
  display_height: s.nullish(s.int()),
  environment: word,
});
export const shellTool = s.object({ type: s.string(), environment: s.nullish(object) });
export const plainTool = s.object({ type: s.string() });

/** Objects of `tool_choice` and entries of an allowed list [R §2.3]. */
export const toolRef = s.object({ type: s.string(), name: word, namespace: word, server_label: word });
export const allowedTools = s.object({
  type: s.string(),
  mode: s.oneOf(['auto', 'required'], 'expected auto or required'),
  tools: s.array(object),
});
