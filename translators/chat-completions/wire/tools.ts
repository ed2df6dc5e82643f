import { isObject, type JsonObject } from '../../wire/json.js';
import * as s from '../../wire/schema.js';

/** An object whose members are looked at elsewhere. */
export const object = s.custom<JsonObject>((value) => isObject(value), 'expected an object');
const flag = s.nullish(s.boolean());
const word = s.nullish(s.string());
export const positive = s.int(s.gte(1));
export const toolList = s.array(object);
export const wordOrObject = s.union([s.string(), object], 'expected a word or an object');
/** The vendor of the protocol takes 64 characters, other servers more [H §3.4]. */
const toolName = s.string(s.minLength(1, 'expected a name'), s.maxLength(128, 'a name has at most 128 characters'));

/** Tools [H §4.1]. What one is of is under the word of its type; `type` may be missing at servers that know functions only. */
export const tool = s.object({ type: word, function: s.nullish(object), custom: s.nullish(object) });
export const functionTool = s.object({
  name: toolName,
  description: word,
  parameters: s.nullish(object),
  strict: flag,
});
export const customTool = s.object({ name: toolName, description: word, format: s.nullish(object) });
export const customFormat = s.object({
  type: s.string(),
  grammar: s.nullish(s.object({ syntax: s.string(), definition: s.string() })),
});
/** Search of the web, which is a field of the request here [H §2.1]. */
export const webSearchOptions = s.object({
  search_context_size: word,
  user_location: s.nullish(
    s.object({
      type: word,
      approximate: s.nullish(s.object({ city: word, region: word, country: word, timezone: word })),
    }),
  ),
});

/** Objects of `tool_choice` [H §4.2]; what names a function may have no type. */
export const toolChoice = s.object({
  type: word,
  function: s.nullish(s.object({ name: s.string(s.minLength(1)) })),
  custom: s.nullish(s.object({ name: s.string(s.minLength(1)) })),
  allowed_tools: s.nullish(
    s.object({
      mode: s.oneOf(['auto', 'required'], 'expected auto or required'),
      tools: s.array(object),
    }),
  ),
});
/** The choice among legacy functions [H §4.5]. */
export const functionChoice = s.object({ name: s.string(s.minLength(1)) });

/** Form of the answer [H §5]. */
export const responseFormat = s.object({ type: s.string(), json_schema: s.nullish(object) });
export const jsonSchema = s.object({
  name: s.nullish(s.string(s.maxLength(64))),
  description: word,
  schema: s.nullish(object),
  strict: flag,
});

/** Map of labels [H §2.1]. */
export const metadata = s.record(
  s.string(s.maxLength(64, 'a key is longer than 64 characters')),
  s.string(s.maxLength(512)),
  s.rule((map: object) => Object.keys(map).length <= 16, 'more than 16 pairs'),
);

/** How the prompt is cached [H §2.1]. */
export const cacheOptions = s.object({ mode: word, ttl: word });

/** Ways to ask for reasoning, by the servers that have them [H §2.3]. */
export const reasoning = s.object({ effort: word, max_tokens: s.nullish(s.number()), enabled: flag, exclude: flag });
export const thinkingSwitch = s.object({ type: word, budget_tokens: s.nullish(s.number()) });
export const extraBody = s.object({ google: s.nullish(object) });
export const googleBody = s.object({ thinking_config: s.nullish(object) });
export const thinkingConfig = s.object({ include_thoughts: flag, thinking_budget: s.nullish(s.number()) });
