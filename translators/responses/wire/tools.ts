import * as z from 'zod/mini';
import { isObject, type JsonObject } from '../../wire/json.js';

const object = z.custom<JsonObject>((value) => isObject(value), { error: 'expected an object' });
const flag = z.nullish(z.boolean());
const word = z.nullish(z.string());
const words = z.nullish(z.array(z.string()));
const toolName = z
  .string()
  .check(
    z.minLength(1, { error: 'expected a name' }),
    z.maxLength(128, { error: 'a name has at most 128 characters' }),
  );

/** Tools [R §2.6]. Keys that mean nothing outside this dialect are not listed. */
export const functionTool = z.object({
  type: z.string(),
  name: toolName,
  description: word,
  parameters: z.nullish(object),
  strict: flag,
});
export const customTool = z.object({ type: z.string(), name: toolName, description: word, format: z.nullish(object) });
export const grammar = z.object({ type: z.literal('grammar'), syntax: z.string(), definition: z.string() });
export const namespaceTool = z.object({
  type: z.string(),
  name: toolName,
  description: word,
  tools: z.array(object),
});
export const webSearchTool = z.object({
  type: z.string(),
  filters: z.nullish(z.object({ allowed_domains: words, blocked_domains: words })),
  /** The base specification's form of `filters.allowed_domains` [R §7 row 9]. */
  domains: words,
  search_context_size: word,
  user_location: z.nullish(z.object({ type: word, city: word, region: word, country: word, timezone: word })),
});
export const fileSearchTool = z.object({
  type: z.string(),
  vector_store_ids: z.array(z.string()),
  max_num_results: z.nullish(z.int().check(z.gte(1), z.lte(50))),
  ranking_options: z.nullish(z.object({ score_threshold: z.nullish(z.number().check(z.gte(0), z.lte(1))) })),
});
export const codeInterpreterTool = z.object({
  type: z.string(),
  container: z.union([z.string(), z.object({ type: word, file_ids: words })], {
    error: 'expected an id or an object',
  }),
});
export const imageGenerationTool = z.object({ type: z.string() });
export const mcpTool = z.object({
  type: z.string(),
  server_label: z.string(),
  server_url: word,
  connector_id: word,
  authorization: word,
  headers: z.nullish(z.record(z.string(), z.string())),
  allowed_tools: z.nullish(z.union([z.array(z.string()), object], { error: 'expected a list of names or a filter' })),
  require_approval: z.nullish(z.union([z.string(), object], { error: 'expected a word or a filter' })),
});
export const computerPreviewTool = z.object({
  type: z.string(),
  display_width: z.nullish(z.int()),
  display_height: z.nullish(z.int()),
  environment: word,
});
export const shellTool = z.object({ type: z.string(), environment: z.nullish(object) });
export const plainTool = z.object({ type: z.string() });

/** Objects of `tool_choice` and entries of an allowed list [R §2.3]. */
export const toolRef = z.object({ type: z.string(), name: word, namespace: word, server_label: word });
export const allowedTools = z.object({
  type: z.string(),
  mode: z.enum(['auto', 'required'], { error: 'expected auto or required' }),
  tools: z.array(object),
});
