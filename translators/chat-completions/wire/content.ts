import * as z from 'zod/mini';
import type { JsonObject } from '../../canonical/node.js';
import { isObject } from '../../wire/json.js';

const anyObject = z.custom<JsonObject>(isObject, 'expected an object');
export const anyList = z.custom<readonly unknown[]>(Array.isArray, 'expected an array');
const content = z.custom<string | readonly unknown[]>(
  (value) => typeof value === 'string' || Array.isArray(value),
  'expected a string or an array of parts',
);

const word = z.nullish(z.string());

/** Marks up to which a prompt is cached: of the vendor of the protocol [H §2.1], and of hosts of other models [H §3.2]. */
const marks = { prompt_cache_breakpoint: z.nullish(anyObject), cache_control: z.nullish(anyObject) };

export const text = z.object({ type: z.literal('text'), text: z.string(), ...marks });
export const refusal = z.object({ type: z.literal('refusal'), refusal: z.string() });
/** Some servers take the bare address in place of the object [H §3.2]. */
export const imageUrl = z.object({
  type: z.literal('image_url'),
  image_url: z.union([z.string(), z.object({ url: z.string(), detail: word })]),
  ...marks,
});
export const inputAudio = z.object({
  type: z.literal('input_audio'),
  input_audio: z.object({ data: z.string(), format: word }),
  ...marks,
});
export const file = z.object({
  type: z.literal('file'),
  file: z.object({ file_id: word, filename: word, file_data: word }),
  ...marks,
});
export const videoUrl = z.object({ type: z.literal('video_url'), video_url: z.object({ url: z.string() }), ...marks });
export const audioUrl = z.object({ type: z.literal('audio_url'), audio_url: z.object({ url: z.string() }), ...marks });
export const documentUrl = z.object({
  type: z.literal('document_url'),
  document_url: z.string(),
  document_name: word,
  ...marks,
});

/** What every message has [H §3.1]. */
const common = { role: z.string(), content: z.nullish(content), name: word };
export const message = z.object(common);
export const assistantMessage = z.object({
  ...common,
  refusal: word,
  tool_calls: z.nullish(z.array(anyObject)),
  function_call: z.nullish(anyObject),
  audio: z.nullish(anyObject),
  images: z.nullish(anyList),
  annotations: z.nullish(anyList),
  prefix: z.nullish(z.boolean()),
});
export const toolMessage = z.object({ ...common, tool_call_id: word });

/** A call in a message. Which member says what is called, its type tells; a few servers leave that out. */
export const call = z.object({
  id: word,
  type: word,
  function: z.nullish(anyObject),
  custom: z.nullish(anyObject),
});
/** `arguments` is a text that the model wrote; a few servers give the object itself [H §7.3]. */
export const functionCall = z.object({
  name: z.string().check(z.minLength(1, 'must not be empty')),
  arguments: z.nullish(z.union([z.string(), anyObject])),
});
export const customCall = z.object({ name: z.string().check(z.minLength(1, 'must not be empty')), input: word });
