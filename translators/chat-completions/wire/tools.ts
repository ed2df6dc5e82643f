import { z } from 'zod';
import { isObject, type JsonObject } from '../../wire/json.js';

const object = z.custom<JsonObject>((value) => isObject(value), { error: 'expected an object' });
const flag = z.boolean().nullish();
const word = z.string().nullish();
const positive = z.int().min(1).nullish();
/** The vendor of the protocol takes 64 characters, other servers more [H §3.4]. */
const toolName = z
  .string()
  .min(1, { error: 'expected a name' })
  .max(128, { error: 'a name has at most 128 characters' });

/** Tools [H §4.1]. What one is of is under the word of its type; `type` may be missing at servers that know functions only. */
export const tool = z.object({ type: word, function: object.nullish(), custom: object.nullish() });
export const functionTool = z.object({ name: toolName, description: word, parameters: object.nullish(), strict: flag });
export const customTool = z.object({ name: toolName, description: word, format: object.nullish() });
export const customFormat = z.object({
  type: z.string(),
  grammar: z.object({ syntax: z.string(), definition: z.string() }).nullish(),
});
/** Search of the web, which is a field of the request here [H §2.1]. */
export const webSearchOptions = z.object({
  search_context_size: word,
  user_location: z
    .object({
      type: word,
      approximate: z.object({ city: word, region: word, country: word, timezone: word }).nullish(),
    })
    .nullish(),
});

/** Objects of `tool_choice` [H §4.2]; what names a function may have no type. */
export const toolChoice = z.object({
  type: word,
  function: z.object({ name: z.string().min(1) }).nullish(),
  custom: z.object({ name: z.string().min(1) }).nullish(),
  allowed_tools: z
    .object({
      mode: z.enum(['auto', 'required'], { error: 'expected auto or required' }),
      tools: z.array(object),
    })
    .nullish(),
});
/** The choice among legacy functions [H §4.5]. */
export const functionChoice = z.object({ name: z.string().min(1) });

/** Form of the answer [H §5]. */
export const responseFormat = z.object({ type: z.string(), json_schema: object.nullish() });
export const jsonSchema = z.object({
  name: z.string().max(64).nullish(),
  description: word,
  schema: object.nullish(),
  strict: flag,
});

/** Map of labels [H §2.1]. */
export const metadata = z
  .record(z.string().max(64, { error: 'a key is longer than 64 characters' }), z.string().max(512))
  .refine((map) => Object.keys(map).length <= 16, { error: 'more than 16 pairs' });

/** How the prompt is cached [H §2.1]. */
export const cacheOptions = z.object({ mode: word, ttl: word });

/** Ways to ask for reasoning, by the servers that have them [H §2.3]. */
export const reasoning = z.object({ effort: word, max_tokens: z.number().nullish(), enabled: flag, exclude: flag });
export const thinkingSwitch = z.object({ type: word, budget_tokens: z.number().nullish() });
export const extraBody = z.object({ google: object.nullish() });
export const googleBody = z.object({ thinking_config: object.nullish() });
export const thinkingConfig = z.object({ include_thoughts: flag, thinking_budget: z.number().nullish() });

/** The members of a request beside its model and its messages [H §2.1], with those of other vendors that mean the same. */
export const settings = {
  stream: flag,
  stream_options: object.nullish(),
  max_tokens: positive,
  max_completion_tokens: positive,
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  top_k: z.number().nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  seed: z.int().nullish(),
  random_seed: z.int().nullish(),
  n: positive,
  stop: z.union([z.string(), z.array(z.string())], { error: 'expected a string or a list of strings' }).nullish(),
  logprobs: flag,
  top_logprobs: z.int().min(0).max(20).nullish(),
  tools: z.array(object).nullish(),
  tool_choice: z.union([z.string(), object], { error: 'expected a word or an object' }).nullish(),
  parallel_tool_calls: flag,
  functions: z.array(object).nullish(),
  function_call: z.union([z.string(), object], { error: 'expected a word or an object' }).nullish(),
  web_search_options: object.nullish(),
  response_format: object.nullish(),
  verbosity: word,
  modalities: z.array(z.string()).nullish(),
  reasoning_effort: z.union([z.string(), z.number()]).nullish(),
  reasoning: object.nullish(),
  thinking: object.nullish(),
  enable_thinking: flag,
  thinking_budget: z.number().nullish(),
  chat_template_kwargs: object.nullish(),
  extra_body: object.nullish(),
  store: flag,
  metadata: object.nullish(),
  service_tier: word,
  user: word,
  safety_identifier: word,
  prompt_cache_key: word,
  prompt_cache_retention: word,
  prompt_cache_options: object.nullish(),
};
const settingsBody = z.object(settings);

/** Those members as they were checked. */
export type Settings = z.infer<typeof settingsBody>;
