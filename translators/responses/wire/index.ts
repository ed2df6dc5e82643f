import { z } from 'zod';
import { isObject, type JsonObject } from '../../wire/json.js';

export * from './content.js';
export * from './tools.js';

/** An object whose keys are read elsewhere. */
export const looseObject = z.custom<JsonObject>((value) => isObject(value), { error: 'expected an object' });

/** Items are checked when they are read. */
const stringOrList = z.custom<string | readonly JsonObject[]>(
  (value) => typeof value === 'string' || Array.isArray(value),
  { error: 'expected a string or a list of items' },
);

const flag = z.boolean().nullish();
const word = z.string().nullish();

/** Body of a create call [R §2.1]. Limits are those of the base specification. */
export const requestBody = z.object({
  model: word,
  input: stringOrList.nullish(),
  instructions: word,
  previous_response_id: word,
  conversation: z.union([z.string(), looseObject], { error: 'expected an id or an object' }).nullish(),
  max_output_tokens: z.int().min(1).nullish(),
  max_tool_calls: z.int().min(0).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  top_logprobs: z.int().min(0).max(20).nullish(),
  tools: z.array(looseObject).nullish(),
  tool_choice: z.union([z.string(), looseObject], { error: 'expected a word or an object' }).nullish(),
  parallel_tool_calls: flag,
  reasoning: looseObject.nullish(),
  text: looseObject.nullish(),
  include: z.array(z.string()).nullish(),
  store: flag,
  stream: flag,
  stream_options: looseObject.nullish(),
  background: flag,
  metadata: looseObject.nullish(),
  service_tier: word,
  truncation: word,
  prompt: looseObject.nullish(),
  prompt_cache_key: word,
  prompt_cache_retention: word,
  prompt_cache_options: looseObject.nullish(),
  safety_identifier: word,
  user: word,
});

/** Map of labels [R §2.1]. */
export const metadata = z
  .record(z.string().max(64, { error: 'a key is longer than 64 characters' }), z.string().max(512))
  .refine((map) => Object.keys(map).length <= 16, { error: 'more than 16 pairs' });

/** Reasoning settings [R §2.2]. */
export const reasoningSettings = z.object({ effort: word, summary: word, generate_summary: word });

/** Text settings [R §2.2]. */
export const textSettings = z.object({ format: looseObject.nullish(), verbosity: word });

/** Form of the answer [R §2.2]. */
export const textFormat = z.object({
  type: z.string(),
  name: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, { error: 'expected 1 to 64 letters, digits, underscores or dashes' })
    .optional(),
  schema: looseObject.nullish(),
  description: word,
  strict: flag,
});
export type TextFormat = z.infer<typeof textFormat>;

/** Settings of the prompt cache [R §2.1]. */
export const cacheOptions = z.object({ mode: word, ttl: word });

/** A count; what is none is not said, because no answer is worth less for it. */
const counter = z.number().nonnegative().nullish().catch(undefined);

/** Token counts [R §4.4]. */
export const usage = z.object({
  input_tokens: counter,
  input_tokens_details: z.object({ cached_tokens: counter, cache_write_tokens: counter }).nullish().catch(undefined),
  output_tokens: counter,
  output_tokens_details: z.object({ reasoning_tokens: counter }).nullish().catch(undefined),
  total_tokens: counter,
});

/** The answer [R §4.1]; echo fields are not looked at. */
export const responseBody = z.object({
  id: z.string(),
  created_at: z.number().nullish(),
  model: z.string().nullish(),
  status: z.string().nullish(),
  output: z.array(looseObject).nullish(),
  usage: looseObject.nullish(),
  error: looseObject.nullish(),
  incomplete_details: looseObject.nullish(),
  service_tier: z.string().nullish(),
});

export type Request = z.infer<typeof requestBody>;
