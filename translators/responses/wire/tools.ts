import { z } from 'zod';
import { isObject, type JsonObject } from '../../wire/json.js';

const object = z.custom<JsonObject>((value) => isObject(value), { error: 'expected an object' });
const flag = z.boolean().nullish();
const word = z.string().nullish();
const words = z.array(z.string()).nullish();
const toolName = z
  .string()
  .min(1, { error: 'expected a name' })
  .max(128, { error: 'a name has at most 128 characters' });

/** Tools [R §2.6]. Keys that mean nothing outside this dialect are not listed. */
export const functionTool = z.object({
  type: z.string(),
  name: toolName,
  description: word,
  parameters: object.nullish(),
  strict: flag,
});
export const customTool = z.object({ type: z.string(), name: toolName, description: word, format: object.nullish() });
export const grammar = z.object({ type: z.literal('grammar'), syntax: z.string(), definition: z.string() });
export const namespaceTool = z.object({
  type: z.string(),
  name: toolName,
  description: word,
  tools: z.array(object),
});
export const webSearchTool = z.object({
  type: z.string(),
  filters: z.object({ allowed_domains: words, blocked_domains: words }).nullish(),
  /** The base specification's form of `filters.allowed_domains` [R §7 row 9]. */
  domains: words,
  search_context_size: word,
  user_location: z.object({ type: word, city: word, region: word, country: word, timezone: word }).nullish(),
});
export const fileSearchTool = z.object({
  type: z.string(),
  vector_store_ids: z.array(z.string()),
  max_num_results: z.int().min(1).max(50).nullish(),
  ranking_options: z.object({ score_threshold: z.number().min(0).max(1).nullish() }).nullish(),
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
  headers: z.record(z.string(), z.string()).nullish(),
  allowed_tools: z.union([z.array(z.string()), object], { error: 'expected a list of names or a filter' }).nullish(),
  require_approval: z.union([z.string(), object], { error: 'expected a word or a filter' }).nullish(),
});
export const computerPreviewTool = z.object({
  type: z.string(),
  display_width: z.int().nullish(),
  display_height: z.int().nullish(),
  environment: word,
});
export const shellTool = z.object({ type: z.string(), environment: object.nullish() });
export const plainTool = z.object({ type: z.string() });

/** Objects of `tool_choice` and entries of an allowed list [R §2.3]. */
export const toolRef = z.object({ type: z.string(), name: word, namespace: word, server_label: word });
export const allowedTools = z.object({
  type: z.string(),
  mode: z.enum(['auto', 'required'], { error: 'expected auto or required' }),
  tools: z.array(object),
});
