import { isObject, type JsonObject } from '../../wire/json.js';
import * as s from '../../wire/schema.js';

export * from './content.js';
export * from './tools.js';

/** An object whose keys are read elsewhere. */
export const looseObject = s.custom<JsonObject>((value) => isObject(value), 'expected an object');

/** Items are checked when they are read. */
export const stringOrList = s.custom<string | readonly JsonObject[]>(
  (value) => typeof value === 'string' || Array.isArray(value),
  'expected a string or a list of items',
);

const flag = s.nullish(s.boolean());
const word = s.nullish(s.string());

/** Map of labels [R §2.1]. */
export const metadata = s.record(
  s.string(s.maxLength(64, 'a key is longer than 64 characters')),
  s.string(s.maxLength(512)),
  s.rule((map: object) => Object.keys(map).length <= 16, 'more than 16 pairs'),
);

/** Reasoning settings [R §2.2]. */
export const reasoningSettings = s.object({ effort: word, summary: word, generate_summary: word });

/** Form of the answer [R §2.2]. */
export const textFormat = s.object({
  type: s.string(),
  name: s.optional(
    s.string(s.matches(/^[A-Za-z0-9_-]{1,64}$/, 'expected 1 to 64 letters, digits, underscores or dashes')),
  ),
  schema: s.nullish(looseObject),
  description: word,
  strict: flag,
});
export type TextFormat = s.Infer<typeof textFormat>;

/** Settings of the prompt cache [R §2.1]. */
export const cacheOptions = s.object({ mode: word, ttl: word });

/** A count; what is none is not said, because no answer is worth less for it. */
const counter = s.fallback(s.nullish(s.number(s.gte(0))), undefined);

/** Token counts [R §4.4]. */
export const usage = s.object({
  input_tokens: counter,
  input_tokens_details: s.fallback(
    s.nullish(s.object({ cached_tokens: counter, cache_write_tokens: counter })),
    undefined,
  ),
  output_tokens: counter,
  output_tokens_details: s.fallback(s.nullish(s.object({ reasoning_tokens: counter })), undefined),
  total_tokens: counter,
});

/** The answer [R §4.1]; echo fields are not looked at. */
export const responseBody = s.object({
  id: s.string(),
  created_at: s.nullish(s.number()),
  model: s.nullish(s.string()),
  status: s.nullish(s.string()),
  output: s.nullish(s.array(looseObject)),
  usage: s.nullish(looseObject),
  error: s.nullish(looseObject),
  incomplete_details: s.nullish(looseObject),
  service_tier: s.nullish(s.string()),
});
