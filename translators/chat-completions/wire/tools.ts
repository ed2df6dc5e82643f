import * as z from 'zod/mini';
import { isObject, type JsonObject } from '../../wire/json.js';

/** An object whose members are looked at elsewhere. */
export const object = z.custom<JsonObject>((value) => isObject(value), { error: 'expected an object' });
const flag = z.nullish(z.boolean());
const word = z.nullish(z.string());
export const positive = z.int().check(z.gte(1));
export const toolList = z.array(object);
export const wordOrObject = z.union([z.string(), object], { error: 'expected a word or an object' });
/** The vendor of the protocol takes 64 characters, other servers more [H §3.4]. */
const toolName = z
  .string()
  .check(
    z.minLength(1, { error: 'expected a name' }),
    z.maxLength(128, { error: 'a name has at most 128 characters' }),
  );

/** Tools [H §4.1]. What one is of is under the word of its type; `type` may be missing at servers that know functions only. */
export const tool = z.object({ type: word, function: z.nullish(object), custom: z.nullish(object) });
export const functionTool = z.object({
  name: toolName,
  description: word,
  parameters: z.nullish(object),
  strict: flag,
});
export const customTool = z.object({ name: toolName, description: word, format: z.nullish(object) });
export const customFormat = z.object({
  type: z.string(),
  grammar: z.nullish(z.object({ syntax: z.string(), definition: z.string() })),
});
/** Search of the web, which is a field of the request here [H §2.1]. */
export const webSearchOptions = z.object({
  search_context_size: word,
  user_location: z.nullish(
    z.object({
      type: word,
      approximate: z.nullish(z.object({ city: word, region: word, country: word, timezone: word })),
    }),
  ),
});

/** Objects of `tool_choice` [H §4.2]; what names a function may have no type. */
export const toolChoice = z.object({
  type: word,
  function: z.nullish(z.object({ name: z.string().check(z.minLength(1)) })),
  custom: z.nullish(z.object({ name: z.string().check(z.minLength(1)) })),
  allowed_tools: z.nullish(
    z.object({
      mode: z.enum(['auto', 'required'], { error: 'expected auto or required' }),
      tools: z.array(object),
    }),
  ),
});
/** The choice among legacy functions [H §4.5]. */
export const functionChoice = z.object({ name: z.string().check(z.minLength(1)) });

/** Form of the answer [H §5]. */
export const responseFormat = z.object({ type: z.string(), json_schema: z.nullish(object) });
export const jsonSchema = z.object({
  name: z.nullish(z.string().check(z.maxLength(64))),
  description: word,
  schema: z.nullish(object),
  strict: flag,
});

/** Map of labels [H §2.1]. */
export const metadata = z
  .record(
    z.string().check(z.maxLength(64, { error: 'a key is longer than 64 characters' })),
    z.string().check(z.maxLength(512)),
  )
  .check(z.refine((map) => Object.keys(map).length <= 16, { error: 'more than 16 pairs' }));

/** How the prompt is cached [H §2.1]. */
export const cacheOptions = z.object({ mode: word, ttl: word });

/** Ways to ask for reasoning, by the servers that have them [H §2.3]. */
export const reasoning = z.object({ effort: word, max_tokens: z.nullish(z.number()), enabled: flag, exclude: flag });
export const thinkingSwitch = z.object({ type: word, budget_tokens: z.nullish(z.number()) });
export const extraBody = z.object({ google: z.nullish(object) });
export const googleBody = z.object({ thinking_config: z.nullish(object) });
export const thinkingConfig = z.object({ include_thoughts: flag, thinking_budget: z.nullish(z.number()) });
