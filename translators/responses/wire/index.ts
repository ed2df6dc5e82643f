import * as z from 'zod/mini';
import { isObject, type JsonObject } from '../../wire/json.js';

export * from './content.js';
export * from './tools.js';

/** An object whose keys are read elsewhere. */
export const looseObject = z.custom<JsonObject>((value) => isObject(value), { error: 'expected an object' });

/** Items are checked when they are read. */
export const stringOrList = z.custom<string | readonly JsonObject[]>(
  (value) => typeof value === 'string' || Array.isArray(value),
  { error: 'expected a string or a list of items' },
);

const flag = z.nullish(z.boolean());
const word = z.nullish(z.string());

/** Map of labels [R §2.1]. */
export const metadata = z
  .record(
    z.string().check(z.maxLength(64, { error: 'a key is longer than 64 characters' })),
    z.string().check(z.maxLength(512)),
  )
  .check(z.refine((map) => Object.keys(map).length <= 16, { error: 'more than 16 pairs' }));

/** Reasoning settings [R §2.2]. */
export const reasoningSettings = z.object({ effort: word, summary: word, generate_summary: word });

/** Form of the answer [R §2.2]. */
export const textFormat = z.object({
  type: z.string(),
  name: z.optional(
    z
      .string()
      .check(z.regex(/^[A-Za-z0-9_-]{1,64}$/, { error: 'expected 1 to 64 letters, digits, underscores or dashes' })),
  ),
  schema: z.nullish(looseObject),
  description: word,
  strict: flag,
});
export type TextFormat = z.infer<typeof textFormat>;

/** Settings of the prompt cache [R §2.1]. */
export const cacheOptions = z.object({ mode: word, ttl: word });

/** A count; what is none is not said, because no answer is worth less for it. */
const counter = z.catch(z.nullish(z.number().check(z.nonnegative())), undefined);

/** Token counts [R §4.4]. */
export const usage = z.object({
  input_tokens: counter,
  input_tokens_details: z.catch(
    z.nullish(z.object({ cached_tokens: counter, cache_write_tokens: counter })),
    undefined,
  ),
  output_tokens: counter,
  output_tokens_details: z.catch(z.nullish(z.object({ reasoning_tokens: counter })), undefined),
  total_tokens: counter,
});

/** The answer [R §4.1]; echo fields are not looked at. */
export const responseBody = z.object({
  id: z.string(),
  created_at: z.nullish(z.number()),
  model: z.nullish(z.string()),
  status: z.nullish(z.string()),
  output: z.nullish(z.array(looseObject)),
  usage: z.nullish(looseObject),
  error: z.nullish(looseObject),
  incomplete_details: z.nullish(looseObject),
  service_tier: z.nullish(z.string()),
});
